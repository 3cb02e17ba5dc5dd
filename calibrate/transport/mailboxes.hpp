#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/transport/word.hpp"

namespace narrows {

/// One stream of packets into a rank, such as those along one routing dimension.
struct Channel {
    /// Ranks that send to a rank on this channel.
    int peers = 0;
    /// Workers that own any of a rank's peers, at most.
    int producers = 1;
    /// True when a rank's peers all belong to its own worker.
    bool own_worker_only = false;
    /// Slots of one ring. The rings of a rank on this channel hold at most `producers * slots` packets.
    int slots = 1;
};

/// Where in a rank's memory its inbox is: for each channel one ring of slots per producing worker, so that every ring
/// has exactly one producer thread, and its consumer's, and needs no lock.
struct MailboxPlan {
    RankLayout layout;
    std::vector<Channel> channels;
    /// Most words of a packet.
    int packet_words = 1;

    /// Words between two slots: whole cache lines.
    std::size_t slot_words() const { return whole_lines(static_cast<std::size_t>(packet_words)); }
    /// Rings of a channel in a rank's inbox.
    int rings(int channel) const;
    /// Rings of all channels before `channel`.
    int first_ring(int channel) const;
    /// Words of a rank's inbox.
    std::size_t inbox_words() const;
    /// Packets that may be on their way to one rank.
    int packets_in_transit() const;
};

/// Most slots of a ring, whose ends are bytes.
inline constexpr int most_slots = 255;

/// Slots of a ring such that at most `in_transit` packets a pair are under way on aggregate, and no more than
/// `most_lines` cache lines a channel, but at least `in_transit` slots.
int ring_slots(const Channel& channel, int in_transit, int packet_words, int most_lines);

/// Gives the rings of `plan` more slots, for so many more packets on their way to a rank: one to each ring of the
/// channel that has the fewest packets, as long as a channel's rings have `most_lines` cache lines at most.
void add_slots(MailboxPlan& plan, std::int64_t packets, int most_lines);

/// Every rank's inbox in shared memory. Between two threads a slot's first word says whether it is full, so that a
/// packet of eight words and its flag move together as one cache line: it is written last (release), read first
/// (acquire), and zeroed to give the slot back.
class Mailboxes {
  public:
    /// `inboxes` is the inbox of rank 0, all zero; those of the others follow each `stride_words` words.
    Mailboxes(MailboxPlan plan, Word* inboxes, std::size_t stride_words);

    const MailboxPlan& plan() const { return plan_; }

    /// The first slot of the ring of `rank` on `channel` that `worker` fills.
    Word* ring(int rank, int channel, int worker) const {
        const std::size_t index = static_cast<std::size_t>(channel) * static_cast<std::size_t>(plan_.layout.workers) +
                                  static_cast<std::size_t>(worker);
        return inboxes_ + static_cast<std::size_t>(rank) * stride_words_ + ring_offsets_[index];
    }

  private:
    MailboxPlan plan_;
    Word* inboxes_;
    std::size_t stride_words_;
    std::vector<std::size_t> ring_offsets_;
};

/// Counts, for every rank and kind, the peers that will send nothing more. A worker raises counts in memory of its own;
/// a rank adds up those of all workers.
class FinishCounts {
  public:
    FinishCounts(const RankLayout& layout, int kinds);

    /// One of the calling worker's ranks will send nothing more of `kind` to `rank`. Everything that it has placed
    /// before is visible to whoever sees the count.
    void raise(int worker, int rank, int kind) {
        std::atomic<std::uint32_t>& count = counts_[static_cast<std::size_t>(worker)][index(rank, kind)];
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    int finished(int rank, int kind) const {
        std::uint32_t sum = 0;
        for (const auto& worker : counts_) sum += worker[index(rank, kind)].load(std::memory_order_acquire);
        return static_cast<int>(sum);
    }

  private:
    std::size_t index(int rank, int kind) const {
        return static_cast<std::size_t>(rank) * static_cast<std::size_t>(kinds_) + static_cast<std::size_t>(kind);
    }
    int kinds_;
    std::vector<std::unique_ptr<std::atomic<std::uint32_t>[]>> counts_;
};

}  // namespace narrows
