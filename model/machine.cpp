#include "model/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

#include "model/schema.hpp"
#include "topologies/input_error.hpp"
#include "topologies/routes/routing.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

// Paths are compared at every look-up, and most that are as long begin alike and end otherwise.
bool is_same(std::string_view one, std::string_view other) {
    constexpr std::size_t end = 8;  // characters, which one instruction compares
    if (one.size() != other.size()) return false;
    const bool is_long = one.size() >= end;
    if (is_long && std::memcmp(one.data() + one.size() - end, other.data() + one.size() - end, end) != 0) return false;
    return one == other;
}

const Parameter& require(const Machine& machine, std::string_view path) {
    if (const Parameter* parameter = find(machine, path)) return *parameter;
    const SchemaRow* row = schema_row(path);
    if (row == nullptr) throw std::logic_error(fmt::format("no machine file has '{}'", path));
    throw InputError(fmt::format("machine '{}' has no '{}' ({}): add it to its file or set it, {}", machine.id, path,
                                 row->help, expectation(row->kind)))
        .of_setting("set");
}

double clock_of(const Machine& machine, const Parameter& parameter) {
    const Parameter* const clock = find(machine, "node.clock");
    if (clock == nullptr) {
        throw InputError(
            fmt::format("machine '{}' gives '{}' in cycles but has no 'node.clock': add one such as "
                        "'700 MHz', or write a time",
                        machine.id, parameter.path));
    }
    return clock->measure.value;
}

// Percentages and factors keep unit and dimension; anything else is a new value.
std::optional<double> factor_of(std::string_view change) {
    std::string_view text = change;
    const bool times = text.ends_with("x");
    const bool percent = text.ends_with("%") && (text.starts_with("+") || text.starts_with("-"));
    if (!times && !percent) return std::nullopt;
    text.remove_suffix(1);
    if (text.find_first_not_of("0123456789+-.eE ") != std::string_view::npos) return std::nullopt;
    const double number = parse_measure(text).value;
    const double factor = times ? number : 1 + number / 100;
    if (factor <= 0) {
        throw InputError(fmt::format("'{}' leaves zero or less: the factor must be positive", change));
    }
    return factor;
}

void scale(Parameter& parameter, double factor) {
    if (!parameter.text.empty()) {
        throw InputError(fmt::format("'{}' is a text, which no factor can change: give a new one, written like '{}'",
                                     parameter.path, parameter.text));
    }
    parameter.measure.value *= factor;
    if (parameter.interval) {
        parameter.interval = Interval{parameter.interval->low * factor, parameter.interval->high * factor};
    }
}

// A new value, checked as the reader of machine files checks it.
void assign(Parameter& parameter, std::string_view change) {
    const SchemaRow& row = *schema_row(parameter.path);
    parameter.interval.reset();
    if (is_text(row.kind)) {
        check_text(row, parameter.path, change);
        parameter.text = change;
    } else {
        parameter.measure = parse_value(row, change);
    }
}

// As many of its last words.
std::string last_words(const std::string& path, std::ptrdiff_t count) {
    std::size_t begin = path.size();
    for (; count > 0 && begin != std::string::npos; --count) begin = path.rfind('.', begin - 1);
    return begin == std::string::npos ? path : path.substr(begin + 1);
}

std::string unknown_path(const Machine& machine, std::string_view path) {
    if (const auto place = newer_place(path); place && !place->empty()) {
        return fmt::format(
            "machine '{}' has no '{}': older files have it, and what it said is now '{}' "
            "('narrows show' lists what it has)",
            machine.id, path, *place);
    }
    return fmt::format("machine '{}' has no '{}'{} ('narrows show' lists what it has)", machine.id, path,
                       nearest_paths(machine, std::string(path)));
}

// Whether `path` may be added: the schema has it, and a name that files choose is one that this machine has chosen.
bool may_be_added(const Machine& machine, const SchemaRow& row, std::string_view path) {
    if (row.kind == Kind::curve && path != curve_of(row, path)) {
        const std::string_view curve = curve_of(row, path);
        curve_size(row, path);
        return find(machine, curve) == nullptr && (has(machine, curve) || may_be_added(machine, row, curve));
    }
    if (row.path.find('*') == std::string_view::npos) return !has(machine, path);
    if (row.path.ends_with('*')) return false;
    // As many words of the path as the row has up to its last star.
    const auto last_star = row.path.substr(0, row.path.rfind('*'));
    std::size_t end = 0;
    for (auto words = std::ranges::count(last_star, '.') + 1; words > 0; --words) {
        end = path.find('.', end + 1);
    }
    return has(machine, path.substr(0, end));
}

// A machine file need not say everything: a change may bring what it leaves out, such as the link of a lone node.
void add(Machine& machine, std::string_view path, std::string_view change) {
    const SchemaRow* row = schema_row(path);
    if (row == nullptr || newer_place(path) || !may_be_added(machine, *row, path)) {
        throw InputError(unknown_path(machine, path));
    }
    if (factor_of(change)) {
        throw InputError(fmt::format(
            "machine '{}' does not set '{}', so that there is nothing to multiply: give a value", machine.id, path));
    }
    Parameter parameter;
    parameter.path = path;
    assign(parameter, change);
    parameter.source = fmt::format("set to {}", change);
    machine.parameters.push_back(parameter);
    machine.protocols = nullptr;
}

std::optional<Contradiction> clock_missing(const Machine& machine) {
    if (find(machine, "node.clock") != nullptr) return std::nullopt;
    for (const Parameter& parameter : machine.parameters) {
        const Dimension dimension = parameter.measure.dimension;
        if (dimension != Dimension::cycles && dimension != Dimension::cycles_per_byte) continue;
        return Contradiction{parameter.path,
                             fmt::format("'{}' needs a clock: add 'node: {{clock: 700 MHz}}', or write a time",
                                         print(parameter.measure, true))};
    }
    return std::nullopt;
}

std::optional<Contradiction> no_dimensions(const Machine& machine) {
    const Parameter* const routing = find(machine, "network.routing");
    const Parameter* const topology = find(machine, "network.topology");
    if (routing == nullptr || topology == nullptr) return std::nullopt;
    const bool in_order = parse_routing(routing->text).kind == Routing::Kind::dimension_order;
    if (!in_order || !parse_topology(topology->text).grid_wraps().empty()) return std::nullopt;
    return Contradiction{routing->path,
                         fmt::format("'{}' is for meshes, tori and hypercubes, and network.topology is '{}': choose "
                                     "'shortest'",
                                     routing->text, topology->text)};
}

std::optional<Contradiction> partition_too_large(const Machine& machine) {
    std::int64_t largest = 0;
    for (const std::string& name : names_below(machine, "network.partitions")) {  // each is named after its nodes
        largest = std::max(largest, static_cast<std::int64_t>(std::strtoll(name.c_str(), nullptr, 10)));
    }
    const Parameter* const topology = find(machine, "network.topology");
    if (largest == 0 || topology == nullptr || parse_topology(topology->text).nodes() >= largest) return std::nullopt;
    return Contradiction{fmt::format("network.partitions.{}", largest),
                         fmt::format("it is a part of network.topology, and '{}' has fewer nodes", topology->text)};
}

std::optional<Contradiction> packet_too_small(const Machine& machine) {
    constexpr std::string_view ending = ".framing.packet";
    for (const Parameter& packet : machine.parameters) {
        if (!packet.path.ends_with(ending)) continue;
        const std::string framing = packet.path.substr(0, packet.path.size() - std::string_view("packet").size());
        const Parameter* header = find(machine, framing + "header");
        if (packet.measure.value == 0 || packet.measure.value > (header ? header->measure.value : 0)) continue;
        return Contradiction{packet.path, fmt::format("a packet of '{}' has no room beside its header of '{}'",
                                                      print(packet.measure, true), print(header->measure, true))};
    }
    return std::nullopt;
}

std::optional<Contradiction> same_size_twice(const Machine& machine) {
    std::set<std::pair<std::string_view, Data>> points;
    for (const Parameter& parameter : machine.parameters) {
        const SchemaRow* row = schema_row(parameter.path);
        if (row == nullptr || row->kind != Kind::curve) continue;
        const std::string_view curve = curve_of(*row, parameter.path);
        if (curve == parameter.path) continue;
        const Data size = curve_size(*row, parameter.path);
        if (points.emplace(curve, size).second) continue;
        return Contradiction{parameter.path,
                             fmt::format("the curve '{}' has a point for {} already", curve, print(size))};
    }
    return std::nullopt;
}

std::optional<Contradiction> reach_to_another_kind(const Machine& machine) {
    for (const std::string& own : names_below(machine, "reach")) {
        for (const std::string& other : names_below(machine, "reach." + own)) {
            const bool whole = is_whole_allreduce(machine, own);
            if (whole == is_whole_allreduce(machine, other)) continue;
            return Contradiction{fmt::format("reach.{}.{}", own, other),
                                 fmt::format("protocol '{}' is {}, and '{}' is {}: name one of the same kind", own,
                                             whole ? "a whole allreduce" : "a message", other,
                                             whole ? "a message" : "a whole allreduce")};
        }
    }
    return std::nullopt;
}

std::optional<Contradiction> two_currencies(const Machine& machine) {
    const Parameter* first = nullptr;
    for (const Parameter& parameter : machine.parameters) {
        if (parameter.measure.dimension != Dimension::money) continue;
        if (first == nullptr) first = &parameter;
        if (parameter.measure.unit == first->measure.unit) continue;
        return Contradiction{parameter.path,
                             fmt::format("'{}' is in {} and '{}' in {}, and none is converted into "
                                         "another: give all prices in one currency",
                                         first->path, first->measure.unit, parameter.path, parameter.measure.unit)};
    }
    return std::nullopt;
}

// The protocol that a workload or a level goes by. A layer of an older file becomes a protocol of its name.
std::optional<Contradiction> protocol_missing(const Machine& machine) {
    for (const Parameter& parameter : machine.parameters) {
        const SchemaRow* row = parameter.text.empty() ? nullptr : schema_row(parameter.path);
        if (row == nullptr || row->kind != Kind::name) continue;
        if (has(machine, "protocols." + parameter.text) || has(machine, "messaging." + parameter.text)) continue;
        const std::string near = did_you_mean(parameter.text, names_below(machine, "protocols"));
        return Contradiction{parameter.path, fmt::format("there is no protocol '{}'{}", parameter.text,
                                                         near.empty() ? ": add it to 'protocols'" : near)};
    }
    return std::nullopt;
}

// What protocols pass, and reach to for longer messages.
std::optional<Contradiction> name_missing(const Machine& machine) {
    const auto missing = [&machine](const std::string& from, const std::string& name, const std::string& section,
                                    const char* what) -> std::optional<Contradiction> {
        if (has(machine, section + "." + name)) return std::nullopt;
        const std::string near = did_you_mean(name, names_below(machine, section));
        return Contradiction{from, fmt::format("there is no {} '{}'{}", what, name,
                                               near.empty() ? fmt::format(": add it to '{}'", section) : near)};
    };
    for (const std::string& protocol : names_below(machine, "protocols")) {
        for (const std::string& path : names_below(machine, "protocols." + protocol)) {
            if (auto found = missing(fmt::format("protocols.{}.{}", protocol, path), path, "paths", "path"))
                return found;
        }
    }
    for (const std::string& own : names_below(machine, "reach")) {
        for (const std::string& other : names_below(machine, "reach." + own)) {
            const std::string place = fmt::format("reach.{}.{}", own, other);
            for (const std::string& name : {own, other}) {
                if (auto found = missing(place, name, "protocols", "protocol")) return found;
            }
            if (own != other && has(machine, "reach." + other) &&
                !has(machine, fmt::format("reach.{}.{}", other, own))) {
                return Contradiction{place,
                                     fmt::format("'{}' reaches to others itself, which is not followed: let '{}' "
                                                 "reach those too",
                                                 other, own)};
            }
            if (own == other || has(machine, fmt::format("reach.{}.{}", other, own))) {
                return Contradiction{place,
                                     fmt::format("'{}' reaches back to '{}', so that nobody could choose either: "
                                                 "leave it out for short messages or for long ones",
                                                 other, own)};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_below(std::string_view path, std::string_view ancestor) {
    return path.size() > ancestor.size() && path[ancestor.size()] == '.' && path.starts_with(ancestor);
}

bool is_within(std::string_view path, std::string_view ancestor) {
    return path == ancestor || is_below(path, ancestor);
}

Time Curve::at(Data size) const {
    if (points.size() == 1 || size <= points.front().size) return points.front().value;
    if (size >= points.back().size) return points.back().value;
    const auto above = std::ranges::find_if(points, [size](const Point& p) { return p.size > size; });
    const auto below = above - 1;
    const double share = std::log(size / below->size) / std::log(above->size / below->size);
    return below->value + (above->value - below->value) * share;
}

namespace {

void note_seen(const Machine& machine, const Parameter& parameter) {
    if (!machine.seen) return;
    const auto position = static_cast<std::size_t>(&parameter - machine.parameters.data());
    if (position < machine.seen->size()) machine.seen->at(position) = 1;  // others were added since
}

}  // namespace

std::string nearest_paths(const Machine& machine, const std::string& path) {
    constexpr std::size_t most = 3;
    const auto words = std::ranges::count(path, '.') + 1;
    const int limit = static_cast<int>(path.size()) / 3 + 2;
    int least = limit;
    std::vector<std::string> nearest;
    for (const Parameter& parameter : machine.parameters) {
        const int distance =
            std::min(edit_distance(path, parameter.path), edit_distance(path, last_words(parameter.path, words)));
        if (distance >= limit || distance > least) continue;
        if (distance < least) nearest.clear();
        least = distance;
        if (nearest.size() < most) nearest.push_back("'" + parameter.path + "'");
    }
    return nearest.empty() ? "" : fmt::format(", did you mean {}?", fmt::join(nearest, " or "));
}

const Parameter* find(const Machine& machine, std::string_view path) {
    for (const Parameter& parameter : machine.parameters) {
        if (!is_same(parameter.path, path)) continue;
        note_seen(machine, parameter);
        return &parameter;
    }
    return nullptr;
}

const Parameter& nth_parameter(const Machine& machine, std::size_t position) {
    const Parameter& parameter = machine.parameters[position];
    note_seen(machine, parameter);
    return parameter;
}

bool changes_with(const Parameter& parameter, std::string_view path) {
    if (!is_below(parameter.path, path)) return parameter.path == path;
    const SchemaRow* row = schema_row(parameter.path);
    return row == nullptr || row->kind == Kind::count || row->at_most == largest_value;
}

bool is_cost(const Parameter& parameter) {
    const SchemaRow* row = schema_row(parameter.path);
    return parameter.text.empty() && (row == nullptr || row->kind != Kind::count);
}

const ResidualSurface* residuals_named(const Machine& machine, std::string_view name) {
    for (const ResidualSurface& surface : machine.residuals) {
        if (surface.measured().name == name) return &surface;
    }
    return nullptr;
}

Machine at_core_distance(Machine machine, double distance) {
    for (Parameter& parameter : machine.parameters) {
        if (parameter.path != core_distance_path) continue;
        parameter.measure = {distance, Dimension::time, "ns"};
        parameter.interval.reset();
    }
    return machine;
}

void follow_core_distance(Machine& machine) {
    if (machine.residuals.empty()) return;
    const double distance = time_at(machine, core_distance_path).si();
    for (ResidualSurface& surface : machine.residuals) surface = surface.at_core_distance(distance);
}

Machine in_state(Machine machine, const std::vector<double>& state) {
    for (ResidualSurface& surface : machine.residuals) surface = surface.in_state(state);
    return state.empty() ? machine : at_core_distance(std::move(machine), std::exp(state.front()));
}

Machine like_state(Machine machine, const std::vector<double>& state, double change) {
    for (ResidualSurface& surface : machine.residuals) surface = surface.like_state(state, change);
    return at_core_distance(std::move(machine), std::exp(state.front()));
}

double state_change(const Machine& machine) {
    const Parameter* known = find(machine, state_change_path);
    return known == nullptr ? 0 : known->measure.value;
}

Machine in_state_now(Machine machine, const std::vector<double>& state) {
    const double change = state_change(machine);
    return like_state(std::move(machine), state, change);
}

bool has(const Machine& machine, std::string_view path) {
    return std::ranges::any_of(machine.parameters,
                               [path](const Parameter& p) { return is_same(p.path, path) || is_below(p.path, path); });
}

Time time_at(const Machine& machine, std::string_view path) {
    return time_of(machine, require(machine, path));
}

TimePerByte time_per_byte_at(const Machine& machine, std::string_view path) {
    return time_per_byte_of(machine, require(machine, path));
}

Time time_of(const Machine& machine, const Parameter& parameter) {
    if (parameter.measure.dimension == Dimension::cycles) {
        return Time(parameter.measure.value / clock_of(machine, parameter));
    }
    return Time(parameter.measure.value);
}

TimePerByte time_per_byte_of(const Machine& machine, const Parameter& parameter) {
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
    if (const Parameter* const constant = find(machine, path)) return {{{Data(0), time_of(machine, *constant)}}};
    Curve curve;
    for (const Parameter& parameter : machine.parameters) {
        if (!is_below(parameter.path, path)) continue;
        note_seen(machine, parameter);
        curve.points.push_back(
            {parse_data(std::string_view(parameter.path).substr(path.size() + 1)), time_of(machine, parameter)});
    }
    if (curve.points.empty()) require(machine, path);
    std::ranges::sort(curve.points, [](const auto& a, const auto& b) { return a.size < b.size; });
    return curve;
}

std::vector<std::string> names_below(const Machine& machine, std::string_view path) {
    std::vector<std::string> names;
    for (const Parameter& parameter : machine.parameters) {
        if (!is_below(parameter.path, path)) continue;
        const std::string_view rest = std::string_view(parameter.path).substr(path.size() + 1);
        const std::string_view name = rest.substr(0, rest.find('.'));
        if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    }
    return names;
}

bool is_whole_allreduce(const Machine& machine, std::string_view protocol) {
    const std::vector<std::string> others = names_below(machine, "other_networks");
    if (others.empty()) return false;
    for (const std::string& path : names_below(machine, fmt::format("protocols.{}", protocol))) {
        for (const std::string& server : names_below(machine, "paths." + path)) {
            if (std::ranges::find(others, server) != others.end()) return true;
        }
    }
    return false;
}

std::optional<Contradiction> contradiction_in(const Machine& machine) {
    if (auto found = clock_missing(machine)) return found;
    if (auto found = no_dimensions(machine)) return found;
    if (auto found = partition_too_large(machine)) return found;
    if (auto found = packet_too_small(machine)) return found;
    if (auto found = protocol_missing(machine)) return found;
    if (auto found = name_missing(machine)) return found;
    if (auto found = reach_to_another_kind(machine)) return found;
    if (auto found = two_currencies(machine)) return found;
    return same_size_twice(machine);
}

namespace {

// A graph and cuts that were searched are those of the topology that is.
void require_no_search(const Machine& machine, std::string_view topology) {
    if (machine.graph == nullptr && !has(machine, "network.cut")) return;
    throw InputError(fmt::format(
        "'network.topology' cannot be {}: the cuts of machine '{}' were searched on another network; choose "
        "the topology with --network instead",
        topology, machine.id));
}

}  // namespace

void name_on_network(Machine& machine, const std::string& network) {
    if (machine.id_of_nodes.empty()) machine.id_of_nodes = machine.id;
    machine.id = fmt::format("{} on {}", machine.id_of_nodes, network);
    machine.network_name = network;
}

Machine with_change(Machine machine, std::string_view path, std::string_view change) {
    if (path == "network.topology") require_no_search(machine, change);
    int changed = 0;
    for (Parameter& parameter : machine.parameters) {
        if (!changes_with(parameter, path)) continue;
        if (const auto factor = factor_of(change)) {
            scale(parameter, *factor);
            check_value(*schema_row(parameter.path), parameter.measure);
        } else if (parameter.path == path) {
            assign(parameter, change);
        } else {
            throw InputError(
                fmt::format("'{}' leads to several values, such as '{}': name one of them, or change all "
                            "by a factor such as '2x'",
                            path, parameter.path));
        }
        parameter.source = fmt::format("set to {}", change);
        if (parameter.path == core_distance_path) follow_core_distance(machine);
        ++changed;
    }
    if (changed == 0) {
        const auto today = newer_place(path);
        const bool is_whole = schema_row(path) != nullptr;  // no section of several values
        if (today && is_whole && find(machine, *today) != nullptr)
            return with_change(std::move(machine), *today, change);
        add(machine, path, change);
        if (path == core_distance_path) follow_core_distance(machine);
    }
    if (path == "network.topology") {  // the job's parts were those of another
        std::erase_if(machine.parameters, [](const auto& one) { return is_below(one.path, "network.partitions"); });
        machine.protocols = nullptr;
    }
    const bool is_chosen = !machine.composed && !machine.network_name.empty();
    if (path == "network.topology" && is_chosen) name_on_network(machine, std::string(change));
    if (const auto found = contradiction_in(machine)) {
        throw InputError(fmt::format("'{}' cannot be {}: {}", path, change, found->message));
    }
    return machine;
}

}  // namespace narrows
