#include "model/wavefront/shared_processors.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <queue>
#include <set>
#include <stdexcept>
#include <utility>

namespace narrows {
namespace {

constexpr int octants_of_program = 8;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr int no_rank = -1;

/// Messages to a rank from one of its four sides.
struct SweepSide {
    double asked = never;          ///< when the neighbour there knows that the rank waits
    std::vector<double> arrivals;  ///< of messages that are there or on their way: few, on each of very many sides
};

enum class SweepStep { receive_i, receive_j, compute, send_i, send_j };

struct SweepRank {
    int block = 0;
    SweepStep step = SweepStep::receive_i;
    bool parked = false;  ///< waits for what no_rank has done yet
    std::array<SweepSide, 4> sides;
};

/// A processor with its ranks: those that can go on, and those that wait for a time that is known.
struct SweepProcessor {
    using Wake = std::pair<double, int>;

    double time = 0;
    int running = no_rank;
    int last = no_rank;  ///< that ran
    std::set<int> ready;
    std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes;
    double computing = 0;
    double overhead = 0;

    // When it can do something; never while all of its ranks wait for others.
    double next_time() const {
        if (running != no_rank || !ready.empty()) return time;
        if (wakes.empty()) return never;
        return std::max(time, wakes.top().first);
    }

    // The next rank in turn, of those that are ready by `next_time`.
    void take_turn() {
        time = next_time();
        while (!wakes.empty() && wakes.top().first <= time) {
            ready.insert(wakes.top().second);
            wakes.pop();
        }
        if (running != no_rank) return;
        auto next = ready.upper_bound(last);
        if (next == ready.end()) next = ready.begin();
        last = running = *next;
        ready.erase(next);
    }
};

class TurnTaking {
  public:
    explicit TurnTaking(const Wavefront& wavefront)
        : in_(wavefront),
          wide_(static_cast<int>(wavefront.cells[0].size())),
          high_(static_cast<int>(wavefront.cells[1].size())),
          ranks_(wavefront.cells[0].size() * wavefront.cells[1].size()),
          processors_(static_cast<std::size_t>(wavefront.shared.processor_of(wavefront.end_of_places() - 1)) + 1) {
        for (int rank = 0; rank < wide_ * high_; ++rank) processor_of(rank).ready.insert(rank);
        for (std::size_t index = 0; index < processors_.size(); ++index) {
            if (!processors_[index].ready.empty()) queue_.insert({0, index});
        }
    }

    // The processor that can do something first does one step of a rank: nothing earlier can happen any more.
    Breakdown run(const ReportProgress& progress) {
        const double all = static_cast<double>(ranks_.size()) * octants_of_program * in_.blocks;
        while (queue_.begin()->first < never) {
            auto first = queue_.extract(queue_.begin());
            auto& [time, index] = first.value();
            SweepProcessor& processor = processors_[index];
            do {
                processor.take_turn();
                const bool goes_on = do_step(processor, processor.running);
                if (!goes_on) processor.running = no_rank;
                time = processor.next_time();
                constexpr std::int64_t told_after = 1 << 14;
                if (progress && blocks_done_ % told_after == 0) progress(static_cast<double>(blocks_done_) / all);
            } while (time < never && (queue_.empty() || first.value() < *queue_.begin()));
            queue_.insert(std::move(first));
        }
        if (progress) progress(1);
        const auto last =
            std::ranges::max_element(processors_, [](const auto& a, const auto& b) { return a.time < b.time; });
        const double waiting = std::max(0.0, last->time - last->computing - last->overhead);
        return {seconds(last->time),
                {{"computing", seconds(last->computing)},
                 {"overhead", seconds(last->overhead)},
                 {"waiting", seconds(waiting)}}};
    }

  private:
    SweepRank& state(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    std::size_t index_of(int rank) const { return static_cast<std::size_t>(in_.shared.processor_of(in_.place(rank))); }
    SweepProcessor& processor_of(int rank) { return processors_[index_of(rank)]; }

    bool up(int rank, SweepAxis axis) {
        const int octant = state(rank).block / in_.blocks;
        return (octant & (axis == SweepAxis::i ? 4 : 2)) != 0;
    }
    int neighbour(int rank, SweepAxis axis, bool above) const {
        const bool along_i = axis == SweepAxis::i;
        const int place = along_i ? rank % wide_ : rank / wide_;
        if (place == (above ? (along_i ? wide_ : high_) - 1 : 0)) return no_rank;
        return rank + (above ? 1 : -1) * (along_i ? 1 : wide_);
    }
    // Of messages that come to a rank from below or from above.
    SweepSide& side(int rank, SweepAxis axis, bool from_above) {
        return state(rank).sides[(axis == SweepAxis::i ? 0u : 2u) + (from_above ? 1u : 0u)];
    }

    // Of each level for each extent across the axis.
    std::vector<HopCost> hops_along(SweepAxis axis) const {
        std::vector<HopCost> hops;
        for (const int cells : in_.cells[axis == SweepAxis::i ? 1 : 0]) {
            for (std::size_t level = 0; level < levels(); ++level) {
                hops.push_back(in_.hop ? in_.hop(axis, cells, level) : HopCost());
            }
        }
        return hops;
    }
    std::size_t levels() const { return in_.levels.size() + 1; }
    const HopCost& hop(SweepAxis axis, int rank, int other) const {
        const int across = axis == SweepAxis::i ? rank / wide_ : rank % wide_;
        const std::size_t index = static_cast<std::size_t>(across) * levels() + level_between(in_, rank, other);
        return axis == SweepAxis::i ? hops_i_[index] : hops_j_[index];
    }

    static void spend(SweepProcessor& processor, double time, double SweepProcessor::*kind) {
        processor.time += time;
        processor.*kind += time;
    }

    // Whether the rank can go on at once.
    bool do_step(SweepProcessor& processor, int rank) {
        switch (state(rank).step) {
            case SweepStep::receive_i:
                return receive(processor, rank, SweepAxis::i, SweepStep::receive_j);
            case SweepStep::receive_j:
                return receive(processor, rank, SweepAxis::j, SweepStep::compute);
            case SweepStep::compute: {
                const int i = in_.cells[0][static_cast<std::size_t>(rank % wide_)];
                const int j = in_.cells[1][static_cast<std::size_t>(rank / wide_)];
                spend(processor, in_.compute(i, j).si(), &SweepProcessor::computing);
                state(rank).step = SweepStep::send_i;
                return true;
            }
            case SweepStep::send_i:
                return send(processor, rank, SweepAxis::i, SweepStep::send_j);
            case SweepStep::send_j:
                break;
        }
        if (!send(processor, rank, SweepAxis::j, SweepStep::receive_i)) return false;
        ++blocks_done_;
        return ++state(rank).block < octants_of_program * in_.blocks;
    }

    bool receive(SweepProcessor& processor, int rank, SweepAxis axis, SweepStep next) {
        const bool from_above = !up(rank, axis);
        const int sender = neighbour(rank, axis, from_above);
        if (sender != no_rank) {
            const HopCost& cost = hop(axis, rank, sender);
            SweepSide& own = side(rank, axis, from_above);
            if (own.asked == never && cost.synchronous) {
                own.asked = processor.time + cost.request.si();
                wake_sender(rank, sender, axis, own.asked);
            }
            if (own.arrivals.empty()) return park(rank);
            if (own.arrivals.front() > processor.time) return wait_until(processor, rank, own.arrivals.front());
            own.arrivals.erase(own.arrivals.begin());
            own.asked = never;
            spend(processor, cost.receive.si(), &SweepProcessor::overhead);
        }
        state(rank).step = next;
        return true;
    }

    bool send(SweepProcessor& processor, int rank, SweepAxis axis, SweepStep next) {
        const bool above = up(rank, axis);
        const int receiver = neighbour(rank, axis, above);
        if (receiver != no_rank) {
            const HopCost& cost = hop(axis, rank, receiver);
            SweepSide& theirs = side(receiver, axis, !above);
            if (cost.synchronous) {
                // What was sent and not yet received needs no other request.
                if (theirs.asked == never || !theirs.arrivals.empty()) return park(rank);
                if (theirs.asked > processor.time) return wait_until(processor, rank, theirs.asked);
            }
            spend(processor, cost.send.si(), &SweepProcessor::overhead);
            const double there = processor.time + (cost.latency + cost.bytes).si();
            theirs.arrivals.push_back(there);
            wake_receiver(rank, receiver, axis, there);
        }
        state(rank).step = next;
        return true;
    }

    static bool wait_until(SweepProcessor& processor, int rank, double time) {
        processor.wakes.push({time, rank});
        return false;
    }

    bool park(int rank) {
        state(rank).parked = true;
        return false;
    }

    // Has a rank go on when `time` has come, if it waits for what its neighbour has just done.
    void wake(int rank, SweepStep waits_at, int for_whom, int neighbour_there, double time) {
        SweepRank& waiting = state(rank);
        if (!waiting.parked || waiting.step != waits_at || for_whom != neighbour_there) return;
        waiting.parked = false;
        const std::size_t index = index_of(rank);
        SweepProcessor& processor = processors_[index];
        auto queued = queue_.extract({processor.next_time(), index});  // nothing where it is the one at work
        processor.wakes.push({time, rank});
        if (queued.empty()) return;
        queued.value().first = processor.next_time();
        queue_.insert(std::move(queued));
    }
    void wake_receiver(int sender, int receiver, SweepAxis axis, double time) {
        wake(receiver, axis == SweepAxis::i ? SweepStep::receive_i : SweepStep::receive_j, sender,
             neighbour(receiver, axis, !up(receiver, axis)), time);
    }
    void wake_sender(int receiver, int sender, SweepAxis axis, double time) {
        wake(sender, axis == SweepAxis::i ? SweepStep::send_i : SweepStep::send_j, receiver,
             neighbour(sender, axis, up(sender, axis)), time);
    }

    const Wavefront& in_;
    std::int64_t blocks_done_ = 0;  ///< of all ranks
    int wide_;
    int high_;
    std::vector<HopCost> hops_i_ = hops_along(SweepAxis::i);
    std::vector<HopCost> hops_j_ = hops_along(SweepAxis::j);
    std::vector<SweepRank> ranks_;
    std::vector<SweepProcessor> processors_;
    std::set<std::pair<double, std::size_t>> queue_;  ///< of processors, by when they can do something
};

}  // namespace

Breakdown shared_processors_breakdown(const Wavefront& wavefront, const ReportProgress& progress) {
    if (wavefront.shared.ranks < 1) throw std::logic_error("no processors are shared");
    return TurnTaking(wavefront).run(progress);
}

}  // namespace narrows
