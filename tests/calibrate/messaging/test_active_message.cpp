#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <thread>
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
        messages.wait_until(me, waiter, [&] { return own.size() >= count && (count == 0 || own[count - 1].done); });
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
    static void done(void* user, const Arrival& arrival, const std::byte* /*payload*/) {
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
    static void done(void* user, const Arrival& arrival, const std::byte* /*payload*/) {
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
    fails([&](auto& p, auto& w) { p.receive(0, any_source, -2, data.data(), 8, w); },
          "tag -2 is out of range: tags are 0 to 32767");
    fails(
        [&](auto& p, auto& w) {
            p.send(0, 0, 4, data.data(), 9, w);
            p.receive(0, 0, 4, data.data(), 8, w);
        },
        "rank 0 was sent 9 bytes by rank 0 and receives into 8: give it a larger buffer");
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
        fails(
            [&](auto& c, auto& w) {
                c.messages.multicast(0, std::vector{1, nobody}, c.context, &number, nullptr, 0, w);
            },
            text);
        fails([&](auto& c, auto& w) { c.messages.fence(0, nobody, w); }, text);
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

TEST_CASE("active messages: what finds the network full is replayed, and counted down when it has gone") {
    constexpr std::uint32_t count = 3000;
    const auto all = collect<SharedEndpoint>({2, 2}, [](auto& collector, int rank, auto& waiter) {
        if (rank == 1) return collector.await(1, count, waiter);
        const auto data = bytes_of(7, 4000);  // 12 MB in all, where a ring has 1 MiB
        InjectionCounter counter{0};
        for (std::uint32_t i = 0; i < count; ++i) {
            collector.messages.post(0, 1, collector.context, &i, data.data(), data.size(), counter, waiter);
        }
        collector.messages.wait_until(0, waiter, [&] { return counter.pending == 0; });
    });
    REQUIRE(all[1].size() == count);
    for (std::uint32_t i = 0; i < count; i += 100) {
        CHECK(all[1][i].number == i);
        CHECK(all[1][i].data == bytes_of(7, 4000));
    }
}

TEST_CASE("active messages: a callback is told that a message has gone, and may post the next one") {
    static constexpr std::uint32_t count = 50;
    struct Chain {
        Collector<SharedEndpoint>* collector = nullptr;
        std::vector<std::byte> data;
        std::uint32_t sent = 0;
        InjectionCounter counter;
        void post_next() {
            const std::uint32_t number = sent++;
            collector->messages.post_from_handler(0, 1, collector->context, &number, data.data(), data.size(), counter);
        }
    };
    const auto all = collect<SharedEndpoint>({2, 2}, [](auto& collector, int rank, auto& waiter) {
        if (rank == 1) return collector.await(1, count, waiter);
        Chain chain{&collector, bytes_of(3, 20000), 0, {0}};
        chain.counter.user = &chain;
        chain.counter.done = [](void* user) {
            auto& own = *static_cast<Chain*>(user);
            if (own.sent < count) own.post_next();
        };
        chain.post_next();
        collector.messages.wait_until(0, waiter, [&] { return chain.counter.pending == 0; });
        CHECK(chain.sent == count);
    });
    REQUIRE(all[1].size() == count);
    for (std::uint32_t i = 0; i < count; ++i) {
        CHECK(all[1][i].number == i);
        CHECK(all[1][i].data == bytes_of(3, 20000));
    }
}

TEST_CASE("active messages: a rank that finds another's messages kept up to the limit does not wait for ever") {
    constexpr std::uint64_t count = 12000;  // 2.6 MB, where a ring has 1 MiB and 4096 messages are kept
    const RankLayout layout{3, 2};          // ranks 0 and 1 are fibers of one worker
    RingWorld<SharedEndpoint, Counter, void> world(layout);
    const RankTimes times = run_each(world, [](auto& counter, int rank, auto& waiter) {
        if (rank == 2) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            return counter.await(2, count + 1, waiter);
        }
        const std::array<std::byte, 200> data{};
        InjectionCounter pending{rank};
        for (std::uint64_t i = 0; i < (rank == 0 ? count : 1); ++i) {
            counter.messages.post(rank, 2, counter.context, nullptr, data.data(), data.size(), pending, waiter);
        }
        counter.messages.wait_until(rank, waiter, [&] { return pending.pending == 0; });
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(world.protocol(2).received[2] == count + 1);
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
            InjectionCounter left{0};
            const auto refused = [&](auto send) { CHECK_THROWS_WITH(send(), text); };
            refused([&] { messages.send(0, 1, counter.context, &info, data.data(), bytes, waiter); });
            refused([&] { messages.post(0, 1, counter.context, &info, data.data(), bytes, left, waiter); });
            refused([&] { messages.post_from_handler(0, 1, counter.context, &info, data.data(), bytes, left); });
            const std::array<int, 1> other{1};
            refused([&] { messages.multicast(0, other, counter.context, &info, data.data(), bytes, waiter); });
            using Message = typename std::decay_t<decltype(messages)>::Message;
            const std::array<Message, 2> both{Message{1, data.data(), 8}, Message{1, data.data(), bytes}};
            refused([&] { messages.many_to_many(0, both, counter.context, &info, waiter); });
            CHECK(left.pending == 0);
        }
        CHECK_THROWS_WITH(messages.deposit(0, TorusLine{0, 1, 2}, counter.context, &info, data.data(), 257, waiter),
                          Catch::StartsWith("rank 0 sends 257 bytes to rank 1 in a context for at most 256"));
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

TEST_CASE("active messages: multicast, many-to-many and deposit along a line reach all that they name") {
    const int workers = GENERATE(1, 2, 6);
    const auto all = collect<SharedEndpoint>({6, workers}, [](auto& collector, int rank, auto& waiter) {
        using Messages = std::remove_reference_t<decltype(collector.messages)>;
        const std::uint32_t number = 1;
        if (rank == 0) {
            const std::array<int, 3> others = {1, 3, 5};
            const auto same = bytes_of(1, 300);
            collector.messages.multicast(0, others, collector.context, &number, same.data(), same.size(), waiter);
            const auto odd = bytes_of(2, 20), even = bytes_of(3, 9000);
            const std::array<typename Messages::Message, 2> own = {
                {{2, odd.data(), odd.size()}, {4, even.data(), even.size()}}};
            collector.messages.many_to_many(0, own, collector.context, &number, waiter);
        }
        collector.await(rank, rank == 0 ? 0 : 1, waiter);
        if (rank == 2) {  // the line 0, 2, 4
            const auto line = bytes_of(4, 100);
            collector.messages.deposit(2, {0, 2, 3}, collector.context, &number, line.data(), line.size(), waiter);
        }
        if (rank % 2 == 0 && rank != 2) collector.await(rank, rank == 0 ? 1 : 2, waiter);
    });
    for (const int rank : {1, 3, 5}) {
        REQUIRE(all[static_cast<std::size_t>(rank)].size() == 1);
        CHECK(all[static_cast<std::size_t>(rank)][0].data == bytes_of(1, 300));
    }
    CHECK(all[2][0].data == bytes_of(2, 20));
    REQUIRE(all[0].size() == 1);
    CHECK(all[0][0].from == 2);
    CHECK(all[0][0].data == bytes_of(4, 100));
    REQUIRE(all[4].size() == 2);  // of different ranks: in any order
    const bool own_first = all[4][0].from == 0;
    CHECK(all[4][own_first ? 0 : 1].data == bytes_of(3, 9000));
    CHECK(all[4][own_first ? 1 : 0].data == bytes_of(4, 100));
    CHECK(all[2].size() == 1);
}

TEST_CASE("torus line: the rank after the last is the first") {
    const TorusLine line{3, 4, 5};
    CHECK(line.after(3) == 7);
    CHECK(line.after(19) == 3);
}
