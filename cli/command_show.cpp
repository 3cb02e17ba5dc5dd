#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/prediction_report.hpp"
#include "data/library.hpp"
#include "model/path/loggp.hpp"
#include "model/schema.hpp"

namespace narrows {
namespace {

std::string help_of(const Parameter& parameter) {
    const SchemaRow* row = schema_row(parameter.path);
    return row == nullptr ? "" : std::string(row->help);
}

nlohmann::ordered_json json_of_parameter(const Parameter& parameter) {
    nlohmann::ordered_json json = {{"path", parameter.path}};
    if (parameter.text.empty()) {
        json["value"] = parameter.measure.value;
        json["unit"] = base_unit(parameter.measure.dimension);
        json["low"] = parameter.interval ? nlohmann::ordered_json(parameter.interval->low) : nullptr;
        json["high"] = parameter.interval ? nlohmann::ordered_json(parameter.interval->high) : nullptr;
    } else {
        json["value"] = parameter.text;
        json["unit"] = nullptr;
    }
    json["source"] = parameter.source;
    json["note"] = parameter.note;
    return json;
}

// `pattern` with each `*` replaced by the names that the machine has chosen there; none for a `*` at its end, which is
// the file's choice.
std::vector<std::string> chosen_paths(const Machine& machine, const std::string& pattern) {
    const auto star = pattern.find('*');
    if (star == std::string::npos) return {pattern};
    const std::string rest = pattern.substr(star + 1);
    std::vector<std::string> paths;
    if (rest.empty()) return paths;
    for (const std::string& name : names_below(machine, pattern.substr(0, star - 1))) {
        for (std::string& path : chosen_paths(machine, fmt::format("{}{}{}", pattern.substr(0, star), name, rest))) {
            paths.push_back(std::move(path));
        }
    }
    return paths;
}

// The places that `--set` may fill beside those that the file has: what the schema has and the machine has not.
std::vector<std::string> unset_paths(const Machine& machine) {
    std::vector<std::string> paths;
    for (const SchemaRow& row : schema()) {
        for (std::string& path : chosen_paths(machine, std::string(row.path))) {
            if (!has(machine, path)) paths.push_back(std::move(path));
        }
    }
    return paths;
}

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

int show(const std::string& name, bool paths, Output& output) {
    const Machine machine = load_machine(name);
    Document document;
    document.json = json_of("show");
    document.json["machine"] = machine.id;
    document.json["name"] = machine.name;
    document.json["source"] = machine.source;
    for (const auto& [key, value] : machine.environment) document.json["environment"][key] = value;
    document.json["parameters"] = nlohmann::ordered_json::array();
    Table table{"", {"path", value_column(), interval_column(), "source", "note"}, {}};
    if (paths) table.header = {"path", value_column(), "meaning"};
    for (const Parameter& parameter : machine.parameters) {
        document.json["parameters"].push_back(json_of_parameter(parameter));
        if (paths) {
            table.rows.push_back({parameter.path, value_cell(parameter), help_of(parameter)});
        } else {
            table.rows.push_back(
                {parameter.path, value_cell(parameter), interval_cell(parameter), parameter.source, parameter.note});
        }
    }
    for (const std::string& path : paths ? unset_paths(machine) : std::vector<std::string>()) {
        document.json["parameters"].push_back({{"path", path}, {"value", nullptr}, {"unit", nullptr}});
        table.rows.push_back({path, {"not set", {}}, std::string(schema_row(path)->help)});
    }
    document.notes.push_back(fmt::format("{} ({}), source: {}", machine.name, machine.id, machine.source));
    for (const auto& [key, value] : machine.environment) document.notes.push_back(fmt::format("  {}: {}", key, value));
    document.tables.push_back(table);
    if (!paths) add_loggp(machine, document);
    document.remarks = assumption_lines(machine);
    emit(document, output);
    return 0;
}

}  // namespace

Command show_command() {
    return {"show",
            "every parameter of a machine: value, unit, interval, source",
            {"show bluegene-l", "show bluegene-l --paths"},
            [](CLI::App& app, const Arguments&) {
                const auto machine = std::make_shared<std::string>();
                const auto paths = std::make_shared<bool>(false);
                app.add_option("MACHINE", *machine, machine_help)->required();
                app.add_flag("--paths", *paths, "list every PATH that --set takes, with its meaning");
                return [machine, paths](Output& output) { return show(*machine, *paths, output); };
            }};
}

}  // namespace narrows
