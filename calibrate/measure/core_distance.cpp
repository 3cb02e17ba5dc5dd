#include "calibrate/measure/core_distance.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <thread>

namespace narrows {
namespace {

constexpr int batches = 3;
constexpr int rounds = 500;  // of a batch

struct Line {
    alignas(64) std::atomic<int> turn{0};
    alignas(64) std::atomic<bool> given_up{false};
};

// Waits for the number, and writes the next one.
void answer(Line& line, int number) {
    while (line.turn.load(std::memory_order_acquire) != number) {
        if (line.given_up.load(std::memory_order_relaxed)) return;
    }
    line.turn.store(number + 1, std::memory_order_release);
}

}  // namespace

double core_distance(const Cores& cores, double most_seconds) {
    if (cores.count() < 2) return 0;
    const auto start = std::chrono::steady_clock::now();
    Line line;
    std::thread other([&] {
        cores.pin_this_thread(1);
        for (int round = 0; round < batches * rounds; ++round) answer(line, 2 * round + 1);
    });
    double best = std::numeric_limits<double>::infinity();
    const auto own = std::async(std::launch::async, [&] {
        cores.pin_this_thread(0);
        for (int batch = 0; batch < batches; ++batch) {
            const auto begin = std::chrono::steady_clock::now();
            for (int round = batch * rounds; round < (batch + 1) * rounds; ++round) answer(line, 2 * round);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            best = std::min(best, taken.count() / (2 * rounds));
        }
    });
    own.wait_for(std::chrono::duration<double>(most_seconds));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    line.given_up = true;
    own.wait();
    other.join();
    return taken.count() < most_seconds ? best : 0;
}

}  // namespace narrows
