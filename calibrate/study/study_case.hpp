#pragma once

#include <functional>
#include <string>

namespace narrows {

struct Sample;

/// A piece of work that calibration times again and again, whatever its kernel. `run` leaves the probe of a sample to
/// its caller.
struct StudyCase {
    std::string name;
    std::function<Sample()> run;
};

}  // namespace narrows
