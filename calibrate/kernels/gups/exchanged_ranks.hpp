#pragma once

#include <algorithm>
#include <vector>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/messaging/collectives.hpp"
#include "calibrate/messaging/with_messages.hpp"

namespace narrows {

/// Words of a message at most; one that is full is followed by another.
inline constexpr std::size_t most_words = 2048;

/// One rank: the updates that it holds, by the coordinate to which they go next, and what has come.
struct ExchangedRank {
    std::vector<Word> held;
    std::vector<std::vector<Word>> buckets;
    std::vector<Word> message;
    std::uint64_t sent = 0;
    std::uint64_t messages = 0;
    int held_max = 0;
};

/// RandomAccess by send and receive. Every rank forms as many updates as it may hold; then, dimension by dimension of
/// the ranks' grid, all ranks of a line send each other what is for them; then each applies what it has. Nothing is
/// assumed of the protocol: sends may be synchronous, and every receive names its source.
class ExchangedRanks : public TableRanks {
  public:
    static constexpr std::size_t held_updates = 1024;  // HPCC's rule

    /// The ranks [first, last) of a run.
    ExchangedRanks(const GupsOptions& options, int first, int last)
        : TableRanks(options), ranks_(static_cast<std::size_t>(options.ranks)) {
        fill(first, last);
    }

    template <class Messages, class Waiter>
    void run(Messages& messages, int rank, Waiter& waiter) {
        ExchangedRank& own = ranks_[static_cast<std::size_t>(rank)];
        own.message.resize(most_words);
        const UpdateShare share = stream_share(options_, rank);
        const std::uint64_t most = update_share(options_.updates, options_.ranks, 0).count();
        Word update = stream_start(share.first);
        for (std::uint64_t done = 0; done < most; done += held_updates) {
            const std::uint64_t end = std::min(share.count(), done + held_updates);
            for (std::uint64_t i = done; i < end; ++i) own.held.push_back(update = next_update(update));
            int stride = 1;
            for (const int size : options_.shape) {
                exchange(messages, own, rank, stride, size, waiter);
                stride *= size;
            }
            for (const Word word : own.held) sink_.apply(word);
            own.held.clear();
            waiter.advance(end > done ? end - done : 0);
        }
    }

    void count(GupsCounters& counters) const {
        std::uint64_t sent = 0, messages = 0;
        for (const ExchangedRank& rank : ranks_) {
            sent += rank.sent;
            messages += rank.messages;
            counters.held_max = std::max(counters.held_max, rank.held_max);
        }
        counters.packets = messages;
        counters.updates_per_packet = ratio(sent, messages);
        counters.hops_per_update = ratio(sent, counters.updates);
    }

  private:
    int coordinate(int rank, int stride, int size) const { return rank / stride % size; }

    // All ranks of a line of `size` ranks, `stride` apart, give each other what is for them or beyond them.
    template <class Messages, class Waiter>
    void exchange(Messages& messages, ExchangedRank& own, int rank, int stride, int size, Waiter& waiter) {
        own.buckets.resize(std::max(own.buckets.size(), static_cast<std::size_t>(size)));
        for (const Word word : own.held) {
            own.buckets[static_cast<std::size_t>(coordinate(ownership_.owner(word), stride, size))].push_back(word);
        }
        const int here = coordinate(rank, stride, size);
        own.held.swap(own.buckets[static_cast<std::size_t>(here)]);
        own.buckets[static_cast<std::size_t>(here)].clear();
        for (int step = 1; step < size; ++step) {
            const int next = (here + step) % size;
            const int to = rank + (next - here) * stride;
            const int from = rank + ((here - step + size) % size - here) * stride;
            const bool early = sends_first(here, step, size);
            if (!early) receive(messages, own, rank, from, waiter);
            send(messages, own, rank, to, own.buckets[static_cast<std::size_t>(next)], waiter);
            if (early) receive(messages, own, rank, from, waiter);
        }
        own.held_max = std::max(own.held_max, static_cast<int>(own.held.size()));
    }

    template <class Messages, class Waiter>
    void send(Messages& messages, ExchangedRank& own, int rank, int to, std::vector<Word>& words, Waiter& waiter) {
        std::size_t done = 0, part = 0;
        do {
            part = std::min(words.size() - done, most_words);
            messages.send(rank, to, 0, words.data() + done, part * sizeof(Word), waiter);
            done += part;
            ++own.messages;
        } while (part == most_words);
        own.sent += done;
        words.clear();
    }

    template <class Messages, class Waiter>
    void receive(Messages& messages, ExchangedRank& own, int rank, int from, Waiter& waiter) {
        std::size_t part = 0;
        do {
            part =
                messages.receive(rank, from, 0, own.message.data(), most_words * sizeof(Word), waiter) / sizeof(Word);
            own.held.insert(own.held.end(), own.message.begin(),
                            own.message.begin() + static_cast<std::ptrdiff_t>(part));
        } while (part == most_words);
    }

    std::vector<ExchangedRank> ranks_;
};

}  // namespace narrows
