#include "calibrate/ranks/fiber_worker.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace narrows {

namespace {
// Cache lines of a waiting fiber's stack that it needs when it goes on.
constexpr std::size_t lines_of_saved_frames = 10;
constexpr std::uint64_t resumptions_between_reports = 512;
constexpr std::size_t longest_rest = 63;           // passes
constexpr std::size_t fibers_a_pass_of_rest = 64;  // of few fibers none rests
}  // namespace

FiberWorker::FiberWorker(int worker, int first, int last, FiberStacks& stacks, ProgressMonitor& monitor,
                         FiberProgram program)
    : monitor_(monitor),
      stacks_(stacks),
      program_(std::move(program)),
      switch_(stacks,
              [this](int rank) {
                  FiberWaiter waiter(*this);
                  program_.run(rank, waiter);
              }),
      worker_(worker) {
    fibers_.resize(static_cast<std::size_t>(last - first));
    for (int rank = first; rank < last; ++rank) {
        WaitingFiber& fiber = fibers_[static_cast<std::size_t>(rank - first)];
        fiber.rank = rank;
        switch_.start(fiber);
    }
}

FiberWorker::~FiberWorker() {
    for (WaitingFiber& fiber : fibers_) fiber.stack.destroy();
}

// Brings near what a fiber touches first when it goes on.
void FiberWorker::fetch(const Fiber& fiber) const {
    const auto* saved = static_cast<const std::byte*>(fiber.context);
    for (std::size_t line = 0; line < lines_of_saved_frames; ++line) __builtin_prefetch(saved + line * 64);
    __builtin_prefetch(stacks_.bottom(fiber.rank));
    if (program_.prefetch) program_.prefetch(fiber.rank);
}

// Whether the fiber runs in this pass.
inline bool FiberWorker::has_turn(WaitingFiber& fiber) {
    if (fiber.flag != nullptr) {
        if (fiber.flag->load(std::memory_order_acquire) == fiber.seen) return false;
        fiber.flag = nullptr;
        progressed_ = true;  // a changed flag is progress of some rank
        return true;
    }
    if (fiber.rest == 0) return !fiber.finished;
    --fiber.rest;
    ++resting_;
    return false;
}

void FiberWorker::resume(WaitingFiber& fiber) {
    fiber.finished = switch_.resume(fiber);
    progressed_ |= fiber.finished;
    if (++resumed_ % resumptions_between_reports == 0 && program_.report) program_.report(work_);
}

// The same for programs whose idle ranks rest.
void FiberWorker::resume_and_rest(WaitingFiber& fiber) {
    const bool others = std::exchange(progressed_, false);
    resume(fiber);
    const std::size_t longest = std::min(longest_rest, fibers_.size() / fibers_a_pass_of_rest);
    const std::size_t rest = progressed_ ? 0 : std::min<std::size_t>(2 * fiber.last_rest + 1, longest);
    fiber.last_rest = fiber.rest = static_cast<std::uint8_t>(rest);
    progressed_ |= others;
}

// Lets the fiber go on that the last one waits for. Fibers lie in the order of their ranks, but for those between the
// kept ones and the one that ran.
void FiberWorker::resume_awaited(std::size_t passed, std::size_t kept) {
    const auto at = [this](std::size_t index) { return fibers_.begin() + static_cast<std::ptrdiff_t>(index); };
    const int awaited = std::exchange(awaited_, -1);
    const bool later = awaited > fibers_[passed].rank;
    const auto end = later ? fibers_.end() : at(kept);
    const auto found = std::lower_bound(later ? at(passed + 1) : fibers_.begin(), end, awaited,
                                        [](const WaitingFiber& fiber, int rank) { return fiber.rank < rank; });
    if (found == end || found->rank != awaited || found->finished || found->flag != nullptr) return;
    resume(*found);
    found->rest = 0;  // its own turn comes all the same
    awaited_ = -1;    // one at a time
}

// Goes once over the fibers that have not finished and do not rest; false when all found nothing to do.
bool FiberWorker::pass() {
    progressed_ = program_.poll && program_.poll(worker_);
    std::size_t kept = 0;
    resting_ = 0;
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
        WaitingFiber& fiber = fibers_[i];
        if (has_turn(fiber)) {
            if (i + 1 < fibers_.size()) fetch(fibers_[i + 1]);
            if (program_.idle_ranks_rest) {
                resume_and_rest(fiber);
            } else {
                resume(fiber);
            }
            if (awaited_ >= 0) resume_awaited(i, kept);
        }
        if (fiber.finished) {
            fiber.stack.destroy();
        } else {
            if (kept != i) fibers_[kept] = fiber;
            ++kept;
        }
    }
    fibers_.resize(kept);
    if (progressed_) return true;
    for (WaitingFiber& fiber : fibers_) fiber.rest = 0;
    return resting_ > 0;  // the next pass tells
}

void FiberWorker::run() {
    switch_.adopt_current();
    while (!fibers_.empty() && !monitor_.stopped()) {
        const bool progressed = pass();
        if (program_.passed) program_.passed(progressed);
        monitor_.end_pass(worker_, progressed);
        if (!progressed && program_.crowded) std::this_thread::yield();
    }
}

bool FiberWaiter::yield(bool progressed) {
    worker_.progressed_ |= progressed;
    worker_.switch_.leave();
    return true;
}

bool FiberWaiter::wait(const Flag& flag, std::uint32_t seen) {
    while (flag.load(std::memory_order_acquire) == seen) {
        auto& fiber = static_cast<FiberWorker::WaitingFiber&>(worker_.switch_.running());
        fiber.flag = &flag;
        fiber.seen = seen;
        yield(false);
    }
    return true;
}

}  // namespace narrows
