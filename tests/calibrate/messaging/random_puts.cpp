#include "random_puts.hpp"

#include <random>

namespace narrows {

std::vector<RandomPut> random_puts(const MessageMix& mix) {
    std::mt19937_64 random(mix.seed);
    const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
    const auto ranks = static_cast<std::size_t>(mix.ranks);
    std::vector<RandomPut> puts;
    puts.reserve(mix.messages);
    for (std::uint32_t number = 0; number < mix.messages; ++number) {
        const std::size_t bytes = below((below(8) == 0 ? RandomPut::lane_bytes : 80) + 1);
        const std::size_t offset = below(RandomPut::lane_bytes - bytes + 1);
        const auto from = static_cast<int>(below(ranks));
        puts.push_back({from, static_cast<int>(below(ranks)), offset, bytes, number});
    }
    return puts;
}

}  // namespace narrows
