#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

#include "calibrate/messaging/active_message.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

constexpr std::size_t longest = std::size_t{4} << 20;  // more than a ring takes

/// Notes which messages have come whole, in this order, by the number in their info.
template <class Endpoint>
class Noting {
  public:
    Noting(Endpoint& endpoint, const RankLayout& layout) : messages(endpoint, layout), buffer_(longest) {
        const auto receive = [](void* user, const Arrival&) { return static_cast<Noting*>(user)->buffer_.data(); };
        const auto done = [](void* user, const Arrival& arrival, const std::byte*) {
            auto& self = *static_cast<Noting*>(user);
            std::uint32_t number = 0;
            std::memcpy(&number, arrival.info, sizeof number);
            self.order.push_back(number);
            ++self.count;
            self.messages.raise(arrival.to);
        };
        context = messages.register_context({receive, done, this}, sizeof(std::uint32_t), longest);
    }
    bool poll() { return messages.poll(); }

    ActiveMessages<Endpoint> messages;
    std::vector<std::uint32_t> order;
    std::atomic<std::size_t> count{0};
    int context = 0;

  private:
    std::vector<std::byte> buffer_;
};

using NotingWorld = RingWorld<UnsharedEndpoint, Noting, void>;

// Rank 0 posts messages of these sizes, numbered from 0, to rank 1; the order in which they have come.
std::vector<std::uint32_t> order_of(const std::vector<std::size_t>& sizes, Consistency consistency, int workers) {
    NotingWorld world(RankLayout{2, workers});
    const std::vector<std::byte> data(longest);
    const RankTimes times = run_each(world, [&](auto& all, int rank, auto& waiter) {
        if (rank == 1) {
            return all.messages.wait_until(1, waiter, [&] { return all.order.size() == sizes.size(); });
        }
        InjectionCounter counter{0};
        for (std::uint32_t number = 0; number < sizes.size(); ++number) {
            all.messages.post(0, 1, all.context, &number, data.data(), sizes[number], counter, waiter, consistency);
        }
        all.messages.wait_until(0, waiter, [&] { return counter.pending == 0; });
    });
    CHECK_FALSE(times.deadlocked);
    return world.protocol(1).order;
}

}  // namespace

TEST_CASE("consistency: ordered messages come in order, relaxed short ones overtake a long one that waits for room") {
    const std::vector<std::uint32_t> in_order = {0, 1, 2};
    CHECK(order_of({longest, 8, 8}, Consistency::ordered, 1) == in_order);
    CHECK(order_of({longest, 8, 8}, Consistency::ordered, 2) == in_order);
    CHECK(order_of({longest, 8, 8}, Consistency::sequential, 2) == in_order);
    CHECK(order_of({longest, 8, 8}, Consistency::relaxed, 1) == std::vector<std::uint32_t>{1, 2, 0});
}

TEST_CASE("consistency: relaxed long messages between two ranks keep apart, and all come") {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < 40; ++i) sizes.push_back(i % 3 == 0 ? 8 : std::size_t{100'000} + i);
    std::vector<std::uint32_t> order = order_of(sizes, Consistency::relaxed, 2);
    std::sort(order.begin(), order.end());
    REQUIRE(order.size() == sizes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) CHECK(order[i] == i);
}

TEST_CASE(
    "consistency: a sequential message has been handled when the call returns, and so has what a fence waits for") {
    const int workers = GENERATE(1, 2);
    NotingWorld world(RankLayout{2, workers});
    const std::vector<std::byte> data(longest);
    std::atomic<bool> over{false};
    const RankTimes times = run_each(world, [&](auto& all, int rank, auto& waiter) {
        constexpr std::size_t rounds = 5;
        // Until the last fence, which it has to answer, has been waited for.
        if (rank == 1)
            return all.messages.wait_until(
                1, waiter, [&] { return over.load(); }, true);
        InjectionCounter counter{0};
        std::uint32_t number = 0;
        const auto post = [&](std::size_t bytes, Consistency consistency) {
            all.messages.post(0, 1, all.context, &number, data.data(), bytes, counter, waiter, consistency);
            ++number;
        };
        std::atomic<std::size_t>& handled = world.protocol(1).count;
        for (std::size_t round = 1; round <= rounds; ++round) {
            post(longest, Consistency::sequential);
            CHECK(handled == number);
            post(100'000, Consistency::ordered);
            post(8, Consistency::ordered);
            all.messages.fence(0, 1, waiter);
            CHECK(handled == number);
        }
        CHECK(handled == 3 * rounds);
        over = true;
    });
    CHECK_FALSE(times.deadlocked);
}
