#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/messaging/begun_message.hpp"

namespace narrows {

/// Work that touches no memory, in steps that take the same time each.
inline void compute(std::uint64_t steps) {
    std::uint64_t value = steps;
    for (std::uint64_t i = 0; i < steps; ++i) {
        value ^= value << 13;
        value ^= value >> 7;
        asm volatile("" : "+r"(value));
    }
}

/// Steps of `compute` in a second when nothing else runs.
inline double compute_rate() {
    constexpr std::uint64_t steps = 20000;
    double least = 1;
    for (int time = 0; time < 5; ++time) {
        const double start = wall_seconds();
        compute(steps);
        least = std::min(least, wall_seconds() - start);
    }
    return static_cast<double>(steps) / least;
}

/// How far a message is hidden behind computing (kumar2008, Section 4.1 and Figures 7 to 10). The first rank of a pair
/// begins a send, computes and waits, while the other receives; then it begins a receive, computes and waits, while the
/// other sends. It computes as long as a message takes, half a round trip. The overlap ratio is the time of all this
/// over that of the computing alone: 1 when the message costs nothing, 2 when nothing of it is hidden, and more where
/// beginning and waiting have costs of their own.
template <class Calls>
class OverlapSamples {
  public:
    OverlapSamples(Calls& calls, int me, int ranks, RankRecord& record)
        : calls_(calls), other_(pair_partner(me, ranks)), first_(begins(me, ranks)), record_(record) {}

    void run(const SamplePlan& plan) {
        const double rate = first_ ? compute_rate() : 0;
        for (std::size_t number = 0; number < plan.samples.size(); ++number) {
            bytes_ = plan.samples[number].bytes;
            trips_ = plan.samples[number].messages;
            fill_pattern(record_.out.data(), bytes_, number);
            const double message = typical([this] { return round_trip(); }) / 2;
            steps_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(message * rate));
            const double alone = first_ ? typical([this] { return compute_alone(); }) : 1;
            record_.add_sample(message);
            record_.send_overlap.push_back(typical([this] { return turn(true); }) / alone);
            record_.receive_overlap.push_back(typical([this] { return turn(false); }) / alone);
            record_.check(has_pattern(record_.in.data(), bytes_, number));
        }
    }

  private:
    // Seconds that a trip returns, the median of all: who loses its core for a moment takes a thousand times as long.
    template <class Trip>
    double typical(const Trip& trip) {
        trip_seconds_.clear();
        for (int i = 0; i < trips_; ++i) trip_seconds_.push_back(trip());
        const auto middle = trip_seconds_.begin() + std::ssize(trip_seconds_) / 2;
        std::nth_element(trip_seconds_.begin(), middle, trip_seconds_.end());
        return *middle;
    }

    // A message to the other and one back.
    double round_trip() {
        const double start = wall_seconds();
        if (first_) calls_.send(other_, record_.out.data(), bytes_);
        calls_.receive(other_, record_.in.data(), bytes_);
        if (!first_) calls_.send(other_, record_.out.data(), bytes_);
        return wall_seconds() - start;
    }

    double compute_alone() const {
        const double start = wall_seconds();
        compute(steps_);
        return wall_seconds() - start;
    }

    // The first rank sends, or receives, while it computes; the other makes the other call. Who receives says when it
    // is about to; a token is a message without bytes.
    double turn(bool first_sends) {
        const bool sends = first_ == first_sends;
        if (sends) calls_.receive(other_, record_.in.data(), 0);
        if (!sends) calls_.send(other_, record_.in.data(), 0);
        const double start = wall_seconds();
        if (!first_ && sends) calls_.send(other_, record_.out.data(), bytes_);
        if (!first_ && !sends) calls_.receive(other_, record_.in.data(), bytes_);
        if (!first_) return 0;
        if (sends) calls_.begin_send(other_, record_.out.data(), bytes_);
        if (!sends) calls_.begin_receive(other_, record_.in.data(), bytes_);
        compute(steps_);
        calls_.wait();
        return wall_seconds() - start;
    }

    Calls& calls_;
    int other_;
    bool first_;
    RankRecord& record_;
    std::size_t bytes_ = 0;
    int trips_ = 0;
    std::vector<double> trip_seconds_;
    std::uint64_t steps_ = 0;
};

/// Takes the samples of a plan by a protocol with send and receive, on ranks with a thread each.
template <class Messages, class Waiter>
void overlap(Messages& messages, int me, MessageProgress progress, const SamplePlan& plan, RankRecord& record,
             Waiter& waiter) {
    if (pair_partner(me, messages.ranks()) == me) return;
    record.prepare(plan);
    record.send_overlap.reserve(plan.samples.size());
    record.receive_overlap.reserve(plan.samples.size());
    run_beside(progress, messages, me, waiter, [&](auto calls) {
        OverlapSamples samples(calls, me, messages.ranks(), record);
        samples.run(plan);
    });
}

}  // namespace narrows
