#include "calibrate/routing/router_setup.hpp"

#include <bit>

#include "calibrate/transport/receiver.hpp"

namespace narrows {

namespace {

// Inbox room of a channel, in cache lines: enough that a rank of a large run seldom finds a slot taken, and no more, as
// every line of it passes through the caches.
constexpr int most_lines_a_channel = 96;
// Two batches of own words, one being fetched and one coming in, and room for a line more.
constexpr int most_own_batch = 32;
constexpr int most_own = 2 * most_own_batch + static_cast<int>(line_words);

// The most workers that own peers of one rank along a dimension. Ranks are dealt out in contiguous blocks, so that the
// lines along a dimension of stride s and size X fall into windows of s * X consecutive ranks.
int producers_along(const RoutePlan& plan, const RankLayout& layout, int dimension) {
    const RouteDimension& d = plan.dimensions()[static_cast<std::size_t>(dimension)];
    int most = 1;
    for (int rank = 0; rank < layout.ranks; ++rank) {
        if (plan.coordinate(rank, dimension) != 0) continue;
        int workers = 0;
        int last = -1;
        for (int c = 0; c < d.size; ++c) {
            const int owner = layout.worker_of(rank + c * d.stride);
            workers += owner != last ? 1 : 0;
            last = owner;
        }
        most = std::max(most, std::min(workers, d.size - 1));
    }
    return most;
}

bool stays_on_worker(const RoutePlan& plan, const RankLayout& layout, int dimension) {
    const RouteDimension& d = plan.dimensions()[static_cast<std::size_t>(dimension)];
    for (int worker = 1; worker < layout.workers; ++worker) {
        if (layout.first_rank(worker) % (d.stride * d.size) != 0) return false;
    }
    return true;
}

MailboxPlan mailbox_plan_of(const RoutePlan& plan, const RankLayout& layout, const RouterOptions& options) {
    MailboxPlan mailbox{layout, {}, plan.bucket_words()};
    for (int d = 0; d < plan.dimension_count(); ++d) {
        Channel channel;
        channel.peers = plan.dimensions()[static_cast<std::size_t>(d)].size - 1;
        channel.own_worker_only = stays_on_worker(plan, layout, d);
        channel.producers = channel.own_worker_only ? 1 : producers_along(plan, layout, d);
        mailbox.channels.push_back(channel);
    }
    if (options.single_receive_buffer) {
        Channel all = mailbox.channels.front();
        for (std::size_t d = 1; d < mailbox.channels.size(); ++d) {
            all.peers += mailbox.channels[d].peers;
            all.own_worker_only = all.own_worker_only && mailbox.channels[d].own_worker_only;
            all.producers = std::max(all.producers, mailbox.channels[d].producers);
        }
        all.producers = all.own_worker_only ? 1 : std::min(layout.workers, std::max(1, all.peers));
        mailbox.channels.assign(1, all);
    }
    for (Channel& channel : mailbox.channels) {
        if (options.slots > 0) {
            channel.slots = std::min(options.slots, most_slots);
        } else if (!options.single_receive_buffer) {
            channel.slots = ring_slots(channel, options.in_transit, mailbox.packet_words, most_lines_a_channel);
        }
    }
    if (options.slots > 0 || options.single_receive_buffer) return mailbox;
    // What long dimensions have no room for, and what smaller packets leave, goes to the others: as much comes along a
    // short dimension as along a long one, and a rank gives way as soon as an inbox along one of them is full.
    const std::int64_t words = std::int64_t{options.in_transit} * plan.peer_count() * (most_held / plan.bucket_count());
    add_slots(mailbox, words / plan.bucket_words() - mailbox.packets_in_transit(), most_lines_a_channel);
    return mailbox;
}

// Whole cache lines, and for less than a line the next power of two: many small buckets take little of the caches.
std::size_t bucket_stride_of(int bucket_words) {
    const auto words = static_cast<std::size_t>(bucket_words);
    return std::min(std::bit_ceil(words), whole_lines(words));
}

}  // namespace

void SendCounters::add(const SendCounters& other) {
    full_buckets += other.full_buckets;
    full_bucket_words += other.full_bucket_words;
    packets += other.packets;
    words_sent += other.words_sent;
    attempts += other.attempts;
    failures += other.failures;
    held_max = std::max(held_max, other.held_max);
    waiting_max = std::max(waiting_max, other.waiting_max);
}

RouterSetup::RouterSetup(const RoutePlan& plan, const RankLayout& layout, const RouterOptions& options,
                         std::size_t router_bytes)
    : plan_(plan),
      options_(options),
      mailbox_plan_(mailbox_plan_of(plan, layout, options)),
      block_(block_of(plan_, mailbox_plan_, router_bytes)),
      finish_(layout, plan.dimension_count()) {
    own_capacity_ = std::min(most_own, plan.bucket_words());
    own_batch_ = own_capacity_ == most_own ? most_own_batch : std::max(1, own_capacity_ / 2);
    mapping_ = Mapping(block_.words * sizeof(Word) * static_cast<std::size_t>(layout.ranks), options.pages);
    mailboxes_ = std::make_unique<Mailboxes>(mailbox_plan_, reinterpret_cast<Word*>(mapping_.data() + block_.inbox),
                                             block_.words);
    for (int worker = 0; worker < layout.workers; ++worker) {
        workers_.push_back(std::make_unique<SendingWorker>(*mailboxes_, worker));
    }
}

RouterSetup::Block RouterSetup::block_of(const RoutePlan& plan, const MailboxPlan& mailbox, std::size_t router_bytes) {
    constexpr std::size_t line = line_words * sizeof(Word);
    const auto whole = [](std::size_t bytes) { return (bytes + line - 1) / line * line; };
    const auto buckets = static_cast<std::size_t>(plan.bucket_count());
    const auto rings = static_cast<std::size_t>(mailbox.first_ring(static_cast<int>(mailbox.channels.size())));
    Block block;
    block.counts = whole(router_bytes);
    block.rings = block.counts + whole(buckets * sizeof(std::uint16_t));
    block.buckets = block.rings + whole(rings * sizeof(Ring));
    block.bucket_stride = bucket_stride_of(plan.bucket_words());
    // A rank with a single peer copies what it receives into a buffer behind its buckets.
    const std::size_t buffers = buckets + (plan.peer_count() == 1 ? 1 : 0);
    // Whole lines are read of every bucket, and of the last one too.
    const std::size_t words =
        buffers * block.bucket_stride + line_words - std::min<std::size_t>(block.bucket_stride, line_words);
    block.inbox = whole(block.buckets + words * sizeof(Word));
    const std::size_t lines = (block.inbox + mailbox.inbox_words() * sizeof(Word)) / line;
    block.words = (lines | 1) * line_words;
    return block;
}

std::size_t RouterSetup::memory(const RoutePlan& plan, const RankLayout& layout, const RouterOptions& options,
                                std::size_t router_bytes) {
    const Block block = block_of(plan, mailbox_plan_of(plan, layout, options), router_bytes);
    return block.words * sizeof(Word) * static_cast<std::size_t>(layout.ranks);
}

}  // namespace narrows
