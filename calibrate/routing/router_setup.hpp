#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "calibrate/ranks/mapping.hpp"
#include "calibrate/routing/route_plan.hpp"
#include "calibrate/transport/mailboxes.hpp"
#include "calibrate/transport/sender.hpp"

namespace narrows {

/// What a worker's ranks count, together, of what they send.
struct SendCounters {
    /// Full buckets sent, and their words, while updates were formed; of `bucketed` the buckets that were removed in
    /// the last quarter.
    std::uint64_t full_buckets = 0;
    std::uint64_t full_bucket_words = 0;
    std::uint64_t packets = 0;
    std::uint64_t words_sent = 0;
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
    /// Most words that any rank held in its buckets and receive buffers.
    std::int64_t held_max = 0;
    /// Most packets that a rank found waiting when it looked.
    std::uint64_t waiting_max = 0;

    void add(const SendCounters& other);
};

/// How the routers wait for each other.
struct RouterOptions {
    /// One receive buffer for each dimension, or a single one for all (which may deadlock: garg2006, Figure 3a).
    bool single_receive_buffer = false;
    /// Packets under way for each pair of ranks, on aggregate; of buckets smaller than the shape allows as many words.
    int in_transit = 2;
    /// Slots of a rank's inbox for each dimension; 0: as many as `in_transit` asks for.
    int slots = 0;
    PageSize pages = PageSize::large;
};

/// What a worker's ranks share.
struct SendingWorker {
    SendingWorker(const Mailboxes& mailboxes, int worker) : sender(mailboxes, worker) {}
    Sender sender;
    SendCounters counters;
};

/// The routers' memory and transport: for each rank one block [router | counts | rings | buckets | inbox], all blocks
/// in one mapping, each an odd number of cache lines so that they do not all fall in the same sets of the caches.
class RouterSetup {
  public:
    /// `router_bytes`: the size of a router object.
    RouterSetup(const RoutePlan& plan, const RankLayout& layout, const RouterOptions& options,
                std::size_t router_bytes);

    /// Bytes that the blocks of all ranks take.
    static std::size_t memory(const RoutePlan& plan, const RankLayout& layout, const RouterOptions& options,
                              std::size_t router_bytes);

    const RoutePlan& plan() const { return plan_; }
    const MailboxPlan& mailbox_plan() const { return mailbox_plan_; }
    const Mailboxes& mailboxes() const { return *mailboxes_; }
    FinishCounts& finish_counts() { return finish_; }
    SendingWorker& worker(int worker) { return *workers_[static_cast<std::size_t>(worker)]; }
    const std::vector<std::unique_ptr<SendingWorker>>& workers() const { return workers_; }
    const RankLayout& layout() const { return mailbox_plan_.layout; }

    /// The block of `rank`.
    std::byte* block(int rank) const {
        return mapping_.data() + static_cast<std::size_t>(rank) * block_.words * sizeof(Word);
    }
    /// Offsets in a block, in bytes.
    std::size_t counts_offset() const { return block_.counts; }
    std::size_t rings_offset() const { return block_.rings; }
    std::size_t buckets_offset() const { return block_.buckets; }
    std::size_t inbox_offset() const { return block_.inbox; }
    /// Words between two buckets.
    std::size_t bucket_stride() const { return block_.bucket_stride; }

    /// A rank's own words wait in a bucket of this many words, so that their memory can be fetched meanwhile; they are
    /// applied in batches of half as many or less.
    int own_capacity() const { return own_capacity_; }
    int own_batch() const { return own_batch_; }
    int channel_of(int dimension) const { return options_.single_receive_buffer ? 0 : dimension; }

  private:
    /// Where things are in a rank's block, in bytes, and its size.
    struct Block {
        std::size_t counts = 0;
        std::size_t rings = 0;
        std::size_t buckets = 0;
        std::size_t inbox = 0;
        std::size_t bucket_stride = 0;  // words
        std::size_t words = 0;
    };
    static Block block_of(const RoutePlan& plan, const MailboxPlan& mailbox, std::size_t router_bytes);

    RoutePlan plan_;
    RouterOptions options_;
    MailboxPlan mailbox_plan_;
    Block block_;
    FinishCounts finish_;
    int own_capacity_ = 0;
    int own_batch_ = 0;
    Mapping mapping_;
    std::unique_ptr<Mailboxes> mailboxes_;
    std::vector<std::unique_ptr<SendingWorker>> workers_;
};

}  // namespace narrows
