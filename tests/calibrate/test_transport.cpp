#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "calibrate/transport/mailboxes.hpp"
#include "calibrate/transport/receiver.hpp"
#include "calibrate/transport/sender.hpp"

using namespace narrows;

namespace {

/// Two ranks on two workers, or on one, with `slots` slots of `words` words.
struct Pair {
    Pair(int workers, int slots, int words)
        : plan{{2, workers}, {Channel{1, 1, workers == 1, slots}}, words},
          memory(2 * plan.inbox_words() + line_words),
          mailboxes(plan, aligned(memory.data()), plan.inbox_words()) {}

    static Word* aligned(Word* at) {
        while (reinterpret_cast<std::uintptr_t>(at) % 64 != 0) ++at;
        return at;
    }

    MailboxPlan plan;
    std::vector<Word> memory;
    Mailboxes mailboxes;
};

std::vector<Word> packet(std::size_t length, Word first) {
    std::vector<Word> words(whole_lines(length), 0);
    for (std::size_t i = 0; i < length; ++i) words[i] = first + i;
    return words;
}

}  // namespace

TEST_CASE("packets of every length arrive whole and in order, between threads and within one") {
    const int workers = GENERATE(1, 2);
    const int capacity = GENERATE(1, 7, 8, 9, 20, 512);
    Pair pair(workers, 3, capacity);
    Sender sender(pair.mailboxes, 0);
    Ring ring(pair.mailboxes.ring(1, 0, 0), 3, pair.plan.slot_words(), workers == 1 ? sender.waiting(1, 0) : nullptr);
    CHECK(ring.poll() == nullptr);
    for (int round = 0; round < 3; ++round) {
        for (int length = 1; length <= capacity; length += length < 20 ? 1 : 97) {
            const std::vector<Word> words = packet(static_cast<std::size_t>(length), 1000);
            REQUIRE(sender.try_send(1, 0, words.data(), length));
            const Word* got = ring.poll();
            REQUIRE(got != nullptr);
            REQUIRE(packet_length(got, capacity) == length);
            REQUIRE(std::equal(got, got + length, words.begin()));
            ring.release();
            REQUIRE(ring.poll() == nullptr);
        }
    }
}

TEST_CASE("a ring takes as many packets as it has slots") {
    const int workers = GENERATE(1, 2);
    Pair pair(workers, 2, 8);
    Sender sender(pair.mailboxes, 0);
    Ring ring(pair.mailboxes.ring(1, 0, 0), 2, 8, workers == 1 ? sender.waiting(1, 0) : nullptr);
    const std::vector<Word> words = packet(8, 5);
    CHECK(sender.try_send(1, 0, words.data(), 8));
    CHECK(ring.poll_later(1) == nullptr);
    CHECK(sender.try_send(1, 0, words.data(), 8));
    CHECK(ring.poll_later(1) != nullptr);
    CHECK_FALSE(sender.try_send(1, 0, words.data(), 8));
    ring.release();
    CHECK(sender.try_send(1, 0, words.data(), 8));
    CHECK_FALSE(sender.try_send(1, 0, words.data(), 8));
}

TEST_CASE("two threads lose nothing") {
    Pair pair(2, 2, 20);
    constexpr Word packets = 20000;
    std::jthread producer([&pair] {
        Sender sender(pair.mailboxes, 0);
        for (Word i = 0; i < packets; ++i) {
            const auto length = 1 + i % 20;
            const std::vector<Word> words = packet(length, 1 + i);
            while (!sender.try_send(1, 0, words.data(), static_cast<int>(length))) std::this_thread::yield();
        }
    });
    Ring ring(pair.mailboxes.ring(1, 0, 0), 2, pair.plan.slot_words(), nullptr);
    Word wrong = 0;
    for (Word i = 0; i < packets; ++i) {
        const Word* got = ring.poll();
        for (; got == nullptr; got = ring.poll()) std::this_thread::yield();
        const int length = packet_length(got, 20);
        wrong += length != static_cast<int>(1 + i % 20) || got[0] != 1 + i || got[length - 1] != i + i % 20 + 1 ? 1 : 0;
        ring.release();
    }
    CHECK(wrong == 0);
}

TEST_CASE("slots keep to the packets in transit that a pair may have, on aggregate") {
    const auto slots = [](int peers, int producers, int in_transit, int words) {
        return ring_slots(Channel{peers, producers, producers == 1, 1}, in_transit, words, 96);
    };
    CHECK(slots(1, 1, 2, 512) == 2);
    CHECK(slots(63, 1, 2, 8) == 96);
    CHECK(slots(31, 2, 2, 8) == 31);
    CHECK(slots(3, 2, 1, 8) == 1);
    CHECK(slots(7, 1, 2, 64) == 12);
    for (int peers = 1; peers < 200; ++peers) {
        for (int producers = 1; producers <= std::min(4, peers); ++producers) {
            REQUIRE(producers * slots(peers, producers, 2, 8) <= 2 * peers);
        }
    }
}

TEST_CASE("further slots go where packets are fewest, in so many lines") {
    MailboxPlan plan{{64, 4}, {{2, 1, true, 4}, {30, 4, false, 15}, {0, 1, true, 1}}, 8};
    add_slots(plan, 3, 96);
    CHECK(plan.channels[0].slots == 7);
    CHECK(plan.channels[1].slots == 15);
    add_slots(plan, 1000, 96);
    CHECK(plan.channels[0].slots == 96);
    CHECK(plan.channels[1].slots == 24);
    CHECK(plan.channels[2].slots == 1);
}

TEST_CASE("finish counts of all workers add up") {
    FinishCounts counts({4, 2}, 3);
    CHECK(counts.finished(2, 1) == 0);
    counts.raise(0, 2, 1);
    counts.raise(1, 2, 1);
    counts.raise(1, 2, 1);
    CHECK(counts.finished(2, 1) == 3);
    CHECK(counts.finished(2, 0) == 0);
    CHECK(counts.finished(1, 1) == 0);
    for (int peer = 0; peer < 70000; ++peer) counts.raise(0, 3, 2);
    CHECK(counts.finished(3, 2) == 70000);
}
