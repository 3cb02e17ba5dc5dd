#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "topologies/importers/readers.hpp"
#include "topologies/importers/simgrid_parts.hpp"

namespace narrows {
namespace {

constexpr std::array ignored{std::string_view("config"),  std::string_view("prop"),  std::string_view("storage_type"),
                             std::string_view("storage"), std::string_view("mount"), std::string_view("trace")};

class SimgridReader {
  public:
    explicit SimgridReader(const Source& source) : source_(source), xml_(source), builder_(source) {}

    LabelledNetwork read() && {
        const pugi::xml_node platform = xml_.root();
        if (std::string_view(platform.name()) != "platform") {
            throw xml_.error(platform, fmt::format("<{}> stands here, where SimGrid has <platform>", platform.name()));
        }
        read_children(platform, false);
        simgrid::add_routes(source_, xml_, links_, routes_, builder_);
        return std::move(builder_).finish("simgrid", "Gbit/s");
    }

  private:
    void read_children(pugi::xml_node parent, bool in_zone) {
        for (const pugi::xml_node node : parent.children()) {
            const std::string_view element = node.name();
            const bool zone = element == "zone" || element == "AS";
            if (zone && in_zone) {
                throw xml_.error(node, "zones within zones are not supported: give one zone, or export its graph");
            }
            if (zone) {
                refuse_second_part(node);
                read_children(node, true);
            } else if (node.type() == pugi::node_element) {
                read_element(node, element);
            }
        }
    }

    void read_element(pugi::xml_node node, std::string_view element) {
        if (element == "cluster") {
            refuse_second_part(node);
            clusters_ = true;
            see_latency(node.attribute("lat"));
            simgrid::add_cluster(source_, xml_, node, builder_);
        } else if (element == "host" || element == "router") {
            read_vertex(node, element == "host" ? VertexKind::host : VertexKind::switching);
        } else if (element == "link") {
            read_link(node);
        } else if (element == "route") {
            read_route(node);
        } else if (std::ranges::find(ignored, element) == ignored.end()) {
            throw xml_.error(node, fmt::format("<{}> is not supported: a platform is read when it is one <cluster>, or "
                                               "one <zone> of hosts, routers, links and routes",
                                               element));
        }
    }

    void refuse_second_part(pugi::xml_node node) const {
        if (clusters_ || builder_.vertices() > 0) {
            throw xml_.error(node, "a second zone or cluster is not supported: routes between zones are not read");
        }
    }

    void read_vertex(pugi::xml_node node, VertexKind kind) {
        const std::string_view id = xml_.required(node, "id");
        if (builder_.find(id) >= 0) throw xml_.error(node, fmt::format("{} comes twice: rename one", quoted(id)));
        builder_.set_kind(builder_.vertex(id), kind);
    }

    void read_link(pugi::xml_node node) {
        const std::string id(xml_.required(node, "id"));
        const std::string_view policy = node.attribute("sharing_policy").value();
        if (policy == "FATPIPE") {
            // No traffic ever fills it, as a loopback's.
            fat_pipes_.try_emplace(id, node);
            return;
        }
        if (!numbers_.try_emplace(id, static_cast<int>(links_.size())).second) {
            throw xml_.error(node, fmt::format("link {} comes twice: rename one", quoted(id)));
        }
        see_latency(node.attribute("latency"));
        links_.push_back({id, simgrid::link_rate(source_, xml_, node, "bandwidth"), policy != "SPLITDUPLEX", node});
    }

    void see_latency(pugi::xml_attribute latency) {
        if (has_latency_ || !(latency.as_double() > 0)) return;
        has_latency_ = true;
        builder_.warn("the latencies of links are left out: a network has none, a machine's description has");
    }

    int end(pugi::xml_node route, const char* which) const {
        return xml_.vertex(builder_, route, which, "is neither a host nor a router above");
    }

    void read_route(pugi::xml_node node) {
        simgrid::Route route{end(node, "src"), end(node, "dst"), {}, false, node};
        if (route.from == route.to) return;  // a loopback is no part of the network
        const std::string_view symmetrical = node.attribute("symmetrical").value();
        route.one_way = symmetrical == "NO" || symmetrical == "no";
        for (const pugi::xml_node part : node.children("link_ctn")) {
            const std::string id(xml_.required(part, "id"));
            const auto found = numbers_.find(id);
            if (fat_pipes_.contains(id)) {
                throw xml_.error(part,
                                 fmt::format("link {} is a FATPIPE, which no traffic fills: leave it out of routes "
                                             "between different hosts",
                                             quoted(id)));
            }
            if (found == numbers_.end()) throw xml_.error(part, fmt::format("{} is not a link above", quoted(id)));
            route.links.push_back(found->second);
        }
        if (route.links.empty()) throw xml_.error(node, "this route has no <link_ctn>: name its links");
        routes_.push_back(std::move(route));
    }

    const Source& source_;
    Xml xml_;
    NetworkBuilder builder_;
    std::vector<simgrid::Link> links_;
    bool has_latency_ = false;
    std::unordered_map<std::string, int> numbers_;
    std::unordered_map<std::string, pugi::xml_node> fat_pipes_;
    std::vector<simgrid::Route> routes_;
    bool clusters_ = false;
};

}  // namespace

LabelledNetwork read_simgrid(const Source& source, const ImportOptions& /*options*/) {
    return SimgridReader(source).read();
}

}  // namespace narrows
