#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// The most nodes that a network described by name may have: beyond it, products leave what a double holds exactly.
inline constexpr std::int64_t node_limit = std::int64_t{1} << 40;

/// The most dimensions that a shape may have: so many of two nodes reach `node_limit`.
inline constexpr int dimension_limit = 40;

/// A whole number in [low, high] written in decimal digits. `what` names it in the error.
/// Throws InputError when `text` is anything else.
std::int64_t parse_count(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high);

/// The dimensions written as `64x32x32`, in their order (`7` is one dimension). Throws InputError for an empty
/// dimension, zero, a sign, junk, more than `dimension_limit` dimensions or more than `node_limit` nodes.
std::vector<int> parse_shape(std::string_view text);

/// The same grammar backwards: `64x32x32`.
std::string format_shape(const std::vector<int>& shape);

/// Product of the dimensions, 1 for none. Precondition: all positive, product at most `node_limit`.
std::int64_t shape_nodes(const std::vector<int>& shape);

/// Area of the smallest face, in nodes: the product of all dimensions but the largest, as in `garg2006` Table 2.
std::int64_t smallest_face(const std::vector<int>& shape);

/// The prime factors of `number`, least first, each as often as it divides; none of a number below 2.
std::vector<std::int64_t> prime_factors(std::int64_t number);

/// All divisors of `number`, ascending. Precondition: positive.
std::vector<std::int64_t> divisors(std::int64_t number);

/// The most cubic factorisation of `nodes` into `dimensions` factors, largest first: the one whose largest factor is
/// least (the largest dimension limits every cut), then whose next is least. 128 in 3 is 8x4x4, 7 in 3 is 7x1x1.
/// Throws InputError when `nodes` is not in [1, node_limit] or a prime factor is beyond the range of a dimension.
/// Precondition: `dimensions` in [1, dimension_limit].
std::vector<int> most_cubic_shape(std::int64_t nodes, int dimensions);

}  // namespace narrows
