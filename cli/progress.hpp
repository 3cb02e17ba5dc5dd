#pragma once

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>

namespace narrows {

/// How far along the way from one end to the other a value is, 0 to 1: by ratio where both ends are above zero.
double share_of_way(double from, double to, double value);

/// Says on a stream how far long work has come, and how long the rest takes at this pace: nothing in its first second,
/// then a line at most every other second where that has changed.
class Progress {
  public:
    Progress(std::ostream& out, std::string what) : out_(out), what_(std::move(what)) {}

    /// `fraction` of the work, 0 to 1, is done; less than before begins another stage of it.
    void at(double fraction);
    /// The same of work that comes back to where it has been, as searches do.
    void at_least(double fraction) { at(std::max(fraction, done_)); }

  private:
    using Clock = std::chrono::steady_clock;

    std::ostream& out_;
    std::string what_;
    std::string last_;
    double done_ = 0;
    int part_ = 1;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

}  // namespace narrows
