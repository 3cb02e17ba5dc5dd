#pragma once

#include <array>
#include <atomic>

namespace narrows {

/// While it lives, Ctrl-C, a hang-up and a polite kill ask the work to end instead of ending the program. One at a
/// time.
class InterruptGuard {
  public:
    InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard();

    /// Whether the work was asked to end.
    static const std::atomic<bool>& asked();

  private:
    std::array<void (*)(int), 3> before_ = {};
};

}  // namespace narrows
