#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "calibrate/ranks/fiber_switch.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

class VirtualWaiter;

/// The clock of a server, who does one thing after the other and never waits in the midst of one.
class ServerClock {
  public:
    ServerClock() = default;
    explicit ServerClock(double now) : now_(now) {}

    /// When it is done with what it did last, in virtual seconds.
    double now() const { return now_; }
    /// Seconds that it was busy in all.
    double busy() const { return busy_; }
    void spend(double seconds) {
        now_ += seconds;
        busy_ += seconds;
    }
    void advance_to(double seconds) {
        if (now_ < seconds) now_ = seconds;
    }

  private:
    double now_ = 0;
    double busy_ = 0;
};

/// What a virtual clock runs. Without servers only `run` is called.
struct VirtualProgram {
    /// Runs a rank to its end.
    std::function<void(int rank, VirtualWaiter& waiter)> run;
    /// When a server, who is free from `free` on, next does something; infinite when it has nothing to do.
    std::function<double(int server, double free)> turn;
    /// Lets a server do that.
    std::function<void(int server, ServerClock& clock)> serve;
    /// Called now and then with the units of work done so far; may be empty.
    std::function<void(std::uint64_t)> report;
};

/// Runs ranks as fibers on the calling thread, each with a clock of its own that says what time it would be for it on
/// the machine that is simulated, and servers, which are numbered after the ranks, without fibers.
///
/// What a rank waits for from a peer that it names brings the time at which it is there, so that ranks may run in any
/// order. A server, who takes what comes from anybody in the order in which it comes, runs only when all ranks wait and
/// no other server's next item is earlier: then nothing earlier can come any more, since what is done at a time has
/// effects at that time or later (conservative simulation; Chandy and Misra 1979).
class VirtualWorker {
  public:
    VirtualWorker(int ranks, int servers, FiberStacks& stacks, VirtualProgram program);
    ~VirtualWorker();
    VirtualWorker(const VirtualWorker&) = delete;
    VirtualWorker& operator=(const VirtualWorker&) = delete;

    /// Runs all ranks to their ends; false when those that are left wait for each other. Throws what a rank threw, and
    /// std::runtime_error when one overran its stack.
    bool run();

    /// Something that a rank or server may wait for has changed: if it waits, it looks again.
    void wake(int id);

    double clock(int rank) const { return ranks_[static_cast<std::size_t>(rank)].clock.now(); }
    /// Seconds that the rank or server was busy for.
    double busy(int id) const;
    /// Times that a fiber was resumed or a server did something.
    std::uint64_t switches() const { return switches_; }

  private:
    friend class VirtualWaiter;
    static constexpr double never = std::numeric_limits<double>::infinity();

    struct Rank : Fiber {
        ServerClock clock;
        bool waits = false;
    };
    struct Server {
        ServerClock clock;
        double turn = never;
        bool woken = false;  ///< its turn is to be found anew
    };
    using Turn = std::pair<double, int>;

    Server& server(int id) { return servers_[static_cast<std::size_t>(id) - ranks_.size()]; }
    void resume(Rank& rank);
    void find_turns();
    bool serve_next();
    void count_switch();

    VirtualProgram program_;
    FiberSwitch switch_;
    std::vector<Rank> ranks_;
    std::vector<Server> servers_;
    std::deque<int> ready_;
    std::vector<int> woken_servers_;
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
    std::size_t unfinished_;
    std::uint64_t switches_ = 0;
    std::uint64_t work_ = 0;
};

/// How a rank waits whose time is virtual. All but `yield` and `wait` belong to virtual time alone: `VirtualTime` tells
/// such a waiter from others.
class VirtualWaiter {
  public:
    static constexpr bool shares_worker = true;

    VirtualWaiter(VirtualWorker& worker, int rank) : worker_(worker), rank_(rank) {}

    bool yield(bool progressed);
    bool wait(const Flag& flag, std::uint32_t seen);
    void progressed() {}
    void advance(std::uint64_t units) { worker_.work_ += units; }

    /// Seconds on this rank's clock.
    double now() const { return rank().clock.now(); }
    /// The rank is busy for so long.
    void spend(double seconds) { rank().clock.spend(seconds); }
    /// The rank has waited until then, if its clock was not there already.
    void advance_to(double seconds) { rank().clock.advance_to(seconds); }

  private:
    VirtualWorker::Rank& rank() const { return worker_.ranks_[static_cast<std::size_t>(rank_)]; }

    VirtualWorker& worker_;
    int rank_;
};

/// Whether a waiter's time is virtual: code that is to be timed says what it costs, where this holds.
template <class Waiter>
concept VirtualTime = requires(Waiter& waiter) {
    waiter.spend(0.0);
};

}  // namespace narrows
