#include "topologies/symmetry/find_automorphisms.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "topologies/adjacency.hpp"
#include "topologies/symmetry/colouring.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

/// Vertices of the same kind with the same links to the same neighbours.
using TwinClasses = std::vector<std::vector<int>>;

TwinClasses twin_classes(const Network& network) {
    const Adjacency arcs(network);
    using Links = std::vector<std::pair<int, double>>;
    std::vector<Links> links(network.vertices());
    for (int v = 0; v < network.vertices(); ++v) {
        for (int arc = arcs.first[v]; arc < arcs.first[v + 1]; ++arc) {
            links[v].emplace_back(arcs.target[arc], network.edges[arcs.edge[arc]].capacity);
        }
        std::ranges::sort(links[v]);
    }
    std::vector<int> order(network.vertices());
    std::iota(order.begin(), order.end(), 0);
    const auto is_host = [&](int v) { return v < network.hosts; };
    std::ranges::stable_sort(order, [&](int a, int b) {
        return std::forward_as_tuple(is_host(a), links[a]) < std::forward_as_tuple(is_host(b), links[b]);
    });
    TwinClasses classes;
    for (const int v : order) {
        const bool twin = !classes.empty() && is_host(classes.back().front()) == is_host(v) &&
                          links[classes.back().front()] == links[v];
        if (!twin) classes.emplace_back();
        classes.back().push_back(v);
    }
    return classes;
}

/// The network of one vertex of every class, with the classes' kinds and sizes as colours.
struct Reduced {
    Network network;
    std::vector<std::uint64_t> colour;
};

Reduced reduced_to(const TwinClasses& classes, const Network& whole) {
    std::vector<int> number(whole.vertices(), -1);
    for (int i = 0; i < std::ssize(classes); ++i) number[classes[i].front()] = i;
    Reduced reduced;
    reduced.network.hosts = static_cast<int>(classes.size());  // kinds are colours here
    for (const auto& [u, v, capacity] : whole.edges) {
        if (number[u] >= 0 && number[v] >= 0) reduced.network.connect(number[u], number[v], capacity);
    }
    for (const auto& twins : classes) {
        reduced.colour.push_back(mixed(2 * twins.size() + (twins.front() < whole.hosts ? 1 : 0)));
    }
    return reduced;
}

/// Maps one vertex to another by colouring both sides alike.
class Mapper {
  public:
    Mapper(const Reduced& reduced, const SymmetryLimits& limits)
        : limits_(limits), refiner_(reduced.network, limits.stop), start_(refiner_.refine(reduced.colour)) {}

    const Colouring& start() const { return start_; }
    bool spent() const { return refiner_.work() > limits_.work || limits_.stop(); }

    /// Fixes what `vertex` is mapped from: it is singled out, then a vertex of the smallest class that is left, and so
    /// on until all colours differ. False when that takes too much.
    bool start_from(int vertex) {
        constexpr double most_colours = 1 << 24;
        levels_.clear();
        Colouring left = refiner_.single_out(start_, vertex);
        for (;;) {
            if (spent() || static_cast<double>(levels_.size()) * refiner_.vertices() > most_colours) return false;
            const std::optional<std::uint64_t> cell = smallest_class(left);
            levels_.push_back({left, cell});
            if (!cell) return true;
            const auto next = std::ranges::find(left.colour, *cell) - left.colour.begin();
            left = refiner_.single_out(left, static_cast<int>(next));
        }
    }

    /// The image of every vertex under an automorphism that takes the start to `vertex`, when one is found.
    std::optional<std::vector<int>> map_to(int vertex) {
        tries_ = 64 + 2 * static_cast<int>(levels_.size());
        image_.clear();
        seed_ = mixed(static_cast<std::uint64_t>(vertex));
        if (descend(0, refiner_.single_out(start_, vertex))) return image_;
        return std::nullopt;
    }

  private:
    struct Level {
        Colouring left;
        std::optional<std::uint64_t> cell;  ///< the colour of which one vertex is singled out next
    };

    /// The colour of the fewest vertices but one.
    static std::optional<std::uint64_t> smallest_class(const Colouring& colouring) {
        std::vector<std::uint64_t> sorted = colouring.colour;
        std::ranges::sort(sorted);
        std::optional<std::uint64_t> smallest;
        std::ptrdiff_t least = 0;
        for (auto begin = sorted.begin(); begin != sorted.end();) {
            const auto end = std::upper_bound(begin, sorted.end(), *begin);
            if (end - begin > 1 && (!smallest || end - begin < least)) {
                least = end - begin;
                smallest = *begin;
            }
            begin = end;
        }
        return smallest;
    }

    bool descend(std::size_t depth, const Colouring& right) {
        const Level& level = levels_[depth];
        if (right.fingerprint != level.left.fingerprint) return false;
        if (!level.cell) return map_colours(level.left, right);
        // Not in their order, which would map most vertices to themselves and join few.
        const int n = refiner_.vertices(), first = static_cast<int>(mixed(depth + seed_) % static_cast<unsigned>(n));
        for (int i = 0; i < n; ++i) {
            const int v = (first + i) % n;
            if (right.colour[v] != *level.cell) continue;
            if (--tries_ < 0 || spent()) return false;
            if (descend(depth + 1, refiner_.single_out(right, v))) return true;
        }
        return false;
    }

    bool map_colours(const Colouring& left, const Colouring& right) {
        const auto by_colour = [](const Colouring& side) {
            std::vector<int> order(side.colour.size());
            std::iota(order.begin(), order.end(), 0);
            std::ranges::sort(order, [&](int a, int b) { return side.colour[a] < side.colour[b]; });
            return order;
        };
        const std::vector<int> from = by_colour(left), to = by_colour(right);
        image_.assign(from.size(), 0);
        for (std::size_t i = 0; i < from.size(); ++i) image_[from[i]] = to[i];
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (start_.colour[i] != start_.colour[image_[i]]) return false;
        }
        return refiner_.keeps_links(image_);
    }

    const SymmetryLimits& limits_;
    Refiner refiner_;
    Colouring start_;
    std::vector<Level> levels_;
    std::vector<int> image_;
    int tries_ = 0;
    std::uint64_t seed_ = 0;
};

/// What a mapping of classes is of all vertices, twins in order.
Automorphism lifted(const std::vector<int>& image, const TwinClasses& classes) {
    Automorphism automorphism;
    for (std::size_t i = 0; i < image.size(); ++i) {
        if (image[i] == static_cast<int>(i)) continue;
        const std::vector<int>&from = classes[i], &to = classes[image[i]];
        for (std::size_t k = 0; k < from.size(); ++k) automorphism.moved.emplace_back(from[k], to[k]);
    }
    return automorphism;
}

/// Automorphisms between the members of `cell`, classes of hosts of the same colour. They are tried in random order:
/// neighbours in number are often alike in what they are not mapped to.
void join_cell(std::vector<int> cell, const TwinClasses& classes, Mapper& mapper, UnionFind& joined,
               std::vector<Automorphism>& found) {
    constexpr int most_failures = 64;
    std::ranges::sort(
        cell, [](int a, int b) { return mixed(static_cast<std::uint64_t>(a)) < mixed(static_cast<std::uint64_t>(b)); });
    if (!mapper.start_from(cell.front())) return;
    for (int failures = 0; const int vertex : cell) {
        if (joined.find(vertex) == joined.find(cell.front())) continue;
        if (mapper.spent()) return;
        const auto image = mapper.map_to(vertex);
        if (!image) {
            if (++failures == most_failures) return;
            continue;
        }
        found.push_back(lifted(*image, classes));
        for (int v = 0; v < std::ssize(*image); ++v) joined.join(v, (*image)[v]);
    }
}

}  // namespace

std::vector<Automorphism> find_automorphisms(const Network& network, const SymmetryLimits& limits) {
    const TwinClasses classes = twin_classes(network);
    std::vector<Automorphism> found;
    for (const auto& twins : classes) {
        for (std::size_t i = 1; i < twins.size(); ++i) {
            found.push_back({{{twins[i - 1], twins[i]}, {twins[i], twins[i - 1]}}});
        }
    }
    const Reduced reduced = reduced_to(classes, network);
    Mapper mapper(reduced, limits);
    std::map<std::uint64_t, std::vector<int>> cells;
    for (int i = 0; i < std::ssize(classes); ++i) {
        if (classes[i].front() < network.hosts) cells[mapper.start().colour[i]].push_back(i);
    }
    UnionFind joined(static_cast<int>(classes.size()));
    for (const auto& [colour, cell] : cells) {
        if (cell.size() > 1 && !mapper.spent()) join_cell(cell, classes, mapper, joined, found);
    }
    return found;
}

}  // namespace narrows
