#pragma once

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/messaging/collectives.hpp"

namespace narrows {

/// Most neighbours of `exchange`: both directions of three dimensions.
inline constexpr int most_neighbours = 6;

/// Near-neighbour exchange (kumar2008, Figures 5 and 6) on a ring of all ranks: neighbour 2d is the rank 1 + d places
/// on, neighbour 2d + 1 the one as far back. Every rank sends a message to its first `neighbours` neighbours and
/// receives as many, so that an odd last one sends on and receives from behind. The seconds of a sample are those of
/// one exchange; before them comes one that is not timed, in which what each neighbour sent is checked.
template <class Messages, class Waiter>
void exchange(Messages& messages, int me, int neighbours, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    const int ranks = messages.ranks();
    record.prepare(plan);
    Member member(messages, me, waiter);
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const auto [bytes, times] = plan.samples[number];
        const auto pattern_of = [&](int rank) {
            return number * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(rank);
        };
        fill_pattern(record.out.data(), bytes, pattern_of(me));
        bool right = true;
        double start = 0;
        for (int time = -1; time < times; ++time) {
            if (time == 0) start = wall_seconds();
            for (int neighbour = 0; neighbour < neighbours; ++neighbour) {
                const int places = 1 + neighbour / 2;
                const int distance = neighbour % 2 == 0 ? places : ranks - places;
                member.shift(record.out.data(), bytes, record.in.data(), bytes, distance);
                const int before = (me + ranks - distance) % ranks;
                if (time < 0) right = has_pattern(record.in.data(), bytes, pattern_of(before)) && right;
            }
        }
        record.add_sample((wall_seconds() - start) / times);
        record.check(right);
    }
}

}  // namespace narrows
