#pragma once

#include <cstdint>

namespace narrows {

/// Eight numbers that are computed with at once, and masks of eight bits that choose among them. Vectors of gcc and
/// clang, which make of them the widest instructions there are: a loop of eight steps is unrolled before it would be
/// vectorised. Passed by reference, since how vectors are passed by value differs between processors.
class Lanes {
  public:
    static constexpr int count = 8;
    using Mask = std::uint8_t;

    Lanes() = default;
    explicit Lanes(double all) : values_(Vector{} + all) {}

    double operator[](int lane) const { return values_[lane]; }
    void set(int lane, double value) { values_[lane] = value; }

    Lanes& operator+=(const Lanes& other) {
        values_ += other.values_;
        return *this;
    }
    Lanes& operator*=(const Lanes& other) {
        values_ *= other.values_;
        return *this;
    }
    Lanes& operator/=(const Lanes& other) {
        values_ /= other.values_;
        return *this;
    }
    /// `value` in the lanes of `mask`.
    void set_where(Mask mask, double value) { values_ = Chosen(mask).lanes ? Vector{} + value : values_; }
    /// The numbers of `other` in the lanes of `mask`.
    void copy_where(Mask mask, const Lanes& other) { values_ = Chosen(mask).lanes ? other.values_ : values_; }
    /// Zero outside the lanes of `mask`.
    void keep(Mask mask) { values_ = Chosen(mask).lanes ? values_ : Vector{}; }

    /// Pairwise, so that it takes three steps.
    double sum() const {
        return ((values_[0] + values_[4]) + (values_[2] + values_[6])) +
               ((values_[1] + values_[5]) + (values_[3] + values_[7]));
    }

  private:
    using Vector [[gnu::vector_size(64)]] = double;
    using Choice [[gnu::vector_size(64)]] = std::int64_t;

    /// All bits of the lanes of `mask`.
    struct Chosen {
        Choice lanes;
        explicit Chosen(Mask mask)
            : lanes((Choice{1, 2, 4, 8, 16, 32, 64, 128} & static_cast<std::int64_t>(mask)) != 0) {}
    };

    Vector values_{};
};

}  // namespace narrows
