#include <atomic>
#include <catch2/catch.hpp>
#include <string>

#include "calibrate/messaging/buffered.hpp"
#include "check_messages.hpp"
#include "worlds.hpp"

using namespace narrows;

namespace {

using SharedWorld = RingWorld<SharedEndpoint, Buffered, BufferedMemory>;
using UnsharedWorld = RingWorld<UnsharedEndpoint, Buffered, BufferedMemory>;

}  // namespace

TEST_CASE("buffered: 1024 ranks on fibers exchange messages") {
    check_random_messages<SharedWorld>(buffered_mix(sanitized ? 128 : 1024, 5000, 3), 2);
}

TEST_CASE("buffered: one rank sends to all threads, however many each keep what they were sent last") {
    const int ranks = GENERATE(64, 66);
    const std::vector<std::byte> data(1000, std::byte{7});
    SharedWorld world({ranks, ranks});
    std::atomic<int> right{0};
    const RankTimes times = run_each(world, [&](auto& messages, int rank, auto& waiter) {
        std::vector<std::byte> got(data.size());
        for (int to = 1; rank == 0 && to < ranks; ++to) messages.send(0, to, 1, data.data(), data.size(), waiter);
        if (rank != 0) messages.receive(rank, 0, 1, got.data(), got.size(), waiter);
        right += got == data ? 1 : 0;
    });
    CHECK_FALSE(times.deadlocked);
    CHECK(right == ranks - 1);
}

TEST_CASE("buffered: its memory grows with the square of the ranks") {
    CHECK(sizeof(QueueSlot) == 64);
    CHECK(BufferedMemory::queue_entries(2) == 64);
    CHECK(BufferedMemory::queue_entries(1024) == 4);
    CHECK(BufferedMemory::queue_entries(4096) == 2);
    const std::size_t pair = 64 * sizeof(QueueSlot) + sizeof(SendingEnd) + sizeof(ReceivingEnd);
    CHECK(BufferedMemory::bytes(2) == 4 * pair + 2 * (64 * most_buffered_bytes + sizeof(BlockArea)));
    CHECK(10 * BufferedMemory::bytes(8192) > 39 * BufferedMemory::bytes(4096));
}

TEST_CASE("buffered: an entry is written and read back") {
    const EntryWord entry{true, EntryWord::Place::sender, most_tag, (std::size_t{1} << 40) - 1};
    const EntryWord back = EntryWord::of(entry.word());
    CHECK(back.valid);
    CHECK(back.place == entry.place);
    CHECK(back.tag == most_tag);
    CHECK(back.bytes == entry.bytes);
    QueueSlot slot{};
    slot.store(entry.word());
    slot.mark_invalid();
    CHECK_FALSE(EntryWord::of(slot.load()).valid);
    CHECK(EntryWord::of(slot.load()).place == entry.place);
}

TEST_CASE("buffered: an entry is taken before older ones of other tags, and its place in the range is remembered") {
    std::vector<QueueSlot> queue(4);
    ReceivingEnd end{};
    const auto put = [&queue](std::size_t at, int tag) { queue[at].store(EntryWord{true, {}, tag, 0}.word()); };
    put(0, 5);
    put(1, 6);
    put(2, 6);
    CHECK(find_entry(queue.data(), 4, end, 7) == nullptr);
    QueueSlot* found = find_entry(queue.data(), 4, end, 6);
    REQUIRE(found == &queue[1]);
    take_entry(queue.data(), 4, end, found);
    found->mark_invalid();
    CHECK(end.front == 0);
    CHECK(find_entry(queue.data(), 4, end, 6) == &queue[2]);
    take_entry(queue.data(), 4, end, queue.data());
    queue[0].mark_invalid();
    CHECK(end.front == 2);
    put(3, 6);
    put(0, 6);
    for (const std::size_t at : {2, 3, 0}) {
        found = find_entry(queue.data(), 4, end, 6);
        REQUIRE(found == &queue[at]);
        take_entry(queue.data(), 4, end, found);
        found->mark_invalid();
    }
    CHECK(end.front == 5);
    CHECK(end.taken == 0);
}

TEST_CASE("buffered: what a rank may not do is an error that says so") {
    const auto fails = [](auto step, const std::string& text) {
        CHECK_THROWS_WITH(run_two<SharedWorld>(2, step, nothing), text);
        CHECK_THROWS_WITH(run_two<UnsharedWorld>(2, step, nothing), text);
        CHECK_THROWS_WITH(run_two<SharedWorld>(1, step, nothing), text);
    };
    fails([](auto& p, auto& w) { p.send(0, 2, 0, nullptr, 0, w); }, "there is no rank 2: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.send(0, -1, 0, nullptr, 0, w); }, "there is no rank -1: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.receive(0, 2, 0, nullptr, 0, w); }, "there is no rank 2: ranks are 0 to 1");
    fails([](auto& p, auto& w) { p.send(0, 1, 32768, nullptr, 0, w); },
          "tag 32768 is out of range: tags are 0 to 32767");
    fails([](auto& p, auto& w) { p.receive(0, 1, -2, nullptr, 0, w); }, "tag -2 is out of range: tags are 0 to 32767");
    fails([](auto& p, auto& w) { p.send(0, 0, 0, nullptr, 0, w); },
          "rank 0 exchanges a message with itself: copy it instead");
}

TEST_CASE("buffered: a message longer than the buffer is an error of its receiver, and ends the run") {
    const std::size_t bytes = GENERATE(9, 2000, 5000);
    static const std::vector<std::byte> data(5000);
    const auto sends = [bytes](auto& p, auto& w) {
        try {
            p.send(0, 1, 0, data.data(), bytes, w);
        } catch (const RunEnded&) {
            return;
        }
    };
    const auto receives = [](auto& p, auto& w) {
        static std::byte buffer[8];
        p.receive(1, 0, 0, buffer, 8, w);
    };
    const std::string text =
        "rank 1 was sent " + std::to_string(bytes) + " bytes by rank 0 and receives into 8: give it a larger buffer";
    CHECK_THROWS_WITH(run_two<SharedWorld>(2, sends, receives), text);
    CHECK_THROWS_WITH(run_two<UnsharedWorld>(2, sends, receives), text);
}

TEST_CASE("buffered: a receive that nobody answers is a deadlock, not a hang") {
    const auto receives = [](auto& p, auto& w) {
        try {
            p.receive(0, 1, 0, nullptr, 0, w);
        } catch (const RunEnded&) {
            return;
        }
    };
    const int workers = GENERATE(1, 2);
    CHECK(run_two<SharedWorld>(workers, receives, nothing).deadlocked);
    CHECK(run_two<UnsharedWorld>(workers, receives, nothing).deadlocked);
}
