#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload_options.hpp"
#include "data/library.hpp"
#include "model/path/loggp.hpp"

namespace narrows {
namespace {

// What LogGP says of each protocol's messages, as its paths have it.
void add_loggp(const Machine& machine, Document& document) {
    Table table{"LogGP of messages of 8 B, computed from the paths; G of long ones",
                {"protocol", "o send", "o receive", "L", "g", "G"},
                {}};
    const auto shown = [](const std::optional<Time>& time) { return time ? print(*time) : "-"; };
    const auto number = [](const std::optional<Time>& time) {
        return time ? nlohmann::ordered_json(time->si()) : nlohmann::ordered_json();
    };
    for (const std::string& name : message_protocols(machine)) {
        const LogGp view = loggp_of(machine, name);
        table.rows.push_back({name, shown(view.send), shown(view.receive), print(view.latency), print(view.gap),
                              fmt::format("{:.4g} ns/B", view.gap_per_byte.si() * 1e9)});
        document.json["loggp"].push_back({{"protocol", name},
                                          {"send", number(view.send)},
                                          {"receive", number(view.receive)},
                                          {"latency", view.latency.si()},
                                          {"gap", view.gap.si()},
                                          {"gap_per_byte", view.gap_per_byte.si()}});
    }
    if (!table.rows.empty()) document.tables.push_back(table);
}

// Paths that no message takes, as nobody says of which protocol they are.
void add_unused_paths(const Machine& machine, Document& document) {
    const std::vector<std::string> protocols = names_below(machine, "protocols");
    for (const std::string& path : names_below(machine, "paths")) {
        const auto takes_it = [&](const std::string& protocol) {
            return has(machine, fmt::format("protocols.{}.{}", protocol, path));
        };
        if (std::ranges::any_of(protocols, takes_it)) continue;
        document.remarks.push_back(
            fmt::format("no protocol takes path '{0}': add one, such as 'protocols: {{{0}: {{{0}: 1}}}}'", path));
    }
}

int show(const std::string& name, const std::vector<std::string>& changes, bool paths, Output& output) {
    const Machine machine = with_changes(load_machine(name), changes);
    Document document{json_of("show")};
    document.json["machine"] = machine.id;
    document.json["name"] = machine.name;
    document.json["source"] = machine.source;
    for (const auto& [key, value] : machine.environment) document.json["environment"][key] = value;
    document.json["parameters"] = nlohmann::ordered_json::array();
    Table table = paths ? Table{"", {"path", value_column(), "meaning"}, {}} : parameter_table(machine);
    for (const Parameter& parameter : machine.parameters) {
        document.json["parameters"].push_back(json_of_parameter(parameter));
        if (paths) table.rows.push_back({parameter.path, value_cell(parameter), meaning_of(parameter.path)});
    }
    for (const std::string& path : paths ? unset_paths(machine) : std::vector<std::string>()) {
        document.json["parameters"].push_back({{"path", path}, {"value", nullptr}, {"unit", nullptr}});
        table.rows.push_back({path, {"not set", {}}, meaning_of(path)});
    }
    document.notes.push_back(fmt::format("{} ({}), source: {}", machine.name, machine.id, machine.source));
    for (const auto& [key, value] : machine.environment) document.notes.push_back(fmt::format("  {}: {}", key, value));
    document.tables.push_back(table);
    if (!paths) add_loggp(machine, document);
    document.remarks = assumption_lines(machine);
    add_unused_paths(machine, document);
    return emit(document, output);
}

}  // namespace

Command show_command() {
    return {"show",
            "every parameter of a machine: value, unit, interval, source",
            {"show bluegene-l", "show bluegene-l --paths", "show bluegene-l --set node.clock=2x"},
            [](CLI::App& app, const Arguments&) {
                const auto machine = std::make_shared<std::string>();
                const auto changes = std::make_shared<std::vector<std::string>>();
                const auto paths = std::make_shared<bool>(false);
                app.add_option("MACHINE", *machine, machine_help)->required();
                add_set(app, *changes);
                app.add_flag("--paths", *paths, "list every PATH that --set takes, with its meaning");
                return [machine, changes, paths](Output& output) { return show(*machine, *changes, *paths, output); };
            }};
}

}  // namespace narrows
