#include "topologies/families/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

#include "topologies/families/named_network.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::array<int, 3> tofu_unit{2, 3, 2};
constexpr std::int64_t tofu_unit_nodes = 12;
constexpr std::int64_t largest_ring = std::numeric_limits<int>::max();

std::shared_ptr<const ClosedForms> tofu_of(std::vector<int> shape) {
    shape.insert(shape.end(), tofu_unit.begin(), tofu_unit.end());
    return std::make_shared<Grid>(GridKind::tofu, std::move(shape));
}

std::shared_ptr<const ClosedForms> tofu_with_nodes(std::int64_t nodes) {
    if (nodes < 1 || nodes > node_limit || nodes % tofu_unit_nodes != 0) {
        throw InputError(fmt::format("a Tofu network cannot have {} nodes: give a multiple of {}, at most {}", nodes,
                                     tofu_unit_nodes, node_limit));
    }
    return tofu_of(most_cubic_shape(nodes / tofu_unit_nodes, 3));
}

std::string list_sizes(const std::vector<Line>& lines) {
    std::string text = fmt::format("{} dimension", lines.front().size);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        text += fmt::format(", then its middle layer along the {}", lines[i].size);
    }
    return text;
}

}  // namespace

Grid::Grid(GridKind kind, std::vector<int> shape) : kind_(kind), shape_(std::move(shape)), nodes_(shape_nodes(shape_)) {
    const bool twos = std::all_of(shape_.begin(), shape_.end(), [](int size) { return size == 2; });
    if (kind_ == GridKind::hypercube && !twos) throw std::logic_error("Grid: a hypercube's dimensions are of two");
    if (kind_ == GridKind::ring && shape_.size() != 1) throw std::logic_error("Grid: a ring has one dimension");
    const bool unit = shape_.size() == 6 && std::equal(shape_.begin() + 3, shape_.end(), tofu_unit.begin());
    if (kind_ == GridKind::tofu && !unit) throw std::logic_error("Grid: a Tofu network ends in 2x3x2");
}

std::string Grid::family() const {
    switch (kind_) {
        case GridKind::mesh:
            return "mesh";
        case GridKind::torus:
            return "torus";
        case GridKind::hypercube:
            return "hypercube";
        case GridKind::ring:
            return "ring";
        case GridKind::tofu:
            return "tofu";
    }
    throw std::logic_error("Grid: unknown kind");
}

std::string Grid::spec() const {
    if (kind_ == GridKind::hypercube) return fmt::format("hypercube {}", shape_.size());
    if (kind_ == GridKind::tofu) return "tofu " + format_shape({shape_.begin(), shape_.begin() + 3});
    return family() + " " + format_shape(shape_);
}

std::int64_t Grid::links() const {
    std::int64_t total = 0;
    for (const int size : shape_) total += nodes_ / size * line(size).links();
    return total;
}

int Grid::degree() const {
    int total = 0;
    for (const int size : shape_) total += line(size).degree();
    return total;
}

std::optional<Distances> Grid::distances() const {
    return Distances{diameter(), mean_distance()};
}

int Grid::diameter() const {
    int total = 0;
    for (const int size : shape_) total += line(size).diameter();
    return total;
}

double Grid::mean_distance() const {
    if (nodes_ == 1) return 0;
    double total = 0;
    for (const int size : shape_) total += line(size).mean_distance();
    const auto n = static_cast<double>(nodes_);
    return total * (n / (n - 1));
}

/// The line with the least `measure` of those with more than one node. Precondition: there is one.
template <class Measure>
Line Grid::line_of_least(Measure measure) const {
    Line best = line(1);
    double least = infinity;
    for (const int size : shape_) {
        if (size == 1) continue;
        const double value = measure(line(size));
        if (value < least) {
            least = value;
            best = line(size);
        }
    }
    return best;
}

Line Grid::sparsest_line() const {
    return line_of_least([](const Line& one) { return one.scaled_phi(); });
}

double Grid::phi_value() const {
    return nodes_ == 1 ? infinity : sparsest_line().scaled_phi() / static_cast<double>(nodes_);
}

std::string Grid::slab(const Line& cut) const {
    const std::int64_t layer = nodes_ / cut.size;
    const std::string parts =
        cut.size % 2 == 0 ? "halves" : fmt::format("{} and {} layers", cut.smaller_half(), cut.larger_half());
    return fmt::format("cut of the {} dimension into {}: {} links between {} and {} nodes", cut.size, parts,
                       layer * cut.crossing(), layer * (cut.size / 2), layer * (cut.size - cut.size / 2));
}

Bracket Grid::phi() const {
    if (nodes_ == 1) return nothing_to_cut(infinity);
    return exactly(phi_value(), "closed form",
                   slab(sparsest_line()) + "; the sparsest cut of a Cartesian product is that of a factor");
}

Bracket Grid::uniform_flow() const {
    if (nodes_ == 1) return nothing_to_cut(infinity);
    return exactly(phi_value(), "closed form",
                   slab(sparsest_line()) + ", which shortest paths dimension by dimension fill evenly");
}

Bracket Grid::alpha() const {
    if (nodes_ == 1) return nothing_to_cut(infinity);
    const auto expansion = [](const Line& one) { return one.crossing() / one.smaller_half(); };
    const Line cut = line_of_least(expansion);
    return exactly(expansion(cut), "closed form",
                   slab(cut) + "; slabs minimise the dimension-normalised boundary (Azizoglu and Egecioglu 2003)");
}

/// The lines that the bisection cuts: largest first, up to the first of even size.
std::vector<Line> Grid::halving_lines() const {
    std::vector<Line> lines;
    for (const int size : shape_) {
        if (size > 1) lines.push_back(line(size));
    }
    const bool torus = wraps();
    const auto rank = [torus](const Line& one) { return torus && one.size == 2 ? 4 : one.size; };
    std::stable_sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) { return rank(a) > rank(b); });
    const auto even = std::find_if(lines.begin(), lines.end(), [](const Line& one) { return one.size % 2 == 0; });
    if (even != lines.end()) lines.erase(even + 1, lines.end());
    return lines;
}

Bracket Grid::bisection() const {
    if (nodes_ == 1) return nothing_to_cut(0);
    const std::vector<Line> lines = halving_lines();
    std::int64_t links = 0;
    std::int64_t layer = nodes_;
    for (const Line& one : lines) {
        layer /= one.size;
        links += one.crossing() * layer;
    }
    const std::int64_t half = nodes_ / 2;
    const std::string certificate = lines.size() == 1 && nodes_ % 2 == 0
                                        ? slab(lines.front())
                                        : fmt::format("cut in the middle of the {}: {} links between {} and {} nodes",
                                                      list_sizes(lines), links, half, nodes_ - half);
    return exactly(static_cast<double>(links), "closed form",
                   certificate + "; no balanced cut is less (Arjona Aroca and Fernandez Anta 2014)");
}

Network Grid::graph() const {
    require_graph_size(nodes_, links());
    Network network{static_cast<int>(nodes_), 0, {}};
    network.edges.reserve(links());
    int stride = 1;
    for (const int size : shape_) {
        for (int node = 0; node < network.hosts; ++node) {
            const int place = node / stride % size;
            if (place + 1 < size) network.connect(node, node + stride);
            if (place + 1 == size && line(size).ring) network.connect(node, node - place * stride);
        }
        stride *= size;
    }
    return network;
}

std::shared_ptr<const ClosedForms> Grid::with_nodes(std::int64_t nodes) const {
    if (kind_ == GridKind::tofu) return tofu_with_nodes(nodes);
    if (kind_ != GridKind::hypercube) {
        const int dimensions = std::max(1, static_cast<int>(shape_.size()));
        return std::make_shared<Grid>(kind_, most_cubic_shape(nodes, dimensions));
    }
    if (nodes < 1 || nodes > node_limit || !std::has_single_bit(static_cast<std::uint64_t>(nodes))) {
        throw InputError(
            fmt::format("a hypercube cannot have {} nodes: give a power of two, at most {}", nodes, node_limit));
    }
    const int dimensions = std::countr_zero(static_cast<std::uint64_t>(nodes));
    return std::make_shared<Grid>(kind_, std::vector<int>(dimensions, 2));
}

std::shared_ptr<const ClosedForms> make_mesh(const TopologySpec& spec) {
    return with_hosts(spec, std::make_shared<Grid>(GridKind::mesh, parse_shape(*spec.size)));
}

std::shared_ptr<const ClosedForms> make_torus(const TopologySpec& spec) {
    return with_hosts(spec, std::make_shared<Grid>(GridKind::torus, parse_shape(*spec.size)));
}

std::shared_ptr<const ClosedForms> make_hypercube(const TopologySpec& spec) {
    const std::int64_t dimensions = parse_count(*spec.size, "the number of dimensions", 0, dimension_limit);
    return with_hosts(spec, std::make_shared<Grid>(GridKind::hypercube, std::vector<int>(dimensions, 2)));
}

std::shared_ptr<const ClosedForms> make_ring(const TopologySpec& spec) {
    const auto nodes = static_cast<int>(parse_count(*spec.size, "the number of nodes", 1, largest_ring));
    return with_hosts(spec, std::make_shared<Grid>(GridKind::ring, std::vector<int>{nodes}));
}

std::shared_ptr<const ClosedForms> make_tofu(const TopologySpec& spec) {
    const std::vector<int> shape = parse_shape(*spec.size);
    if (shape.size() != 3) {
        throw InputError(fmt::format("a Tofu network of {} has {} dimensions: give three, the 2x3x2 units are added",
                                     format_shape(shape), shape.size()));
    }
    if (shape_nodes(shape) > node_limit / tofu_unit_nodes) {
        throw InputError(fmt::format("a Tofu network of {} has more than {} nodes: give smaller dimensions",
                                     format_shape(shape), node_limit));
    }
    return with_hosts(spec, tofu_of(shape));
}

}  // namespace narrows
