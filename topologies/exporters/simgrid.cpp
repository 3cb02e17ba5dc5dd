#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topologies/exporters/writers.hpp"
#include "topologies/exporters/xml_text.hpp"

namespace narrows {

std::string write_simgrid(const LabelledNetwork& named) {
    std::map<std::pair<int, int>, double> links;
    for (const auto& [u, v, capacity] : named.network.edges) links[std::minmax(u, v)] += capacity;
    std::string text =
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
        "version=\"4.1\">\n";
    if (named.capacity_unit != "Gbit/s") text += "  <!-- a capacity of 1 is written as 1Gbps -->\n";
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
