#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "calibrate/messaging/command_queue.hpp"
#include "calibrate/messaging/shared_run.hpp"
#include "check_messages.hpp"

using namespace narrows;

namespace {

template <class Body>
void run_puts(const RankLayout& layout, std::size_t memory, Body body) {
    const auto make = [&](SharedEndpoint& endpoint) {
        return std::make_unique<CommandQueue<SharedEndpoint>>(endpoint, layout, memory);
    };
    run_shared(options_for(layout), make, body);
}

}  // namespace

TEST_CASE("command ring: 4 KiB of commands, and what is free is told every 512 bytes") {
    CommandRing ring;
    const std::uint64_t word = 42;
    int written = 0;
    while (ring.has_room(8)) {
        ring.write({1, 8, static_cast<std::uint64_t>(written)}, &word);
        ++written;
    }
    CHECK(written == 4096 / 24);
    int taken = 0;
    while (!ring.has_room(8)) {
        const PutCommand command = ring.front();
        CHECK(command.offset == static_cast<std::uint64_t>(taken));
        ring.pop(command);
        ++taken;
    }
    CHECK(taken == (512 + 23) / 24);
}

TEST_CASE("command ring: offset and data come out as they went in, also where the ring ends") {
    CommandRing ring;
    std::array<std::byte, CommandRing::most_data> data;
    std::array<std::byte, sizeof(PutCommand::offset) + CommandRing::most_data> out;
    int in_two_pieces = 0;
    for (std::uint32_t number = 0; number < 500; ++number) {
        const auto bytes = static_cast<std::uint32_t>(std::size_t{number} * 37 % (CommandRing::most_data + 1));
        for (std::uint32_t i = 0; i < bytes; ++i) data[i] = message_byte(number, i);
        REQUIRE(ring.has_room(bytes));
        ring.write({number % 7, bytes, std::uint64_t{number} << 33}, data.data());
        const PutCommand command = ring.front();
        const Payload payload = ring.payload_of(command);
        REQUIRE(payload.bytes() == sizeof command.offset + bytes);
        payload.copy_to(out.data());
        CHECK(command.to == number % 7);
        CHECK(command.bytes == bytes);
        CHECK(command.offset == std::uint64_t{number} << 33);
        CHECK(std::memcmp(out.data(), &command.offset, sizeof command.offset) == 0);
        CHECK(std::memcmp(out.data() + sizeof command.offset, data.data(), bytes) == 0);
        in_two_pieces += payload.body_bytes != 0 ? 1 : 0;
        ring.pop(command);
    }
    CHECK(in_two_pieces >= 10);
}

TEST_CASE("command ring: a long put goes in parts that differ by a word at most, as few as there can be") {
    CHECK(CommandRing::part_of(0) == 0);
    CHECK(CommandRing::part_of(5) == 5);
    CHECK(CommandRing::part_of(496) == 496);
    CHECK(CommandRing::part_of(497) == 256);
    CHECK(CommandRing::part_of(1016) == 344);
    for (std::size_t bytes = 1; bytes < 70000; bytes += bytes < 2000 ? 1 : 317) {
        std::size_t least = bytes, most = 0, parts = 0;
        for (std::size_t left = bytes; left != 0; ++parts) {
            const std::size_t part = CommandRing::part_of(left);
            REQUIRE((part % 8 == 0 || part == left));
            least = std::min(least, part);
            most = std::max(most, part);
            left -= part;
        }
        CHECK(most <= CommandRing::most_data);
        CHECK(most - least <= 8 + 7);  // and what of the last word is no word
        CHECK(parts == (bytes + CommandRing::most_data - 1) / CommandRing::most_data);
    }
}

TEST_CASE("command queue: every rank's puts are in its targets' memory after a barrier, phase after phase") {
    const auto [ranks, workers] =
        GENERATE(std::tuple{2, 2}, std::tuple{2, 1}, std::tuple{3, 3}, std::tuple{16, 2}, std::tuple{7, 1});
    std::atomic<int> wrong{0};
    const int all = ranks;
    run_puts({ranks, workers}, static_cast<std::size_t>(ranks) * 2000, [&](auto& queue, int rank, auto& waiter) {
        for (std::uint32_t phase = 0; phase < 20; ++phase) {
            const std::size_t bytes = phase % 3 == 0 ? 2000 : 1 + phase;
            std::vector<std::byte> data(bytes);
            for (int to = 0; to < all; ++to) {
                const auto number = static_cast<std::uint32_t>(rank * 1000 + to) + phase;
                for (std::size_t i = 0; i < bytes; ++i) data[i] = message_byte(number, i);
                queue.put(rank, to, static_cast<std::size_t>(rank) * 2000, data.data(), bytes, waiter);
            }
            queue.barrier(rank, waiter);
            for (int from = 0; from < all; ++from) {
                const auto number = static_cast<std::uint32_t>(from * 1000 + rank) + phase;
                const std::byte* got = queue.memory(rank) + static_cast<std::size_t>(from) * 2000;
                for (std::size_t i = 0; i < bytes; ++i) wrong += got[i] == message_byte(number, i) ? 0 : 1;
            }
            queue.barrier(rank, waiter);
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("command queue: a barrier says to all ranks alike whether any of them had something to say") {
    const auto [ranks, workers] = GENERATE(std::tuple{1, 1}, std::tuple{2, 2}, std::tuple{3, 3}, std::tuple{13, 2});
    std::atomic<int> wrong{0};
    const int all = ranks;
    run_puts({ranks, workers}, 8, [&](auto& queue, int rank, auto& waiter) {
        for (int turn = 0; turn < 200; ++turn) {
            // One rank speaks, or in every third turn none.
            const bool any = turn % 3 != 0;
            const bool said = any && turn % all == rank;
            if (queue.any_at_barrier(rank, said, waiter) != any) ++wrong;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("command queue: after quiet everything is acknowledged, though the ring was full many times") {
    run_puts({2, 2}, 8, [](auto& queue, int rank, auto& waiter) {
        for (std::uint64_t i = 1; i <= 20000 && rank == 0; ++i) queue.put(0, 1, 0, &i, sizeof i, waiter);
        queue.quiet(rank, waiter);
        queue.barrier(rank, waiter);
        std::uint64_t last = 0;
        std::memcpy(&last, queue.memory(rank), sizeof last);
        if (last != (rank == 1 ? 20000U : 0U)) throw MessagingError("a put is missing");
    });
    SUCCEED();
}

TEST_CASE("command queue: a put beyond the symmetric memory, or to no rank, is an error") {
    const std::uint64_t word = 1;
    const auto put = [&word](int to, std::size_t offset) {
        return [&word, to, offset](auto& queue, int rank, auto& waiter) {
            if (rank == 0) queue.put(0, to, offset, &word, 8, waiter);
        };
    };
    CHECK_THROWS_WITH(run_puts({2, 1}, 64, put(1, 60)),
                      "8 bytes put at 60 do not fit the 64 bytes that rank 1 has for it");
    CHECK_THROWS_WITH(run_puts({2, 1}, 64, put(2, 0)), "there is no rank 2: ranks are 0 to 1");
}
