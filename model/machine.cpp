#include "model/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/schema.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_below(std::string_view path, std::string_view ancestor) {
    return path.size() > ancestor.size() && path.starts_with(ancestor) && path[ancestor.size()] == '.';
}

const Parameter& require(const Machine& machine, std::string_view path) {
    if (const Parameter* parameter = find(machine, path)) return *parameter;
    const SchemaRow* row = schema_row(path);
    if (row == nullptr) throw std::logic_error(fmt::format("no machine file has '{}'", path));
    throw InputError(fmt::format("machine '{}' has no '{}' ({}): add it to its file, {}", machine.id, path, row->help,
                                 expectation(row->kind)));
}

double clock_of(const Machine& machine, const Parameter& parameter) {
    if (find(machine, "node.clock") == nullptr) {
        throw InputError(
            fmt::format("machine '{}' gives '{}' in cycles but has no 'node.clock': add one such as "
                        "'700 MHz', or write a time",
                        machine.id, parameter.path));
    }
    return rate_at(machine, "node.clock").si();
}

Time as_time(const Machine& machine, const Parameter& parameter) {
    if (parameter.measure.dimension == Dimension::cycles) {
        return Time(parameter.measure.value / clock_of(machine, parameter));
    }
    return Time(parameter.measure.value);
}

// Percentages and factors keep unit and dimension; anything else is a new value.
std::optional<double> factor_of(std::string_view change) {
    std::string_view text = change;
    const bool times = text.ends_with("x");
    const bool percent = text.ends_with("%") && (text.starts_with("+") || text.starts_with("-"));
    if (!times && !percent) return std::nullopt;
    text.remove_suffix(1);
    const Measure number = parse_measure(text);
    if (number.dimension != Dimension::number) return std::nullopt;
    const double factor = times ? number.value : 1 + number.value / 100;
    if (factor <= 0) {
        throw InputError(fmt::format("'{}' leaves nothing or less: a factor must be above zero", change));
    }
    return factor;
}

void scale(Parameter& parameter, double factor) {
    if (!parameter.text.empty()) {
        throw InputError(fmt::format("'{}' is a topology: give a new one such as 'torus 8x8x8'", parameter.path));
    }
    parameter.measure.value *= factor;
    if (parameter.interval)
        parameter.interval = Interval{parameter.interval->low * factor, parameter.interval->high * factor};
}

void replace(Parameter& parameter, std::string_view change) {
    if (!parameter.text.empty()) {
        parameter.text = change;
        return;
    }
    parameter.measure = parse_measure(change);
    parameter.interval.reset();
}

std::string unknown_path(const Machine& machine, std::string_view path) {
    std::vector<std::string> paths;
    for (const Parameter& parameter : machine.parameters) paths.push_back(parameter.path);
    return fmt::format("machine '{}' has no '{}'{} ('narrows show {} --paths' lists all)", machine.id, path,
                       did_you_mean(std::string(path), paths), machine.id);
}

// A machine file need not say everything: a change may bring what it leaves out, such as the link of a lone node.
void add(Machine& machine, std::string_view path, std::string_view change) {
    const SchemaRow* row = schema_row(path);
    const bool names_are_known = row != nullptr && row->path.find('*') == std::string_view::npos;
    if (!names_are_known || factor_of(change)) throw InputError(unknown_path(machine, path));
    Parameter parameter;
    parameter.path = path;
    parameter.source = fmt::format("set to {}", change);
    if (row->kind == Kind::topology) {
        parameter.text = change;
    } else {
        parameter.measure = parse_measure(change);
        check_value(*row, parameter.measure);
    }
    machine.parameters.push_back(parameter);
}

}  // namespace

Time Curve::at(Data size) const {
    if (points.size() == 1 || size <= points.front().size) return points.front().value;
    if (size >= points.back().size) return points.back().value;
    const auto above = std::find_if(points.begin(), points.end(), [size](const Point& p) { return p.size > size; });
    const auto below = above - 1;
    const double share = std::log(size / below->size) / std::log(above->size / below->size);
    return below->value + (above->value - below->value) * share;
}

const Parameter* find(const Machine& machine, std::string_view path) {
    for (const Parameter& parameter : machine.parameters) {
        if (parameter.path == path) return &parameter;
    }
    return nullptr;
}

bool has(const Machine& machine, std::string_view path) {
    return std::any_of(machine.parameters.begin(), machine.parameters.end(),
                       [path](const Parameter& p) { return p.path == path || is_below(p.path, path); });
}

Time time_at(const Machine& machine, std::string_view path) {
    return as_time(machine, require(machine, path));
}

TimePerByte time_per_byte_at(const Machine& machine, std::string_view path) {
    const Parameter& parameter = require(machine, path);
    const bool cycles = parameter.measure.dimension == Dimension::cycles_per_byte;
    return TimePerByte(parameter.measure.value / (cycles ? clock_of(machine, parameter) : 1.0));
}

Data data_at(const Machine& machine, std::string_view path) {
    return Data(require(machine, path).measure.value);
}

Bandwidth bandwidth_at(const Machine& machine, std::string_view path) {
    return Bandwidth(require(machine, path).measure.value);
}

Rate rate_at(const Machine& machine, std::string_view path) {
    return Rate(require(machine, path).measure.value);
}

double number_at(const Machine& machine, std::string_view path) {
    return require(machine, path).measure.value;
}

std::string text_at(const Machine& machine, std::string_view path) {
    return require(machine, path).text;
}

Curve curve_at(const Machine& machine, std::string_view path) {
    Curve curve;
    for (const Parameter& parameter : machine.parameters) {
        if (!is_below(parameter.path, path)) continue;
        curve.points.push_back(
            {parse_data(std::string_view(parameter.path).substr(path.size() + 1)), as_time(machine, parameter)});
    }
    if (curve.points.empty()) return {{{Data(0), time_at(machine, path)}}};
    std::sort(curve.points.begin(), curve.points.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
    return curve;
}

std::vector<std::string> names_below(const Machine& machine, std::string_view path) {
    std::vector<std::string> names;
    for (const Parameter& parameter : machine.parameters) {
        if (!is_below(parameter.path, path)) continue;
        const std::string rest = parameter.path.substr(path.size() + 1);
        const std::string name = rest.substr(0, rest.find('.'));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

Machine with_change(Machine machine, std::string_view path, std::string_view change) {
    const std::optional<double> factor = factor_of(change);
    int changed = 0;
    for (Parameter& parameter : machine.parameters) {
        if (parameter.path != path && !is_below(parameter.path, path)) continue;
        if (factor) {
            scale(parameter, *factor);
        } else if (parameter.path == path) {
            replace(parameter, change);
        } else {
            throw InputError(
                fmt::format("'{}' leads to several values, such as '{}': name one of them, or change all "
                            "by a factor such as '2x'",
                            path, parameter.path));
        }
        if (parameter.text.empty()) check_value(*schema_row(parameter.path), parameter.measure);
        parameter.source = fmt::format("set to {}", change);
        ++changed;
    }
    if (changed == 0) add(machine, path, change);
    return machine;
}

}  // namespace narrows
