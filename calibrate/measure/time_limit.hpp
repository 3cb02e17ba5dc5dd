#pragma once

#include <algorithm>
#include <chrono>

namespace narrows {

/// A time that begins now.
class TimeLimit {
  public:
    /// It ends after so many seconds; 0: never.
    explicit TimeLimit(double seconds) : seconds_(seconds) {}

    double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    /// So many seconds, or what is left if that is less, not below 0.
    double at_most(double seconds) const {
        return seconds_ > 0 ? std::clamp(seconds_ - elapsed(), 0.0, seconds) : seconds;
    }
    /// What is left, not below a moment; 0: no end.
    double left() const { return seconds_ > 0 ? std::max(moment, seconds_ - elapsed()) : 0; }
    /// A limit that ends so many seconds before this one.
    TimeLimit before(double seconds) const {
        TimeLimit sooner = *this;
        if (seconds_ > 0) sooner.seconds_ = std::max(moment, seconds_ - seconds);
        return sooner;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double moment = 0.001;

    double seconds_;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace narrows
