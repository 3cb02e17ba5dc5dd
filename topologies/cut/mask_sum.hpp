#pragma once

#include <cstdint>
#include <vector>

namespace narrows {

/// A sum of values chosen by the bits of a mask of at most 40 bits, looked up for half of the bits at a time.
template <class Value>
class MaskSum {
  public:
    explicit MaskSum(const std::vector<Value>& of_bit)
        : low_bits_(static_cast<int>(of_bit.size()) / 2),
          low_(sums(of_bit, 0, low_bits_)),
          high_(sums(of_bit, low_bits_, static_cast<int>(of_bit.size()))) {}

    Value operator()(std::uint64_t mask) const {
        return static_cast<Value>(low_[mask & ((std::uint64_t{1} << low_bits_) - 1)] + high_[mask >> low_bits_]);
    }

  private:
    static std::vector<Value> sums(const std::vector<Value>& of_bit, int from, int to) {
        std::vector<Value> sum(std::size_t{1} << (to - from));
        for (std::size_t mask = 1; mask < sum.size(); ++mask) {
            const int lowest = __builtin_ctzll(mask);
            sum[mask] = static_cast<Value>(sum[mask & (mask - 1)] + of_bit[from + lowest]);
        }
        return sum;
    }

    int low_bits_;
    std::vector<Value> low_;
    std::vector<Value> high_;
};

}  // namespace narrows
