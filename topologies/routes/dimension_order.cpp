#include "topologies/routes/dimension_order.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "topologies/families/line.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// The loads of the steps of a grid: from every node one on (`ways` 0) or back (1) in every dimension.
class GridSteps {
  public:
    GridSteps(const std::vector<int>& shape, const std::vector<bool>& wraps, bool ties_onwards)
        : ties_onwards_(ties_onwards) {
        int stride = 1;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            dimensions_.push_back({Line(shape[i], wraps[i]), stride});
            stride *= shape[i];
        }
        nodes_ = stride;
        load_.resize(2 * dimensions_.size() * nodes_);
    }

    /// `each` from every node to every other: a line of k nodes carries it for N/k pairs of nodes for each of its own.
    void add_uniform(double each) {
        for (std::size_t i = 0; i < dimensions_.size(); ++i) {
            const auto& [line, stride] = dimensions_[i];
            const int lines = nodes_ / line.size;
            const double pairs = each * lines;
            for (int node = 0; node < nodes_; ++node) {
                const double place = node / stride % line.size;
                const double size = line.size;
                const double tie =
                    ties_onwards_ && line.size % 2 == 0 ? size / 4 : 0;  // what the other way does not carry
                const double round = ring_hops(line.size);
                load(i, 0, node) += pairs * (line.ring ? round + tie : (place + 1) * (size - 1 - place));
                load(i, 1, node) += pairs * (line.ring ? round - tie : place * (size - place));
            }
        }
    }

    void add(const Demand& demand) {
        int node = demand.source;
        for (std::size_t i = 0; i < dimensions_.size(); ++i) {
            const auto& [line, stride] = dimensions_[i];
            const int ahead = demand.target / stride % line.size - demand.source / stride % line.size;
            const int on = (ahead + line.size) % line.size;
            const int back = line.size - on;
            if (ahead == 0) continue;
            if (!line.ring) {
                walk(node, i, ahead > 0 ? 0 : 1, std::abs(ahead), demand.amount);
            } else if (on == back && !ties_onwards_) {
                walk(node, i, 0, on, demand.amount / 2);
                walk(node, i, 1, back, demand.amount / 2);
            } else {
                walk(node, i, on <= back ? 0 : 1, std::min(on, back), demand.amount);
            }
            node += ahead * stride;
        }
    }

    /// The step from u to v, as an index of loads(). Throws std::logic_error when they are no neighbours.
    std::size_t step(int u, int v) const {
        for (std::size_t i = 0; i < dimensions_.size(); ++i) {
            for (const int way : {0, 1}) {
                if (neighbour(u, i, way) == v) return index(i, way, u);
            }
        }
        throw std::logic_error("dimension_order_loads: an edge does not join neighbours of the grid");
    }

    const std::vector<double>& loads() const { return load_; }
    int node_of(std::size_t step) const { return static_cast<int>(step % nodes_); }
    int dimension_of(std::size_t step) const { return static_cast<int>(step / nodes_ / 2); }

  private:
    struct Dimension {
        Line line;
        int stride = 1;
    };

    /// What all nodes of a ring send one way round, a unit to each other node: the load of each of its links.
    static double ring_hops(int size) {
        const double k = size;
        return size % 2 == 0 ? k * k / 8 : (k * k - 1) / 8;
    }

    std::size_t index(std::size_t dimension, int way, int node) const { return (2 * dimension + way) * nodes_ + node; }
    double& load(std::size_t dimension, int way, int node) { return load_[index(dimension, way, node)]; }

    /// −1 where the grid ends.
    int neighbour(int node, std::size_t dimension, int way) const {
        const auto& [line, stride] = dimensions_[dimension];
        const int place = node / stride % line.size;
        const int next = way == 0 ? place + 1 : place - 1;
        if (next >= 0 && next < line.size) return node + (next - place) * stride;
        return line.ring ? node + ((next + line.size) % line.size - place) * stride : -1;
    }

    void walk(int node, std::size_t dimension, int way, int steps, double amount) {
        for (int i = 0; i < steps; ++i) {
            load(dimension, way, node) += amount;
            node = neighbour(node, dimension, way);
        }
    }

    std::vector<Dimension> dimensions_;
    bool ties_onwards_;
    int nodes_ = 1;
    std::vector<double> load_;
};

/// The steps that every edge makes: from its u and from its v.
std::vector<std::array<std::size_t, 2>> steps_of_edges(const Network& network, const GridSteps& grid) {
    std::vector<std::array<std::size_t, 2>> steps;
    for (const auto& edge : network.edges) steps.push_back({grid.step(edge.u, edge.v), grid.step(edge.v, edge.u)});
    return steps;
}

void require_links(const GridSteps& grid, const std::vector<int>& links) {
    for (std::size_t step = 0; step < links.size(); ++step) {
        if (grid.loads()[step] == 0 || links[step] > 0) continue;
        throw InputError(
            fmt::format("dimension-order routing needs a link of host {} in dimension {} that is missing: "
                        "take shortest paths",
                        grid.node_of(step), grid.dimension_of(step) + 1));
    }
}

}  // namespace

LinkLoads dimension_order_loads(const Network& network, const std::vector<int>& shape, const std::vector<bool>& wraps,
                                const Traffic& traffic, bool ties_onwards) {
    require_valid(network);
    const bool fits = network.switches == 0 && shape_nodes(shape) == network.hosts && wraps.size() == shape.size();
    if (!fits || traffic.hosts != network.hosts) throw std::logic_error("dimension_order_loads: sizes differ");
    GridSteps grid(shape, wraps, ties_onwards);
    if (traffic.each > 0) grid.add_uniform(traffic.each);
    for (const Demand& demand : traffic.demands) grid.add(demand);

    const auto steps = steps_of_edges(network, grid);
    std::vector<int> links(grid.loads().size());
    for (const auto& [there, back] : steps) {
        ++links[there];
        ++links[back];
    }
    require_links(grid, links);
    LinkLoads loads = no_loads(network);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto [there, back] = steps[i];
        loads.forward[i] = grid.loads()[there] / links[there];
        loads.backward[i] = grid.loads()[back] / links[back];
    }
    loads.demand = traffic.total();
    return loads;
}

}  // namespace narrows
