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

/// The shape of a whole network given by name that is a plain grid.
std::vector<int> shape_of(const GivenNetwork& given) {
    return given.part ? std::vector<int>{} : given.grid_shape();
}

bool is_pattern(const std::string& word) {
    const auto& known = traffic_patterns();
    return std::find(known.begin(), known.end(), word) != known.end();
}

/// A word with a dot or a slash is meant as a file, even one that is missing.
bool is_matrix(const std::string& word) {
    if (is_pattern(word)) return false;
    return word.find_first_of("./") != std::string::npos || std::filesystem::exists(word);
}

Traffic traffic_of(const std::string& word, const GivenNetwork& given, const Network& network) {
    if (is_matrix(word)) return read_traffic(read_whole_file(word), word, HostFinder(network.hosts, given.names));
    if (!is_pattern(word)) {
        const std::string near = did_you_mean(word, traffic_patterns());
        throw InputError(fmt::format(
            "--traffic: no traffic is called '{}'{}", word,
            near.empty() ? fmt::format(": choose one of {}, or a file", fmt::join(traffic_patterns(), ", ")) : near));
    }
    return naming("--traffic", [&] { return traffic_pattern(word, network, shape_of(given)); });
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
        throw InputError(
            fmt::format("'{}' is not a whole mesh, torus or hypercube given by name: choose 'shortest'", given.name));
    }
    const bool wraps = given.topology->family() != "mesh" && given.topology->family() != "hypercube";
    return dimension_order_loads(network, shape, std::vector<bool>(shape.size(), wraps), traffic);
}

/// `unit` is that of capacities: links, or what a file says.
std::vector<std::string> loads_sentences(const FoundLoads& found, double fullest, double rate,
                                         const std::string& unit) {
    const std::string what = fmt::format("{} traffic, {} routing", found.traffic, found.routing);
    if (!std::isfinite(rate)) return {what + ": nothing is sent over any link."};
    const std::string of_unit = unit == "links" || unit.empty() ? "" : " " + unit;
    const std::string offered = found.is_matrix ? "As the matrix says" : "When every node offers 1" + of_unit;
    const std::string fits = found.is_matrix ? " times the matrix" : of_unit + " a node";
    return {fmt::format("{}: {:.4g} hops in the mean.", what, mean_hops(*found.loads)),
            fmt::format("{}, the fullest link carries {:.4g} times its capacity; all traffic fits at {:.4g}{}.",
                        offered, fullest, rate, fits)};
}

}  // namespace

const std::vector<std::string>& routing_names() {
    static const std::vector<std::string> names{"dimension-order", "shortest", "valiant", "up-down"};
    return names;
}

FoundLoads find_loads(const GivenNetwork& given, const Network& network, const LoadWords& words, const Stop& stop) {
    constexpr int usual_hottest = 10;
    FoundLoads found;
    found.traffic = words.traffic.empty() ? "uniform" : words.traffic;
    found.is_matrix = is_matrix(found.traffic);
    found.routing = routing_of(words.routing, given);
    found.listed = words.hottest.empty()
                       ? usual_hottest
                       : static_cast<int>(parse_count(words.hottest, "--hottest", 1, std::int64_t{1} << 30));
    const Traffic traffic = traffic_of(found.traffic, given, network);
    found.loads =
        naming("--routing " + found.routing, [&] { return loads_of(found.routing, given, network, traffic, stop); });
    return found;
}

void add_loads(const GivenNetwork& given, const FoundLoads& found, Document& document) {
    if (!found.loads) {
        document.remarks.push_back("The budget ended the routing: no loads are known (--budget gives more).");
        return;
    }
    const Network& network = *given.graph;
    const double fullest = fullest_share(network, *found.loads), rate = allowed_rate(network, *found.loads);
    auto& json = document.json["loads"];
    json = {{"traffic", found.traffic},
            {"routing", found.routing},
            {"fullest_share", fullest},
            {"allowed_rate", std::isfinite(rate) ? nlohmann::ordered_json(rate) : nullptr},
            {"mean_load", mean_load(*found.loads)},
            {"mean_hops", mean_hops(*found.loads)},
            {"hottest", nlohmann::ordered_json::array()}};
    for (const std::string& sentence : loads_sentences(found, fullest, rate, given.capacity_unit))
        document.remarks.push_back(sentence);
    Table table{fmt::format("hottest links, {} traffic, {} routing", found.traffic, found.routing),
                {"from", "to", "load", "share of capacity"},
                {}};
    for (const LinkLoad& link : hottest_links(network, *found.loads, found.listed)) {
        const std::string from = given.label(link.from), to = given.label(link.to);
        json["hottest"].push_back({{"from", from}, {"to", to}, {"load", link.load}, {"share", link.share}});
        table.rows.push_back({from, to, fmt::format("{:.5g}", link.load), fmt::format("{:.5g}", link.share)});
    }
    document.tables.push_back(table);
}

}  // namespace narrows
