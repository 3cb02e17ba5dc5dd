// Random regular graphs: Singla, Hong, Popa and Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012. The
// same seed gives the same graph on every machine: the generator and everything that uses it is laid down here or by
// the C++ standard. Links are dealt by shuffling the ends of all nodes and joining them in pairs (the configuration
// model); a pair that is a loop or a second link swaps ends with a random other pair, and so do two pairs of different
// parts until the graph is connected. A graph denser than half is the complement of such a graph.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "topologies/families/formulas.hpp"
#include "topologies/families/makers.hpp"
#include "topologies/families/pendant_hosts.hpp"
#include "topologies/input_error.hpp"
#include "topologies/random.hpp"
#include "topologies/shape.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

using Pair = std::pair<int, int>;

/// Pairs of ends, and how often each two nodes are paired.
class Pairing {
  public:
    Pairing(int nodes, int degree, std::mt19937_64& random) : nodes_(nodes), random_(random) {
        while (!deal(degree)) {
        }
    }

    /// Swaps ends of pairs of different parts until there is one part.
    void join_parts() {
        const auto are_several = [](const std::vector<int>& part) {
            return std::ranges::count(part, part.front()) < std::ssize(part);
        };
        for (std::vector<int> part = parts(); are_several(part); part = parts()) {
            const std::size_t one = random_below(random_, pairs_.size());
            std::size_t other = random_below(random_, pairs_.size());
            while (part[pairs_[other].first] == part[pairs_[one].first]) other = random_below(random_, pairs_.size());
            try_swap(one, other);
        }
    }

    bool linked(int u, int v) const { return used_.count(std::minmax(u, v)) > 0; }
    const std::vector<Pair>& pairs() const { return pairs_; }

  private:
    /// Whether no loop and no second link is left; there may be no swap that removes the last.
    bool deal(int degree) {
        std::vector<int> ends;
        ends.reserve(static_cast<std::size_t>(nodes_) * degree);
        for (int node = 0; node < nodes_; ++node) ends.insert(ends.end(), degree, node);
        for (std::size_t i = ends.size(); i > 1; --i) std::swap(ends[i - 1], ends[random_below(random_, i)]);
        pairs_.clear();
        used_.clear();
        for (std::size_t i = 0; i < ends.size(); i += 2) add(ends[i], ends[i + 1]);
        std::size_t attempts = 100 * pairs_.size();
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            for (; !is_simple(i); --attempts) {
                if (attempts == 0) return false;
                try_swap(i, random_below(random_, pairs_.size()));
            }
        }
        return true;
    }

    void add(int u, int v) {
        pairs_.emplace_back(u, v);
        used_.insert(std::minmax(u, v));
    }

    bool is_simple(std::size_t i) const {
        const auto [u, v] = pairs_[i];
        return u != v && used_.count(std::minmax(u, v)) == 1;
    }

    /// Pairs (u, v) and (x, y) become (u, x) and (v, y), or (u, y) and (v, x), if both are new links.
    void try_swap(std::size_t i, std::size_t j) {
        if (random_below(random_, 2) == 1) std::swap(pairs_[j].first, pairs_[j].second);
        const auto [u, v] = pairs_[i];
        const auto [x, y] = pairs_[j];
        if (i == j || u == x || v == y || linked(u, x) || linked(v, y)) return;
        if (std::minmax(u, x) == std::minmax(v, y)) return;
        used_.erase(used_.find(std::minmax(u, v)));
        used_.erase(used_.find(std::minmax(x, y)));
        pairs_[i] = {u, x};
        pairs_[j] = {v, y};
        used_.insert(std::minmax(u, x));
        used_.insert(std::minmax(v, y));
    }

    /// The part of each node.
    std::vector<int> parts() const {
        UnionFind joined(nodes_);
        for (const auto& [u, v] : pairs_) joined.join(u, v);
        return joined.numbers();
    }

    int nodes_;
    std::mt19937_64& random_;
    std::vector<Pair> pairs_;
    std::multiset<Pair> used_;
};

Network random_regular_graph(int nodes, int degree, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Network network{nodes, 0, {}};
    if (2 * degree < nodes) {
        Pairing pairing(nodes, degree, random);
        pairing.join_parts();
        for (const auto& [u, v] : pairing.pairs()) network.connect(std::min(u, v), std::max(u, v));
    } else {
        const Pairing missing(nodes, nodes - 1 - degree, random);
        for (int u = 0; u < nodes; ++u) {
            for (int v = u + 1; v < nodes; ++v) {
                if (!missing.linked(u, v)) network.connect(u, v);
            }
        }
    }
    const auto before = [](const Edge& a, const Edge& b) { return std::pair(a.u, a.v) < std::pair(b.u, b.v); };
    std::ranges::sort(network.edges, before);
    return network;
}

void require_possible(std::int64_t nodes, std::int64_t degree) {
    if (nodes > graph_limit) {
        throw InputError(fmt::format("a random regular graph of {} nodes has to be written out: give at most {}", nodes,
                                     graph_limit));
    }
    if (nodes < 1 || degree >= nodes) {
        throw InputError(fmt::format("{} nodes cannot have degree {}: give a degree of at most {}", nodes, degree,
                                     std::max<std::int64_t>(nodes - 1, 0)));
    }
    if (degree < 2 && nodes > degree + 1) {
        throw InputError(fmt::format("{} nodes of degree {} are not connected: give a degree of at least {}", nodes,
                                     degree, std::min<std::int64_t>(nodes - 1, 2)));
    }
    if (nodes % 2 == 1 && degree % 2 == 1) {
        throw InputError(
            fmt::format("{} nodes cannot all have degree {}, since both are odd: give an even degree or an "
                        "even number of nodes",
                        nodes, degree));
    }
}

std::shared_ptr<const ClosedForms> random_regular(const std::string& family, std::int64_t nodes, std::int64_t degree,
                                                  std::int64_t seed) {
    require_possible(nodes, degree);
    ClosedForms network;
    network.spec = fmt::format("{} {} degree={} seed={}", family, nodes, degree, seed);
    network.links = nodes * degree / 2;
    require_graph(network.spec, static_cast<double>(nodes), static_cast<double>(network.links));
    network.nodes = nodes;
    network.degree = static_cast<int>(degree);
    network.resized = [=](std::int64_t other) { return random_regular(family, other, degree, seed); };
    network.graph = [=] {
        return random_regular_graph(static_cast<int>(nodes), static_cast<int>(degree),
                                    static_cast<std::uint64_t>(seed));
    };
    return share(std::move(network));
}

}  // namespace

std::shared_ptr<const ClosedForms> make_random_regular(const TopologySpec& spec) {
    const std::int64_t nodes = parse_count(*spec.size, "the number of nodes", 1, node_limit);
    const std::int64_t degree = spec.count("degree", 0, graph_limit, 0);
    const std::int64_t seed = spec.count("seed", 0, std::numeric_limits<std::int64_t>::max(), 1);
    return with_hosts(spec, random_regular(spec.family, nodes, degree, seed));
}

}  // namespace narrows
