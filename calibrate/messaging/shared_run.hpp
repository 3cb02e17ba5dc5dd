#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "calibrate/messaging/messaging_error.hpp"
#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/transport/shared_memory.hpp"

namespace narrows {

/// Runs a body on all ranks of a protocol over shared memory: a program for `run_ranks`. `make(endpoint)` makes the
/// protocol of a worker; `body(protocol, rank, waiter)` is what a rank does. A worker serves its ranks' peers until all
/// ranks are done.
template <class Make, class Body>
class SharedRun {
  public:
    using Protocol = typename decltype(std::declval<Make>()(std::declval<SharedEndpoint&>()))::element_type;

    SharedRun(const RankLayout& layout, Make make, Body body)
        : layout_(layout),
          rings_(layout),
          make_(std::move(make)),
          body_(std::move(body)),
          workers_(static_cast<std::size_t>(layout.workers)) {}

    void set_up(int worker) {
        Worker& own = workers_[static_cast<std::size_t>(worker)];
        own.endpoint = std::make_unique<SharedEndpoint>(rings_, worker);
        own.protocol = make_(*own.endpoint);
        own.unfinished = layout_.first_rank(worker + 1) - layout_.first_rank(worker);
    }
    bool poll(int worker) { return workers_[static_cast<std::size_t>(worker)].protocol->poll(); }

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        Worker& own = workers_[static_cast<std::size_t>(layout_.worker_of(rank))];
        try {
            body_(*own.protocol, rank, waiter);
        } catch (const RunEnded&) {
            return;
        }
        // What the rank did last: others that found nothing to do until then have to look again.
        waiter.progressed();
        if (--own.unfinished > 0) return;
        finished_.fetch_add(1);
        while (finished_.load() < layout_.workers) {
            if (!waiter.yield(own.protocol->poll())) return;
        }
    }

  private:
    struct alignas(64) Worker {
        std::unique_ptr<SharedEndpoint> endpoint;
        std::unique_ptr<Protocol> protocol;
        int unfinished = 0;
    };

    RankLayout layout_;
    SharedRings rings_;
    Make make_;
    Body body_;
    std::vector<Worker> workers_;
    std::atomic<int> finished_{0};
};

/// Runs it; throws what a rank threw, and std::runtime_error when the ranks wait for each other for ever.
template <class Make, class Body>
RankTimes run_shared(const RankOptions& options, Make make, Body body) {
    SharedRun<Make, Body> run(options.layout, std::move(make), std::move(body));
    const RankTimes times = run_ranks(options, run);
    if (times.deadlocked) throw MessagingError("deadlock: every rank waits for a message, and none is under way");
    return times;
}

}  // namespace narrows
