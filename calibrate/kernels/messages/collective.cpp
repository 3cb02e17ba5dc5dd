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

// The collectives as kernels. Each has
//
//   void fill(std::size_t bytes, std::uint64_t time)   what a rank brings along, another each time
//   void run(Member& member)                           what is timed
//   bool right() const                                 whether what is there now is what it has to be

/// Takes the samples of a plan. The seconds of a sample are those that one takes this rank, by its own clock, from when
/// all have come to when it is done; of a run those of the slowest rank count. A collective that fills and checks
/// nothing outside of `run` says so by `follows_itself`: its times follow each other without a barrier, as a program's
/// iterations do.
template <class Collective>
void collective_samples(Member& member, Collective collective, const SamplePlan& plan, RankRecord& record) {
    record.seconds.reserve(plan.samples.size());
    std::uint64_t number = 0;
    for (const auto& [bytes, times] : plan.samples) {
        bool right = true;
        double start = 0;
        double seconds = 0;
        for (int time = -1; time < times; ++time) {
            constexpr bool follows_itself = requires {
                Collective::follows_itself;
            };
            collective.fill(bytes, ++number);
            if (!follows_itself || time <= 0) {
                barrier(member);  // filling and checking are timed on no rank
                start = wall_seconds();
            }
            collective.run(member);
            if (time >= 0 && (!follows_itself || time + 1 == times)) seconds += wall_seconds() - start;
            right = collective.right() && right;
        }
        record.add_sample(seconds / times);
        record.check(right);
    }
}

/// Doubles to be summed: element i of rank r is r + i + the time's number, so that sums are known.
class Addends {
  public:
    Addends(int me, int ranks, std::size_t most_bytes)
        : me_(me), ranks_(ranks), data_(most_bytes / sizeof(double)), scratch_(data_.size()) {}

    void fill(std::size_t bytes, std::uint64_t time) {
        count_ = bytes / sizeof(double);
        time_ = static_cast<double>(time);
        for (std::size_t i = 0; i < count_; ++i) data_[i] = me_ + (time_ + static_cast<double>(i));
    }
    bool are_summed(std::size_t begin, std::size_t end) const {
        const double of_ranks = static_cast<double>(ranks_) * (ranks_ - 1) / 2;
        std::size_t wrong = 0;
        for (std::size_t i = begin; i < end; ++i) {
            wrong += data_[i] != of_ranks + ranks_ * (time_ + static_cast<double>(i)) ? 1 : 0;
        }
        return wrong == 0;
    }

  protected:
    int me_;
    int ranks_;
    std::vector<double> data_;
    std::vector<double> scratch_;
    std::size_t count_ = 0;

  private:
    double time_ = 0;
};

constexpr auto summed = [](double a, double b) { return a + b; };

/// A sum over all ranks, of as many doubles as the bytes of a sample hold. `node_ranks` above 0: by nodes of so many
/// ranks, which `segments` are of if they share memory.
class AllreduceKernel : public Addends {
  public:
    AllreduceKernel(Addends addends, Algorithm how, int node_ranks, const NodeSegments* segments)
        : Addends(std::move(addends)), how_(how), node_ranks_(node_ranks), segments_(segments) {}

    void run(Member& member) {
        double* const data = data_.data();
        if (segments_ != nullptr) {
            allreduce_node_shared(member, *segments_, data, scratch_.data(), count_, summed);
        } else if (node_ranks_ != 0) {
            allreduce_by_nodes(member, how_, node_ranks_, data, scratch_.data(), count_, summed);
        } else {
            allreduce(member, how_, data, scratch_.data(), count_, summed);
        }
    }
    bool right() const { return are_summed(0, count_); }

  private:
    Algorithm how_;
    int node_ranks_;
    const NodeSegments* segments_;
};

/// The same sum, of which each rank gets its part.
class ReduceScatterKernel : public Addends {
  public:
    ReduceScatterKernel(Addends addends, Algorithm how) : Addends(std::move(addends)), how_(how) {}

    void run(Member& member) {
        if (how_ == Algorithm::pairwise) {
            reduce_scatter_pairwise(member, data_.data(), scratch_.data(), count_, summed);
        } else {
            reduce_scatter_ring(member, data_.data(), scratch_.data(), count_, summed);
        }
    }
    bool right() const { return are_summed(begin_of(me_), begin_of(me_ + 1)); }

  private:
    std::size_t begin_of(int part) const { return begin_of_part(count_, part, ranks_); }

    Algorithm how_;
};

/// Each rank gives each other one, and itself, a block of the sample's bytes.
class AllToAllKernel {
  public:
    AllToAllKernel(int me, int ranks, std::size_t most_bytes, Algorithm how)
        : me_(me),
          ranks_(ranks),
          how_(how),
          out_(most_bytes * static_cast<std::size_t>(ranks)),
          in_(out_.size()),
          scratch_(how == Algorithm::bruck ? out_.size() : 0) {}

    void fill(std::size_t bytes, std::uint64_t time) {
        bytes_ = bytes;
        time_ = time;
        for (int to = 0; to < ranks_; ++to) fill_pattern(out_.data() + at(to), bytes, seed(me_, to));
    }
    void run(Member& member) {
        if (how_ == Algorithm::pairwise) {
            all_to_all_pairwise(member, out_.data(), in_.data(), bytes_);
        } else {
            all_to_all_bruck(member, out_.data(), in_.data(), bytes_, scratch_.data());
        }
    }
    bool right() const {
        bool all = true;
        for (int from = 0; from < ranks_; ++from) {
            all = has_pattern(in_.data() + at(from), bytes_, seed(from, me_)) && all;
        }
        return all;
    }

  private:
    std::size_t at(int rank) const { return static_cast<std::size_t>(rank) * bytes_; }
    std::uint64_t seed(int from, int to) const {
        const auto ranks = static_cast<std::uint64_t>(ranks_);
        return (time_ * ranks + static_cast<std::uint64_t>(from)) * ranks + static_cast<std::uint64_t>(to);
    }

    int me_;
    int ranks_;
    Algorithm how_;
    std::vector<std::byte> out_, in_, scratch_;
    std::size_t bytes_ = 0;
    std::uint64_t time_ = 0;
};

/// Each rank gives all others its block of the sample's bytes.
class AllgatherKernel {
  public:
    AllgatherKernel(int me, int ranks, std::size_t most_bytes, Algorithm how)
        : me_(me),
          ranks_(ranks),
          how_(how),
          data_(most_bytes * static_cast<std::size_t>(ranks)),
          scratch_(how == Algorithm::bruck ? data_.size() : 0) {}

    void fill(std::size_t bytes, std::uint64_t time) {
        bytes_ = bytes;
        time_ = time;
        fill_pattern(block(me_), bytes, seed(me_));
    }
    void run(Member& member) {
        if (how_ == Algorithm::ring) {
            allgather(member, data_.data(), bytes_);
        } else {
            allgather_bruck(member, data_.data(), bytes_, scratch_.data());
        }
    }
    bool right() {
        bool all = true;
        for (int rank = 0; rank < ranks_; ++rank) all = has_pattern(block(rank), bytes_, seed(rank)) && all;
        return all;
    }

  private:
    std::byte* block(int rank) { return data_.data() + static_cast<std::size_t>(rank) * bytes_; }
    std::uint64_t seed(int rank) const {
        return time_ * static_cast<std::uint64_t>(ranks_) + static_cast<std::uint64_t>(rank);
    }

    int me_;
    int ranks_;
    Algorithm how_;
    std::vector<std::byte> data_, scratch_;
    std::size_t bytes_ = 0;
    std::uint64_t time_ = 0;
};

/// Rank 0 gives all others the sample's bytes.
class BroadcastKernel {
  public:
    BroadcastKernel(int me, std::size_t most_bytes) : me_(me), data_(most_bytes) {}

    void fill(std::size_t bytes, std::uint64_t time) {
        bytes_ = bytes;
        time_ = time;
        if (me_ == 0) fill_pattern(data_.data(), bytes, time);
    }
    void run(Member& member) { broadcast(member, data_.data(), bytes_); }
    bool right() const { return has_pattern(data_.data(), bytes_, time_); }

  private:
    int me_;
    std::vector<std::byte> data_;
    std::size_t bytes_ = 0;
    std::uint64_t time_ = 0;
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
    RoundsKernel(const std::map<std::size_t, std::shared_ptr<const ProgramRanks>>& programs, int me) {
        for (const auto& [bytes, program] : programs) kernels_.try_emplace(bytes, *program, me, 0);
    }

    void fill(std::size_t bytes, std::uint64_t time) {
        now_ = bytes;
        kernels_.at(now_).fill(bytes, time);
    }
    void run(Member& member) { kernels_.at(now_).run(member); }
    bool right() const { return kernels_.at(now_).right(); }

  private:
    std::map<std::size_t, ProgramKernel> kernels_;
    std::size_t now_ = 0;
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
    const auto sample = [&](auto made) { collective_samples(member, std::move(made), plan_, record); };
    if (options_.by_rounds != nullptr) return sample(RoundsKernel(programs_, me));
    switch (options_.kernel) {
        case MessageKernel::exchange:
            return exchange(member, options_.neighbours, plan_, record);
        case MessageKernel::matvec:
            return matvec(member, plan_, record);
        case MessageKernel::all_to_all:
            return sample(AllToAllKernel(me, ranks, most, how));
        case MessageKernel::broadcast:
            return sample(BroadcastKernel(me, most));
        case MessageKernel::allgather:
            return sample(AllgatherKernel(me, ranks, most, how));
        case MessageKernel::reduce_scatter:
            return sample(ReduceScatterKernel(Addends(me, ranks, most), how));
        case MessageKernel::barrier:
            return sample(BarrierKernel());
        case MessageKernel::program:
            return sample(ProgramKernel(*options_.program, me, bytes_of_work(options_)));
        default:
            return sample(
                AllreduceKernel(Addends(me, ranks, most), how, options_.node_ranks, segments_ ? &*segments_ : nullptr));
    }
}

}  // namespace narrows
