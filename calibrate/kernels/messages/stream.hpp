#pragma once

#include <atomic>
#include <vector>

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/messaging/active_message.hpp"

namespace narrows {

/// Messages in one direction, one after the other, and an answer to the last of a sample: the seconds of a sample are
/// those of a message, as the sender sees them.
template <class Messages, class Waiter>
void stream(Messages& messages, int me, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    const int other = pair_partner(me, messages.ranks());
    if (other == me) return;
    const bool first = begins(me, messages.ranks());
    record.prepare(plan);
    // A sample begins when the receiver says that it is ready, and ends with its answer.
    const auto token_to = [&] { messages.send(me, other, 1, record.in.data(), 0, waiter); };
    const auto token_from = [&] { messages.receive(me, other, 1, record.in.data(), 0, waiter); };
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const auto [bytes, count] = plan.samples[number];
        if (!first) {
            token_to();
            for (int i = 0; i < count; ++i) messages.receive(me, other, 0, record.in.data(), bytes, waiter);
            token_to();
            record.seconds.push_back(0);
            if (!has_pattern(record.in.data(), bytes, number)) ++record.errors;
            continue;
        }
        fill_pattern(record.out.data(), bytes, number);
        token_from();
        const double start = wall_seconds();
        for (int i = 0; i < count; ++i) messages.send(me, other, 0, record.out.data(), bytes, waiter);
        token_from();
        record.seconds.push_back((wall_seconds() - start) / count);
    }
}

/// The same by puts: all to the same memory, the last word of each counting; the target answers the last of a sample.
template <class Puts, class Waiter>
void put_stream(Puts& puts, int me, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    const int other = pair_partner(me, puts.ranks());
    if (other == me) return;
    const bool first = begins(me, puts.ranks());
    record.prepare(plan);
    const std::size_t answer_at = (plan.most_bytes() + word - 1) / word * word;
    puts.open(me, other, answer_at + word, waiter);
    std::byte* memory = puts.memory(me);
    const auto count_at = [memory](std::size_t offset) {
        return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(memory + offset));
    };
    std::uint64_t sent = 0;
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const auto [bytes, count] = plan.samples[number];
        const std::uint64_t last = sent + static_cast<std::uint64_t>(count);
        // The word of a message is exact, as other samples leave other bytes there; an answer may be followed by the
        // next.
        const auto await_last = [&] {
            puts.wait_for(me, waiter, [&] { return count_at(bytes - word).load(std::memory_order_acquire) == last; });
        };
        const auto await_answer = [&](std::uint64_t value) {
            puts.wait_for(me, waiter, [&] { return count_at(answer_at).load(std::memory_order_acquire) >= value; });
        };
        const auto tell = [&](std::uint64_t value) { puts.put(me, other, answer_at, &value, word, waiter); };
        const std::uint64_t ready = 2 * number + 1;
        if (!first) {
            sent = last;
            tell(ready);
            await_last();
            tell(ready + 1);
            record.seconds.push_back(0);
            if (!has_pattern(memory, bytes - word, number)) ++record.errors;
            continue;
        }
        fill_pattern(record.out.data(), bytes - word, number);
        await_answer(ready);
        const double start = wall_seconds();
        while (sent < last) {
            ++sent;
            if (bytes > word) puts.put(me, other, 0, record.out.data(), bytes - word, waiter);
            puts.put(me, other, bytes - word, &sent, word, waiter);
        }
        await_answer(ready + 1);
        record.seconds.push_back((wall_seconds() - start) / count);
    }
}

/// A stream of active messages, whose handler takes each at once: nothing is matched.
template <class Endpoint>
class ActiveStream {
  public:
    /// `records` by rank, outlive this.
    ActiveStream(Endpoint& endpoint, const RankLayout& layout, std::vector<RankRecord>& records, std::size_t most_bytes)
        : messages_(endpoint, layout), records_(records), targets_(static_cast<std::size_t>(layout.ranks)) {
        message_ = messages_.register_context({&ActiveStream::receive, &ActiveStream::done, this}, 0, most_bytes);
        answer_ = messages_.register_context({&ActiveStream::on_answer, nullptr, this}, 0, 0);
    }
    ActiveStream(const ActiveStream&) = delete;
    ActiveStream& operator=(const ActiveStream&) = delete;

    bool poll() { return messages_.poll(); }

    template <class Waiter>
    void run(int me, const SamplePlan& plan, Waiter& waiter) {
        const int other = pair_partner(me, messages_.ranks());
        if (other == me) return;
        RankRecord& record = records_[static_cast<std::size_t>(me)];
        Target& own = at(me);
        record.prepare(plan);
        const auto tell = [&] { messages_.send(me, other, answer_, nullptr, nullptr, 0, waiter); };
        const auto wait_for = [&](std::uint64_t answers) {
            messages_.wait_until(me, waiter, [&own, answers] { return own.answers >= answers; });
        };
        for (std::size_t number = 0; number < plan.samples.size(); ++number) {
            const auto [bytes, count] = plan.samples[number];
            if (!begins(me, messages_.ranks())) {
                own.expected += static_cast<std::uint64_t>(count);
                tell();
                messages_.wait_until(me, waiter, [&own] { return own.received >= own.expected; });
                tell();
                record.seconds.push_back(0);
                if (!has_pattern(record.in.data(), bytes, number)) ++record.errors;
                continue;
            }
            fill_pattern(record.out.data(), bytes, number);
            wait_for(2 * number + 1);
            const double start = wall_seconds();
            for (int i = 0; i < count; ++i) {
                messages_.send(me, other, message_, nullptr, record.out.data(), bytes, waiter);
            }
            wait_for(2 * number + 2);
            record.seconds.push_back((wall_seconds() - start) / count);
        }
    }

  private:
    struct Target {
        std::uint64_t received = 0;
        std::uint64_t expected = 0;
        std::uint64_t answers = 0;
    };
    Target& at(int rank) { return targets_[static_cast<std::size_t>(rank)]; }

    static std::byte* receive(void* user, const Arrival& arrival) {
        return static_cast<ActiveStream*>(user)->records_[static_cast<std::size_t>(arrival.to)].in.data();
    }
    static void done(void* user, const Arrival& arrival, const std::byte* /*payload*/) {
        auto& self = *static_cast<ActiveStream*>(user);
        Target& target = self.at(arrival.to);
        if (++target.received >= target.expected) self.messages_.raise(arrival.to);
    }
    static std::byte* on_answer(void* user, const Arrival& arrival) {
        auto& self = *static_cast<ActiveStream*>(user);
        ++self.at(arrival.to).answers;
        self.messages_.raise(arrival.to);
        return nullptr;
    }

    ActiveMessages<Endpoint> messages_;
    std::vector<RankRecord>& records_;
    std::vector<Target> targets_;
    int message_ = 0;
    int answer_ = 0;
};

}  // namespace narrows
