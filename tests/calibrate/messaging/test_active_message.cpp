#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/put_windows.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using SharedMatched = RingWorld<SharedEndpoint, MatchedMessages, void>;

/// Keeps every message that comes to a rank, with the number in its info.
template <class Endpoint>
class Collector {
  public:
    struct Kept {
        int from;
        std::uint32_t number;
        std::vector<std::byte> data;
        bool done;
    };

    Collector(Endpoint& endpoint, const RankLayout& layout)
        : messages(endpoint, layout), kept(static_cast<std::size_t>(layout.ranks)) {
        context =
            messages.register_context({&Collector::receive, &Collector::done, this}, sizeof(std::uint32_t), 1 << 20);
    }
    bool poll() { return messages.poll(); }

    template <class Waiter>
    void await(int me, std::size_t count, Waiter& waiter) {
        const auto& own = kept[static_cast<std::size_t>(me)];
        messages.wait_until(me, waiter, [&] {
            return own.size() >= count && std::ranges::all_of(own, [](const Kept& one) { return one.done; });
        });
    }

    ActiveMessages<Endpoint> messages;
    std::vector<std::vector<Kept>> kept;
    int context = 0;

  private:
    static std::byte* receive(void* user, const Arrival& arrival) {
        auto& own = static_cast<Collector*>(user)->kept[static_cast<std::size_t>(arrival.to)];
        Kept message{arrival.from, 0, std::vector<std::byte>(arrival.bytes), false};
        std::memcpy(&message.number, arrival.info, sizeof message.number);
        own.push_back(std::move(message));
        return own.back().data.data();
    }
    static void done(void* user, const Arrival& arrival) {
        auto& self = *static_cast<Collector*>(user);
        for (Kept& message : self.kept[static_cast<std::size_t>(arrival.to)]) {
            if (message.from == arrival.from) message.done = true;
        }
        self.messages.raise(arrival.to);
    }
};

/// Counts what comes to a rank, into the same memory.
template <class Endpoint>
class Counter {
  public:
    Counter(Endpoint& endpoint, const RankLayout& layout)
        : messages(endpoint, layout), received(static_cast<std::size_t>(layout.ranks)) {
        context = messages.register_context({&Counter::receive, &Counter::done, this}, 0, sizeof buffer_);
    }
    bool poll() { return messages.poll(); }

    template <class Waiter>
    void await(int me, std::uint64_t count, Waiter& waiter) {
        messages.wait_until(me, waiter, [&] { return received[static_cast<std::size_t>(me)] >= count; });
    }

    ActiveMessages<Endpoint> messages;
    std::vector<std::uint64_t> received;
    int context = 0;

  private:
    static std::byte* receive(void* user, const Arrival& /*arrival*/) {
        return static_cast<Counter*>(user)->buffer_.data();
    }
    static void done(void* user, const Arrival& arrival) {
        ++static_cast<Counter*>(user)->received[static_cast<std::size_t>(arrival.to)];
        static_cast<Counter*>(user)->messages.raise(arrival.to);
    }
    std::array<std::byte, 256> buffer_{};
};

std::vector<std::byte> bytes_of(std::uint32_t message, std::size_t count) {
    std::vector<std::byte> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = message_byte(message, i);
    return data;
}

/// Runs `step(collector, rank, waiter)` on all ranks and returns what each of them got.
template <class Endpoint, class Step>
auto collect(const RankLayout& layout, Step step) {
    using Collected = Collector<Endpoint>;
    RingWorld<Endpoint, Collector, void> world(layout);
    CHECK_FALSE(run_each(world, step).deadlocked);
    std::vector<std::vector<typename Collected::Kept>> all;
    for (int rank = 0; rank < layout.ranks; ++rank) {
        all.push_back(std::move(world.protocol(rank).kept[static_cast<std::size_t>(rank)]));
    }
    return all;
}

}  // namespace

TEST_CASE("matched messages: what a rank may not do is an error that says so") {
    std::array<std::byte, 64> data{};
    const auto fails = [&](auto step, const std::string& text) {
        CHECK_THROWS_WITH(run_two<SharedMatched>(1, step, nothing), text);
    };
    fails([&](auto& p, auto& w) { p.send(0, 2, 0, data.data(), 8, w); }, "there is no rank 2: ranks are 0 to 1");
    fails([&](auto& p, auto& w) { p.send(0, 1, -1, data.data(), 8, w); },
          "tag -1 is out of range: tags are 0 to 32767");
    fails([&](auto& p, auto& w) { p.receive(0, 1, 40000, data.data(), 8, w); },
          "tag 40000 is out of range: tags are 0 to 32767");
    fails([&](auto& p, auto& w) { p.send(0, 0, 4, data.data(), 8, w); },
          "rank 0 exchanges a message with itself: copy it instead");
    CHECK_THROWS_WITH(run_two<SharedMatched>(
                          1, [&](auto& p, auto& w) { p.send(0, 1, 4, data.data(), 9, w); },
                          [&](auto& p, auto& w) { p.receive(1, 0, 4, data.data(), 8, w); }),
                      "rank 1 was sent 9 bytes by rank 0 and receives into 8: give it a larger buffer");
}

TEST_CASE("active messages: to nobody, or beyond what was exposed, is an error that says so") {
    const auto fails = [](auto step, const std::string& text) {
        RingWorld<SharedEndpoint, Collector, void> world({2, 1});
        const auto only_first = [&step](auto& collector, int rank, auto& waiter) {
            if (rank == 0) step(collector, waiter);
        };
        CHECK_THROWS_WITH(run_each(world, only_first), text);
    };
    const std::uint32_t number = 1;
    for (const int nobody : {2, -1}) {
        const std::string text = "there is no rank " + std::to_string(nobody) + ": ranks are 0 to 1";
        fails([&](auto& c, auto& w) { c.messages.send(0, nobody, c.context, &number, nullptr, 0, w); }, text);
    }
    std::array<std::byte, 16> memory{};
    const auto put = [&](std::size_t bytes, std::size_t offset) {
        return [&memory, bytes, offset](auto& c, auto& w) {
            const RemoteMemory there = c.messages.expose(1, memory.data(), 8);
            c.messages.put(0, 1, there, memory.data(), bytes, w, offset);
        };
    };
    fails(put(16, 0), "16 bytes put at 0 do not fit the 8 bytes that rank 1 has for it");
    fails(put(8, 4), "8 bytes put at 4 do not fit the 8 bytes that rank 1 has for it");
}

TEST_CASE("active messages: short and long ones arrive whole, with their info and in order") {
    const std::array<std::size_t, 6> sizes = {0, 1, 8, 8128, 8129, 100000};
    const auto step = [&sizes](auto& collector, int rank, auto& waiter) {
        for (std::uint32_t i = 0; i < sizes.size() && rank == 0; ++i) {
            const auto data = bytes_of(i, sizes[i]);
            collector.messages.send(0, 1, collector.context, &i, data.data(), data.size(), waiter);
        }
        if (rank == 1) collector.await(1, sizes.size(), waiter);
    };
    const auto check = [&sizes](const auto& all) {
        REQUIRE(all[1].size() == sizes.size());
        for (std::uint32_t i = 0; i < sizes.size(); ++i) {
            CHECK(all[1][i].number == i);
            CHECK(all[1][i].data == bytes_of(i, sizes[i]));
        }
    };
    check(collect<SharedEndpoint>({2, 2}, step));
    check(collect<SharedEndpoint>({2, 1}, step));
    check(collect<UnsharedEndpoint>({2, 2}, step));
}

TEST_CASE("active messages: more than the network holds arrives whole, of ranks that share a worker too") {
    const RankLayout layout{3, 2};  // ranks 0 and 1 are fibers of one worker
    constexpr std::uint32_t count = 300;
    const auto all = collect<SharedEndpoint>(layout, [](auto& collector, int rank, auto& waiter) {
        if (rank == 2) return collector.await(2, 2 * count, waiter);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto data = bytes_of(i, 20000);  // 12 MB in all, where a ring has 1 MiB
            collector.messages.send(rank, 2, collector.context, &i, data.data(), data.size(), waiter);
        }
    });
    REQUIRE(all[2].size() == 2UL * count);
    std::array<std::uint32_t, 2> next{};
    for (const auto& message : all[2]) {
        CHECK(message.number == next[static_cast<std::size_t>(message.from)]++);
        CHECK(message.data == bytes_of(message.number, 20000));
    }
}

TEST_CASE("active messages: more than a context is for is its sender's error, and nothing of it leaves") {
    const auto step = [](auto& counter, int rank, auto& waiter) {
        if (rank == 1) return counter.await(1, 1, waiter);
        auto& messages = counter.messages;
        const std::vector<std::byte> data(9000);
        const std::byte info{};  // of none
        for (const std::size_t bytes : {std::size_t{257}, data.size()}) {
            const std::string text = "rank 0 sends " + std::to_string(bytes) +
                                     " bytes to rank 1 in a context for at most 256: send less, or register it for "
                                     "more";
            CHECK_THROWS_WITH(messages.send(0, 1, counter.context, &info, data.data(), bytes, waiter), text);
        }
        messages.send(0, 1, counter.context, &info, data.data(), 256, waiter);
    };
    RingWorld<SharedEndpoint, Counter, void> world(RankLayout{2, 1});
    CHECK_FALSE(run_each(world, step).deadlocked);
    CHECK(world.protocol(1).received[1] == 1);
}

TEST_CASE("active messages: getting nothing is done at once") {
    const auto all = collect<UnsharedEndpoint>({1, 1}, [](auto& collector, int, auto&) {
        bool done = false;
        collector.messages.get(0, 0, collector.messages.expose(0, nullptr, 0), nullptr, done);
        CHECK(done);
    });
    CHECK(all[0].empty());
}
