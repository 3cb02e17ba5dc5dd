#pragma once

// LEMON 1.3.1's array map uses allocator members that C++20 removed. This header goes before any other of LEMON's and
// puts its vector map in the place. Not for public headers of this folder; do not use lemon/lp.h or ListPath.
#define LEMON_BITS_ARRAY_MAP_H
#include <lemon/bits/vector_map.h>

namespace lemon {

template <typename Graph, typename Item, typename Value>
using ArrayMap = VectorMap<Graph, Item, Value>;

}  // namespace lemon
