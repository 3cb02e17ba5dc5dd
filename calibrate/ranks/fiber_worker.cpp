#include "calibrate/ranks/fiber_worker.hpp"

#include <fmt/format.h>

#include <boost/context/detail/fcontext.hpp>
#include <utility>

namespace narrows {

namespace context = boost::context::detail;

namespace {
// Cache lines of a waiting fiber's stack that it needs when it goes on.
constexpr std::size_t lines_of_saved_frames = 10;
constexpr std::uint64_t resumptions_between_reports = 512;
}  // namespace

StackOverrun::StackOverrun(int rank, std::size_t bytes)
    : std::runtime_error(
          fmt::format("rank {} overran its stack of {} bytes: give the ranks larger stacks", rank, bytes)),
      rank_(rank) {}

FiberWorker::FiberWorker(int worker, int first, int last, FiberStacks& stacks, ProgressMonitor& monitor,
                         FiberProgram program)
    : monitor_(monitor), stacks_(stacks), program_(std::move(program)), worker_(worker) {
    fibers_.resize(static_cast<std::size_t>(last - first));
    for (int rank = first; rank < last; ++rank) {
        Fiber& fiber = fibers_[static_cast<std::size_t>(rank - first)];
        fiber.rank = rank;
        start(fiber);
    }
}

FiberWorker::~FiberWorker() {
    for (Fiber& fiber : fibers_) fiber.stack.destroy();
}

struct Arrival : context::transfer_t {};

void FiberWorker::start(Fiber& fiber) {
    stacks_.arm(fiber.rank);
    const auto entry = [](context::transfer_t from) { enter(Arrival{from}); };
    fiber.context = context::make_fcontext(stacks_.top(fiber.rank), stacks_.bytes(), entry);
    fiber.stack.create(stacks_.bottom(fiber.rank), stacks_.bytes());
}

void FiberWorker::enter(Arrival arrival) {
    auto& self = *static_cast<FiberWorker*>(arrival.data);
    Fiber& fiber = *self.running_;
    self.scheduler_ = arrival.fctx;
    after_switch(fiber.stack, self.own_stack_);
    try {
        FiberWaiter waiter(self);
        self.program_.run(self.program_.program, fiber.rank, waiter);
    } catch (...) {
        self.error_ = std::current_exception();
    }
    self.finished_ = true;
    self.leave(fiber, true);
}

void FiberWorker::leave(Fiber& fiber, bool last) {
    before_switch(fiber.stack, own_stack_, last);
    const context::transfer_t from = context::jump_fcontext(scheduler_, nullptr);
    scheduler_ = from.fctx;
    after_switch(fiber.stack, own_stack_);
}

// True when the fiber has run to its end.
bool FiberWorker::resume(Fiber& fiber) {
    running_ = &fiber;
    finished_ = false;
    before_switch(own_stack_, fiber.stack);
    const context::transfer_t from = context::jump_fcontext(fiber.context, this);
    fiber.context = from.fctx;
    after_switch(own_stack_, fiber.stack);
    if (!stacks_.intact(fiber.rank)) throw StackOverrun(fiber.rank, stacks_.bytes());
    if (error_) std::rethrow_exception(error_);
    return finished_;
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
        Fiber& fiber = fibers_[i];
        bool finished = false;
        const bool parked = fiber.flag != nullptr && fiber.flag->load(std::memory_order_acquire) == fiber.seen;
        if (!parked) {
            // A flag that has changed is what somebody did.
            progressed_ |= fiber.flag != nullptr;
            fiber.flag = nullptr;
            if (i + 1 < fibers_.size()) fetch(fibers_[i + 1]);
            finished = resume(fiber);
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
    own_stack_.adopt_current();
    while (!fibers_.empty() && !monitor_.stopped()) monitor_.end_pass(worker_, pass());
}

bool FiberWaiter::yield(bool progressed) {
    worker_.progressed_ |= progressed;
    worker_.leave(*worker_.running_, false);
    return true;
}

bool FiberWaiter::wait(const Flag& flag, std::uint32_t seen) {
    while (flag.load(std::memory_order_acquire) == seen) {
        worker_.running_->flag = &flag;
        worker_.running_->seen = seen;
        yield(false);
    }
    return true;
}

}  // namespace narrows
