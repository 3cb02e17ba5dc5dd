#include "calibrate/ranks/fiber_worker.hpp"

#include <utility>

namespace narrows {

namespace {
// Cache lines of a waiting fiber's stack that it needs when it goes on.
constexpr std::size_t lines_of_saved_frames = 10;
constexpr std::uint64_t resumptions_between_reports = 512;
}  // namespace

FiberWorker::FiberWorker(int worker, int first, int last, FiberStacks& stacks, ProgressMonitor& monitor,
                         FiberProgram program)
    : monitor_(monitor),
      stacks_(stacks),
      program_(std::move(program)),
      switch_(stacks, this, run_rank),
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

void FiberWorker::run_rank(void* self, int rank) {
    auto& worker = *static_cast<FiberWorker*>(self);
    FiberWaiter waiter(worker);
    worker.program_.run(worker.program_.program, rank, waiter);
}

// Brings near what a fiber touches first when it goes on.
void FiberWorker::fetch(const Fiber& fiber) const {
    const auto* saved = static_cast<const std::byte*>(fiber.context);
    for (std::size_t line = 0; line < lines_of_saved_frames; ++line) __builtin_prefetch(saved + line * 64);
    __builtin_prefetch(stacks_.bottom(fiber.rank));
    program_.prefetch(program_.program, fiber.rank);
}

// Goes once over the fibers that have not finished; true when any of them did something.
bool FiberWorker::pass() {
    progressed_ = program_.poll != nullptr && program_.poll(program_.program, worker_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
        WaitingFiber& fiber = fibers_[i];
        bool finished = false;
        const bool parked = fiber.flag != nullptr && fiber.flag->load(std::memory_order_acquire) == fiber.seen;
        if (!parked) {
            // A flag that has changed is what somebody did.
            progressed_ |= fiber.flag != nullptr;
            fiber.flag = nullptr;
            if (i + 1 < fibers_.size()) fetch(fibers_[i + 1]);
            finished = switch_.resume(fiber);
            if (++resumed_ % resumptions_between_reports == 0 && program_.report) program_.report(work_);
        }
        if (finished) {
            progressed_ = true;
            fiber.stack.destroy();
        } else {
            if (kept != i) fibers_[kept] = fiber;
            ++kept;
        }
    }
    fibers_.resize(kept);
    return progressed_;
}

void FiberWorker::run() {
    switch_.adopt_current();
    while (!fibers_.empty() && !monitor_.stopped()) {
        const bool progressed = pass();
        if (program_.passed != nullptr) program_.passed(program_.program, progressed);
        monitor_.end_pass(worker_, progressed);
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
