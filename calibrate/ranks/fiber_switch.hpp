#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <exception>
#include <functional>
#include <utility>

#include "calibrate/ranks/fiber_stacks.hpp"
#include "calibrate/ranks/sanitizer.hpp"

namespace narrows {

/// A rank that runs on a stack of its own.
struct Fiber {
    void* context = nullptr;
    int rank = 0;
    SanitizedStack stack;
};

/// Switches between the fibers of a thread and their scheduler. Which fiber goes next is the scheduler's business.
class FiberSwitch {
  public:
    /// `body(rank)` is what a fiber does from its start to its end.
    FiberSwitch(FiberStacks& stacks, std::function<void(int rank)> body) : stacks_(stacks), body_(std::move(body)) {}

    /// To be called by the thread that schedules, before the first `resume`.
    void adopt_current() { own_stack_.adopt_current(); }

    /// Makes a fiber ready to run `fiber.rank` from its beginning.
    void start(Fiber& fiber) {
        stacks_.arm(fiber.rank);
        fiber.context = boost::context::detail::make_fcontext(stacks_.top(fiber.rank), stacks_.bytes(), enter);
        fiber.stack.create(stacks_.bottom(fiber.rank), stacks_.bytes());
    }

    /// Runs a fiber until it leaves; true when it has come to its end. Throws std::runtime_error when it overran its
    /// stack, after which the memory of the run is no longer to be trusted, and whatever its body threw.
    bool resume(Fiber& fiber) {
        running_ = &fiber;
        finished_ = false;
        before_switch(own_stack_, fiber.stack);
        const auto from = boost::context::detail::jump_fcontext(fiber.context, this);
        fiber.context = from.fctx;
        after_switch(own_stack_, fiber.stack);
        if (!stacks_.intact(fiber.rank)) throw_overrun(fiber.rank);
        if (error_) std::rethrow_exception(error_);
        return finished_;
    }

    /// From the running fiber back to the scheduler.
    void leave() { leave(*running_, false); }

    /// The fiber that runs. Only while one does.
    Fiber& running() { return *running_; }

  private:
    static void enter(boost::context::detail::transfer_t from);
    [[noreturn]] void throw_overrun(int rank) const;

    void leave(Fiber& fiber, bool last) {
        before_switch(fiber.stack, own_stack_, last);
        const auto from = boost::context::detail::jump_fcontext(scheduler_, nullptr);
        scheduler_ = from.fctx;
        after_switch(fiber.stack, own_stack_);
    }

    FiberStacks& stacks_;
    std::function<void(int)> body_;
    SanitizedStack own_stack_;
    void* scheduler_ = nullptr;
    Fiber* running_ = nullptr;
    std::exception_ptr error_;
    bool finished_ = false;
};

}  // namespace narrows
