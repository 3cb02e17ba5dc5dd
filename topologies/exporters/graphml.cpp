#include <fmt/format.h>

#include <array>

#include "topologies/exporters/writers.hpp"
#include "topologies/exporters/xml_text.hpp"

namespace narrows {

std::string xml_text(std::string_view text) {
    constexpr std::string_view special = "<>&\"";
    constexpr std::array<std::string_view, special.size()> entities = {"&lt;", "&gt;", "&amp;", "&quot;"};
    std::string result;
    for (const char c : text) {
        const std::size_t at = special.find(c);
        if (at < special.size()) {
            result += entities[at];
        } else {
            result += static_cast<unsigned char>(c) < ' ' ? '_' : c;
        }
    }
    return result;
}

std::string write_graphml(const LabelledNetwork& named) {
    const Network& network = named.network;
    const bool weighted = has_capacities(named);
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
        "  <key id=\"capacity\" for=\"edge\" attr.name=\"capacity\" attr.type=\"double\"/>\n"
        "  <key id=\"unit\" for=\"graph\" attr.name=\"capacity_unit\" attr.type=\"string\"/>\n"
        "  <graph id=\"network\" edgedefault=\"undirected\">\n";
    text += fmt::format("    <data key=\"unit\">{}</data>\n", xml_text(named.capacity_unit));
    for (int v = 0; v < network.vertices(); ++v) {
        text += fmt::format("    <node id=\"{}\"><data key=\"kind\">{}</data></node>\n", xml_text(named.names[v]),
                            v < network.hosts ? "host" : "switch");
    }
    for (const auto& [u, v, capacity] : network.edges) {
        text +=
            fmt::format("    <edge source=\"{}\" target=\"{}\"", xml_text(named.names[u]), xml_text(named.names[v]));
        text += weighted ? fmt::format("><data key=\"capacity\">{}</data></edge>\n", capacity) : "/>\n";
    }
    return text + "  </graph>\n</graphml>\n";
}

}  // namespace narrows
