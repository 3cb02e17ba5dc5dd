#pragma once

#include <stdexcept>

namespace narrows {

/// Thrown in a rank whose run is over because of something elsewhere: a deadlock, or an error of another rank.
class RunEnded : public std::runtime_error {
  public:
    RunEnded() : std::runtime_error("the run has ended") {}
};

}  // namespace narrows
