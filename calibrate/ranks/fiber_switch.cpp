#include "calibrate/ranks/fiber_switch.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace narrows {

void FiberSwitch::throw_overrun(int rank) const {
    throw std::runtime_error(
        fmt::format("rank {} overran its stack of {} bytes: give the ranks larger stacks", rank, stacks_.bytes()));
}

void FiberSwitch::enter(boost::context::detail::transfer_t from) {
    auto& self = *static_cast<FiberSwitch*>(from.data);
    Fiber& fiber = *self.running_;
    self.scheduler_ = from.fctx;
    after_switch(fiber.stack, self.own_stack_);
    try {
        self.body_(fiber.rank);
    } catch (...) {
        self.error_ = std::current_exception();
    }
    self.finished_ = true;
    self.leave(fiber, true);
}

}  // namespace narrows
