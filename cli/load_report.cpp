#include "cli/load_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/options.hpp"
#include "data/whole_file.hpp"
#include "topologies/routes/routing.hpp"

namespace narrows {
namespace {

/// The shape of a whole network given by name that is a plain grid.
std::vector<int> shape_of(const GivenNetwork& given) {
    return given.part ? std::vector<int>{} : given.grid_shape();
}

bool is_pattern(const std::string& word) {
    const auto& known = traffic_patterns();
    return std::ranges::find(known, word) != known.end();
}

/// A word with a dot or a slash is meant as a file, even one that is missing.
bool is_matrix(const std::string& word) {
    if (is_pattern(word)) return false;
    return word.find_first_of("./") != std::string::npos || is_there(word);
}

Traffic traffic_of(const std::string& word, const GivenNetwork& given, const Network& network) {
    if (is_matrix(word)) return read_traffic(read_whole_file(word), word, given.host_finder());
    if (!is_pattern(word)) {
        const std::string near = did_you_mean(word, traffic_patterns());
        throw InputError(fmt::format(
            "--traffic: no traffic is called '{}'{}", word,
            near.empty() ? fmt::format(": choose one of {}, or a file", fmt::join(traffic_patterns(), ", ")) : near));
    }
    return with_option_context("--traffic", [&] { return traffic_pattern(word, network, shape_of(given)); });
}

std::string routing_of(const std::string& word, const GivenNetwork& given) {
    if (word.empty()) return shape_of(given).empty() ? "shortest" : "dimension-order";
    with_option_context("--routing", [&] { parse_routing(word); });
    return word;
}

std::optional<LinkLoads> loads_of(const std::string& routing, const GivenNetwork& given, const Network& network,
                                  const Traffic& traffic, const Stop& stop) {
    const std::vector<int> shape = shape_of(given);
    const std::vector<bool> wraps = shape.empty() ? std::vector<bool>{} : given.topology->grid_wraps();
    return routed_loads(parse_routing(routing), network, shape, wraps, traffic, search_threads(), stop);
}

/// `unit` is that of capacities: links, or what a file says.
std::vector<std::string> loads_sentences(const FoundLoads& found, double fullest, double rate,
                                         const std::string& unit) {
    const std::string what = fmt::format("{} traffic, {} routing", found.name, found.routing);
    if (!std::isfinite(rate)) return {what + ": nothing is sent over any link."};
    const std::string of_unit = unit == "links" || unit.empty() ? "" : " " + unit;
    const std::string offered = found.is_matrix ? "As the matrix says" : "When every node offers 1" + of_unit;
    const std::string fits = found.is_matrix ? " times the matrix" : of_unit + " a node";
    return {fmt::format("{}: {:.4g} hops on average.", what, mean_hops(*found.loads)),
            fmt::format("{}, the fullest link carries {:.4g} times its capacity; all traffic fits at {:.4g}{}.",
                        offered, fullest, rate, fits)};
}

}  // namespace

bool asks_for_loads(const OptionWords& words) {
    return words.has("--traffic") || words.has("--routing") || words.has("--hottest");
}

FoundLoads read_loads(const GivenNetwork& given, const OptionWords& words) {
    constexpr int usual_hottest = 10;
    FoundLoads found;
    found.name = words.has("--traffic") ? words["--traffic"] : "uniform";
    found.is_matrix = is_matrix(found.name);
    found.routing = routing_of(words["--routing"], given);
    found.listed = words.has("--hottest") ? words.count("--hottest") : usual_hottest;
    found.traffic = traffic_of(found.name, given, *given.graph);
    return found;
}

void find_loads(const GivenNetwork& given, const Stop& stop, FoundLoads& found) {
    found.loads = with_option_context("--routing " + found.routing, [&] {
        return loads_of(found.routing, given, *given.graph, found.traffic, stop);
    });
}

void add_loads(const GivenNetwork& given, const FoundLoads& found, Document& document) {
    if (!found.loads) {
        document.remarks.push_back("The budget ended the routing: no loads are known (--budget gives more).");
        return;
    }
    const Network& network = *given.graph;
    const double fullest = fullest_share(network, *found.loads), rate = allowed_rate(network, *found.loads);
    auto& json = document.json["loads"];
    json = {{"traffic", found.name},
            {"routing", found.routing},
            {"fullest_share", fullest},
            {"allowed_rate", std::isfinite(rate) ? nlohmann::ordered_json(rate) : nullptr},
            {"mean_load", mean_load(*found.loads)},
            {"mean_hops", mean_hops(*found.loads)},
            {"hottest", nlohmann::ordered_json::array()}};
    for (const std::string& sentence : loads_sentences(found, fullest, rate, given.capacity_unit))
        document.remarks.push_back(sentence);
    Table table{fmt::format("hottest links, {} traffic, {} routing", found.name, found.routing),
                {"from", "to", "load", "share of capacity"},
                {}};
    Table& csv = document.csv.emplace(document.tables.front());  // CSV is one table: links are rows below the numbers
    csv.header.insert(csv.header.end(), table.header.begin(), table.header.end());
    for (auto& row : csv.rows) row.insert(row.end(), table.header.size(), "-");
    for (const LinkLoad& link : hottest_links(network, *found.loads, found.listed)) {
        const std::string from = given.label(link.from), to = given.label(link.to);
        csv.rows.push_back({"hottest link", "-", "-", "-", from, to, {"", {link.load}}, {"", {link.share}}});
        json["hottest"].push_back({{"from", from}, {"to", to}, {"load", link.load}, {"share", link.share}});
        table.rows.push_back({from, to, fmt::format("{:.5g}", link.load), fmt::format("{:.5g}", link.share)});
    }
    document.tables.push_back(table);
}

}  // namespace narrows
