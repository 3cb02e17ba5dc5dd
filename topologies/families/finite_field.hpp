#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace narrows {

/// A prime power p^k.
struct PrimePower {
    int prime = 2;
    int exponent = 1;
};

/// `q` as a power of a prime, nothing when it is none.
std::optional<PrimePower> prime_power(std::int64_t q);

/// The field of q = p^k elements, which are numbered 0 … q−1: the digits of a number to base p are the coefficients of
/// a polynomial, lowest first, modulo the first polynomial of degree k for which x generates all nonzero elements. 0
/// and 1 are the field's own. For k = 1 these are the numbers modulo p, and the least generator is taken.
class FiniteField {
  public:
    /// Throws std::logic_error unless q is a prime power of at most 2^16.
    explicit FiniteField(int q);

    int size() const { return q_; }
    int characteristic() const { return p_; }
    int sum(int a, int b) const { return combined(a, b, 1); }
    int difference(int a, int b) const { return combined(a, b, -1); }
    int product(int a, int b) const { return a == 0 || b == 0 ? 0 : power(log_[a] + log_[b]); }
    /// Precondition: a ≠ 0.
    int inverse(int a) const { return power(q_ - 1 - log_[a]); }
    /// ξ^exponent for the generator ξ of the nonzero elements; exponent ≥ 0.
    int power(std::int64_t exponent) const { return powers_[exponent % (q_ - 1)]; }
    /// a + a^p + … + a^(p^(k−1)), a number below p.
    int trace(int a) const;

  private:
    int combined(int a, int b, int sign) const;
    bool generates(int generator, const std::vector<int>& modulus);
    int reduced_product(int a, int b, const std::vector<int>& modulus) const;

    int q_, p_, k_;
    /// powers_[i] = ξ^i, log_[ξ^i] = i.
    std::vector<int> powers_, log_;
};

}  // namespace narrows
