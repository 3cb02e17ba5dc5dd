#include "cli/network_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topologies/plural.hpp"

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

std::string text_of(const Bracket& bracket) {
    constexpr double as_printed = 1e-7;
    if (std::isinf(bracket.upper) && bracket.lower > 0 && !bracket.exact()) {
        return fmt::format("at least {:.6g}", bracket.lower);
    }
    if (bracket.exact() || bracket.upper - bracket.lower <= as_printed * bracket.upper) {
        return fmt::format("{:.6g}", bracket.upper);
    }
    return fmt::format("{:.6g} to {:.6g}", bracket.lower, bracket.upper);
}

/// Of a network with numbers by formulas, that of its graph, where that takes no more than a moment.
std::optional<int> count_of_switches(const GivenNetwork& given) {
    constexpr std::int64_t most_links = 10'000'000;
    if (given.graph) return given.graph->switches;
    if (!given.topology->switched() || given.topology->links() > most_links) return std::nullopt;
    return given.topology->graph().switches;
}

}  // namespace

nlohmann::ordered_json json_of_number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr;
}

std::optional<Distances> measured_distances(const GivenNetwork& given, double seconds, const Stop& stop) {
    if (given.topology && !given.part) return given.topology->distances(stop);
    constexpr double affordable = 4e8, a_second = 1e7;  // hosts · links; a fifth of what a processor does in a second
    const double visits = static_cast<double>(given.graph->hosts) * static_cast<double>(given.graph->edges.size());
    if (visits > std::min(affordable, a_second * seconds)) return std::nullopt;
    return host_distances(*given.graph, stop);
}

void describe(const GivenNetwork& given, const std::optional<Distances>& distances, Document& document) {
    const bool by_name = given.topology && !given.part;
    const std::int64_t links = by_name ? given.topology->links() : std::ssize(given.graph->edges);
    const std::int64_t degree = by_name ? given.topology->degree() : largest_degree(*given.graph);
    const int switches = given.graph ? given.graph->switches : 0;
    const std::optional<int> counted = count_of_switches(given);
    auto& json = document.json;
    json["spec"] = given.name;
    json["nodes"] = given.nodes();
    if (counted) json["switches"] = *counted;
    json["links"] = links;
    json["degree"] = degree;
    json["diameter"] = distances ? nlohmann::ordered_json(distances->diameter) : nullptr;
    json["mean_distance"] = distances ? nlohmann::ordered_json(distances->mean) : nullptr;
    json["capacity_unit"] =
        given.capacity_unit.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(given.capacity_unit);
    if (!given.warnings.empty()) json["warnings"] = given.warnings;
    document.notes.push_back(fmt::format(
        "{}: {} nodes, {}{}, degree {}{}", given.name, given.nodes(),
        switches > 0 ? plural(switches, "switch, ", "switches, ") : "", plural(links, "link", "links"), degree,
        distances ? fmt::format(", diameter {}, mean distance {:.4g}", distances->diameter, distances->mean) : ""));
}

void add_numbers(const GivenNetwork& given, const NetworkAnalysis& found, Document& document) {
    const bool known = !given.capacity_unit.empty();
    const std::string unit = known ? given.capacity_unit : "the file's unit", suffix = known ? " " + unit : "";
    Table table{"", {"number", {"in " + unit, {"low" + suffix, "high" + suffix}}, "method", "certificate"}, {}};
    table.sentences = 1;
    const auto add = [&](const std::string& key, const std::string& name, const Bracket& bracket) {
        document.json[key] = json_of_bracket(bracket);
        const TableCell value(text_of(bracket), {json_of_number(bracket.lower), json_of_number(bracket.upper)});
        table.rows.push_back({name, value, bracket.method, bracket.certificate});
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
