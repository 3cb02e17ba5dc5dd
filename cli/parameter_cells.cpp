#include "cli/parameter_cells.hpp"

#include <fmt/format.h>

#include "cli/workload.hpp"
#include "model/schema.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

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

}  // namespace

TableColumn value_column() {
    return {"value", {"value", "unit"}};
}

TableCell value_cell(const Parameter& parameter) {
    const Measure& measure = parameter.measure;
    if (!parameter.text.empty()) return parameter.text;
    return {print(measure), {measure.value, base_unit(measure)}};
}

TableColumn interval_column() {
    return {"95 % interval", {"low", "high"}};
}

TableCell interval_cell(const Parameter& parameter) {
    if (!parameter.interval) return "";
    const auto& [low, high] = *parameter.interval;
    const auto text = [&](double value) {
        Measure end = parameter.measure;
        end.value = value;
        return print(end);
    };
    return {fmt::format("{} to {}", text(low), text(high)), {low, high}};
}

Table parameter_table(const Machine& machine) {
    Table table{"", {"path", value_column(), interval_column(), "source", "note"}, {}};
    for (const Parameter& parameter : machine.parameters) {
        table.rows.push_back(
            {parameter.path, value_cell(parameter), interval_cell(parameter), parameter.source, parameter.note});
    }
    return table;
}

nlohmann::ordered_json json_of_parameter(const Parameter& parameter) {
    nlohmann::ordered_json json = {{"path", parameter.path}};
    if (parameter.text.empty()) {
        json["value"] = parameter.measure.value;
        json["unit"] = base_unit(parameter.measure);
        add_interval(json, parameter.interval);
    } else {
        json["value"] = parameter.text;
        json["unit"] = nullptr;
    }
    json["source"] = parameter.source;
    json["note"] = parameter.note;
    return json;
}

std::string meaning_of(const std::string& path) {
    const SchemaRow* row = schema_row(path);
    return row == nullptr ? "" : std::string(row->help);
}

std::vector<std::string> unset_paths(const Machine& machine) {
    std::vector<std::string> paths;
    for (const SchemaRow& row : schema()) {
        for (std::string& path : chosen_paths(machine, std::string(row.path))) {
            if (!has(machine, path)) paths.push_back(std::move(path));
        }
    }
    return paths;
}

}  // namespace narrows
