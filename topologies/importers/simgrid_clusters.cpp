#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "topologies/importers/simgrid_parts.hpp"
#include "topologies/shape.hpp"
#include "topologies/topology.hpp"

namespace narrows::simgrid {
namespace {

/// What `p` of `pbps` or `pBps` multiplies by, if it is a prefix.
std::optional<double> prefix_factor(std::string_view prefix) {
    constexpr std::string_view letters = "kMGTPE";
    if (prefix.empty()) return 1;
    const std::size_t power = prefix.front() == 'K' ? 0 : letters.find(prefix.front());
    if (power == std::string_view::npos || (prefix.size() > 1 && prefix.substr(1) != "i")) return std::nullopt;
    return std::pow(prefix.size() > 1 ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

/// Bit/s of one unit, if it is a unit.
std::optional<double> unit_factor(std::string_view unit) {
    if (unit.empty()) return 8;
    if (unit.size() < 3 || unit.substr(unit.size() - 2) != "ps") return std::nullopt;
    const char letter = unit[unit.size() - 3];
    if (letter != 'b' && letter != 'B') return std::nullopt;
    const std::optional<double> factor = prefix_factor(unit.substr(0, unit.size() - 3));
    return factor ? std::optional(*factor * (letter == 'B' ? 8 : 1)) : std::nullopt;
}

/// Gbit/s of a number and its unit.
std::optional<double> bandwidth(std::string_view text) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc()) return std::nullopt;
    const std::size_t digits = static_cast<std::size_t>(end - text.data());
    const std::optional<double> factor = unit_factor(trimmed(text.substr(digits)));
    if (!factor) return std::nullopt;
    return value * (*factor / 1e9);
}

/// A cluster being written out.
class Cluster {
  public:
    Cluster(const Source& source, const Xml& xml, pugi::xml_node node, NetworkBuilder& builder)
        : xml_(xml),
          node_(node),
          builder_(builder),
          place_(xml.place(node)),
          id_(xml.required(node, "id")),
          rate_(link_rate(source, xml, node, "bw")) {}

    void add() {
        refuse_unsupported();
        add_hosts();
        const std::string_view topology = node_.attribute("topology").value();
        if (topology.empty() || topology == "FLAT") return add_crossbar();
        if (topology == "TORUS") return add_torus();
        if (topology == "FAT_TREE") return add_fat_tree();
        if (topology == "DRAGONFLY") return add_dragonfly();
        throw xml_.error(node_,
                         fmt::format("topology {} is none of FLAT, TORUS, FAT_TREE, DRAGONFLY", quoted(topology)));
    }

    int hosts() const { return static_cast<int>(hosts_.size()); }

  private:
    void refuse_unsupported() const {
        if (node_.attribute("limiter_link")) {
            throw xml_.error(node_,
                             "a limiter_link limits what all links of a host carry together, which links of a graph "
                             "cannot express: leave it out");
        }
        const std::string_view policy = node_.attribute("sharing_policy").value();
        if (policy == "FATPIPE") throw xml_.error(node_, "links of sharing_policy FATPIPE never fill: use SPLITDUPLEX");
        if (policy == "SHARED")
            builder_.warn(
                "links are shared by both directions (sharing_policy SHARED), and count here "
                "with their whole bandwidth each way");
    }

    void add_hosts() {
        const std::string prefix = node_.attribute("prefix").value();
        const std::string suffix = node_.attribute("suffix").value();
        std::string_view rest = xml_.required(node_, "radical");
        while (!rest.empty()) {
            const std::string_view range = trimmed(cut_until(rest, ','));
            const std::size_t dash = range.find('-');
            const auto low = to_count(range.substr(0, dash));
            const auto high = dash == range.npos ? low : to_count(range.substr(dash + 1));
            if (low && high && *high - *low >= graph_limit) {
                throw xml_.error(node_, fmt::format("radical {} has more hosts than the {} that a network may have",
                                                    quoted(range), graph_limit));
            }
            if (!low || !high || *high < *low) {
                throw xml_.error(node_,
                                 fmt::format("radical {} is neither a number nor a range such as 0-15", quoted(range)));
            }
            for (std::int64_t number = *low; number <= *high; ++number) {
                add_host(fmt::format("{}{}{}", prefix, number, suffix));
            }
        }
    }

    void add_host(const std::string& name) {
        if (builder_.find(name) >= 0)
            throw xml_.error(node_, fmt::format("host {} comes twice in radical", quoted(name)));
        hosts_.push_back(builder_.vertex(name));
        builder_.set_kind(hosts_.back(), VertexKind::host);
    }

    std::vector<int> add_switches(std::int64_t count) {
        if (count > graph_limit) throw xml_.error(node_, "topo_parameters ask for too many switches: give fewer");
        std::vector<int> added;
        for (std::int64_t i = 0; i < count; ++i) {
            added.push_back(builder_.add_switch(fmt::format("{}_switch_{}", id_, switches_++)));
        }
        return added;
    }

    void connect(int u, int v, int cables = 1) {
        if (cables > 1) builder_.expect_parallel_links();
        for (int cable = 0; cable < cables; ++cable) builder_.connect(u, v, rate_, place_);
    }

    void add_crossbar() {
        if (node_.attribute("bb_bw")) require_wide_backbone();
        const std::string router = node_.attribute("router_id").value();
        const int centre = builder_.add_switch(router.empty() ? fmt::format("{}_router", id_) : router);
        for (const int host : hosts_) connect(host, centre);
    }

    void require_wide_backbone() const {
        const std::optional<double> backbone = bandwidth(node_.attribute("bb_bw").value());
        if (backbone && *backbone >= rate_ * hosts()) return;
        throw xml_.error(
            node_,
            "the backbone bb_bw limits all hosts together, which links of a graph cannot express: leave it out, "
            "or give it at least the bandwidth of all host links");
    }

    std::string_view parameters() const { return xml_.required(node_, "topo_parameters"); }

    void require_hosts(std::int64_t wanted) const {
        if (wanted == hosts()) return;
        throw xml_.error(node_, fmt::format("topo_parameters ask for {} hosts, but radical gives {}: make them equal",
                                            wanted, hosts()));
    }

    std::int64_t product(const std::vector<int>& factors) const {
        std::int64_t result = 1;
        for (const int factor : factors) {
            result *= factor;
            if (result > graph_limit) throw xml_.error(node_, "topo_parameters ask for too large a network: give less");
        }
        return result;
    }

    /// The numbers of `text` between commas. Throws InputError when one is no number from 1 to 2^25.
    std::vector<int> counts(std::string_view text) const {
        std::vector<int> numbers;
        for (const std::string_view part : split(text, ',')) {
            const std::string_view word = trimmed(part);
            const std::optional<std::int64_t> number = to_count(word);
            if (!number || *number < 1 || *number > graph_limit) {
                throw xml_.error(node_,
                                 fmt::format("{} in {} is not a whole number from 1 on", quoted(word), quoted(text)));
            }
            numbers.push_back(static_cast<int>(*number));
        }
        return numbers;
    }

    /// Of a dimension of two only one of SimGrid's two links is ever used.
    void add_torus() {
        std::vector<int> dimensions = counts(parameters());
        require_hosts(product(dimensions));
        std::erase(dimensions, 1);  // of which there may be more than a shape has dimensions
        dimensions.push_back(1);
        const Topology torus = parse_topology("torus " + format_shape(dimensions));
        if (torus.links() > graph_limit)
            throw xml_.error(node_, "topo_parameters ask for too large a network: give less");
        for (const Edge& edge : torus.graph().edges) connect(hosts_[edge.u], hosts_[edge.v]);
    }

    std::vector<std::string_view> sections() const {
        std::vector<std::string_view> parts = split(parameters(), ';');
        if (parts.size() != 4) throw xml_.error(node_, "topo_parameters of this topology are four parts between ';'");
        return parts;
    }

    /// A parallel-port generalised fat tree (Zahavi, 2010): a vertex of level l has a digit for every level, counting
    /// parents up to l and children above; vertices of neighbouring levels are joined when they differ in the digit
    /// between them only.
    void add_fat_tree() {
        const std::vector<std::string_view> parts = sections();
        const std::vector<int> levels = counts(parts[0]);
        const std::vector<int> children = counts(parts[1]);
        const std::vector<int> parents = counts(parts[2]);
        const std::vector<int> cables = counts(parts[3]);
        const auto height = static_cast<std::size_t>(levels.front());
        if (levels.size() != 1 || children.size() != height || parents.size() != height || cables.size() != height) {
            throw xml_.error(node_,
                             "topo_parameters of a fat tree are 'levels;children;parents;cables' with a number for "
                             "each level in the last three");
        }
        require_hosts(product(children));
        std::vector<int> below = hosts_;
        std::vector<int> radix = children;
        for (std::size_t level = 0; level < height; ++level) {
            std::int64_t stride = 1;
            for (std::size_t digit = 0; digit < level; ++digit) stride *= radix[digit];
            radix[level] = parents[level];
            const std::vector<int> above = add_switches(product(radix));
            connect_level(below, above, stride, {children[level], parents[level], cables[level]});
            below = above;
        }
    }

    /// Children, parents and cables to each of a level.
    struct Level {
        int children;
        int parents;
        int cables;
    };

    void connect_level(const std::vector<int>& below, const std::vector<int>& above, std::int64_t stride, Level level) {
        for (std::size_t child = 0; child < below.size(); ++child) {
            const std::int64_t low = static_cast<std::int64_t>(child) % stride;
            const std::int64_t high = static_cast<std::int64_t>(child) / (stride * level.children);
            for (int parent = 0; parent < level.parents; ++parent) {
                const std::int64_t number = low + stride * (parent + level.parents * high);
                connect(below[child], above[static_cast<std::size_t>(number)], level.cables);
            }
        }
    }

    /// Groups of chassis of routers of nodes: chassis are complete (green), routers of equal place in the chassis of a
    /// group too (black); router j of group i has the one link to group j (blue).
    void add_dragonfly() {
        const std::vector<std::string_view> parts = sections();
        std::vector<int> sizes;
        std::vector<int> cables;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::vector<int> pair = counts(parts[i]);
            if (pair.size() != (i < 3 ? 2 : 1)) {
                throw xml_.error(node_,
                                 "topo_parameters of a dragonfly are 'groups,cables;chassis,cables;routers,cables;"
                                 "nodes'");
            }
            sizes.push_back(pair.front());
            cables.push_back(pair.back());
        }
        require_hosts(product(sizes));
        const int group = sizes[1] * sizes[2];
        if (sizes[0] > group) throw xml_.error(node_, "a dragonfly has at most as many groups as routers in a group");
        const std::vector<int> routers = add_switches(static_cast<std::int64_t>(sizes[0]) * group);
        for (int host = 0; host < hosts(); ++host) connect(hosts_[host], routers[host / sizes[3]]);
        for (int first = 0; first < sizes[0] * group; ++first) {
            const int in_group = first % group;
            for (int k = in_group % sizes[2] + 1; k < sizes[2]; ++k) {
                connect(routers[first], routers[first + k - in_group % sizes[2]], cables[2]);
            }
            for (int k = in_group + sizes[2]; k < group; k += sizes[2]) {
                connect(routers[first], routers[first + k - in_group], cables[1]);
            }
            const int other = in_group;
            const int own = first / group;
            if (other > own && other < sizes[0]) connect(routers[first], routers[other * group + own], cables[0]);
        }
    }

    const Xml& xml_;
    pugi::xml_node node_;
    NetworkBuilder& builder_;
    std::string_view place_;
    std::string_view id_;
    double rate_;
    std::vector<int> hosts_;
    int switches_ = 0;
};

}  // namespace

double link_rate(const Source& source, const Xml& xml, pugi::xml_node node, const char* attribute) {
    const std::string_view text = xml.required(node, attribute);
    const std::optional<double> rate = bandwidth(text);
    if (!rate) {
        throw xml.error(node, fmt::format("{} {} is not a single bandwidth: write it like 10Gbps or 125MBps", attribute,
                                          quoted(text)));
    }
    return to_capacity(source, fmt::format("{}", *rate), xml.place(node));
}

void add_cluster(const Source& source, const Xml& xml, pugi::xml_node cluster, NetworkBuilder& builder) {
    Cluster(source, xml, cluster, builder).add();
}

}  // namespace narrows::simgrid
