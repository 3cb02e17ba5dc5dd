#include "topologies/routes/traffic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "topologies/adjacency.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// `target` of every host, which gets all that the host offers.
template <class Target>
Traffic permutation(int hosts, Target target) {
    Traffic traffic{hosts, 0, {}};
    for (int host = 0; host < hosts; ++host) {
        const int to = target(host);
        if (to != host) traffic.demands.push_back({host, to, 1});
    }
    return traffic;
}

/// Finds the hosts nearest to one, by a search that ends at their distance.
class NearestHosts {
  public:
    explicit NearestHosts(const Network& network)
        : hosts_(network.hosts), arcs_(network), seen_(arcs_.vertices(), -1) {}

    std::vector<int> of(int host) {
        std::vector<int> found;
        std::vector<int> level{host};
        seen_[host] = host;
        while (found.empty() && !level.empty()) {
            std::vector<int> next;
            for (const int v : level) extend(v, host, next);
            for (const int v : next) {
                if (v < hosts_) found.push_back(v);
            }
            level.swap(next);
        }
        return found;
    }

  private:
    void extend(int v, int host, std::vector<int>& next) {
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int to = arcs_.target[arc];
            if (seen_[to] != host) next.push_back(to);
            seen_[to] = host;
        }
    }

    int hosts_;
    Adjacency arcs_;
    std::vector<int> seen_;
};

}  // namespace

double Traffic::total() const {
    const double pairs = static_cast<double>(hosts) * (hosts - 1.0);
    return std::accumulate(demands.begin(), demands.end(), each * pairs,
                           [](double sum, const Demand& demand) { return sum + demand.amount; });
}

std::vector<std::vector<const Demand*>> demands_by(const Traffic& traffic, int Demand::*end) {
    std::vector<std::vector<const Demand*>> lists(traffic.hosts);
    for (const Demand& demand : traffic.demands) lists[demand.*end].push_back(&demand);
    return lists;
}

Traffic uniform_traffic(int hosts) {
    return {hosts, hosts > 1 ? 1.0 / (hosts - 1) : 0, {}};
}

Traffic nearest_neighbour_traffic(const Network& network) {
    Traffic traffic{network.hosts, 0, {}};
    NearestHosts nearest(network);
    for (int host = 0; host < network.hosts; ++host) {
        const std::vector<int> found = nearest.of(host);
        for (const int to : found) traffic.demands.push_back({host, to, 1.0 / static_cast<double>(found.size())});
    }
    return traffic;
}

Traffic bit_complement_traffic(int hosts) {
    return permutation(hosts, [hosts](int host) { return hosts - 1 - host; });
}

Traffic transpose_traffic(int hosts) {
    const int side = static_cast<int>(std::lround(std::sqrt(hosts)));
    if (side * side != hosts) {
        throw InputError(
            fmt::format("transpose traffic needs a square number of hosts, not {}: take another pattern, "
                        "or {} of the hosts",
                        hosts, side * side > hosts ? (side - 1) * (side - 1) : side * side));
    }
    return permutation(hosts, [side](int host) { return host / side + host % side * side; });
}

Traffic tornado_traffic(const std::vector<int>& shape) {
    const int hosts = static_cast<int>(shape_nodes(shape));
    Traffic traffic = permutation(hosts, [&shape](int host) {
        int target = 0;
        int stride = 1;
        for (const int size : shape) {
            target += (host / stride % size + (size + 1) / 2 - 1) % size * stride;
            stride *= size;
        }
        return target;
    });
    if (traffic.demands.empty()) {
        throw InputError("tornado traffic needs a dimension of three nodes or more: take another pattern");
    }
    return traffic;
}

const std::vector<std::string>& traffic_patterns() {
    static const std::vector<std::string> names{"uniform", "nearest-neighbour", "bit-complement", "transpose",
                                                "tornado"};
    return names;
}

Traffic traffic_pattern(const std::string& name, const Network& network, const std::vector<int>& shape) {
    if (name == "uniform") return uniform_traffic(network.hosts);
    if (name == "nearest-neighbour") return nearest_neighbour_traffic(network);
    if (name == "bit-complement") return bit_complement_traffic(network.hosts);
    if (name == "transpose") return transpose_traffic(network.hosts);
    if (name == "tornado") return tornado_traffic(shape.empty() ? std::vector<int>{network.hosts} : shape);
    const std::string suggestion = did_you_mean(name, traffic_patterns());
    throw InputError(fmt::format("there is no traffic '{}'{}", name,
                                 suggestion.empty() ? ": the patterns are uniform, nearest-neighbour, bit-complement, "
                                                      "transpose and tornado"
                                                    : suggestion));
}

}  // namespace narrows
