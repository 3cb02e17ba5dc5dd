#include "calibrate/kernels/messages/collective.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "calibrate/kernels/messages/exchange.hpp"
#include "calibrate/kernels/messages/matvec.hpp"
#include "calibrate/kernels/program/program_kernel.hpp"
#include "calibrate/kernels/program/program_ranks.hpp"
#include "calibrate/messaging/block_collectives.hpp"
#include "calibrate/messaging/node_allreduce.hpp"
#include "calibrate/messaging/node_shared_allreduce.hpp"

namespace narrows {
namespace {

// A collective is timed as a function of a rank's data, which have
//
//   void fill(std::size_t bytes, std::uint64_t time)   what a rank brings along, another each time
//   bool right() const                                 whether what is there now is what it has to be

/// Takes the samples of a plan. The seconds of a sample are those that one takes this rank, by its own clock, from when
/// all have come to when it is done; of a run those of the slowest rank count. Data that fill and check
/// nothing outside of `run` say so by `follows_itself`: their times follow each other without a barrier, as a program's
/// iterations do.
template <class Data, class Run>
void collective_samples(Member& member, Data data, const Run& run, const SamplePlan& plan, RankRecord& record) {
    record.seconds.reserve(plan.samples.size());
    std::uint64_t number = 0;
    for (const auto& [bytes, times] : plan.samples) {
        bool right = true;
        double start = 0;
        double seconds = 0;
        for (int time = -1; time < times; ++time) {
            constexpr bool follows_itself = requires {
                Data::follows_itself;
            };
            data.fill(bytes, ++number);
            if (!follows_itself || time <= 0) {
                barrier(member);  // filling and checking are timed on no rank
                start = wall_seconds();
            }
            run(data);
            if (time >= 0 && (!follows_itself || time + 1 == times)) seconds += wall_seconds() - start;
            right = data.right() && right;
        }
        record.add_sample(seconds / times);
        record.check(right);
    }
}

/// Doubles to be summed: element i of rank r is r + i + the time's number, so that sums are known.
struct Addends {
    Addends(int rank, int all, std::size_t most_bytes)
        : me(rank), ranks(all), values(most_bytes / sizeof(double)), scratch(values.size()) {}

    void fill(std::size_t bytes, std::uint64_t time) {
        count = end = bytes / sizeof(double);
        number = static_cast<double>(time);
        for (std::size_t i = 0; i < count; ++i) values[i] = me + (number + static_cast<double>(i));
    }
    bool right() const {
        const double of_ranks = static_cast<double>(ranks) * (ranks - 1) / 2;
        std::size_t wrong = 0;
        for (std::size_t i = begin; i < end; ++i) {
            wrong += values[i] != of_ranks + ranks * (number + static_cast<double>(i)) ? 1 : 0;
        }
        return wrong == 0;
    }

    int me, ranks;
    std::vector<double> values, scratch;
    std::size_t count = 0;
    std::size_t begin = 0, end = 0;  ///< the sums that this rank has at the end: all, unless a collective says less
    double number = 0;
};

constexpr auto summed = [](double a, double b) { return a + b; };

/// Blocks of the sample's bytes, which the first `sources` ranks send: each its own one, or with `to_each` another one
/// to each of them.
struct Blocks {
    Blocks(int rank, int sending, std::size_t most_bytes, bool to_each, bool needs_scratch)
        : me(rank),
          sources(sending),
          in(most_bytes * static_cast<std::size_t>(sending)),
          out(to_each ? in.size() : 0),
          scratch(needs_scratch ? in.size() : 0) {}

    void fill(std::size_t size, std::uint64_t time) {
        bytes = size;
        number = time;
        if (out.empty() && me < sources) fill_pattern(in.data() + at(me), bytes, seed(me, 0));
        for (int to = 0; !out.empty() && to < sources; ++to) fill_pattern(out.data() + at(to), bytes, seed(me, to));
    }
    bool right() const {
        bool all = true;
        for (int from = 0; from < sources; ++from) {
            all = has_pattern(in.data() + at(from), bytes, seed(from, out.empty() ? 0 : me)) && all;
        }
        return all;
    }
    std::size_t at(int rank) const { return static_cast<std::size_t>(rank) * bytes; }
    std::uint64_t seed(int from, int to) const {
        const auto all = static_cast<std::uint64_t>(sources);
        return (number * all + static_cast<std::uint64_t>(from)) * all + static_cast<std::uint64_t>(to);
    }

    int me, sources;
    std::vector<std::byte> in, out, scratch;
    std::size_t bytes = 0;
    std::uint64_t number = 0;
};

/// A barrier, whose number all hear: nobody else can have been in it.
class BarrierKernel {
  public:
    void fill(std::size_t /*bytes*/, std::uint64_t time) { time_ = time; }
    void run(Member& member) { same_ = barrier(member, time_); }
    bool right() const { return same_; }

  private:
    std::uint64_t time_ = 0;
    bool same_ = false;
};

/// A collective as the rounds of its algorithm, of each size: messages whose first words are checked.
class RoundsKernel {
  public:
    RoundsKernel(const std::map<std::size_t, std::shared_ptr<const ProgramRanks>>& programs, int me)
        : programs_(programs), kernel_(*programs.rbegin()->second, me, 0) {}

    void fill(std::size_t bytes, std::uint64_t time) {
        kernel_.follow(*programs_.at(bytes));
        kernel_.fill(bytes, time);
    }
    void run(Member& member) { kernel_.run(member); }
    bool right() const { return kernel_.right(); }

  private:
    const std::map<std::size_t, std::shared_ptr<const ProgramRanks>>& programs_;
    ProgramKernel kernel_;
};

std::shared_ptr<const ProgramRanks> collective_ranks(const CollectiveAlgorithm& algorithm,
                                                     const MessageOptions& options, std::size_t size) {
    PhaseWork phase;
    phase.name = algorithm.collective;
    phase.rounds = collective_rounds(algorithm.collective, algorithm.name, options.ranks,
                                     bytes(static_cast<double>(size)), std::max(1, options.node_ranks));
    return program_ranks({phase}, options.ranks);
}

}  // namespace

CollectiveProgram::CollectiveProgram(const MessageOptions& options, const SamplePlan& plan)
    : options_(options), plan_(plan) {
    if (options.algorithm == Algorithm::node_shared) {
        segments_.emplace(options.ranks, options.node_ranks, SegmentShape::up_to(plan.most_bytes()));
    }
    if (options.by_rounds != nullptr) {
        for (const SampleOfSize& sample : plan.samples) {
            auto& program = programs_[sample.bytes];
            if (program == nullptr) program = collective_ranks(*options.by_rounds, options, sample.bytes);
        }
    }
}

void CollectiveProgram::run(Member& member, RankRecord& record) const {
    const int me = member.me();
    const int ranks = member.size();
    const std::size_t most = plan_.most_bytes();
    const Algorithm how = algorithm_of(options_);
    const bool bruck = how == Algorithm::bruck;
    const auto sample = [&](auto data, const auto& timed) {
        collective_samples(member, std::move(data), timed, plan_, record);
    };
    const auto sample_kernel = [&](auto kernel) {
        sample(std::move(kernel), [&member](auto& each) { each.run(member); });
    };
    if (options_.by_rounds != nullptr) return sample_kernel(RoundsKernel(programs_, me));
    switch (options_.kernel) {
        case MessageKernel::exchange:
            return exchange(member, options_.neighbours, plan_, record);
        case MessageKernel::matvec:
            return matvec(member, plan_, record);
        case MessageKernel::all_to_all:
            return sample(Blocks(me, ranks, most, true, bruck), [&member, how](Blocks& blocks) {
                if (how == Algorithm::pairwise) {
                    all_to_all_pairwise(member, blocks.out.data(), blocks.in.data(), blocks.bytes);
                } else {
                    all_to_all_bruck(member, blocks.out.data(), blocks.in.data(), blocks.bytes, blocks.scratch.data());
                }
            });
        case MessageKernel::broadcast:
            return sample(Blocks(me, 1, most, false, false),
                          [&member](Blocks& blocks) { broadcast(member, blocks.in.data(), blocks.bytes); });
        case MessageKernel::allgather:
            return sample(Blocks(me, ranks, most, false, bruck), [&member, how](Blocks& blocks) {
                if (how == Algorithm::ring) {
                    allgather(member, blocks.in.data(), blocks.bytes);
                } else {
                    allgather_bruck(member, blocks.in.data(), blocks.bytes, blocks.scratch.data());
                }
            });
        case MessageKernel::reduce_scatter:
            return sample(Addends(me, ranks, most), [&member, how](Addends& addends) {
                addends.begin = begin_of_part(addends.count, addends.me, addends.ranks);
                addends.end = begin_of_part(addends.count, addends.me + 1, addends.ranks);
                double* const values = addends.values.data();
                if (how == Algorithm::pairwise) {
                    reduce_scatter_pairwise(member, values, addends.scratch.data(), addends.count, summed);
                } else {
                    reduce_scatter_ring(member, values, addends.scratch.data(), addends.count, summed);
                }
            });
        case MessageKernel::barrier:
            return sample_kernel(BarrierKernel());
        case MessageKernel::program:
            return sample_kernel(ProgramKernel(*options_.program, me, bytes_of_work(options_)));
        default:
            // By nodes where they have ranks, which share memory where there are segments.
            return sample(Addends(me, ranks, most), [&](Addends& addends) {
                double* const values = addends.values.data();
                double* const scratch = addends.scratch.data();
                if (segments_) {
                    allreduce_node_shared(member, *segments_, values, scratch, addends.count, summed);
                } else if (options_.node_ranks != 0) {
                    allreduce_by_nodes(member, how, options_.node_ranks, values, scratch, addends.count, summed);
                } else {
                    allreduce(member, how, values, scratch, addends.count, summed);
                }
            });
    }
}

}  // namespace narrows
