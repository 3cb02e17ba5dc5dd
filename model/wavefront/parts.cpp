#include "model/wavefront/parts.hpp"

#include <algorithm>
#include <stdexcept>

namespace narrows {

CellSpan cell_span(int cells, int parts, int index) {
    if (cells < 0 || parts < 1) throw std::logic_error("cells are divided into at least one part");
    const int rest = cells % parts;
    return {index * (cells / parts) + std::min(index, rest), cells / parts + (index < rest ? 1 : 0)};
}

std::vector<int> even_parts(int cells, int parts) {
    std::vector<int> sizes;
    for (int index = 0; index < std::max(parts, 1); ++index) sizes.push_back(cell_span(cells, parts, index).count);
    return sizes;
}

}  // namespace narrows
