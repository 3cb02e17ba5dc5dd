#include "topologies/families/finite_field.hpp"

#include <stdexcept>

#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr int largest_field = 1 << 16;

/// Digits of `number` to base p, lowest first.
std::vector<int> digits(int number, int p, int count) {
    std::vector<int> found(count);
    for (int& digit : found) {
        digit = number % p;
        number /= p;
    }
    return found;
}

int number_of(const std::vector<int>& digit, int p, int count) {
    int number = 0;
    for (int i = count; i-- > 0;) number = number * p + digit[i];
    return number;
}

}  // namespace

std::optional<PrimePower> prime_power(std::int64_t q) {
    const std::vector<std::int64_t> primes = prime_factors(q);
    if (primes.empty() || primes.front() != primes.back()) return std::nullopt;
    return PrimePower{static_cast<int>(primes.front()), static_cast<int>(primes.size())};
}

FiniteField::FiniteField(int q) : q_(q), p_(0), k_(0) {
    const auto power = prime_power(q);
    if (!power || q > largest_field) throw std::logic_error("FiniteField: not a prime power");
    p_ = power->prime;
    k_ = power->exponent;
    if (k_ == 1) {
        for (int generator = 1; generator < q_; ++generator) {
            if (generates(generator, {0})) return;
        }
    }
    // A monic polynomial x^k + … has the digits of `lower` as its lower coefficients. When the q − 1 powers of x differ
    // from each other and from 0, every nonzero remainder has an inverse, so the remainders are the field.
    for (int lower = 0; k_ > 1 && lower < q_; ++lower) {
        if (generates(p_, digits(lower, p_, k_))) return;
    }
    throw std::logic_error("FiniteField: no generator");
}

/// Whether the powers of `generator` are all nonzero elements; they stay in the tables.
bool FiniteField::generates(int generator, const std::vector<int>& modulus) {
    powers_.assign(1, 1);
    log_.assign(q_, -1);
    log_[1] = 0;
    while (static_cast<int>(powers_.size()) < q_ - 1) {
        const int next = reduced_product(powers_.back(), generator, modulus);
        if (next == 0 || log_[next] >= 0) return false;
        log_[next] = static_cast<int>(powers_.size());
        powers_.push_back(next);
    }
    return true;
}

/// The product of two polynomials modulo x^k + Σ modulus_i x^i.
int FiniteField::reduced_product(int a, int b, const std::vector<int>& modulus) const {
    const std::vector<int> left = digits(a, p_, k_);
    const std::vector<int> right = digits(b, p_, k_);
    std::vector<int> product(std::size_t{2} * k_);
    for (int i = 0; i < k_; ++i) {
        for (int j = 0; j < k_; ++j) {
            product[i + j] = static_cast<int>((product[i + j] + std::int64_t{left[i]} * right[j]) % p_);
        }
    }
    for (int i = 2 * k_; i-- > k_;) {
        for (int j = 0; j < k_; ++j) {
            const std::int64_t reduced = product[i - k_ + j] - std::int64_t{product[i]} * modulus[j] % p_;
            product[i - k_ + j] = static_cast<int>((reduced + p_) % p_);
        }
    }
    return number_of(product, p_, k_);
}

int FiniteField::combined(int a, int b, int sign) const {
    if (k_ == 1) return (a + sign * b + p_) % p_;
    int total = 0;
    for (int place = 1; a > 0 || b > 0; place *= p_, a /= p_, b /= p_) {
        total += (a % p_ + sign * (b % p_) + p_) % p_ * place;
    }
    return total;
}

int FiniteField::trace(int a) const {
    int total = 0;
    int conjugate = a;
    for (int i = 0; i < k_; ++i) {
        total = sum(total, conjugate);
        const std::int64_t log = conjugate == 0 ? 0 : log_[conjugate];
        conjugate = conjugate == 0 ? 0 : power(log * p_);
    }
    return total;
}

}  // namespace narrows
