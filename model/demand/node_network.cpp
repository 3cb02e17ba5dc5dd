#include "model/demand/node_network.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "model/demand/placement.hpp"
#include "topologies/distance.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_nodes = 1 << 20;
constexpr std::size_t most_measured = std::size_t{1} << 27;  // links looked at to measure distances
constexpr int most_routed = 1024;                            // nodes whose messages are routed one by one

// Sums over rectangles of a matrix of places, whose intervals may go round its end.
class Places {
  public:
    explicit Places(int size) : size_(size), sums_(static_cast<std::size_t>(size + 1) * (size + 1), 0.0) {}

    void add(int from, int to) { ++at(from + 1, to + 1); }
    void finish() {
        for (int i = 1; i <= size_; ++i) {
            for (int j = 1; j <= size_; ++j) at(i, j) += at(i - 1, j) + at(i, j - 1) - at(i - 1, j - 1);
        }
    }
    // Of `length` places from `first` on, in both directions.
    double sum(int first, int length, int first_to, int length_to) const {
        double total = 0;
        for (const auto& [a, b] : parts(first, length)) {
            for (const auto& [c, d] : parts(first_to, length_to)) total += at(b, d) - at(a, d) - at(b, c) + at(a, c);
        }
        return total;
    }

  private:
    double& at(int i, int j) { return sums_[static_cast<std::size_t>(i) * (size_ + 1) + j]; }
    double at(int i, int j) const { return sums_[static_cast<std::size_t>(i) * (size_ + 1) + j]; }
    std::array<std::pair<int, int>, 2> parts(int first, int length) const {
        const int end = first + length;
        return {{{first, std::min(end, size_)}, {0, std::max(0, end - size_)}}};
    }

    int size_;
    std::vector<double> sums_;
};

}  // namespace

NodeNetwork::NodeNetwork(const Topology& topology, std::shared_ptr<const BoundedNetwork> graph,
                         std::optional<Routing> routing)
    : nodes_(static_cast<int>(std::min(topology.nodes(), most_nodes))), grid_nodes_(topology.nodes()) {
    if (nodes_ == 1) return;
    if (routing && nodes_ <= most_routed && topology.links() <= most_links_written_out) {
        routing_ = routing;
        written_ = graph ? graph : std::make_shared<const BoundedNetwork>(BoundedNetwork{topology.graph(), {}, {}});
        if (!graph && !topology.grid_wraps().empty()) routed_shape_ = topology.shape();
    }
    if (topology.switched()) host_links_.assign(nodes_, 1.0);
    wraps_ = topology.grid_wraps();
    if (!wraps_.empty()) {
        grid_ = topology.shape();
        return;
    }
    if (const auto blocks = topology.blocks(); !graph && blocks) {
        add_blocks(*blocks);
        const auto known = topology.distances();
        diameter_ = known ? known->diameter : diameter_;
        tree_ = diameter_ == 2 * (static_cast<int>(boundaries_.size()) + 1);
        if (tree_) return;
    }
    if (!graph && topology.links() <= most_links_written_out && topology.nodes() == nodes_) {
        graph = std::make_shared<const BoundedNetwork>(BoundedNetwork{topology.graph(), {}, {}});
        if (boundaries_.empty() && topology.switched()) boundaries_ = boundaries(graph->network);
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

void NodeNetwork::add_blocks(const std::vector<HostBlocks>& blocks) {
    for (const HostBlocks& block : blocks) {
        Boundary boundary;
        for (int node = 0; node < nodes_; ++node) boundary.group.push_back(static_cast<int>(node / block.hosts));
        boundary.links.assign(boundary.group.back() + 1, block.links);
        boundaries_.push_back(std::move(boundary));
    }
}

// Between the vertices that hosts hang on, which are fewer; else from one of them, as far as any host is from it.
void NodeNetwork::measure_distances(const Network& network) {
    const Adjacency arcs(network);
    const bool hang = hang_on_switches(network);
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
    distance_.resize(count * count);
    for (std::size_t from = 0; from < count; ++from) {
        const std::vector<int> far = links_from(arcs, {entries[from]});
        for (std::size_t to = 0; to < count; ++to) {
            distance_[from * count + to] = static_cast<std::uint16_t>(std::max(0, far[entries[to]]));
        }
    }
    entries_ = count;
}

int NodeNetwork::links_between(int a, int b) const {
    if (a == b) return 0;
    if (!distance_.empty()) return near_ + distance_[entry_[a] * entries_ + entry_[b]];
    if (tree_) {
        const auto parted = [a, b](const Boundary& boundary) { return boundary.group[a] != boundary.group[b]; };
        return 2 * (1 + static_cast<int>(std::count_if(boundaries_.begin(), boundaries_.end(), parted)));
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

// Messages over a link of the fullest cut across a dimension: a ring is cut in halves at every place, a line once at
// every place. Both need only how many messages go from which place of the dimension to which.
double NodeNetwork::fullest_slab(const std::vector<std::pair<int, int>>& messages) const {
    double fullest = 0;
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
        const int size = grid_[i];
        const auto place = [stride, size](int node) { return static_cast<int>(node / stride % size); };
        Places between(size);
        for (const auto& [from, to] : messages) between.add(place(from), place(to));
        between.finish();
        const double lines = static_cast<double>(grid_nodes_) / size;
        const double links = wraps_[i] ? 2 * lines : lines;
        for (int cut = 1; cut < (wraps_[i] ? (size + 1) / 2 + 1 : size); ++cut) {
            const int first = wraps_[i] ? cut - 1 : 0, length = wraps_[i] ? size / 2 : cut;
            const double inside = between.sum(first, length, first, length);
            const double out = between.sum(first, length, 0, size) - inside;
            const double in = between.sum(0, size, first, length) - inside;
            fullest = std::max(fullest, std::max(out, in) / links);
        }
        stride *= size;
    }
    return fullest;
}

double NodeNetwork::fullest_link(const std::vector<std::pair<int, int>>& messages) const {
    Traffic traffic{written_->network.hosts, 0, {}};
    for (const auto& [from, to] : messages) {
        if (from != to) traffic.demands.push_back({from, to, 1});
    }
    const std::vector<bool> wraps = routed_shape_.empty() ? std::vector<bool>() : wraps_;
    const Network& network = written_->network;
    return fullest_share(network, *routed_loads(*routing_, network, routed_shape_, wraps, traffic, 1, never_stop));
}

PairLoads NodeNetwork::loads(const std::vector<std::pair<int, int>>& messages) const {
    PairLoads loads;
    loads.is_grid = !grid_.empty();
    loads.shared = fullest_slab(messages);
    for (const auto& [from, to] : messages) loads.links = std::max(loads.links, links_between(from, to));
    const auto fullest = [&messages](const std::vector<double>& links, const auto& group) {
        std::vector<double> out(links.size(), 0.0), in(links.size(), 0.0);
        for (const auto& [from, to] : messages) {
            if (group(from) == group(to)) continue;
            ++out[group(from)];
            ++in[group(to)];
        }
        double most = 0;
        for (std::size_t i = 0; i < links.size(); ++i) most = std::max(most, std::max(out[i], in[i]) / links[i]);
        return most;
    };
    if (!host_links_.empty()) loads.host = std::max(1.0, fullest(host_links_, [](int node) { return node; }));
    for (const auto* const divisions : {&boundaries_, &cuts_}) {
        for (const Boundary& each : *divisions) {
            loads.shared = std::max(loads.shared, fullest(each.links, [&](int node) { return each.group[node]; }));
        }
    }
    if (routing_) loads.shared = std::max(loads.shared, fullest_link(messages));
    return loads;
}

}  // namespace narrows
