#include "model/demand/node_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "model/demand/placement.hpp"
#include "topologies/distance.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_nodes = 1 << 20;
constexpr std::size_t most_measured = std::size_t{1} << 27;  // links looked at to measure distances
constexpr std::size_t most_searched = std::size_t{1} << 22;  // the same, one node at a time
constexpr int most_routed = 1024;                            // nodes whose messages are routed one by one

// Links between all of these vertices, row by row, 0 where there is no way: 64 searches at once, one a bit. `number` is
// each vertex's place among them, or negative.
std::vector<std::uint16_t> links_between_all(const Adjacency& arcs, const std::vector<int>& vertices,
                                             const std::vector<int>& number) {
    const std::size_t count = vertices.size(), all = number.size();
    std::vector<std::uint16_t> links(count * count);
    for (std::size_t first = 0; first < count; first += 64) {
        std::vector<std::uint64_t> seen(all, 0), front;
        for (std::size_t i = first; i < std::min(count, first + 64); ++i) {
            seen[vertices[i]] = std::uint64_t{1} << (i - first);
        }
        front = seen;
        bool goes_on = true;
        for (std::uint16_t far = 1; goes_on; ++far) {
            std::vector<std::uint64_t> next(all, 0);
            for (std::size_t vertex = 0; vertex < all; ++vertex) {
                if (front[vertex] == 0) continue;
                for (int arc = arcs.first[vertex]; arc < arcs.first[vertex + 1]; ++arc) {
                    next[arcs.target[arc]] |= front[vertex];
                }
            }
            goes_on = false;
            for (std::size_t vertex = 0; vertex < all; ++vertex) {
                next[vertex] &= ~seen[vertex];
                seen[vertex] |= next[vertex];
                goes_on = goes_on || next[vertex] != 0;
                if (number[vertex] < 0) continue;
                std::uint16_t* const row = &links[static_cast<std::size_t>(number[vertex]) * count + first];
                for (std::uint64_t bits = next[vertex]; bits != 0; bits &= bits - 1) row[std::countr_zero(bits)] = far;
            }
            front = std::move(next);
        }
    }
    return links;
}

/// Links from a host to a router that a host reaches, on the mean over both; from some hosts of many. 0 where a host
/// cannot reach what another does.
double links_to_routers(const Network& network) {
    const Adjacency arcs(network);
    const std::vector<int> near_hosts = levels_above_hosts(network, arcs);
    const auto most = static_cast<std::int64_t>(most_searched / std::max<std::size_t>(1, network.edges.size()));
    const std::int64_t starts = std::clamp<std::int64_t>(most, 1, network.hosts);
    double links = 0, ways = 0;
    for (std::int64_t start = 0; start < starts; ++start) {
        const std::vector<int> far = links_from(arcs, {static_cast<int>(start * network.hosts / starts)});
        for (int router = network.first_router(); router < network.vertices(); ++router) {
            if (near_hosts[router] < 0) continue;
            if (far[router] < 0) return 0;
            links += far[router];
            ++ways;
        }
    }
    return ways == 0 ? 0 : links / ways;
}

// Links of a message that first goes to a router by chance, each as likely; to one that hosts hang on in a switched
// network too large to be written out. On the mean, to the nearest whole number. 0 where a host cannot reach another.
int links_by_detour(const Topology& topology, const BoundedNetwork* graph) {
    const auto known = graph == nullptr ? topology.distances() : std::nullopt;
    const bool is_small = topology.links() <= most_links_written_out;
    if (graph != nullptr || (is_small && (topology.switched() || !known))) {
        const double links = links_to_routers(graph != nullptr ? graph->network : topology.graph());
        return static_cast<int>(std::lround(2 * links));
    }
    if (!known) return 0;
    const auto nodes = static_cast<double>(topology.nodes());
    const double ends = topology.switched() ? 2 : 0;
    return static_cast<int>(std::lround(ends + 2 * (known->mean - ends) * (nodes - 1) / nodes));
}

}  // namespace

NodeNetwork::NodeNetwork(const Topology& topology, std::shared_ptr<const BoundedNetwork> graph,
                         std::optional<Routing> routing)
    : nodes_(static_cast<int>(std::min(topology.nodes(), most_nodes))), grid_nodes_(topology.nodes()), known_(routing) {
    if (nodes_ == 1) return;
    const bool in_order = routing && routing->kind == Routing::Kind::dimension_order;
    if (!graph && in_order && !topology.grid_wraps().empty()) {
        routing_ = routing;
    } else if (routing && nodes_ <= most_routed && topology.links() <= most_links_written_out) {
        routing_ = routing;
        written_ = graph ? graph : std::make_shared<const BoundedNetwork>(BoundedNetwork{topology.graph(), {}, {}});
    }
    if (routing && routing->kind == Routing::Kind::valiant) detour_ = links_by_detour(topology, graph.get());
    if (topology.switched()) host_links_.assign(nodes_, 1.0);
    if (!topology.switched()) degree_ = static_cast<double>(topology.degree());
    wraps_ = topology.grid_wraps();
    if (!wraps_.empty()) {
        grid_ = topology.shape();
        return;
    }
    if (!graph) halves_ = topology.halves();
    cuts_ = boundaries_of(halves_, nodes_);
    if (const auto blocks = topology.blocks(); !graph && blocks) {
        blocks_ = *blocks;
        const auto known = topology.distances();
        diameter_ = known ? known->diameter : diameter_;
        tree_ = topology.tree();
        const bool spread =
            routing && (routing->kind == Routing::Kind::up_down || routing->kind == Routing::Kind::shortest);
        bounds_are_exact_ = tree_ && spread;
        if (bounds_are_exact_) routing_.reset();
        if (tree_) return;
    }
    if (!graph && topology.links() <= most_links_written_out && topology.nodes() == nodes_) {
        graph = std::make_shared<const BoundedNetwork>(BoundedNetwork{topology.graph(), {}, {}});
        if (blocks_.empty() && topology.switched()) boundaries_ = boundaries(graph->network);
    } else if (graph) {
        boundaries_ = graph->groups;
        cuts_ = graph->cuts;
        if (topology.switched()) host_links_ = host_links(graph->network);
    }
    if (graph) {
        measure_distances(graph->network);
    } else if (const auto known = topology.distances()) {
        diameter_ = known->diameter;
    }
}

// Between the vertices that hosts hang on, which are fewer; else from one of them, as far as any host is from it.
void NodeNetwork::measure_distances(const Network& network) {
    const Adjacency arcs(network);
    bool hang = hang_on_switches(network);
    for (int host = 0; host < nodes_; ++host) hang = hang && arcs.first[host + 1] - arcs.first[host] == 1;
    near_ = hang ? 2 : 0;
    std::vector<int> number(network.vertices(), -1);
    std::vector<int> entries;
    for (int host = 0; host < nodes_; ++host) {
        const int entry = hang ? arcs.target[arcs.first[host]] : host;
        if (number[entry] < 0) {
            number[entry] = static_cast<int>(entries.size());
            entries.push_back(entry);
        }
        entry_.push_back(number[entry]);
    }
    const std::size_t count = entries.size();
    if (count * network.edges.size() > most_measured) {
        const std::vector<int> far = links_from(arcs, {entries.front()});
        for (const int entry : entries) diameter_ = std::max(diameter_, far[entry] + near_);
        return;
    }
    distance_ = links_between_all(arcs, entries, number);
    for (const Edge& edge : network.edges) {
        const bool of_host = near_ > 0 && std::min(edge.u, edge.v) < network.hosts;
        if (detour_ == 0 && !of_host) room_ += 2 * edge.capacity;
    }
    for (const std::uint16_t links : distance_) diameter_ = std::max(diameter_, near_ + links);
    entries_ = count;
}

int NodeNetwork::links_between(int a, int b) const {
    if (a == b) return 0;
    if (detour_ > 0) return detour_;
    if (!distance_.empty()) return near_ + distance_[entry_[a] * entries_ + entry_[b]];
    if (tree_) {
        const auto parted = [a, b](const HostBlocks& block) { return a / block.hosts != b / block.hosts; };
        return 2 * (1 + static_cast<int>(std::ranges::count_if(blocks_, parted)));
    }
    if (grid_.empty()) return diameter_;
    int links = 0;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
        const int apart = std::abs(a % grid_[i] - b % grid_[i]);
        links += wraps_[i] ? std::min(apart, grid_[i] - apart) : apart;
        a /= grid_[i];
        b /= grid_[i];
    }
    return links;
}

NodeNetwork NodeNetwork::lines(std::size_t first, std::size_t end) const {
    NodeNetwork part = *this;
    const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(end);
    part.grid_.assign(grid_.begin() + from, grid_.begin() + to);
    part.wraps_.assign(wraps_.begin() + from, wraps_.begin() + to);
    part.grid_nodes_ = shape_nodes(part.grid_);
    part.nodes_ = static_cast<int>(part.grid_nodes_);
    return part;
}

PairLoads NodeNetwork::crossing_blocks(double leaving, const std::vector<double>& crossing) const {
    PairLoads loads;
    loads.leaving = leaving;
    if (!host_links_.empty()) loads.host = std::max(1.0, leaving);
    if (degree_ > 0) loads.shared = leaving / degree_;
    int crossed = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (crossing[i] > 0) ++crossed;
        loads.shared = std::max(loads.shared, crossing[i] / blocks_[i].links);
    }
    loads.links = tree_ ? 2 * (1 + crossed) : diameter_;
    return loads;
}

double NodeNetwork::cost_of_routing() const {
    if (!routing_) return 0;
    if (routing_->kind != Routing::Kind::dimension_order) return nodes_;
    constexpr double least = 16;
    double links = 0;  // of a message on the mean
    for (std::size_t i = 0; i < grid_.size(); ++i) links += grid_[i] / (wraps_[i] ? 4.0 : 3.0);
    return std::max(least, links);
}

PairLoads NodeNetwork::loads(const std::vector<std::pair<int, int>>& messages) const {
    PairCount count(*this, nodes_);
    for (const auto& [from, to] : messages) {
        if (from != to) count.add(from, to);
    }
    count.finish();
    return count.worst();
}

PairCount::PairCount(const NodeNetwork& network, int nodes) : network_(network), traffic_{network.nodes_, 0, {}} {
    const auto in_rows_of = [nodes](int hosts) { return std::vector<std::int64_t>((nodes - 1) / hosts + 1, 0); };
    nodes_ = {nullptr, 1, &network.host_links_, 0, in_rows_of(1), in_rows_of(1)};
    for (const HostBlocks& block : network.blocks_) {
        const int hosts = static_cast<int>(std::min<std::int64_t>(block.hosts, network.nodes_));
        boundaries_.push_back({nullptr, hosts, nullptr, block.links, in_rows_of(hosts), in_rows_of(hosts)});
    }
    for (const auto* const divisions : {&network.boundaries_, &network.cuts_}) {
        for (const Boundary& each : *divisions) {
            const std::vector<std::int64_t> none(each.links.size(), 0);
            boundaries_.push_back({&each.group, 1, &each.links, 0, none, none});
        }
    }
    for (std::size_t i = 0; i < network.grid_.size(); ++i) {
        const int size = network.grid_[i];
        slabs_.emplace_back(size, network.wraps_[i] && size > 2);  // two nodes have one link
    }
    for (const HostHalves& each : network.halves_) {
        if (each.ways > 0) slabs_.emplace_back(each.size, each.ways == 2);
    }
    if (network.written_) traffic_.hosts = network.written_->network.hosts;
    if (network.routing_ && !network.written_) {
        routes_.emplace(network.grid_, network.wraps_, network.routing_->ties_onwards);
    }
    worst_.leaving = 0;
}

void PairCount::add(int from, int to, std::int64_t alike) {
    nodes_.out[from] += alike;
    nodes_.in[to] += alike;
    int crossed = 0;
    for (Groups& groups : boundaries_) {
        const int left = groups.of(from), entered = groups.of(to);
        if (left == entered) continue;
        ++crossed;
        groups.out[left] += alike;
        groups.in[entered] += alike;
    }
    const int links = network_.tree_ ? 2 * (1 + crossed) : network_.links_between(from, to);
    worst_.links = std::max(worst_.links, links);
    walked_ += static_cast<double>(links - network_.near_) * static_cast<double>(alike);
    if (routes_) routes_->add(from, to, static_cast<double>(alike));
    if (network_.written_ && network_.routing_) traffic_.demands.push_back({from, to, static_cast<double>(alike)});
    for (std::size_t i = 0, slab = 0; i < network_.halves_.size(); ++i) {
        const HostHalves& each = network_.halves_[i];
        if (each.ways > 0) slabs_[slab++].add(each.place(from), each.place(to), alike);
    }
    for (std::size_t i = 0; i < network_.grid_.size(); ++i) {
        const int size = network_.grid_[i];
        slabs_[i].add(from % size, to % size, alike);
        from /= size;
        to /= size;
    }
}

double PairCount::over_links(const Groups& groups, int from, int to) const {
    const int left = groups.of(from), entered = groups.of(to);
    if (left == entered) return 0;
    return std::max(static_cast<double>(groups.out[left]) / groups.links_of(left),
                    static_cast<double>(groups.in[entered]) / groups.links_of(entered));
}

PairLoads PairCount::of(int from, int to) const {
    PairLoads loads;
    loads.links = network_.links_between(from, to);
    loads.leaving = static_cast<double>(std::max(nodes_.out[from], nodes_.in[to]));
    if (!nodes_.links->empty()) loads.host = std::max(1.0, over_links(nodes_, from, to));
    if (routes_) {
        loads.shared = routes_->fullest_of(from, to);
        return loads;
    }
    loads.shared = everywhere_;
    if (network_.degree_ > 0) loads.shared = std::max(loads.shared, loads.leaving / network_.degree_);
    for (const Groups& groups : boundaries_) loads.shared = std::max(loads.shared, over_links(groups, from, to));
    return loads;
}

void PairCount::finish() {
    everywhere_ = fullest_slab();
    if (network_.room_ > 0) everywhere_ = std::max(everywhere_, walked_ / network_.room_);
    if (network_.routing_) everywhere_ = std::max(everywhere_, routes_ ? routes_->fullest() : fullest_link());
    const auto fullest = [](const Groups& groups) {
        double most = 0;
        for (std::size_t i = 0; i < groups.out.size(); ++i) {
            const auto crossing = static_cast<double>(std::max(groups.out[i], groups.in[i]));
            const double links = groups.links_of(static_cast<int>(i));
            if (crossing > most * links) most = crossing / links;
        }
        return most;
    };
    const auto most = [](const std::vector<std::int64_t>& of_each) {
        return static_cast<double>(*std::ranges::max_element(of_each));
    };
    worst_.leaving = std::max(most(nodes_.out), most(nodes_.in));
    if (!nodes_.links->empty()) worst_.host = std::max(1.0, fullest(nodes_));
    worst_.shared = everywhere_;
    if (network_.degree_ > 0) worst_.shared = std::max(worst_.shared, worst_.leaving / network_.degree_);
    for (const Groups& groups : boundaries_) worst_.shared = std::max(worst_.shared, fullest(groups));
}

double PairCount::fullest_slab() const {
    double fullest = 0;
    auto slab = slabs_.begin();
    for (const HostHalves& each : network_.halves_) {
        if (each.ways > 0) fullest = std::max(fullest, slab++->fullest() * each.ways / each.links);
    }
    for (const int size : network_.grid_) {
        fullest = std::max(fullest, slab++->fullest() * size / static_cast<double>(network_.grid_nodes_));
    }
    return fullest;
}

double PairCount::fullest_link() const {
    const Network& network = network_.written_->network;
    return fullest_share(network, *routed_loads(*network_.routing_, network, {}, {}, traffic_, 1, never_stop));
}

}  // namespace narrows
