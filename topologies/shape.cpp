#include "topologies/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <stdexcept>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::int64_t largest_dimension = std::numeric_limits<int>::max();

/// Whether base^exponent is at least `number`.
bool power_reaches(std::int64_t base, int exponent, std::int64_t number) {
    std::int64_t reached = 1;
    for (int i = 0; i < exponent && reached < number; ++i) {
        if (base > (number - 1) / reached) return true;
        reached *= base;
        if (base == 1) break;
    }
    return reached >= number;
}

/// Searches for the lexicographically least descending factors of a number.
class FactorSearch {
  public:
    explicit FactorSearch(std::int64_t number) : primes_(prime_factors(number)), divisors_(divisors(number)) {}

    /// Appends to `shape` the factors of `nodes`, a divisor of the number, none above `cap`; false when there are none.
    bool append(std::int64_t nodes, int dimensions, std::int64_t cap, std::vector<int>& shape) const {
        if (dimensions == 0) return nodes == 1;
        const std::int64_t least = largest_prime_of(nodes);
        for (auto first = std::ranges::lower_bound(divisors_, least); first != divisors_.end(); ++first) {
            if (*first > std::min(cap, nodes)) return false;
            if (nodes % *first != 0 || !power_reaches(*first, dimensions, nodes)) continue;
            shape.push_back(static_cast<int>(*first));
            if (append(nodes / *first, dimensions - 1, *first, shape)) return true;
            shape.pop_back();
        }
        return false;
    }

  private:
    /// The first factor can be no smaller: whichever factor this prime falls in, the first is the largest.
    std::int64_t largest_prime_of(std::int64_t nodes) const {
        const auto divides = [nodes](std::int64_t prime) { return nodes % prime == 0; };
        const auto found = std::find_if(primes_.rbegin(), primes_.rend(), divides);
        return found == primes_.rend() ? 1 : *found;
    }

    std::vector<std::int64_t> primes_;
    std::vector<std::int64_t> divisors_;
};

}  // namespace

std::int64_t parse_count(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, value);
    const bool whole = !text.empty() && stop == end && status != std::errc::invalid_argument;
    if (!whole) throw InputError(fmt::format("{} '{}' is not a whole number: write decimal digits only", what, text));
    if (status == std::errc::result_out_of_range || value < low || value > high) {
        throw InputError(fmt::format("{} {} is out of range: give one from {} to {}", what, text, low, high));
    }
    return value;
}

std::vector<int> parse_shape(std::string_view text) {
    std::vector<int> shape;
    std::int64_t nodes = 1;
    for (std::string_view rest = text;;) {
        const std::size_t cross = rest.find_first_of("xX");
        const std::string_view word = rest.substr(0, cross);
        if (word.empty()) {
            throw InputError(fmt::format("shape '{}' lacks a dimension: write it like 64x32x32", text));
        }
        const std::int64_t size =
            parse_count(word, fmt::format("in shape '{}', dimension", text), 1, largest_dimension);
        if (size > node_limit / nodes) {
            throw InputError(fmt::format("shape {} has more than {} nodes: give smaller dimensions", text, node_limit));
        }
        nodes *= size;
        shape.push_back(static_cast<int>(size));
        if (cross == std::string_view::npos) break;
        rest.remove_prefix(cross + 1);
    }
    if (std::ssize(shape) > dimension_limit) {
        throw InputError(
            fmt::format("shape {} has {} dimensions: give at most {}", text, shape.size(), dimension_limit));
    }
    return shape;
}

std::string format_shape(const std::vector<int>& shape) {
    return fmt::format("{}", fmt::join(shape, "x"));
}

std::int64_t shape_nodes(const std::vector<int>& shape) {
    std::int64_t nodes = 1;
    for (const int size : shape) {
        if (size < 1 || size > node_limit / nodes) throw std::logic_error("shape_nodes: not a valid shape");
        nodes *= size;
    }
    return nodes;
}

std::int64_t smallest_face(const std::vector<int>& shape) {
    if (shape.empty()) return 1;
    return shape_nodes(shape) / *std::ranges::max_element(shape);
}

std::vector<std::int64_t> prime_factors(std::int64_t number) {
    std::vector<std::int64_t> primes;
    for (std::int64_t p = 2; p * p <= number; p += p == 2 ? 1 : 2) {
        for (; number % p == 0; number /= p) primes.push_back(p);
    }
    if (number > 1) primes.push_back(number);
    return primes;
}

std::vector<std::int64_t> divisors(std::int64_t number) {
    std::set<std::int64_t> found = {1};
    for (const std::int64_t prime : prime_factors(number)) {
        const std::set<std::int64_t> before = found;
        for (const std::int64_t divisor : before) found.insert(divisor * prime);
    }
    return {found.begin(), found.end()};
}

std::vector<int> most_cubic_shape(std::int64_t nodes, int dimensions) {
    if (dimensions < 1 || dimensions > dimension_limit) throw std::logic_error("most_cubic_shape: bad dimensions");
    if (nodes < 1 || nodes > node_limit) {
        throw InputError(fmt::format("{} nodes are out of range: give from 1 to {}", nodes, node_limit));
    }
    std::vector<int> shape;
    if (!FactorSearch(nodes).append(nodes, dimensions, largest_dimension, shape)) {
        throw InputError(fmt::format("{} nodes do not factor into {} dimensions of at most {}: choose another number",
                                     nodes, dimensions, largest_dimension));
    }
    return shape;
}

}  // namespace narrows
