#pragma once

#include "calibrate/ranks/fiber_stacks.hpp"

// In place of what needs Boost.Context, found before it: nothing here ever runs, as a worker of fibers cannot be made.
namespace narrows {

struct Fiber {
    int rank = 0;
};

class FiberSwitch {
  public:
    void leave() {}
    Fiber& running() { return none_; }

  private:
    Fiber none_;
};

}  // namespace narrows
