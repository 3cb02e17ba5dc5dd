#include "calibrate/kernels/messages/exchange.hpp"

#include <algorithm>
#include <cstddef>

namespace narrows {

void exchange(Member& member, int neighbours, const SamplePlan& plan, RankRecord& record) {
    const int me = member.me();
    const int ranks = member.size();
    record.prepare(plan);
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
                if (time < 0) std::fill_n(record.in.data(), bytes, std::byte{0});  // the same may come once more
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
