// Grids: mesh, torus, hypercube, ring and Tofu. A ring is a torus of one dimension; a Tofu network is a torus whose
// last three dimensions are 2x3x2.
//
// Cartesian product of paths (mesh, hypercube) or of rings (torus; a dimension of two is a path). All is exact.
//
// Let dimension i have k_i nodes, f_i = ⌊k_i/2⌋, c_i = ⌈k_i/2⌉ and w_i links across a cut of its line: 1 for a path, 2
// for a ring. N = Π k_i.
//
// φ = min_i w_i k_i / (f_i c_i N). φ(G□H) = min(φ(G)/|H|, φ(H)/|G|): a set S separates the ordered pair ((g,h),
// (g',h')) only if it separates (g,h) from (g',h) or (g',h) from (g',h'), so |S||S̄| ≤ |H| C_G/φ(G) + |G| C_H/φ(H),
// where C_G + C_H = C(S); slabs attain it.
//
// t = φ. Routed dimension by dimension, opposite nodes of an even ring both ways alike, a line of dimension i carries
// N/k_i pairs for each pair of its nodes, so t = min_i t_i k_i/N, and shortest paths give t_i = φ_i; never is t > φ.
//
// B = Σ_{i=1}^{a} w_i Π_{j>i} k_j, with the dimensions sorted by k, largest first, and a the first even one, or the
// last if none is: halve the first; if it is odd, halve its middle slab along the next, and so on. No cut is less:
// Arjona Aroca and Fernández Anta, "Bisection (Band)Width of Product Networks with Application to Data Centers",
// IEEE TPDS 25 (2014), for products of paths and for products of rings.
//
// α = min_i w_i / f_i. Azizoğlu and Eğecioğlu, "Extremal sets minimizing dimension-normalized boundary in Hamming
// graphs", SIAM J. Discrete Math. 17 (2003): Σ_i w_i E_i/(f_i c_i), E_i the pairs that S separates within a line of i,
// is least for the first |S| nodes with the largest dimension slowest, when all w are equal, and never above C(S).
// Between full slabs of that order the sum is at least its linear interpolation, and within the middle slab it grows
// by at least α of the smaller dimensions, so the slab of f_1 layers has the least ratio.
//
// A torus mixes both kinds when it has dimensions of two. Put rings of four in their place, and halves of them where S
// had a node: set and cut both double, so B ≥ B'/2 and α ≥ α' of that product of rings, and the same cuts attain them.
// In the sum for B a dimension of two therefore sorts as a ring of four.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "topologies/families/formulas.hpp"
#include "topologies/families/line.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::array<int, 3> tofu_unit{2, 3, 2};
constexpr std::int64_t tofu_unit_nodes = 12;
constexpr std::int64_t largest_ring = std::numeric_limits<int>::max();

std::string list_sizes(const std::vector<Line>& lines) {
    std::string text = fmt::format("{} dimension", lines.front().size);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        text += fmt::format(", then its middle layer along the {}", lines[i].size);
    }
    return text;
}

struct Grid {
    std::string family;
    std::vector<int> shape;

    std::int64_t nodes() const { return shape_nodes(shape); }
    bool wraps() const { return family != "mesh" && family != "hypercube"; }
    Line line(int size) const { return {size, wraps()}; }

    std::string spec() const {
        if (family == "hypercube") return fmt::format("hypercube {}", shape.size());
        const bool tofu = family == "tofu";
        return family + " " + format_shape({shape.begin(), shape.end() - (tofu ? std::ssize(tofu_unit) : 0)});
    }

    std::int64_t links() const {
        const std::int64_t n = nodes();
        std::int64_t total = 0;
        for (const int size : shape) total += n / size * line(size).links();
        return total;
    }

    int degree() const {
        int total = 0;
        for (const int size : shape) total += line(size).degree();
        return total;
    }

    int diameter() const {
        int total = 0;
        for (const int size : shape) total += line(size).diameter();
        return total;
    }

    double mean_distance() const {
        if (nodes() == 1) return 0;
        double total = 0;
        for (const int size : shape) total += line(size).mean_distance();
        const auto n = static_cast<double>(nodes());
        return total * (n / (n - 1));
    }

    /// The line with the least `measure` of those with more than one node. Precondition: there is one.
    template <class Measure>
    Line line_of_least(Measure measure) const {
        Line best = line(1);
        double least = infinity;
        for (const int size : shape) {
            if (size == 1) continue;
            const double value = measure(line(size));
            if (value < least) {
                least = value;
                best = line(size);
            }
        }
        return best;
    }

    Line sparsest_line() const {
        return line_of_least([](const Line& one) { return one.scaled_phi(); });
    }

    double phi_value() const { return sparsest_line().scaled_phi() / static_cast<double>(nodes()); }

    std::string slab(const Line& cut) const {
        const std::int64_t layer = nodes() / cut.size;
        const std::string parts =
            cut.size % 2 == 0 ? "halves" : fmt::format("{} and {} layers", cut.smaller_half(), cut.larger_half());
        return fmt::format("cut of the {} dimension into {}: {} links between {} and {} nodes", cut.size, parts,
                           layer * cut.crossing(), layer * (cut.size / 2), layer * (cut.size - cut.size / 2));
    }

    Bracket phi() const {
        return exactly(phi_value(), "closed form",
                       slab(sparsest_line()) + "; the sparsest cut of a Cartesian product is that of a factor");
    }

    Bracket uniform_flow() const {
        return exactly(phi_value(), "closed form",
                       slab(sparsest_line()) + ", which shortest paths dimension by dimension fill evenly");
    }

    Bracket alpha() const {
        const auto expansion = [](const Line& one) { return one.crossing() / one.smaller_half(); };
        const Line cut = line_of_least(expansion);
        return exactly(expansion(cut), "closed form",
                       slab(cut) + "; slabs minimise the dimension-normalised boundary (Azizoglu and Egecioglu 2003)");
    }

    /// The lines that the bisection cuts: largest first, up to the first of even size.
    std::vector<Line> halving_lines() const {
        std::vector<Line> lines;
        for (const int size : shape) {
            if (size > 1) lines.push_back(line(size));
        }
        const bool torus = wraps();
        const auto rank = [torus](const Line& one) { return torus && one.size == 2 ? 4 : one.size; };
        std::ranges::stable_sort(lines, [&](const Line& a, const Line& b) { return rank(a) > rank(b); });
        const auto even = std::ranges::find_if(lines, [](const Line& one) { return one.size % 2 == 0; });
        if (even != lines.end()) lines.erase(even + 1, lines.end());
        return lines;
    }

    Bracket bisection() const {
        const std::vector<Line> lines = halving_lines();
        std::int64_t links = 0;
        std::int64_t layer = nodes();
        for (const Line& one : lines) {
            layer /= one.size;
            links += one.crossing() * layer;
        }
        const std::int64_t half = nodes() / 2;
        const std::string certificate =
            lines.size() == 1 && nodes() % 2 == 0
                ? slab(lines.front())
                : fmt::format("cut in the middle of the {}: {} links between {} and {} nodes", list_sizes(lines), links,
                              half, nodes() - half);
        return exactly(static_cast<double>(links), "closed form",
                       certificate + "; no balanced cut is less (Arjona Aroca and Fernandez Anta 2014)");
    }
};

Network graph_of(const Grid& grid) {
    Network network = unlinked(grid.nodes(), 0, grid.links());
    int stride = 1;
    for (const int size : grid.shape) {
        for (int node = 0; node < network.hosts; ++node) {
            const int place = node / stride % size;
            if (place + 1 < size) network.connect(node, node + stride);
            if (place + 1 == size && grid.line(size).ring) network.connect(node, node - place * stride);
        }
        stride *= size;
    }
    return network;
}

std::shared_ptr<const ClosedForms> with_nodes(const std::string& family, int dimensions, std::int64_t nodes);

std::shared_ptr<const ClosedForms> grid_of(const std::string& family, const std::vector<int>& shape) {
    const Grid grid{family, shape};
    ClosedForms forms = forms_of(grid, grid.spec());
    forms.distances = Distances{grid.diameter(), grid.mean_distance()};
    forms.shape = shape;
    std::int64_t stride = 1;
    for (const int size : shape) {
        const int ways = grid.wraps() && size > 2 ? 2 : 1;
        const std::int64_t links = grid.nodes() / size * ways;
        if (size > 1) forms.halves.push_back({stride, size, static_cast<double>(links), ways});
        stride *= size;
    }
    forms.resized = [family, dimensions = static_cast<int>(shape.size())](std::int64_t nodes) {
        return with_nodes(family, dimensions, nodes);
    };
    if (forms.nodes == 1) {
        fill_single_node(forms);
    } else {
        take_cuts(forms, grid);
    }
    return share(std::move(forms));
}

std::shared_ptr<const ClosedForms> tofu_of(std::vector<int> shape) {
    shape.insert(shape.end(), tofu_unit.begin(), tofu_unit.end());
    return grid_of("tofu", shape);
}

std::shared_ptr<const ClosedForms> with_nodes(const std::string& family, int dimensions, std::int64_t nodes) {
    if (family == "tofu") {
        if (nodes < 1 || nodes > node_limit || nodes % tofu_unit_nodes != 0) {
            throw InputError(fmt::format("a Tofu network cannot have {} nodes: give a multiple of {}, at most {}",
                                         nodes, tofu_unit_nodes, node_limit));
        }
        return tofu_of(most_cubic_shape(nodes / tofu_unit_nodes, 3));
    }
    if (family != "hypercube") return grid_of(family, most_cubic_shape(nodes, std::max(1, dimensions)));
    if (nodes < 1 || nodes > node_limit || !std::has_single_bit(static_cast<std::uint64_t>(nodes))) {
        throw InputError(
            fmt::format("a hypercube cannot have {} nodes: give a power of two, at most {}", nodes, node_limit));
    }
    return grid_of(family, std::vector<int>(std::countr_zero(static_cast<std::uint64_t>(nodes)), 2));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_grid(const TopologySpec& spec) {
    return with_hosts(spec, grid_of(spec.family, parse_shape(*spec.size)));
}

std::shared_ptr<const ClosedForms> make_hypercube(const TopologySpec& spec) {
    const std::int64_t dimensions = parse_count(*spec.size, "the number of dimensions", 0, dimension_limit);
    return with_hosts(spec, grid_of("hypercube", std::vector<int>(dimensions, 2)));
}

std::shared_ptr<const ClosedForms> make_ring(const TopologySpec& spec) {
    const auto nodes = static_cast<int>(parse_count(*spec.size, "the number of nodes", 1, largest_ring));
    return with_hosts(spec, grid_of("ring", {nodes}));
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
