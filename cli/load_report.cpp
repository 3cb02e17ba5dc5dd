#include "cli/load_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/options.hpp"
#include "data/whole_file.hpp"
#include "topologies/routes/dimension_order.hpp"
#include "topologies/routes/shortest.hpp"
#include "topologies/routes/traffic.hpp"
#include "topologies/routes/up_down.hpp"
#include "topologies/routes/valiant.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// The shape of a network given by name that is a plain grid.
std::vector<int> shape_of(const GivenNetwork& given) {
    if (!given.topology || given.part) return {};
    const std::string family = given.topology->family();
    const bool grid = family == "mesh" || family == "torus" || family == "hypercube" || family == "ring";
    return grid ? given.topology->shape() : std::vector<int>{};
}

Traffic traffic_of(const std::string& word, const GivenNetwork& given, const Network& network) {
    const std::string name = word.empty() ? "uniform" : word;
    const auto& known = traffic_patterns();
    if (std::find(known.begin(), known.end(), name) == known.end() && std::filesystem::exists(name)) {
        const HostFinder hosts(network.hosts, given.names);
        return read_traffic(read_whole_file(name), name, hosts);
    }
    return naming("--traffic", [&] { return traffic_pattern(name, network, shape_of(given)); });
}

std::string routing_of(const std::string& word, const GivenNetwork& given) {
    if (word.empty()) return shape_of(given).empty() ? "shortest" : "dimension-order";
    const auto& names = routing_names();
    if (std::find(names.begin(), names.end(), word) != names.end()) return word;
    const std::string near = did_you_mean(word, names);
    throw InputError(fmt::format("--routing: no routing is called '{}'{}", word,
                                 near.empty() ? fmt::format(": choose one of {}", fmt::join(names, ", ")) : near));
}

std::optional<LinkLoads> loads_of(const std::string& routing, const GivenNetwork& given, const Network& network,
                                  const Traffic& traffic, const Stop& stop) {
    if (routing == "valiant") return valiant_loads(network, traffic, Split::by_paths, stop);
    if (routing == "up-down") return up_down_loads(network, traffic, stop);
    if (routing == "shortest") {
        const int threads = search_threads();
        return shortest_loads(network, traffic, Split::by_paths, threads, stop);
    }
    const std::vector<int> shape = shape_of(given);
    if (shape.empty()) {
        throw InputError(fmt::format(
            "--routing dimension-order: '{}' is not a mesh, torus or hypercube given by name: choose 'shortest'",
            given.name));
    }
    const bool wraps = given.topology->family() != "mesh" && given.topology->family() != "hypercube";
    return dimension_order_loads(network, shape, std::vector<bool>(shape.size(), wraps), traffic);
}

}  // namespace

const std::vector<std::string>& routing_names() {
    static const std::vector<std::string> names{"dimension-order", "shortest", "valiant", "up-down"};
    return names;
}

void add_loads(const GivenNetwork& given, const Network& network, const LoadWords& words, const Stop& stop,
               Document& document) {
    constexpr int usual_hottest = 10;
    const int listed = words.hottest.empty()
                           ? usual_hottest
                           : static_cast<int>(parse_count(words.hottest, "--hottest", 1, std::int64_t{1} << 30));
    const std::string routing = routing_of(words.routing, given);
    const Traffic traffic = traffic_of(words.traffic, given, network);
    const auto loads = loads_of(routing, given, network, traffic, stop);
    if (!loads) {
        document.remarks.push_back("The budget ended the routing: no loads are known (--budget gives more).");
        return;
    }
    const std::string name = words.traffic.empty() ? "uniform" : words.traffic;
    const double fullest = fullest_share(network, *loads), rate = allowed_rate(network, *loads);
    auto& json = document.json["loads"];
    json = {{"traffic", name},
            {"routing", routing},
            {"fullest_share", fullest},
            {"allowed_rate", std::isfinite(rate) ? nlohmann::ordered_json(rate) : nullptr},
            {"mean_load", mean_load(*loads)},
            {"mean_hops", mean_hops(*loads)},
            {"hottest", nlohmann::ordered_json::array()}};
    const bool matrix = traffic.each == 0 && !words.traffic.empty() && std::filesystem::exists(words.traffic);
    document.remarks.push_back(fmt::format(
        "{} traffic, {} routing: the fullest link carries {:.4g} times its capacity {}; all traffic fits at {:.4g} {}. "
        "Mean {:.4g} hops.",
        name, routing, fullest, matrix ? "of the matrix" : "when every host offers 1", rate,
        matrix ? "times the matrix" : "a host", mean_hops(*loads)));
    Table table{fmt::format("hottest links, {} traffic, {} routing", name, routing),
                {"from", "to", "load", "share of capacity"},
                {}};
    for (const LinkLoad& link : hottest_links(network, *loads, listed)) {
        const std::string from = vertex_label(network, link.from, given.names, shape_of(given));
        const std::string to = vertex_label(network, link.to, given.names, shape_of(given));
        json["hottest"].push_back({{"from", from}, {"to", to}, {"load", link.load}, {"share", link.share}});
        table.rows.push_back({from, to, fmt::format("{:.5g}", link.load), fmt::format("{:.5g}", link.share)});
    }
    document.tables.push_back(table);
}

}  // namespace narrows
