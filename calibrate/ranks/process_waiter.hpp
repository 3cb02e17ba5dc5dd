#pragma once

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

#include "calibrate/ranks/processor.hpp"

namespace narrows {

/// How a rank waits that has a process to itself: it spins, gives its core away, then rests. Whether the others can
/// still go on is not known here, so that silence is no deadlock; a transport says when a peer is gone, and of one that
/// lives but is stopped or stuck nothing but the length of its silence tells.
class ProcessWaiter {
  public:
    static constexpr bool shares_worker = false;

    struct Options {
        /// Silence, with nothing received or done, after which `yield` throws; 0: never. While this process itself is
        /// stopped, hardly any of it passes.
        double patience_seconds = 0;
        /// Sleeps until something comes, a millisecond at most, so that ranks that wait leave the cores to those that
        /// work; is told how often it did so before without anything having come. May be empty.
        std::function<void(int earlier)> rest = {};
        /// Calls of `yield` in a row without progress before it rests.
        int yields_before_rest = 100;
    };

    ProcessWaiter() = default;
    explicit ProcessWaiter(Options options) : options_(std::move(options)) {}

    /// Always true. Throws std::runtime_error after a silence of `patience_seconds`.
    bool yield(bool made_progress) {
        if (made_progress) {
            idle_ = 0;
        } else {
            pause(++idle_);
        }
        return true;
    }

    void progressed() { idle_ = 0; }
    void advance(std::uint64_t /*units*/) {}
    /// How long it slept in all.
    double rested_seconds() const { return rested_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr int idle_between_clocks = 64;
    // A call comes after some fruitless polls, each a call of the system, so that there is no point in more of them.
    static constexpr int spins = 4;
    static constexpr int most_idle = 1 << 30;

    void pause(int idle) {
        if (idle <= spins) {
            spin_pause();
        } else if (options_.rest && idle > options_.yields_before_rest) {
            const Clock::time_point begin = Clock::now();
            options_.rest(idle - options_.yields_before_rest - 1);
            rested_ += std::chrono::duration<double>(Clock::now() - begin).count();
        } else {
            sched_yield();
        }
        if (idle == 1) {
            silence_ = 0;
            looked_ = Clock::now();
        }
        if (options_.patience_seconds > 0 && idle % idle_between_clocks == 0) check_patience();
        if (idle > most_idle) idle_ = most_idle - idle_between_clocks;
    }

    void check_patience() {
        const Clock::time_point now = Clock::now();
        const double most = options_.patience_seconds / 10;  // who has been stopped has not looked in between
        silence_ += std::min(std::chrono::duration<double>(now - looked_).count(), most);
        looked_ = now;
        if (silence_ < options_.patience_seconds) return;
        throw std::runtime_error(fmt::format(
            "nothing was received for {} s, though all peers are connected: a rank waits for a message that no other "
            "sends, or another is stopped or stuck; check what each is doing, then start the job again",
            options_.patience_seconds));
    }

    Options options_;
    int idle_ = 0;
    double silence_ = 0;
    double rested_ = 0;
    Clock::time_point looked_;
};

}  // namespace narrows
