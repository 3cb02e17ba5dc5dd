#include "cli/parameter_cells.hpp"

#include <fmt/format.h>

#include "model/unit.hpp"

namespace narrows {

TableColumn value_column() {
    return {"value", {"value", "unit"}};
}

TableCell value_cell(const Parameter& parameter) {
    const Measure& measure = parameter.measure;
    if (!parameter.text.empty()) return parameter.text;
    return {print(measure), {measure.value, base_unit(measure.dimension)}};
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

}  // namespace narrows
