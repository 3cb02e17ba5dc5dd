#include <fmt/format.h>

#include "topologies/exporters/writers.hpp"

namespace narrows {
namespace {

/// A name between '"', of which and of '\\' DOT knows an escape.
std::string dot_name(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += c == '\n' ? '_' : c;
    }
    return text + '"';
}

}  // namespace

std::string write_dot(const LabelledNetwork& named) {
    const bool weighted = has_capacities(named);
    std::string text = fmt::format("graph network {{\n  capacity_unit={};\n", dot_name(named.capacity_unit));
    for (int v = 0; v < named.network.vertices(); ++v) {
        text += fmt::format("  {} [kind={}];\n", dot_name(named.names[v]), v < named.network.hosts ? "host" : "switch");
    }
    for (const auto& [u, v, capacity] : named.network.edges) {
        text += fmt::format("  {} -- {}", dot_name(named.names[u]), dot_name(named.names[v]));
        text += weighted ? fmt::format(" [capacity=\"{}\"];\n", capacity) : ";\n";
    }
    return text + "}\n";
}

}  // namespace narrows
