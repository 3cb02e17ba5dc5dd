#include "model/gups/tune.hpp"

#include <algorithm>

#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// Shapes of so many places by rising sizes of at least `least`, behind those that `first` has. Those of which no bucket
// would hold an update are left out.
void add_shapes(std::vector<std::vector<int>>& shapes, std::vector<int> first, std::int64_t places, std::int64_t least,
                int dimensions) {
    if (places <= held_updates && places >= least) {
        shapes.push_back(first);
        shapes.back().push_back(static_cast<int>(places));
    }
    if (dimensions == 1) return;
    first.push_back(0);
    for (std::int64_t size = least; size * size <= places && size <= held_updates; ++size) {
        if (places % size != 0) continue;
        first.back() = static_cast<int>(size);
        add_shapes(shapes, first, places / size, size, dimensions - 1);
    }
}

}  // namespace

std::vector<std::vector<int>> routed_shapes(const Placement& usual) {
    constexpr int most_dimensions = 4;
    std::vector<std::vector<int>> all = {usual.shape};
    add_shapes(all, {}, usual.ranks(), 2, most_dimensions);
    if (usual.nodes > 1 && usual.ranks_per_node > 1 && usual.ranks_per_node <= held_updates) {
        add_shapes(all, {static_cast<int>(usual.ranks_per_node)}, usual.nodes, 2, most_dimensions - 1);
    }
    if (usual.ranks_per_node > 1) {  // whose ranks are the first dimension's neighbours
        for (std::size_t i = 0, rising = all.size(); i < rising; ++i) {
            all.emplace_back(all[i].rbegin(), all[i].rend());
        }
    }
    const std::size_t dimensions = usual.network.shape().size();
    std::vector<std::vector<int>> shapes;
    for (const std::vector<int>& shape : all) {
        const bool bends = usual.nodes > 1 && shape_nodes(shape) == usual.nodes && shape.size() == dimensions;
        const bool is_new = std::ranges::find(shapes, shape) == shapes.end();
        if (is_new && (!bends || shape == usual.shape)) shapes.push_back(shape);
    }
    return shapes;
}

std::vector<int> routed_buckets(const std::vector<int>& shape) {
    std::vector<int> buckets;
    for (int bucket = routed_bucket(shape); bucket > 0; bucket /= 2) buckets.push_back(bucket);
    return buckets;
}

}  // namespace narrows
