#pragma once

#include <vector>

namespace narrows {

/// Consecutive cells of one rank along an axis.
struct CellSpan {
    int first = 0;
    int count = 0;
};

/// The cells of part `index` of `parts`, whose sizes differ by at most one, larger ones first, as Sweep3D divides an
/// axis. std::logic_error without a part.
CellSpan cell_span(int cells, int parts, int index);

/// The sizes of all parts.
std::vector<int> even_parts(int cells, int parts);

}  // namespace narrows
