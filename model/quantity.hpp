#pragma once

#include <compare>
#include <ostream>

namespace narrows {

/// A number with a dimension of seconds^S * bytes^B, held in SI units (seconds, bytes). Units appear at the edges only,
/// in `model/unit.hpp`. A quantity without dimension is a plain double.
template <int S, int B>
class Quantity {
  public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double si) : si_(si) {}

    /// The value in seconds^S * bytes^B.
    constexpr double si() const { return si_; }

    constexpr Quantity& operator+=(Quantity other) { return si_ += other.si_, *this; }
    constexpr Quantity& operator-=(Quantity other) { return si_ -= other.si_, *this; }
    constexpr Quantity& operator*=(double factor) { return si_ *= factor, *this; }

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }
    friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity(a.si_ * factor); }
    friend constexpr Quantity operator*(double factor, Quantity a) { return Quantity(a.si_ * factor); }
    friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity(a.si_ / divisor); }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the rewritten comparison for a null pointer
    friend constexpr auto operator<=>(Quantity a, Quantity b) = default;
    friend std::ostream& operator<<(std::ostream& out, Quantity a) { return out << a.si_ << " s^" << S << " B^" << B; }

  private:
    double si_ = 0;
};

template <int S1, int B1, int S2, int B2>
constexpr auto operator*(Quantity<S1, B1> a, Quantity<S2, B2> b) {
    if constexpr (S1 + S2 == 0 && B1 + B2 == 0) {
        return a.si() * b.si();
    } else {
        return Quantity<S1 + S2, B1 + B2>(a.si() * b.si());
    }
}

template <int S1, int B1, int S2, int B2>
constexpr auto operator/(Quantity<S1, B1> a, Quantity<S2, B2> b) {
    if constexpr (S1 == S2 && B1 == B2) {
        return a.si() / b.si();
    } else {
        return Quantity<S1 - S2, B1 - B2>(a.si() / b.si());
    }
}

template <int S, int B>
constexpr auto operator/(double a, Quantity<S, B> b) {
    return Quantity<-S, -B>(a / b.si());
}

using Time = Quantity<1, 0>;
using Rate = Quantity<-1, 0>;  ///< events a second: an update rate, a message rate, a clock
using Data = Quantity<0, 1>;
using Bandwidth = Quantity<-1, 1>;
using TimePerByte = Quantity<1, -1>;

constexpr Time seconds(double value) {
    return Time(value);
}
constexpr Data bytes(double value) {
    return Data(value);
}

}  // namespace narrows
