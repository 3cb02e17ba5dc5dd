#include "cli/interruption.hpp"

#include <csignal>

namespace narrows {
namespace {

constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> interrupted = false;  // a signal handler can reach nothing but a global

}  // namespace

InterruptGuard::InterruptGuard() {
    interrupted = false;
    for (std::size_t i = 0; i < signals.size(); ++i)
        before_[i] = std::signal(signals[i], [](int) { interrupted = true; });
}

InterruptGuard::~InterruptGuard() {
    for (std::size_t i = 0; i < signals.size(); ++i) std::signal(signals[i], before_[i]);
}

const std::atomic<bool>& InterruptGuard::asked() {
    return interrupted;
}

}  // namespace narrows
