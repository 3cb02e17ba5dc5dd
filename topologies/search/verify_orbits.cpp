#include "topologies/search/verify_orbits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "topologies/input_error.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

/// Both ends, lower first, capacity and number of a link.
using NamedLink = std::tuple<int, int, double, int>;

bool same_but_number(const NamedLink& a, const NamedLink& b) {
    return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b) && std::get<2>(a) == std::get<2>(b);
}

NamedLink named(int u, int v, double capacity, int edge) {
    return {std::min(u, v), std::max(u, v), capacity, edge};
}

std::vector<std::vector<int>> links_of_vertices(const Network& network) {
    std::vector<std::vector<int>> links(network.vertices());
    for (int e = 0; e < std::ssize(network.edges); ++e) {
        links[network.edges[e].u].push_back(e);
        links[network.edges[e].v].push_back(e);
    }
    return links;
}

void require_renaming(const Network& network, const std::map<int, int>& image, std::size_t pairs) {
    std::vector<int> images;
    bool good = image.size() == pairs;
    for (const auto& [from, to] : image) {
        good = good && std::min(from, to) >= 0 && std::max(from, to) < network.vertices() &&
               (from < network.hosts) == (to < network.hosts) && image.contains(to);
        images.push_back(to);
    }
    std::sort(images.begin(), images.end());
    if (good && std::adjacent_find(images.begin(), images.end()) == images.end()) return;
    throw InputError("a symmetry of the certificate does not rename vertices one to one, hosts to hosts");
}

}  // namespace

Orbits checked_orbits(const Network& network, const std::vector<Automorphism>& automorphisms) {
    const auto links = links_of_vertices(network);
    UnionFind vertices(network.vertices()), edges(static_cast<int>(network.edges.size()));
    for (const Automorphism& automorphism : automorphisms) {
        const std::map<int, int> image(automorphism.moved.begin(), automorphism.moved.end());
        require_renaming(network, image, automorphism.moved.size());
        std::vector<int> touched;
        for (const auto& [from, to] : image) {
            touched.insert(touched.end(), links[from].begin(), links[from].end());
            vertices.join(from, to);
        }
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        std::vector<NamedLink> before, after;
        const auto renamed = [&image](int v) {
            const auto found = image.find(v);
            return found == image.end() ? v : found->second;
        };
        for (const int e : touched) {
            const Edge& edge = network.edges[e];
            before.push_back(named(edge.u, edge.v, edge.capacity, e));
            after.push_back(named(renamed(edge.u), renamed(edge.v), edge.capacity, e));
        }
        std::sort(before.begin(), before.end());
        std::sort(after.begin(), after.end());
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!same_but_number(before[i], after[i])) {
                throw InputError(fmt::format("a symmetry of the certificate takes link {} where there is none",
                                             std::get<3>(after[i])));
            }
            edges.join(std::get<3>(after[i]), std::get<3>(before[i]));
        }
    }
    Orbits orbits;
    std::map<int, int> of_vertex, of_edge;
    for (int host = 0; host < network.hosts; ++host) {
        const auto [at, added] = of_vertex.try_emplace(vertices.find(host), static_cast<int>(orbits.host.size()));
        if (added) {
            orbits.host.push_back(host);
            orbits.hosts.push_back(0);
        }
        ++orbits.hosts[at->second];
    }
    for (int e = 0; e < std::ssize(network.edges); ++e) {
        const auto at = of_edge.try_emplace(edges.find(e), orbits.edge_orbits).first;
        orbits.edge_orbits = std::max(orbits.edge_orbits, at->second + 1);
        orbits.of_edge.push_back(at->second);
    }
    return orbits;
}

}  // namespace narrows
