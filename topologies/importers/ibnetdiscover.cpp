#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "topologies/importers/ibnetdiscover_cables.hpp"
#include "topologies/importers/network_builder.hpp"
#include "topologies/importers/readers.hpp"

namespace narrows {
namespace {

using namespace ibnetdiscover;

/// Cuts `open`…`close` off the front of `text` and gives what is between, if it begins with `open`.
std::optional<std::string_view> cut_between(std::string_view& text, char open, char close) {
    const std::string_view rest = trimmed(text);
    if (!rest.starts_with(open)) return std::nullopt;
    const std::size_t end = rest.find(close, 1);
    if (end == std::string_view::npos) return std::nullopt;
    text = rest.substr(end + 1);
    return rest.substr(1, end - 1);
}

/// What is between the first and the last '"' of a comment.
std::string_view description(std::string_view comment) {
    const std::size_t begin = comment.find('"');
    const std::size_t end = comment.rfind('"');
    return begin == end ? std::string_view() : trimmed(comment.substr(begin + 1, end - begin - 1));
}

std::string_view after_description(std::string_view comment) {
    const std::size_t end = comment.rfind('"');
    return end == std::string_view::npos ? comment : comment.substr(end + 1);
}

/// Lines of the file that say nothing of the network: identifiers, chassis, headings.
bool says_nothing(std::string_view line) {
    for (const std::string_view begin : {"#", "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=",
                                         "???guid=", "Chassis ", "Hostname:", "Non-Chassis Nodes"}) {
        if (line.starts_with(begin)) return true;
    }
    return line.empty();
}

/// The host's name in an adapter's description such as `node017 HCA-1` or `node017 mlx5_0`, and the adapter's.
std::pair<std::string_view, std::string_view> host_and_adapter(std::string_view text) {
    const std::size_t space = text.find_last_of(" \t");
    if (space == std::string_view::npos) return {text, ""};
    const std::string_view adapter = text.substr(space + 1);
    for (const std::string_view begin : {"HCA-", "mlx4_", "mlx5_", "mthca", "hfi1_", "qib", "ibp", "ib"}) {
        if (adapter.starts_with(begin)) return {trimmed(text.substr(0, space)), adapter};
    }
    return {text, ""};
}

using Adapter = std::pair<std::string_view, std::string_view>;

/// Whether the adapters of `host` among those, sorted, all have names of their own.
bool are_distinct(const std::vector<Adapter>& adapters, std::string_view host) {
    const auto begin = std::ranges::lower_bound(adapters, Adapter(host, ""));
    const auto end = std::find_if(begin, adapters.end(), [&](const Adapter& adapter) { return adapter.first != host; });
    return std::adjacent_find(begin, end) == end;
}

class IbnetdiscoverReader {
  public:
    explicit IbnetdiscoverReader(const Source& source) : source_(source), builder_(source) {}

    LabelledNetwork read() && {
        std::string_view rest = source_.text();
        reserve_ends();
        while (const std::optional<std::string_view> line = cut_line(rest)) {
            const std::string_view text = trimmed(*line);
            if (says_nothing(text)) continue;
            if (text.starts_with('[')) {
                read_port(text);
            } else {
                read_block(text);
            }
        }
        std::vector<Cable> cables = match_ends(
            source_, std::move(ends_), [this](int named) { return name(named); }, warnings_);
        ends_ = {};
        name_vertices();
        cables.shrink_to_fit();
        const bool rated = connect(std::move(cables));
        builder_.expect_parallel_links();
        return std::move(builder_).finish("ibnetdiscover", rated ? "Gbit/s" : "links");
    }

  private:
    struct Node {
        std::string_view id;
        std::string_view description;
        std::int64_t ports = 0;
        int vertex = -1;
        bool described = false;

        bool is_adapter() const { return id.starts_with("H-"); }
        bool is_aggregation() const { return is_adapter() && description.find("Aggregation Node") != id.npos; }
    };

    /// Room for just the ports that there are: growing would need half as much again for a while.
    void reserve_ends() {
        std::size_t ports = 0;
        for (std::size_t at = source_.text().find("\n["); at != std::string_view::npos;
             at = source_.text().find("\n[", at + 1)) {
            ++ports;
        }
        ends_.reserve(ports);
    }

    std::string name(int node) const {
        const Node& named = nodes_[static_cast<std::size_t>(node)];
        return std::string(named.description.empty() ? named.id : named.description);
    }

    int node(std::string_view id) {
        const auto [found, added] = numbers_.try_emplace(id, static_cast<int>(nodes_.size()));
        if (added) nodes_.emplace_back().id = id;
        return found->second;
    }

    void read_block(std::string_view line) {
        std::string_view rest = line;
        const std::string_view word = cut_word(rest).value_or("");
        const std::optional<std::string_view> ports = cut_word(rest);
        const std::optional<std::string_view> id = cut_between(rest, '"', '"');
        const bool known = word == "Switch" || word == "Ca" || word == "Rt" || word == "???";
        if (!known || !ports || !to_count(*ports) || !id || id->empty()) {
            throw source_.error(line,
                                "this is not a line of ibnetdiscover: neither 'Switch', 'Ca' or 'Rt' with ports and "
                                "\"node\", nor a port in brackets");
        }
        block_ = node(*id);
        Node& described = nodes_[static_cast<std::size_t>(block_)];
        if (described.described) {
            throw source_.error(*id, fmt::format("node {} is described a second time: keep one block", quoted(*id)));
        }
        described.described = true;
        described.ports = *to_count(*ports);
        described.description = description(rest);
    }

    /// `[1](guid) "S-…"[6] # … 4xHDR`, with `[ext 3]` after either port and the far adapter's guid optional.
    void read_port(std::string_view line) {
        if (block_ < 0) throw source_.error(line, "this port belongs to no node: 'Switch' or 'Ca' comes first");
        std::string_view rest = line;
        const int port = port_number(line, cut_between(rest, '[', ']'));
        if (port > nodes_[static_cast<std::size_t>(block_)].ports) {
            throw source_.error(line, fmt::format("port {} is beyond the node's {}", port,
                                                  nodes_[static_cast<std::size_t>(block_)].ports));
        }
        cut_between(rest, '[', ']');
        cut_between(rest, '(', ')');
        const std::optional<std::string_view> peer = cut_between(rest, '"', '"');
        if (!peer || peer->empty())
            throw source_.error(line, "this port does not say to which \"node\"[port] it leads");
        const int peer_port = port_number(line, cut_between(rest, '[', ']'));
        const std::size_t hash = rest.find('#');
        const std::string_view comment = hash == std::string_view::npos ? std::string_view() : rest.substr(hash + 1);
        const int far = node(*peer);
        if (nodes_[static_cast<std::size_t>(far)].description.empty()) {
            nodes_[static_cast<std::size_t>(far)].description = description(comment);
        }
        const double rate = link_rate(source_, after_description(comment));
        if (static_cast<std::int64_t>(ends_.size()) >= 2 * graph_limit) throw source_.error(line, "too many links");
        ends_.push_back({block_, port, far, peer_port, rate, line.data()});
    }

    int port_number(std::string_view line, std::optional<std::string_view> word) const {
        const std::optional<std::int64_t> number = word ? to_count(*word) : std::nullopt;
        if (number && *number <= 65535) return static_cast<int>(*number);
        throw source_.error(line, "a port number in brackets is missing or wrong: a line is '[1] \"S-...\"[2] # ...'");
    }

    /// Adapters that differ in the last word of their description only are of one host.
    void name_vertices() {
        std::vector<Adapter> adapters;
        for (const Node& adapter : nodes_) {
            if (adapter.is_adapter() && !adapter.is_aggregation())
                adapters.push_back(host_and_adapter(adapter.description));
        }
        std::ranges::sort(adapters);
        int merged = 0;
        for (Node& named : nodes_) {
            if (named.is_aggregation()) continue;
            std::string_view label = named.description;
            std::string_view key = named.id;
            if (named.is_adapter() && !label.empty()) {
                const auto [host, last] = host_and_adapter(label);
                if (!last.empty() && are_distinct(adapters, host)) key = label = host;
            }
            if (builder_.find(key) >= 0) ++merged;
            named.vertex = builder_.vertex(key);
            if (!label.empty()) builder_.set_label(named.vertex, label);
            builder_.set_kind(named.vertex, named.is_adapter() ? VertexKind::host : VertexKind::switching);
        }
        warn_of_nodes(merged);
    }

    void warn_of_nodes(int merged) {
        if (merged > 0) {
            builder_.warn(
                fmt::format("{} adapters belong to hosts that have another one: each host is one vertex", merged));
        }
        const auto aggregation = std::ranges::count_if(nodes_, [](const Node& n) { return n.is_aggregation(); });
        if (aggregation > 0) {
            builder_.warn(
                fmt::format("{} aggregation nodes inside switches are left out: they are no hosts", aggregation));
        }
        for (std::string& warning : warnings_) builder_.warn(std::move(warning));
    }

    bool connect(std::vector<Cable> cables) {
        std::erase_if(cables, [this](const Cable& cable) {
            return nodes_[cable.node].is_aggregation() || nodes_[cable.peer].is_aggregation();
        });
        builder_.reserve_links(cables.size());
        const bool rated = std::ranges::any_of(cables, [](const Cable& cable) { return cable.rate > 0; });
        for (const Cable& cable : cables) {
            const std::string_view place = source_.from(cable.place);
            if (rated && cable.rate <= 0) {
                throw source_.error(place,
                                    "this link has no width and speed (such as 4xHDR), but others have: run "
                                    "ibnetdiscover again without filtering its output");
            }
            builder_.connect(nodes_[cable.node].vertex, nodes_[cable.peer].vertex, rated ? cable.rate : 1, place);
        }
        std::vector<bool> is_switch;
        for (const Node& each : nodes_) is_switch.push_back(!each.is_adapter());
        for (std::string& warning : degraded_links(source_, cables, is_switch, [this](int n) { return name(n); })) {
            builder_.warn(std::move(warning));
        }
        return rated;
    }

    const Source& source_;
    NetworkBuilder builder_;
    std::vector<Node> nodes_;
    std::unordered_map<std::string_view, int> numbers_;
    std::vector<CableEnd> ends_;
    std::vector<std::string> warnings_;
    int block_ = -1;
};

}  // namespace

LabelledNetwork read_ibnetdiscover(const Source& source, const ImportOptions& /*options*/) {
    return IbnetdiscoverReader(source).read();
}

bool looks_like_ibnetdiscover(std::string_view text) {
    constexpr int lines_searched = 200;
    for (int i = 0; i < lines_searched; ++i) {
        const std::optional<std::string_view> line = cut_line(text);
        if (!line) return false;
        std::string_view rest = *line;
        if (rest.starts_with("switchguid=0x") || rest.starts_with("caguid=0x")) return true;
        const std::string_view word = cut_word(rest).value_or("");
        const bool block = word == "Switch" || word == "Ca";
        if (block && to_count(cut_word(rest).value_or("")) && trimmed(rest).starts_with('"')) return true;
    }
    return false;
}

}  // namespace narrows
