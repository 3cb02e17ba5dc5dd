#include <fmt/format.h>

#include "cli/commands.hpp"
#include "topologies/input_error.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json json_of_bracket(const Bracket& bracket) {
    return {{"lower", bracket.lower},
            {"upper", bracket.upper},
            {"method", bracket.method},
            {"certificate", bracket.certificate}};
}

std::vector<std::string> row_of(const std::string& name, const Bracket& bracket) {
    const std::string value = bracket.exact() ? fmt::format("{:.6g}", bracket.lower)
                                              : fmt::format("{:.6g} to {:.6g}", bracket.lower, bracket.upper);
    return {name, value, bracket.method, bracket.certificate};
}

int print_topology(const std::string& spec, Output& output) {
    const Topology topology = parse_topology(spec);
    if (topology.nodes() < 2) throw InputError(fmt::format("'{}' is a single node: there is nothing to cut", spec));
    Document document;
    document.json = json_of("topology");
    document.json["spec"] = topology.spec();
    document.json["nodes"] = topology.nodes();
    document.json["links"] = topology.links();
    document.json["degree"] = topology.degree();
    const std::optional<Distances> distances = topology.distances();
    document.json["diameter"] = distances ? nlohmann::ordered_json(distances->diameter) : nullptr;
    document.json["mean_distance"] = distances ? nlohmann::ordered_json(distances->mean) : nullptr;
    document.notes.push_back(
        fmt::format("{}: {} nodes, {} links, degree {}{}", topology.spec(), topology.nodes(), topology.links(),
                    topology.degree(),
                    distances ? fmt::format(", diameter {}, mean distance {:.4g}", distances->diameter, distances->mean)
                              : ""));
    Table table{"", {"number", "in links", "method", "certificate"}, {}};
    const auto add = [&](const std::string& key, const std::string& name, const Bracket& bracket) {
        document.json[key] = json_of_bracket(bracket);
        table.rows.push_back(row_of(name, bracket));
    };
    add("bisection", "bisection B", topology.bisection());
    add("alpha", "α = min C/|S|", topology.alpha());
    add("phi", "φ = min C/(|S||S̄|)", topology.phi());
    add("uniform_flow", "uniform flow t", topology.uniform_flow());
    document.tables.push_back(table);
    emit(document, output);
    return 0;
}

}  // namespace

Command topology_command() {
    return {"topology",
            "size, distances and cuts of a network given by name",
            {"topology 'torus 64x32x32'", "topology 'fat-tree ports=36 levels=3 taper=2:1' --format json"},
            [](CLI::App& app) {
                const auto words = std::make_shared<std::vector<std::string>>();
                app.add_option("SPEC", *words, "such as 'torus 64x32x32', 'mesh 8x4x4', 'hypercube 10'")
                    ->required()
                    ->option_text("TEXT ...");
                return [words](Output& output) {
                    return print_topology(fmt::format("{}", fmt::join(*words, " ")), output);
                };
            }};
}

}  // namespace narrows
