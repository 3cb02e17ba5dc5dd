#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calibrate/ranks/thread_time.hpp"

namespace narrows {

/// One sample that is to be taken: so many messages of a size.
struct SampleOfSize {
    std::size_t bytes = 0;
    int messages = 0;
};

/// What a kernel between pairs of ranks is to measure, the same for all ranks: they take the samples in step.
struct SamplePlan {
    std::vector<SampleOfSize> samples;

    std::size_t most_bytes() const;
};

/// `repeats` samples of each size in random order, each of so many messages that it takes about as long as the others,
/// but at most `most_messages`.
SamplePlan sample_plan(const std::vector<std::size_t>& sizes, int repeats, int most_messages, std::uint64_t seed);

/// What processes had of their cores while they measured.
struct CoreTime {
    double awake_seconds = 0;  ///< wall time without that in which they slept until something came
    double processor_seconds = 0;
    std::int64_t involuntary_switches = 0;
    bool crowded = false;  ///< there was not a core for every process of a host

    void add(const CoreTime& other);
};

/// What a rank says of all its samples together.
struct RankTotals {
    std::uint64_t checked = 0;  ///< samples that this rank has checked
    std::uint64_t errors = 0;   ///< of these, that brought something else than was sent
    CoreTime cores;             ///< of its process, over TCP and MPI
};

/// What one rank measured: seconds for each sample of the plan, and how many brought something else than was sent; and
/// the memory that it sends from and receives into.
struct RankRecord : RankTotals {
    std::vector<double> seconds;
    std::vector<std::byte> out;
    std::vector<std::byte> in;
    std::vector<double> send_overlap;     ///< overlap ratios, a sample each, `overlap` only
    std::vector<double> receive_overlap;  ///< the same of receives

    void prepare(const SamplePlan& plan);
    /// This rank has taken another sample.
    void add_sample(double time) {
        seconds.push_back(time);
        if (report) report(seconds.size());
    }
    /// This rank has checked what a sample brought.
    void check(bool right) {
        ++checked;
        errors += right ? 0 : 1;
    }
    std::string cut_by;  ///< what ended it before all samples were taken; empty when nothing did
    std::function<void(std::size_t taken)> report;  ///< of one rank at most, which tells how many samples it has

    /// Adds what another rank has checked and had of a core; of a collective its seconds too, where it was slower.
    void add(const RankRecord& other, bool slowest);
};

/// What a rank measured, as bytes that travel between processes of one program.
std::string write_record(const RankRecord& record);
/// Throws std::logic_error when the bytes are not what `write_record` wrote.
RankRecord read_record(const std::string& bytes);

/// The rank that `rank` of `ranks` has to do with: half of all ranks away, rounded up, so that a pair's two lie on
/// different workers wherever there are two; or itself when it is left over, as the one in the middle of an odd number.
int pair_partner(int rank, int ranks);

/// Whether `rank` is the one of its pair that begins.
bool begins(int rank, int ranks);

/// Bytes that differ from one sample to the next.
void fill_pattern(std::byte* data, std::size_t bytes, std::uint64_t seed);
/// Whether `data` is what `fill_pattern` made.
bool has_pattern(const std::byte* data, std::size_t bytes, std::uint64_t seed);

}  // namespace narrows
