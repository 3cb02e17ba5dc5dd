#include "topologies/importers/network_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "topologies/plural.hpp"
#include "topologies/union_find.hpp"
#include "topologies/utf8.hpp"

namespace narrows {
namespace {

/// For every vertex the neighbours of greater number, with the direction in which the link was written.
struct UpperNeighbours {
    std::vector<int> begin;
    std::vector<int> neighbour;
    std::vector<bool> reversed;
};

UpperNeighbours upper_neighbours(const std::vector<Edge>& edges, int vertices) {
    UpperNeighbours result{std::vector<int>(static_cast<std::size_t>(vertices) + 1), std::vector<int>(edges.size()),
                           std::vector<bool>(edges.size())};
    for (const auto& [u, v, capacity] : edges) ++result.begin[std::min(u, v) + 1];
    std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
    std::vector<int> next = result.begin;
    for (const auto& [u, v, capacity] : edges) {
        const int place = next[std::min(u, v)]++;
        result.neighbour[place] = std::max(u, v);
        result.reversed[place] = u > v;
    }
    return result;
}

}  // namespace

int NetworkBuilder::vertex(std::string_view name) {
    const int number = names_.number(name);
    if (number == static_cast<int>(kinds_.size())) {
        require_utf8(name);
        if (number >= graph_limit) {
            throw source_->error(name, fmt::format("more than {} vertices: give a smaller network", graph_limit));
        }
        kinds_.push_back(VertexKind::undeclared);
    }
    return number;
}

int NetworkBuilder::add_switch(std::string name) {
    while (find(name) >= 0) name += '_';
    const int added = vertex(name);
    set_kind(added, VertexKind::switching);
    return added;
}

// Names and units are printed and exported as UTF-8, where other bytes would make a file that nothing reads.
void NetworkBuilder::require_utf8(std::string_view text) const {
    if (is_utf8(text)) return;
    throw source_->error(source_->place_of(text),
                         fmt::format("{} is not UTF-8 text: save the file as UTF-8", quoted(text)));
}

void NetworkBuilder::set_label(int vertex, std::string_view label) {
    require_utf8(label);
    if (labels_.size() <= static_cast<std::size_t>(vertex)) labels_.resize(static_cast<std::size_t>(vertex) + 1);
    labels_[vertex] = label;
}

void NetworkBuilder::connect(int u, int v, double capacity, std::string_view place) {
    if (u == v) {
        if (self_loops_++ == 0) first_self_loop_ = place;
        return;
    }
    if (static_cast<std::int64_t>(edges_.size()) >= graph_limit) {
        throw source_->error(place, fmt::format("more than {} links: give a smaller network", graph_limit));
    }
    edges_.push_back({u, v, capacity});
}

void NetworkBuilder::require_host() const {
    if (names_.size() == 0) throw source_->error_of_file("there is no host and no link in this file: give it some");
    if (std::ranges::count(kinds_, VertexKind::switching) == names_.size()) {
        throw source_->error_of_file(
            fmt::format("all {} are declared switches, and cuts count hosts: declare some vertices hosts",
                        plural(names_.size(), "vertex", "vertices")));
    }
}

void NetworkBuilder::apply_labels(std::vector<std::string>& names) const {
    if (labels_.empty()) return;
    std::unordered_map<std::string_view, int> uses;
    for (const std::string& label : labels_) ++uses[label];
    std::vector<std::string> shown(names.size());
    std::unordered_set<std::string_view> taken;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string_view label = i < labels_.size() ? std::string_view(labels_[i]) : std::string_view();
        if (label.empty()) {
            shown[i] = names[i];
        } else {
            shown[i] = uses[label] == 1 ? std::string(label) : fmt::format("{} {}", label, names[i]);
        }
        taken.insert(shown[i]);
    }
    if (taken.size() == shown.size()) names = std::move(shown);
}

std::vector<int> NetworkBuilder::order(const std::vector<std::string>& names) const {
    std::vector<std::int64_t> numbers;
    for (const std::string& name : names) {
        const std::optional<std::int64_t> number = to_count(name);
        if (!number) break;
        numbers.push_back(*number);
    }
    std::vector<int> order(names.size());
    std::iota(order.begin(), order.end(), 0);
    if (numbers.size() == names.size()) {
        std::ranges::stable_sort(order, [&](int a, int b) { return numbers[a] < numbers[b]; });
    }
    std::stable_partition(order.begin(), order.end(), [&](int v) { return kinds_[v] != VertexKind::switching; });
    return order;
}

void NetworkBuilder::pair_opposite_arcs() {
    const auto key = [](const Edge& e) { return std::tuple(std::min(e.u, e.v), std::max(e.u, e.v), e.u > e.v); };
    std::ranges::stable_sort(edges_, [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
    std::vector<Edge> links;
    std::int64_t single = 0;
    std::int64_t paired = 0;
    for (std::size_t i = 0; i < edges_.size();) {
        std::array<double, 2> carried{};
        const Edge first = edges_[i];
        const auto [low, high] = std::minmax(first.u, first.v);
        for (; i < edges_.size() && std::minmax(edges_[i].u, edges_[i].v) == std::minmax(first.u, first.v); ++i) {
            carried[edges_[i].u > edges_[i].v ? 1 : 0] += edges_[i].capacity;
        }
        const bool both = std::min(carried[0], carried[1]) > 0;
        ++(both ? paired : single);
        constexpr double rounding = 1e-12;  // of sums in another order
        if (both && std::abs(carried[0] - carried[1]) > rounding * carried[0]) {
            throw source_->error_of_file(
                fmt::format("the link between {} and {} carries {} one way and {} the other: a link carries the same "
                            "both ways here, so give both the same capacity",
                            quoted(name(low)), quoted(name(high)), carried[0], carried[1]));
        }
        links.push_back({first.u, first.v, std::max(carried[0], carried[1])});
    }
    if (single > 0 && paired > 0) {
        throw source_->error_of_file(
            fmt::format("{} of {} pairs of vertices are joined one way only: declare the graph undirected, or give "
                        "every arc its opposite",
                        single, single + paired));
    }
    if (single > 0) warn("the graph is directed, without opposite arcs; every arc counts as a link usable both ways");
    edges_ = std::move(links);
}

void NetworkBuilder::warn_of_self_loops() {
    if (self_loops_ == 0) return;
    warn(fmt::format("{} dropped, the first at line {}", plural(self_loops_, "self-loop", "self-loops"),
                     source_->line(first_self_loop_)));
}

void NetworkBuilder::warn_of_duplicates() {
    if (parallel_expected_) return;
    const UpperNeighbours upper = upper_neighbours(edges_, vertices());
    // The place, within its lower vertex, of the link last seen to each neighbour.
    std::vector<int> seen(static_cast<std::size_t>(vertices()), -1);
    std::int64_t duplicates = 0;
    std::int64_t reversed = 0;
    for (int u = 0; u < vertices(); ++u) {
        for (int place = upper.begin[u]; place < upper.begin[u + 1]; ++place) {
            int& last = seen[upper.neighbour[place]];
            if (last >= upper.begin[u]) {
                ++duplicates;
                if (upper.reversed[last] != upper.reversed[place]) ++reversed;
            }
            last = place;
        }
    }
    if (duplicates == 0) return;
    const char* both_ways = 2 * duplicates == static_cast<std::int64_t>(edges_.size()) && reversed == duplicates
                                ? ": every link is there in both directions and so counts twice; list it once if that "
                                  "is not meant"
                                : "";
    warn(fmt::format("{} another and adds up with it in cuts and flows{}",
                     plural(duplicates, "link repeats", "links each repeat"), both_ways));
}

void NetworkBuilder::warn_of_parts() {
    UnionFind joined(vertices());
    for (const auto& [u, v, capacity] : edges_) joined.join(u, v);
    if (joined.sets() == 1) return;
    std::vector<bool> hosting(kinds_.size());
    for (int v = 0; v < vertices(); ++v) {
        if (kinds_[v] != VertexKind::switching) hosting[joined.find(v)] = true;
    }
    warn(fmt::format("the network is in {} parts that no link joins, {} of them with hosts", joined.sets(),
                     std::ranges::count(hosting, true)));
}

void NetworkBuilder::warn_of_undeclared_switches(std::string_view remedy) {
    const auto is_declared = [](VertexKind kind) { return kind != VertexKind::undeclared; };
    if (std::ranges::any_of(kinds_, is_declared)) return;
    const std::vector<int> degree = degrees(vertices(), edges_);
    std::vector<int> hanging(kinds_.size());
    for (const auto& [u, v, capacity] : edges_) {
        if (degree[u] == 1) ++hanging[v];
        if (degree[v] == 1) ++hanging[u];
    }
    int holding = 0;
    while (holding < vertices() && (hanging[holding] < 2 || degree[holding] < 3)) ++holding;  // 2: the middle of a line
    if (holding == vertices()) return;
    const std::string& holder = name(holding);
    warn(fmt::format("all {} vertices count as nodes, also {}, on which {} others hang alone: {}", vertices(),
                     quoted(holder), hanging[holding], fmt::format(fmt::runtime(remedy), holder)));
}

LabelledNetwork NetworkBuilder::finish(std::string format, std::string capacity_unit) && {
    require_host();
    require_utf8(capacity_unit);
    if (directed_) pair_opposite_arcs();
    warn_of_self_loops();
    warn_of_duplicates();
    warn_of_parts();
    std::vector<std::string> names = std::move(names_).take();
    apply_labels(names);
    const std::vector<int> place = order(names);
    LabelledNetwork result{{}, std::vector<std::string>(names.size()), std::move(capacity_unit), {}, std::move(format)};
    std::vector<int> number(names.size());
    for (std::size_t i = 0; i < place.size(); ++i) {
        number[place[i]] = static_cast<int>(i);
        result.names[i] = std::move(names[place[i]]);
    }
    result.network.switches = static_cast<int>(std::ranges::count(kinds_, VertexKind::switching));
    result.network.hosts = static_cast<int>(kinds_.size()) - result.network.switches;
    result.network.edges = std::move(edges_);
    for (Edge& edge : result.network.edges) edge = {number[edge.u], number[edge.v], edge.capacity};
    if (result.network.hosts == 1) warn("there is a single host, so there is nothing to cut");
    result.warnings = std::move(warnings_);
    return result;
}

}  // namespace narrows
