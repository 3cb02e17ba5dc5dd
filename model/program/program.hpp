#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/program/expression.hpp"
#include "model/program/pattern.hpp"

namespace narrows {

/// A number that a program's user may choose.
struct ProgramOption {
    std::string name;
    Amount usual;
    std::string text;  ///< `usual` as it is written
    std::string help;
    Origin origin = {};

    /// What is written for it; a plain number has the units of `usual`. InputError for other units.
    Amount amount_of(const std::string& written) const;
};

/// A phase as it is written.
struct ProgramPhase {
    std::string name;
    const Pattern* pattern = nullptr;
    std::string algorithm;     ///< empty: the pattern's first
    std::optional<int> along;  ///< dimension of the ranks' grid, from 0
    std::map<std::string, Expression, std::less<>> numbers;
    std::optional<Expression> repeat;
    std::shared_ptr<const RankMessages> messages;  ///< of a pattern with a file
    Origin origin;
};

/// A user's program: computing and messages, phase by phase. `data/workload_file.hpp` reads one.
struct Program {
    std::string name;
    std::string source;
    std::vector<ProgramOption> options;
    int dimensions = 1;  ///< of the grid of its ranks
    std::vector<ProgramPhase> phases;
    std::vector<std::vector<std::string>> overlaps;  ///< names of phases that run at the same time
};

/// Amounts that every expression has beside the program's options: P ranks, Px Py Pz of the grid's dimensions, `yes`,
/// `no`.
Amounts names_of_ranks(const std::vector<int>& grid);

/// Those on this grid of ranks, and the options' as chosen.
Amounts amounts_of(const Program& program, const std::vector<int>& grid, const std::map<std::string, Amount>& chosen);

/// What a processor does in a phase before or beside its messages; of one rank.
struct RankWork {
    double seconds = 0;
    double flops = 0;
    double memory = 0;  ///< bytes
};

/// A phase for given ranks and options: what a machine is asked for, and what a kernel runs.
struct PhaseWork : PatternRounds {
    std::string name;
    const Pattern* pattern = nullptr;
    std::string algorithm;
    RankWork compute;
    double repeat = 1;      ///< of all of it
    bool all_ranks = true;  ///< one group of them all
    int overlap = -1;       ///< group of phases that run at the same time; none below 0
    Origin origin = {};     ///< for errors
};

/// The phases of `program` on this grid of ranks, so many of which are a node. InputError with the place in its file
/// for a number that cannot be; `chosen` has options of the program (std::logic_error) as `amount_of` gives them.
std::vector<PhaseWork> phases_of(const Program& program, const std::vector<int>& grid,
                                 const std::map<std::string, Amount>& chosen, std::int64_t ranks_per_node = 1);

}  // namespace narrows
