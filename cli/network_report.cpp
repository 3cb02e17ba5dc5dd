#include "cli/network_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topologies/distance.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json json_of_bracket(const Bracket& bracket) {
    return {{"lower", json_of_number(bracket.lower)},
            {"upper", json_of_number(bracket.upper)},
            {"method", bracket.method},
            {"lower_method", bracket.method_of_lower()},
            {"upper_method", bracket.method_of_upper()},
            {"certificate", bracket.certificate}};
}

std::string value_of(const Bracket& bracket) {
    constexpr double as_printed = 1e-7;
    if (bracket.exact() || bracket.upper - bracket.lower <= as_printed * bracket.upper) {
        return fmt::format("{:.6g}", bracket.upper);
    }
    if (std::isinf(bracket.upper)) return fmt::format("at least {:.6g}", bracket.lower);
    return fmt::format("{:.6g} to {:.6g}", bracket.lower, bracket.upper);
}

std::optional<Distances> distances_of(const GivenNetwork& given, const NetworkAnalysis& found) {
    constexpr double affordable = 4e8;  // hosts · links
    if (given.topology && !given.part) return given.topology->distances();
    if (!found.recognised.empty()) return parse_topology(found.recognised).distances();
    const Network& network = *given.graph;
    if (static_cast<double>(network.hosts) * static_cast<double>(network.edges.size()) > affordable) {
        return std::nullopt;
    }
    return host_distances(network);
}

}  // namespace

nlohmann::ordered_json json_of_number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr;
}

void describe(const GivenNetwork& given, const NetworkAnalysis& found, Document& document) {
    const bool by_name = given.topology && !given.part;
    const std::int64_t links = by_name ? given.topology->links() : std::ssize(given.graph->edges);
    const int degree = by_name ? given.topology->degree() : largest_degree(*given.graph);
    const int switches = given.graph ? given.graph->switches : 0;
    const std::optional<Distances> distances = distances_of(given, found);
    auto& json = document.json;
    json["spec"] = given.name;
    json["nodes"] = given.nodes();
    if (given.graph) json["switches"] = switches;
    json["links"] = links;
    json["degree"] = degree;
    json["diameter"] = distances ? nlohmann::ordered_json(distances->diameter) : nullptr;
    json["mean_distance"] = distances ? nlohmann::ordered_json(distances->mean) : nullptr;
    json["capacity_unit"] =
        given.capacity_unit.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(given.capacity_unit);
    if (!given.warnings.empty()) json["warnings"] = given.warnings;
    document.notes.push_back(fmt::format(
        "{}: {} nodes, {}{} links, degree {}{}", given.name, given.nodes(),
        switches > 0 ? fmt::format("{} switch{}, ", switches, switches > 1 ? "es" : "") : "", links, degree,
        distances ? fmt::format(", diameter {}, mean distance {:.4g}", distances->diameter, distances->mean) : ""));
}

void add_numbers(const GivenNetwork& given, const NetworkAnalysis& found, Document& document) {
    const std::string unit = given.capacity_unit.empty() ? "the file's unit" : given.capacity_unit;
    Table table{"", {"number", "in " + unit, "method", "certificate"}, {}};
    table.sentences = 1;
    const auto add = [&](const std::string& key, const std::string& name, const Bracket& bracket) {
        document.json[key] = json_of_bracket(bracket);
        table.rows.push_back({name, value_of(bracket), bracket.method, bracket.certificate});
    };
    add("bisection", "bisection B", found.numbers.bisection);
    add("alpha", "α = min C/|S|", found.numbers.alpha);
    add("phi", "φ = min C/(|S||S̄|)", found.numbers.phi);
    add("uniform_flow", "uniform flow t", found.numbers.uniform_flow);
    document.json["complete"] = found.complete;
    document.tables.push_back(table);
    if (!found.complete) {
        document.remarks.push_back(
            "The budget ended the search: these are the best bounds so far (--budget gives more).");
    }
}

}  // namespace narrows
