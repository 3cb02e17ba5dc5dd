// What the two cores of a pair allow at best, as lines "KERNEL BYTES NANOSECONDS": a cache line handed to and fro with
// a flag a direction, and rings of 16-byte slots with one writer and one reader. For
// tests/benchmarks/message_peers.sh.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>

#include "calibrate/ranks/cores.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct alignas(128) Line {
    std::atomic<std::uint64_t> value{0};
};

/// Runs `first` on one core and `second` on another; seconds until both are done.
template <class First, class Second>
double on_two_cores(const narrows::Cores& cores, First first, Second second) {
    std::atomic<int> ready{0};
    const auto run = [&](int core, auto body) {
        cores.pin_this_thread(core);
        ++ready;
        while (ready < 2) {
        }
        body();
    };
    const auto start = Clock::now();
    std::jthread other([&] { run(1, second); });
    std::jthread own([&] { run(0, first); });
    own.join();
    other.join();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double line_exchange(const narrows::Cores& cores) {
    constexpr std::uint64_t trips = 1000000;
    Line there, back;
    const auto wait = [](const Line& line, std::uint64_t value) {
        while (line.value.load(std::memory_order_acquire) != value) {
        }
    };
    const double seconds = on_two_cores(
        cores,
        [&] {
            for (std::uint64_t trip = 1; trip <= trips; ++trip) {
                there.value.store(trip, std::memory_order_release);
                wait(back, trip);
            }
        },
        [&] {
            for (std::uint64_t trip = 1; trip <= trips; ++trip) {
                wait(there, trip);
                back.value.store(trip, std::memory_order_release);
            }
        });
    return seconds / (2.0 * trips);
}

struct alignas(16) Slot {
    std::uint64_t value;
    std::uint64_t turn;
};
constexpr std::uint64_t ring_count = 20000000, ring_slots = 1 << 14;

// Every slot is there for the reader as soon as it is written, as every message is: its second word says in which turn
// of the ring. The reader gives back a quarter of the ring at a time.
double ring(const narrows::Cores& cores) {
    const auto memory = std::make_unique<Slot[]>(ring_slots);
    Line read;
    std::uint64_t sum = 0;
    const double seconds = on_two_cores(
        cores,
        [&] {
            std::uint64_t room = ring_slots;
            for (std::uint64_t at = 0; at < ring_count; ++at) {
                while (at == room) room = read.value.load(std::memory_order_acquire) + ring_slots;
                Slot& slot = memory[at % ring_slots];
                slot.value = at;
                std::atomic_ref(slot.turn).store(at / ring_slots + 1, std::memory_order_release);
            }
        },
        [&] {
            for (std::uint64_t at = 0; at < ring_count; ++at) {
                Slot& slot = memory[at % ring_slots];
                while (std::atomic_ref(slot.turn).load(std::memory_order_acquire) != at / ring_slots + 1) {
                }
                sum += slot.value;
                if (at % (ring_slots / 4) == 0) read.value.store(at, std::memory_order_release);
            }
        });
    return sum == 0 ? 0 : seconds / static_cast<double>(ring_count);
}

// Both ends say how far they are after 256 slots only: what the lines allow when nothing has to arrive soon.
double batched_ring(const narrows::Cores& cores) {
    constexpr std::uint64_t batch = 256, count = ring_count / batch * batch;
    const auto memory = std::make_unique<Slot[]>(ring_slots);
    Line written, read;
    std::uint64_t sum = 0;
    const double seconds = on_two_cores(
        cores,
        [&] {
            for (std::uint64_t at = 0; at < count;) {
                while (at + batch - read.value.load(std::memory_order_acquire) > ring_slots) {
                }
                for (const std::uint64_t end = at + batch; at < end; ++at) memory[at % ring_slots] = {at, 0};
                written.value.store(at, std::memory_order_release);
            }
        },
        [&] {
            for (std::uint64_t at = 0; at < count;) {
                const std::uint64_t end = written.value.load(std::memory_order_acquire);
                for (; at < end; ++at) sum += memory[at % ring_slots].value;
                read.value.store(at, std::memory_order_release);
            }
        });
    return sum == 0 ? 0 : seconds / static_cast<double>(count);
}

}  // namespace

int main() {
    const narrows::Cores cores;
    std::printf("line 8 %.1f\n", line_exchange(cores) * 1e9);
    std::printf("ring 8 %.2f\n", ring(cores) * 1e9);
    std::printf("batched-ring 8 %.2f\n", batched_ring(cores) * 1e9);
}
