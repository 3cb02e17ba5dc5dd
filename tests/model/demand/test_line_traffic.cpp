#include <catch2/catch.hpp>
#include <random>

#include "model/demand/line_traffic.hpp"

namespace narrows {
namespace {

// Probability that a message of `from` along the dimension with this stride and size goes to `to`.
double chance(std::int64_t from, std::int64_t to, std::int64_t stride, std::int64_t size) {
    const bool same_line = from % stride == to % stride && from / (stride * size) == to / (stride * size);
    return same_line ? 1.0 / static_cast<double>(size) : 0.0;
}

// Messages that leave each group, pair by pair.
std::vector<double> enumerated(const LineTraffic& traffic, const std::vector<int>& group, int groups) {
    std::vector<double> out(groups, 0.0);
    std::int64_t stride = 1;
    for (const std::int64_t size : traffic.shape) {
        for (std::int64_t from = 0; from < traffic.ranks(); ++from) {
            for (std::int64_t to = 0; to < traffic.ranks(); ++to) {
                if (group[from] != group[to]) out[group[from]] += chance(from, to, stride, size);
            }
        }
        stride *= size;
    }
    return out;
}

LineTraffic random_traffic(std::mt19937_64& random) {
    LineTraffic traffic;
    for (int dimensions = 1 + static_cast<int>(random() % 4); dimensions > 0; --dimensions) {
        traffic.shape.push_back(1 + static_cast<std::int64_t>(random() % 6));
    }
    return traffic;
}

}  // namespace

TEST_CASE("line traffic: hops are those of software routing, uniform traffic is one dimension") {
    CHECK(hops({{4, 4, 2}}) == Approx(2));
    CHECK(hops({{8}}) == Approx(7.0 / 8));
    CHECK(leaving({{8}}, 0, 8) == Approx(0).margin(1e-12));
    CHECK(leaving({{8}}, 0, 2) == Approx(2 * 6.0 / 8));
}

TEST_CASE("line traffic: what leaves an interval of ranks, against all pairs") {
    std::mt19937_64 random(7);
    for (int trial = 0; trial < 60; ++trial) {
        const LineTraffic traffic = random_traffic(random);
        const std::int64_t ranks = traffic.ranks();
        const std::int64_t first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(ranks));
        const std::int64_t end =
            first + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(ranks - first));
        std::vector<int> group(static_cast<std::size_t>(ranks), 1);
        for (std::int64_t rank = first; rank < end; ++rank) group[rank] = 0;
        CAPTURE(trial, ranks, first, end);
        CHECK(leaving(traffic, first, end) == Approx(enumerated(traffic, group, 2)[0]).margin(1e-9));
    }
}

TEST_CASE("line traffic: groups of consecutive and of any ranks, against all pairs") {
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 40; ++trial) {
        const LineTraffic traffic = random_traffic(random);
        const auto ranks = static_cast<int>(traffic.ranks());
        const int size = 1 + static_cast<int>(random() % static_cast<unsigned>(ranks));
        const int groups = (ranks + size - 1) / size;
        std::vector<int> group;
        for (int rank = 0; rank < ranks; ++rank) group.push_back(rank / size);
        std::shuffle(group.begin(), group.end(), random);
        const std::vector<double> links(groups, 3.0);
        const auto sum_and_most = [](const std::vector<double>& out) {
            double all = 0, most = 0;
            for (const double each : out) {
                all += each;
                most = std::max(most, each);
            }
            return std::pair(all, most);
        };
        const auto [all, most] = sum_and_most(enumerated(traffic, group, groups));
        CAPTURE(trial, ranks, size);
        CHECK(crossing(traffic, group, links).all == Approx(all).margin(1e-9));
        CHECK(crossing(traffic, group, links).fullest == Approx(most / 3).margin(1e-9));
        std::ranges::sort(group);
        const auto [blocks_all, blocks_most] = sum_and_most(enumerated(traffic, group, groups));
        CHECK(crossing(traffic, size, 3).all == Approx(blocks_all).margin(1e-9));
        CHECK(crossing(traffic, size, 3).fullest == Approx(blocks_most / 3).margin(1e-9));
    }
}

}  // namespace narrows
