#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/messaging/command_queue.hpp"
#include "calibrate/messaging/shared_run.hpp"
#include "calibrate/ranks/run_ended.hpp"

namespace narrows {

/// Updates that a rank forms between barriers (underwood2008, Figure 14), half of what HPCC lets it look ahead.
inline constexpr std::size_t updates_a_phase = 512;

/// Where updates land in each rank's symmetric memory: a lane for every sender, whose words are zero until an update,
/// which never is, has come. The paper's lanes have room for a phase each, which for N ranks takes N² of it; here they
/// have room for nearly every phase, and who finds one full ends its phase early. The lane of a rank to itself has room
/// for all, since the first thousand updates of the stream are nearly all for the rank that forms them.
struct LandingArea {
    explicit LandingArea(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {
        const double mean = static_cast<double>(updates_a_phase) / ranks;
        const double room = mean + 4 * std::sqrt(mean) + 4;
        room_ = whole_lines(static_cast<std::size_t>(std::min<double>(updates_a_phase, room)));
    }

    std::size_t words() const { return ranks_ * room_ + updates_a_phase; }
    std::size_t room(int from, int to) const { return from == to ? updates_a_phase : room_; }
    /// The first word of the lane from `from` to `to` in the memory of `to`.
    std::size_t lane(int from, int to) const {
        return from == to ? ranks_ * room_ : static_cast<std::size_t>(from) * room_;
    }
    /// Updates that may be under way to a rank.
    std::size_t most_under_way() const { return (ranks_ - 1) * room_ + updates_a_phase; }

  private:
    std::size_t ranks_;
    std::size_t room_ = 0;
};

/// One rank: how far it is, what it has put to every other in this phase, and what it found when the phase was over.
struct ShmemRank {
    std::vector<std::uint16_t> put;
    std::vector<Word> landed;
    Word update = 0;
    std::uint64_t left = 0;
    std::uint64_t puts = 0;
    std::uint64_t refused = 0;
    std::uint64_t landed_max = 0;
    std::uint64_t formed_max = 0;
};

/// RandomAccess by puts (underwood2008, Figure 14): every rank puts each update that it forms, its own ones too, into
/// its lane at the owner; after a barrier all apply what has landed; after another the next phase begins. As the owner
/// alone writes to its part of the table, no update is lost.
class ShmemRanks : public TableRanks {
  public:
    /// The ranks [first, last) of a run.
    ShmemRanks(const GupsOptions& options, int first, int last)
        : TableRanks(options), area_(options.ranks), ranks_(static_cast<std::size_t>(options.ranks)) {
        fill(first, last);
    }

    template <class Queue, class Waiter>
    void run(Queue& queue, int rank, Waiter& waiter) {
        ShmemRank& own = ranks_[static_cast<std::size_t>(rank)];
        const UpdateShare share = stream_share(options_, rank);
        own.update = stream_start(share.first);
        own.left = share.count();
        own.landed.reserve(2 * updates_a_phase);
        bool more = true;
        while (more) {
            const std::uint64_t before = own.left;
            own.put.assign(ranks_.size(), 0);
            form(queue, own, rank, waiter);
            more = queue.any_at_barrier(rank, own.left != 0, waiter);
            take_landed(queue, own, rank);
            for (const Word word : own.landed) sink_.apply(word);
            own.formed_max = std::max(own.formed_max, before - own.left);
            waiter.advance(before - own.left);
            queue.barrier(rank, waiter);
            if (!waiter.yield(true)) throw RunEnded();
        }
    }

    const LandingArea& area() const { return area_; }
    const std::vector<ShmemRank>& ranks() const { return ranks_; }

  private:
    template <class Queue, class Waiter>
    void form(Queue& queue, ShmemRank& own, int rank, Waiter& waiter) {
        for (std::size_t formed = 0; formed < updates_a_phase && own.left > 0; ++formed, --own.left) {
            const Word update = next_update(own.update);
            const int to = ownership_.owner(update);
            std::uint16_t& put = own.put[static_cast<std::size_t>(to)];
            if (put == area_.room(rank, to)) {
                ++own.refused;
                return;
            }
            queue.put(rank, to, (area_.lane(rank, to) + put) * sizeof(Word), &update, sizeof update, waiter);
            ++put;
            ++own.puts;
            own.update = update;
        }
    }

    // Empties the rank's lanes; what they held is applied when its entries have been fetched.
    template <class Queue>
    void take_landed(Queue& queue, ShmemRank& own, int rank) {
        own.landed.clear();
        auto* words = reinterpret_cast<Word*>(queue.memory(rank));
        for (int from = 0; from < options_.ranks; ++from) {
            Word* lane = words + area_.lane(from, rank);
            const std::size_t room = area_.room(from, rank);
            for (std::size_t i = 0; i < room && lane[i] != 0; ++i) {
                sink_.prefetch(lane[i]);
                own.landed.push_back(lane[i]);
                lane[i] = 0;
            }
        }
        own.landed_max = std::max<std::uint64_t>(own.landed_max, own.landed.size());
    }

    LandingArea area_;
    std::vector<ShmemRank> ranks_;
};

/// What the ranks counted.
void take_shmem_counters(GupsCounters& counters, const ShmemRanks& all);

}  // namespace narrows
