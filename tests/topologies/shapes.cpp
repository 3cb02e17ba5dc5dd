#include "tests/topologies/shapes.hpp"

#include "topologies/shape.hpp"

namespace narrows::testing {
namespace {

void extend(std::vector<int>& shape, int nodes, int cap, int most, std::vector<std::string>& found) {
    for (int size = 2; size <= cap && nodes * size <= most; ++size) {
        shape.push_back(size);
        found.push_back(format_shape(shape));
        extend(shape, nodes * size, size, most, found);
        shape.pop_back();
    }
}

}  // namespace

std::vector<std::string> shapes_up_to(int most) {
    std::vector<std::string> found{"1"};
    std::vector<int> shape;
    extend(shape, 1, most, most, found);
    return found;
}

}  // namespace narrows::testing
