#include <fmt/format.h>

#include <set>

#include "topologies/exporters/writers.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string in_a_line(std::string text) {
    for (char& c : text) {
        if (c == '"' || static_cast<unsigned char>(c) < ' ') c = '_';
    }
    return text;
}

std::string word(const std::string& name) {
    const std::string text = in_a_line(name);
    const bool plain = !text.empty() && text.find(' ') == std::string::npos && text.front() != '#' &&
                       text.front() != '%' && text != "host" && text != "switch";
    return plain ? text : '"' + text + '"';
}

}  // namespace

std::string write_edge_list(const LabelledNetwork& named) {
    const bool weighted = has_capacities(named);
    std::string text =
        named.capacity_unit.empty() ? "" : fmt::format("# capacities in {}\n", in_a_line(named.capacity_unit));
    std::set<std::string> words;
    for (int v = 0; v < named.network.vertices(); ++v) {
        if (!words.insert(word(named.names[v])).second) {
            throw InputError(
                fmt::format("an edge list has no '\"' in names, and another vertex is called like '{}' "
                            "without: write DOT or GraphML, or rename it",
                            named.names[v]));
        }
        text += fmt::format("{} {}\n", v < named.network.hosts ? "host" : "switch", word(named.names[v]));
    }
    for (const auto& [u, v, capacity] : named.network.edges) {
        text += word(named.names[u]) + ' ' + word(named.names[v]);
        text += weighted ? fmt::format(" {}\n", capacity) : "\n";
    }
    return text;
}

}  // namespace narrows
