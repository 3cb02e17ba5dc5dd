#pragma once

#include <cstdint>
#include <vector>

namespace narrows {

/// A message that a rank sends and one that it receives, at the same time.
struct ProgramStep {
    std::int32_t to = -1;        ///< none below 0
    std::int32_t from = -1;      ///< none below 0
    std::uint64_t bytes = 0;     ///< that it sends
    std::uint64_t bytes_in = 0;  ///< that it receives
    bool combines = false;       ///< what comes is added to what is there
    bool sends_first = true;
};

/// What a rank does in a phase, `repeat` times.
struct RankPhase {
    double seconds = 0;  ///< of computing, whatever the machine
    std::uint64_t flops = 0;
    std::uint64_t memory = 0;  ///< bytes to and from memory
    /// Above 0: for so many pieces what comes by the steps is received, then it is computed, then it is sent on.
    std::int64_t pieces = 0;
    std::vector<ProgramStep> steps;
    std::uint64_t turns = 0;  ///< times of all steps, after computing
    std::uint64_t rest = 0;   ///< first steps that follow once more
    std::int64_t repeat = 1;
    int overlap = -1;  ///< group of phases that run at the same time; none below 0
};

/// A user's program as the ranks run it.
struct ProgramRanks {
    std::vector<std::vector<RankPhase>> phases;  ///< of each rank
    std::uint64_t most_bytes = 0;                ///< of a message
    std::uint64_t most_memory = 0;               ///< of a phase
    std::uint64_t digest = 0;                    ///< equal for equal programs
};

}  // namespace narrows
