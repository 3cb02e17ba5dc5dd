#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topologies/exporters/writers.hpp"
#include "topologies/exporters/xml_text.hpp"

namespace narrows {

namespace {

constexpr const char* unit_of_rates = "Gbit/s";

std::map<std::pair<int, int>, double> links_of(const Network& network) {
    std::map<std::pair<int, int>, double> links;
    for (const auto& [u, v, capacity] : network.edges) links[std::minmax(u, v)] += capacity;
    return links;
}

}  // namespace

std::vector<std::string> changed_by_simgrid(const LabelledNetwork& named) {
    std::vector<std::string> changed;
    if (named.capacity_unit != unit_of_rates) {
        changed.emplace_back(
            "a capacity of 1 is written as 1 Gbit/s, which predictions take for the links' bandwidth: edge lists, DOT "
            "and GraphML leave it to the machine");
    }
    const std::size_t links = links_of(named.network).size();
    if (links < named.network.edges.size()) {
        changed.push_back(
            fmt::format("{} cables are written as {} links, those between the same two as one: degrees, prices and "
                        "loads by shortest paths are others",
                        named.network.edges.size(), links));
    }
    return changed;
}

std::string write_simgrid(const LabelledNetwork& named) {
    const auto links = links_of(named.network);
    std::string text =
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
        "version=\"4.1\">\n";
    if (named.capacity_unit != unit_of_rates) text += "  <!-- a capacity of 1 is written as 1Gbps -->\n";
    text += "  <zone id=\"network\" routing=\"Dijkstra\">\n";
    for (int v = 0; v < named.network.vertices(); ++v) {
        const std::string name = xml_text(named.names[v]);
        text += v < named.network.hosts ? fmt::format("    <host id=\"{}\" speed=\"1Gf\"/>\n", name)
                                        : fmt::format("    <router id=\"{}\"/>\n", name);
    }
    int number = 0;
    for (const auto& [ends, capacity] : links) {
        text += fmt::format(
            "    <link id=\"link{}\" bandwidth=\"{}Gbps\" latency=\"0us\" sharing_policy=\"SPLITDUPLEX\"/>\n", number++,
            capacity);
    }
    number = 0;
    for (const auto& [ends, capacity] : links) {
        text += fmt::format("    <route src=\"{}\" dst=\"{}\"><link_ctn id=\"link{}\" direction=\"UP\"/></route>\n",
                            xml_text(named.names[ends.first]), xml_text(named.names[ends.second]), number++);
    }
    return text + "  </zone>\n</platform>\n";
}

}  // namespace narrows
