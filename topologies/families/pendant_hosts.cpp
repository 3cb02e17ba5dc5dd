#include "topologies/families/pendant_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "topologies/families/formulas.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_hosts_of_router = 65536;

bool known(const Bracket& bracket) {
    return bracket.lower > 0 || bracket.upper < infinity;
}

/// The least of a cut of one host's link and of the routers' bracket over `divisor`.
Bracket least(double host_link, const Bracket& routers, double divisor, const std::string& host_text,
              const std::string& router_text) {
    if (!known(routers)) return routers;
    const double lower = std::min(host_link, routers.lower / divisor);
    // Where nothing is known from above, a host's link would hide that the routers still have to be searched.
    if (routers.upper == infinity && routers.lower < infinity && lower < host_link) {
        return {lower, infinity, routers.method, routers.certificate};
    }
    const double upper = std::min(host_link, routers.upper / divisor);
    return between(lower, upper, upper == host_link ? host_text : routers.certificate + router_text);
}

/// The numbers of a network of N hosts, p at each of the routers.
class PendantCuts {
  public:
    PendantCuts(const ClosedForms& routers, std::int64_t count)
        : routers_(routers), p_(static_cast<double>(count)), n_(static_cast<double>(routers.nodes) * p_) {}

    Bracket phi() const {
        return least(1 / (n_ - 1), routers_.phi, p_ * p_,
                     fmt::format("cut of one host's link: 1 link between 1 and {} hosts", n_ - 1), of_routers());
    }

    Bracket uniform_flow() const {
        return least(1 / (n_ - 1), routers_.uniform_flow, p_ * p_,
                     fmt::format("one host's link, which carries the flows of {} others", n_ - 1), of_routers());
    }

    Bracket alpha() const {
        return least(1, routers_.alpha, p_, "cut of one host's link; no set of routers has fewer links than hosts",
                     of_routers());
    }

    Bracket bisection() const {
        const double half = std::floor(n_ / 2);
        const Bracket sparsest = phi();
        const Bracket smallest = alpha();
        const Bracket middle = routers_.nodes % 2 == 0 ? routers_.bisection : not_known();
        const double upper = std::min(half, middle.upper);
        // Links are whole, so rounding in the products is rounded away.
        const double bound = std::max(smallest.lower * half, sparsest.lower * half * (n_ - half));
        const double lower = std::min(upper, std::ceil(bound * (1 - 1e-12)));
        return between(
            lower, upper,
            upper == half ? fmt::format("cut of the links of {} hosts", half) : middle.certificate + of_routers());
    }

    Distances distances(const Distances& inner) const {
        const double routers = n_ / p_;
        const double within = n_ * (p_ - 1);
        const double across = n_ * (routers - 1) * p_;
        const bool one = routers_.nodes == 1;
        return {one ? 2 : inner.diameter + 2, (2 * within + (inner.mean + 2) * across) / (n_ * (n_ - 1))};
    }

  private:
    std::string of_routers() const { return fmt::format(", {} hosts at each router", p_); }

    const ClosedForms& routers_;
    double p_, n_;
};

Network graph_with_hosts(const ClosedForms& routers, std::int64_t count) {
    const std::int64_t hosts = routers.nodes * count;
    Network network = unlinked(hosts, routers.nodes, hosts + routers.links);
    const Network inner = routers.graph();
    for (int host = 0; host < network.hosts; ++host) {
        network.connect(host, network.hosts + host / static_cast<int>(count));
    }
    for (const auto& [u, v, capacity] : inner.edges) network.connect(network.hosts + u, network.hosts + v, capacity);
    return network;
}

std::shared_ptr<const ClosedForms> with_counted_hosts(const std::shared_ptr<const ClosedForms>& routers,
                                                      std::int64_t count) {
    const std::string spec = fmt::format("{} hosts={}", routers->spec, count);
    return with_hosts(routers, count, spec);
}

}  // namespace

std::shared_ptr<const ClosedForms> with_hosts(const TopologySpec& spec,
                                              const std::shared_ptr<const ClosedForms>& routers) {
    const std::int64_t count = spec.count("hosts", 1, most_hosts_of_router, 0);
    return count == 0 ? routers : with_counted_hosts(routers, count);
}

std::shared_ptr<const ClosedForms> with_hosts(const std::shared_ptr<const ClosedForms>& routers, std::int64_t count,
                                              const std::string& spec) {
    const double hosts = static_cast<double>(routers->nodes) * static_cast<double>(count);
    require_countable(spec, hosts, hosts + static_cast<double>(routers->links));
    ClosedForms network;
    network.spec = spec;
    network.nodes = routers->nodes * count;
    network.links = network.nodes + routers->links;
    network.degree = routers->degree + count;
    network.switched = true;
    if (routers->blocks) {
        network.blocks.emplace();
        for (const HostBlocks& group : *routers->blocks) network.blocks->push_back({group.hosts * count, group.links});
    }
    network.halves = routers->halves;
    for (HostHalves& each : network.halves) each.stride *= count;
    network.graph = [routers, count] { return graph_with_hosts(*routers, count); };
    network.resized = [routers, count, spec](std::int64_t nodes) {
        if (!routers->resized) {
            throw no_other_size({spec, routers->nodes * count, routers->sizing}, nodes);
        }
        if (nodes < 1 || nodes % count != 0) {
            throw InputError(
                fmt::format("'{}' cannot be resized to {} nodes: give a multiple of the {} hosts of a "
                            "router",
                            spec, nodes, count));
        }
        return with_counted_hosts(resized(*routers, nodes / count), count);
    };
    if (network.nodes == 1) {
        network.distances = Distances{};
        fill_single_node(network);
        return share(std::move(network));
    }
    const PendantCuts cuts(*routers, count);
    take_cuts(network, cuts);
    if (routers->distances) network.distances = cuts.distances(*routers->distances);
    return share(std::move(network));
}

}  // namespace narrows
