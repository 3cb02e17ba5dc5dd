#pragma once

#include <atomic>
#include <vector>

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/kernels/messages/stream_pattern.hpp"
#include "calibrate/messaging/active_message.hpp"

namespace narrows {

// Streams: messages one after the other, along the routes of a pattern. A sample begins when all receivers have said
// that they are ready, and ends when they have said that they have all; its seconds are those of a message, as their
// sender sees them. Three ways to bring the messages have the same samples:
//
//   void ready()              tells the source that this rank is ready
//   void await_ready()        waits until all targets are
//   void transfer(count)      sends and receives a sample's messages
//   void answer()             waits for the rest of what is to come, and tells the source
//   void await_answers()      waits until all targets have told
//
// and `begin(bytes, expected)` for a sample, `patterned()` bytes of a message that are checked, at `received()`.

/// Takes the samples of a plan for rank `me`.
template <class Way>
void stream_samples(Way& way, int me, const StreamRoutes& routes, const SamplePlan& plan, RankRecord& record) {
    const bool sends = routes.sends(me), receives = routes.receives(me);
    if (!sends && !receives) return;
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const auto [bytes, count] = plan.samples[number];
        const int expected = receives ? routes.messages_to(me, count, bytes) : 0;
        way.begin(bytes, expected);
        if (sends) fill_pattern(record.out.data(), way.patterned(), number);
        if (receives) way.ready();
        if (sends) way.await_ready();
        const double start = wall_seconds();
        way.transfer(count);
        if (receives) way.answer();
        if (sends) way.await_answers();
        record.add_sample(sends ? (wall_seconds() - start) / count : 0);
        if (expected > 0) record.check(has_pattern(way.received(), way.patterned(), number));
    }
}

/// A stream by send and receive. Both ways at once each rank sends a message and then receives one, so that sends must
/// not wait for their receives.
template <class Messages, class Waiter>
class SentStream {
  public:
    SentStream(Messages& messages, int me, const StreamRoutes& routes, RankRecord& record, Waiter& waiter)
        : messages_(messages), me_(me), routes_(routes), record_(record), waiter_(waiter) {}

    void begin(std::size_t bytes, int expected) {
        bytes_ = bytes;
        expected_ = expected;
    }
    std::size_t patterned() const { return bytes_; }
    const std::byte* received() const { return record_.in.data(); }

    void ready() { messages_.send(me_, routes_.source(me_), 1, record_.in.data(), 0, waiter_); }
    void await_ready() {
        for (const int target : routes_.targets(me_)) messages_.receive(me_, target, 1, record_.in.data(), 0, waiter_);
    }
    void transfer(int count) {
        if (!routes_.sends(me_)) {
            for (int i = 0; i < expected_; ++i) receive();
            return;
        }
        const bool receives = routes_.receives(me_);
        StreamCursor order = routes_.cursor(me_, bytes_);
        for (int i = 0; i < count; ++i) {
            messages_.send(me_, order.next(), 0, record_.out.data(), bytes_, waiter_);
            if (receives) receive();
        }
    }
    void answer() { ready(); }
    void await_answers() { await_ready(); }

  private:
    void receive() { messages_.receive(me_, routes_.source(me_), 0, record_.in.data(), bytes_, waiter_); }

    Messages& messages_;
    int me_;
    const StreamRoutes& routes_;
    RankRecord& record_;
    Waiter& waiter_;
    std::size_t bytes_ = 0;
    int expected_ = 0;
};

template <class Messages, class Waiter>
void stream(Messages& messages, int me, const StreamRoutes& routes, const SamplePlan& plan, RankRecord& record,
            Waiter& waiter) {
    record.prepare(plan);
    SentStream<Messages, Waiter> way(messages, me, routes, record, waiter);
    stream_samples(way, me, routes, plan, record);
}

inline std::size_t whole_words(std::size_t bytes) {
    return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t);
}

/// Bytes of memory that `put_stream` needs of each rank.
inline std::size_t put_stream_memory(const StreamRoutes& routes, const SamplePlan& plan) {
    return whole_words(plan.most_bytes()) + static_cast<std::size_t>(routes.most_targets()) * sizeof(std::uint64_t);
}

/// A stream by puts: all to the same memory of a target, the last word of each counting what its source has sent it.
/// Behind it every target has a word in the memory of its source, in which it tells.
template <class Puts, class Waiter>
class PutStream {
  public:
    PutStream(Puts& puts, int me, const StreamRoutes& routes, const SamplePlan& plan, RankRecord& record,
              Waiter& waiter)
        : puts_(puts),
          me_(me),
          routes_(routes),
          record_(record),
          waiter_(waiter),
          told_at_(whole_words(plan.most_bytes())),
          sent_to_(static_cast<std::size_t>(routes.most_targets())) {}

    void begin(std::size_t bytes, int expected) {
        bytes_ = bytes;
        expected_ += static_cast<std::uint64_t>(expected);
        awaits_ = expected > 0;
    }
    std::size_t patterned() const { return bytes_ - word; }
    const std::byte* received() const { return puts_.memory(me_); }

    void ready() { tell(); }
    void await_ready() { await_all(); }
    void transfer(int count) {
        if (!routes_.sends(me_)) return;
        StreamCursor order = routes_.cursor(me_, bytes_);
        for (int i = 0; i < count; ++i) {
            const int to = order.next();
            const std::uint64_t sent = ++sent_to_[static_cast<std::size_t>(routes_.number_of(to))];
            if (bytes_ > word) puts_.put(me_, to, 0, record_.out.data(), bytes_ - word, waiter_);
            puts_.put(me_, to, bytes_ - word, &sent, word, waiter_);
        }
    }
    void answer() {
        // The word of a message is exact, as other samples leave other bytes there.
        if (awaits_) await(bytes_ - word, [this](std::uint64_t value) { return value == expected_; });
        tell();
    }
    void await_answers() { await_all(); }

  private:
    static constexpr std::size_t word = sizeof(std::uint64_t);

    std::size_t told_by(int target) const {
        return told_at_ + static_cast<std::size_t>(routes_.number_of(target)) * word;
    }

    void tell() {
        ++told_;
        puts_.put(me_, routes_.source(me_), told_by(me_), &told_, word, waiter_);
    }
    // Who has told may tell again at once.
    void await_all() {
        ++awaited_;
        for (const int target : routes_.targets(me_)) {
            await(told_by(target), [this](std::uint64_t value) { return value >= awaited_; });
        }
    }
    template <class Done>
    void await(std::size_t offset, const Done& done) {
        const std::atomic_ref<std::uint64_t> value(*reinterpret_cast<std::uint64_t*>(puts_.memory(me_) + offset));
        puts_.wait_for(me_, waiter_, [&] { return done(value.load(std::memory_order_acquire)); });
    }

    Puts& puts_;
    int me_;
    const StreamRoutes& routes_;
    RankRecord& record_;
    Waiter& waiter_;
    std::size_t told_at_;
    std::vector<std::uint64_t> sent_to_;  // by target, how many
    std::size_t bytes_ = 0;
    std::uint64_t expected_ = 0;
    bool awaits_ = false;
    std::uint64_t told_ = 0;
    std::uint64_t awaited_ = 0;
};

template <class Puts, class Waiter>
void put_stream(Puts& puts, int me, const StreamRoutes& routes, const SamplePlan& plan, RankRecord& record,
                Waiter& waiter) {
    record.prepare(plan);
    PutStream<Puts, Waiter> way(puts, me, routes, plan, record, waiter);
    stream_samples(way, me, routes, plan, record);
}

/// A stream of active messages, whose handler takes each at once: nothing is matched.
template <class Endpoint>
class ActiveStream {
  public:
    /// `routes` and `records`, by rank, outlive this.
    ActiveStream(Endpoint& endpoint, const RankLayout& layout, const StreamRoutes& routes,
                 std::vector<RankRecord>& records, std::size_t most_bytes)
        : messages_(endpoint, layout),
          routes_(routes),
          records_(records),
          ranks_(static_cast<std::size_t>(layout.ranks)) {
        short_ = messages_.register_context({&ActiveStream::receive_short, nullptr, this}, 0,
                                            std::min(most_short, most_bytes));
        long_ = messages_.register_context({&ActiveStream::receive, &ActiveStream::done, this}, 0, most_bytes);
        tell_ = messages_.register_context({&ActiveStream::on_told, nullptr, this}, 0, 0);
        for (int rank = 0; rank < layout.ranks; ++rank) {
            if (routes.sends(rank)) at(rank).told.resize(routes.targets(rank).size());
        }
    }
    ActiveStream(const ActiveStream&) = delete;
    ActiveStream& operator=(const ActiveStream&) = delete;

    bool poll() { return messages_.poll(); }

    template <class Waiter>
    void run(int me, const SamplePlan& plan, Waiter& waiter) {
        RankRecord& record = records_[static_cast<std::size_t>(me)];
        record.prepare(plan);
        Way<Waiter> way{*this, me, record, at(me), waiter};
        stream_samples(way, me, routes_, plan, record);
    }

  private:
    struct Rank {
        std::uint64_t received = 0;
        std::uint64_t expected = 0;
        // By target: one without messages in a sample answers, and is ready for the next, before others are for this.
        std::vector<std::uint64_t> told;
        std::uint64_t awaited = 0;
    };

    template <class Waiter>
    struct Way {
        ActiveStream& all;
        int me;
        RankRecord& record;
        Rank& own;
        Waiter& waiter;
        std::size_t bytes = 0;

        void begin(std::size_t of_sample, int expected) {
            bytes = of_sample;
            own.expected += static_cast<std::uint64_t>(expected);
        }
        std::size_t patterned() const { return bytes; }
        const std::byte* received() const { return record.in.data(); }
        void ready() { tell(); }
        void await_ready() { await_all(); }
        void transfer(int count) {
            if (!all.routes_.sends(me)) return;
            StreamCursor order = all.routes_.cursor(me, bytes);
            const int context = bytes <= most_short ? all.short_ : all.long_;
            for (int i = 0; i < count; ++i) {
                all.messages_.send(me, order.next(), context, nullptr, record.out.data(), bytes, waiter);
            }
        }
        void answer() {
            all.messages_.wait_until(me, waiter, [this] { return own.received >= own.expected; });
            tell();
        }
        void await_answers() { await_all(); }
        void tell() { all.messages_.send(me, all.routes_.source(me), all.tell_, nullptr, nullptr, 0, waiter); }
        void await_all() {
            ++own.awaited;
            for (const std::uint64_t& told : own.told) {
                all.messages_.wait_until(me, waiter, [&] { return told >= own.awaited; });
            }
        }
    };

    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    static std::byte* receive(void* user, const Arrival& arrival) {
        return static_cast<ActiveStream*>(user)->records_[static_cast<std::size_t>(arrival.to)].in.data();
    }
    static void done(void* user, const Arrival& arrival) {
        auto& self = *static_cast<ActiveStream*>(user);
        Rank& rank = self.at(arrival.to);
        if (++rank.received >= rank.expected) self.messages_.raise(arrival.to);
    }
    // Of one packet, and so there before its rank looks again: one call does for both.
    static std::byte* receive_short(void* user, const Arrival& arrival) {
        done(user, arrival);
        return receive(user, arrival);
    }
    static std::byte* on_told(void* user, const Arrival& arrival) {
        auto& self = *static_cast<ActiveStream*>(user);
        std::vector<std::uint64_t>& told = self.at(arrival.to).told;
        const auto target = static_cast<std::size_t>(self.routes_.number_of(arrival.from));
        if (target >= told.size()) throw MessagingError::malformed(arrival.from, arrival.to);
        ++told[target];
        self.messages_.raise(arrival.to);
        return nullptr;
    }

    static constexpr std::size_t most_short = ActiveMessages<Endpoint>::most_short;

    ActiveMessages<Endpoint> messages_;
    const StreamRoutes& routes_;
    std::vector<RankRecord>& records_;
    std::vector<Rank> ranks_;
    int short_ = 0;
    int long_ = 0;
    int tell_ = 0;
};

}  // namespace narrows
