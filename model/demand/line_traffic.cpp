#include "model/demand/line_traffic.hpp"

#include <algorithm>

namespace narrows {
namespace {

// Sum of c^2 over the `stride` lines of a block of `size` * `stride` ranks, c the members among first … end-1 of it.
double squares_in_block(std::int64_t stride, std::int64_t first, std::int64_t end) {
    const std::int64_t whole_rows = end / stride - first / stride;
    const auto rows = static_cast<double>(whole_rows);
    const std::int64_t head = first % stride, tail = end % stride;
    const double more = static_cast<double>(std::max<std::int64_t>(0, tail - head));
    const double fewer = static_cast<double>(std::max<std::int64_t>(0, head - tail));
    const double others = static_cast<double>(stride) - more - fewer;
    return more * (rows + 1) * (rows + 1) + fewer * (rows - 1) * (rows - 1) + others * rows * rows;
}

// The same over all lines of a dimension.
double squares(std::int64_t stride, std::int64_t size, std::int64_t first, std::int64_t end) {
    const std::int64_t block = stride * size;
    const std::int64_t first_block = first / block, last_block = end / block;
    if (first_block == last_block) return squares_in_block(stride, first % block, end % block);
    const double whole = static_cast<double>(stride) * static_cast<double>(size) * static_cast<double>(size);
    return squares_in_block(stride, first % block, block) + squares_in_block(stride, 0, end % block) +
           whole * static_cast<double>(last_block - first_block - 1);
}

// Calls `visit(first rank)` for every line of a dimension.
template <class Visit>
void for_lines(std::int64_t ranks, std::int64_t stride, std::int64_t size, Visit visit) {
    for (std::int64_t block = 0; block < ranks; block += stride * size) {
        for (std::int64_t line = block; line < block + stride; ++line) visit(line);
    }
}

// Whether all blocks of `size` consecutive ranks lie alike in the grid: whole dimensions, and a part of the next one
// that divides it.
bool are_alike(const LineTraffic& traffic, std::int64_t size) {
    std::int64_t rest = size;
    for (const std::int64_t dimension : traffic.shape) {
        if (rest % dimension != 0) return dimension % rest == 0;
        rest /= dimension;
    }
    return rest == 1;
}

}  // namespace

std::int64_t LineTraffic::ranks() const {
    std::int64_t product = 1;
    for (const std::int64_t size : shape) product *= size;
    return product;
}

double hops(const LineTraffic& traffic) {
    double sum = 0;
    for (const std::int64_t size : traffic.shape) sum += static_cast<double>(size - 1) / static_cast<double>(size);
    return sum;
}

double leaving(const LineTraffic& traffic, std::int64_t first, std::int64_t end) {
    double sum = 0;
    std::int64_t stride = 1;
    for (const std::int64_t size : traffic.shape) {
        sum += static_cast<double>(end - first) - squares(stride, size, first, end) / static_cast<double>(size);
        stride *= size;
    }
    return sum;
}

Crossing crossing(const LineTraffic& traffic, std::int64_t size, double links) {
    Crossing found;
    const std::int64_t ranks = traffic.ranks();
    if (are_alike(traffic, size)) {
        const double out = leaving(traffic, 0, size);
        const std::int64_t blocks = ranks / size;
        return {out * static_cast<double>(blocks), out / links};
    }
    for (std::int64_t first = 0; first < ranks; first += size) {
        const double out = leaving(traffic, first, std::min(first + size, ranks));
        found.all += out;
        found.fullest = std::max(found.fullest, out / links);
    }
    return found;
}

Crossing crossing(const LineTraffic& traffic, std::span<const int> group, std::span<const double> links) {
    std::vector<double> out(links.size(), 0.0);
    std::vector<std::int64_t> members(links.size(), 0);  // of the line that is counted
    std::int64_t stride = 1;
    for (const std::int64_t size : traffic.shape) {
        for_lines(traffic.ranks(), stride, size, [&](std::int64_t line) {
            const std::int64_t end = line + stride * size;
            for (std::int64_t rank = line; rank < end; rank += stride) ++members[group[rank]];
            for (std::int64_t rank = line; rank < end; rank += stride) {
                out[group[rank]] += 1 - static_cast<double>(members[group[rank]]) / static_cast<double>(size);
            }
            for (std::int64_t rank = line; rank < end; rank += stride) members[group[rank]] = 0;
        });
        stride *= size;
    }
    Crossing found;
    for (std::size_t i = 0; i < out.size(); ++i) {
        found.all += out[i];
        found.fullest = std::max(found.fullest, out[i] / links[i]);
    }
    return found;
}

}  // namespace narrows
