#include <fmt/format.h>

#include <map>

#include "topologies/importers/attributes.hpp"
#include "topologies/importers/readers.hpp"
#include "topologies/importers/xml.hpp"

namespace narrows {
namespace {

/// What a `<key>` declares: an attribute of vertices, edges or all, and its value where none is given.
struct Key {
    std::string_view domain;
    std::string_view name;
    std::optional<std::string_view> otherwise;
    pugi::xml_node node;

    bool is_for(std::string_view element) const { return domain == element || domain == "all" || domain.empty(); }
};

class GraphmlReader {
  public:
    explicit GraphmlReader(const Source& source) : source_(source), xml_(source), builder_(source) {}

    LabelledNetwork read() && {
        const pugi::xml_node graph = only_graph();
        read_keys();
        directed_ = std::string_view(graph.attribute("edgedefault").value()) == "directed";
        for (const pugi::xml_node child : graph.children()) {
            const std::string_view element = child.name();
            if (element == "node") read_vertex(child);
            if (element == "hyperedge") {
                throw xml_.error(child, "hyperedges are not supported: replace each by a switch");
            }
        }
        for (const pugi::xml_node edge : graph.children("edge")) read_edge(edge);
        if (directed_) builder_.set_directed();
        if (weight_used_) builder_.warn("edges have a weight and no capacity: the weight is used as capacity");
        builder_.warn_of_undeclared_switches("give '{}' and each other switch the kind 'switch'");
        const std::string unit(attribute(graph, "graph", "capacity_unit").value_or(rule_.weighted() ? "" : "links"));
        return std::move(builder_).finish("graphml", unit);
    }

  private:
    pugi::xml_node only_graph() const {
        const pugi::xml_node root = xml_.root();
        if (std::string_view(root.name()) != "graphml") {
            throw xml_.error(root, fmt::format("<{}> stands here, where GraphML has <graphml>", root.name()));
        }
        const pugi::xml_node graph = root.child("graph");
        if (!graph) throw xml_.error(root, "there is no <graph> in <graphml>");
        if (const pugi::xml_node other = graph.next_sibling("graph")) {
            throw xml_.error(other, "there is a second <graph>: keep one in a file");
        }
        return graph;
    }

    void read_keys() {
        for (const pugi::xml_node key : xml_.root().children("key")) {
            const std::string_view id = xml_.required(key, "id");
            const pugi::xml_node otherwise = key.child("default");
            keys_[id] = {key.attribute("for").value(), key.attribute("attr.name").value(),
                         otherwise ? std::optional(trimmed(otherwise.child_value())) : std::nullopt, key};
        }
    }

    /// The value of the attribute called `name` of `node`, its own or the default.
    std::optional<std::string_view> attribute(pugi::xml_node node, std::string_view element,
                                              std::string_view name) const {
        for (const pugi::xml_node data : node.children("data")) {
            const auto key = keys_.find(data.attribute("key").value());
            if (key != keys_.end() && key->second.name == name) return trimmed(data.child_value());
        }
        for (const auto& [id, key] : keys_) {
            if (key.is_for(element) && key.name == name && key.otherwise) return key.otherwise;
        }
        return std::nullopt;
    }

    void read_vertex(pugi::xml_node node) {
        const std::string_view id = xml_.required(node, "id");
        if (node.child("graph")) throw xml_.error(node, "a graph within a vertex is not supported: flatten it");
        if (builder_.find(id) >= 0)
            throw xml_.error(node, fmt::format("vertex {} comes twice: rename one", quoted(id)));
        const int vertex = builder_.vertex(id);
        if (const auto name = attribute(node, "node", "name"); name && !name->empty())
            builder_.set_label(vertex, *name);
        for (const std::string_view kind : {"type", "kind"}) {
            const auto value = attribute(node, "node", kind);
            if (value) builder_.set_kind(vertex, to_kind(source_, *value, xml_.place(node)));
        }
    }

    int end(pugi::xml_node edge, const char* which) const {
        return xml_.vertex(builder_, edge, which, "is not a <node> of this file: add it");
    }

    void read_edge(pugi::xml_node edge) {
        const std::string_view place = xml_.place(edge);
        const std::string_view directed = edge.attribute("directed").value();
        if (!directed.empty() && (directed == "true" || directed == "1") != directed_) {
            throw xml_.error(edge, "this edge is not directed as the graph's edgedefault says: make them agree");
        }
        std::optional<std::string_view> carried = attribute(edge, "edge", "capacity");
        if (!carried) {
            carried = attribute(edge, "edge", "weight");
            weight_used_ = weight_used_ || carried;
        }
        rule_.require_same(source_, carried.has_value(), place);
        const double capacity = carried ? to_capacity(source_, *carried, place) : 1;
        const int source = end(edge, "source");
        builder_.connect(source, end(edge, "target"), capacity, place);
    }

    const Source& source_;
    Xml xml_;
    NetworkBuilder builder_;
    CapacityRule rule_;
    std::map<std::string_view, Key> keys_;
    bool directed_ = false;
    bool weight_used_ = false;
};

}  // namespace

LabelledNetwork read_graphml(const Source& source, const ImportOptions& /*options*/) {
    return GraphmlReader(source).read();
}

}  // namespace narrows
