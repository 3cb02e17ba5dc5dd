#include "random_machine.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace narrows {
namespace {

using Random = std::mt19937_64;

bool chance(Random& random, int in) {
    return random() % static_cast<std::uint64_t>(in) == 0;
}

template <class T>
const T& pick(Random& random, const std::vector<T>& choices) {
    return choices[random() % choices.size()];
}

std::string random_text(Random& random) {
    static const std::vector<std::string> parts = {"word", " ",   ": ",   "#",   " # ", "'",    "\"",   "\\", "{",
                                                   "}",    "[",   "]",    ",",   "&",   "*",    "!",    "|",  ">",
                                                   "%",    "@",   "`",    "-",   "?",   "~",    "null", "µs", "\t",
                                                   "\n",   "0x1", "true", "---", "...", "日本", "1.5",  "= ", "\x7f"};
    std::string text;
    const std::uint64_t count = 1 + random() % 8;
    for (std::uint64_t i = 0; i < count; ++i) text += pick(random, parts);
    return text;
}

double random_double(Random& random) {
    return std::uniform_real_distribution<double>(1, 10)(random) *
           std::pow(10.0, std::uniform_int_distribution<int>(-12, 12)(random));
}

Measure random_measure(Random& random, const SchemaRow& row) {
    static const std::vector<std::string> time = {"s", "ms", "us", "µs", "ns", "ps", "cycles"};
    static const std::vector<std::string> data = {"B", "KB", "MB", "GB", "KiB", "MiB", "GiB", "TiB"};
    static const std::vector<std::string> bandwidth = {"B/s", "MB/s", "GB/s", "MiB/s", "bit/s", "Gbit/s", "Tbit/s"};
    const double value = random_double(random);
    const auto measure = [](double number, const std::string& unit) {
        return Measure{number, parse_measure("1 " + unit).dimension, unit};
    };
    switch (row.kind) {
        case Kind::time:
        case Kind::curve:
            return measure(value, pick(random, time));
        case Kind::data:
            return measure(value, pick(random, data));
        case Kind::bandwidth:
            return measure(value, pick(random, bandwidth));
        case Kind::frequency:
            return measure(value, pick<std::string>(random, {"Hz", "MHz", "GHz", "/s", "GUPS"}));
        case Kind::time_per_byte:
            return measure(value, pick<std::string>(random, {"s/B", "ns/B", "ps/B", "cycles/B"}));
        case Kind::money:
            return measure(value, "EUR");
        case Kind::power:
            return measure(value, pick<std::string>(random, {"W", "kW", "MW"}));
        case Kind::count:
            return measure(static_cast<double>(1 + random() % 1000), "");
        default:
            return row.at_most < largest_value
                       ? measure(std::uniform_real_distribution<double>(row.at_least.value_or(0), row.at_most)(random),
                                 "")
                       : measure(1 + value, pick<std::string>(random, {"", "%"}));
    }
}

Parameter random_parameter(Random& random, const SchemaRow& row, const std::string& path) {
    Parameter parameter;
    parameter.path = path;
    if (is_text(row.kind)) {
        parameter.text = row.kind == Kind::topology ? "torus 4x4x2"
                         : row.kind == Kind::name   ? "first"
                                                    : "dimension-order ties=onwards";
    } else {
        parameter.measure = random_measure(random, row);
        parameter.measure.value = std::max(parameter.measure.value, row.at_least.value_or(0));
        const double value = parameter.measure.value;
        if (chance(random, 2) && value * 1.1 <= row.at_most && row.kind != Kind::count)
            parameter.interval = Interval{value, value * 1.1};
    }
    if (chance(random, 2)) parameter.source = chance(random, 2) ? "calibrated" : random_text(random);
    if (chance(random, 3)) parameter.note = random_text(random);
    return parameter;
}

void add(Random& random, Machine& machine, const SchemaRow& row, const std::string& path) {
    if (row.kind == Kind::curve && chance(random, 2)) {
        for (const char* size : {"1 KiB", "1.5 MiB", "2 GB"}) {
            machine.parameters.push_back(random_parameter(random, row, path + "." + size));
        }
    } else {
        machine.parameters.push_back(random_parameter(random, row, path));
    }
}

std::string named(std::string path, const std::string& name) {
    for (auto star = path.find('*'); star != std::string::npos; star = path.find('*')) path.replace(star, 1, name);
    return path;
}

bool is_packet_limit(const std::string& path) {
    return path.ends_with("framing.packet");
}

}  // namespace

Machine random_machine(Random& random) {
    Machine machine;
    machine.id = "random";
    machine.name = "random " + random_text(random);
    if (chance(random, 2)) machine.source = random_text(random);
    if (chance(random, 2))
        machine.environment = {{"compiler", random_text(random)}, {"load: now", "0.5"}, {"empty", ""}};
    for (const SchemaRow& row : schema()) {
        const std::string path(row.path);
        // A random packet may be smaller than its header, which the reader refuses.
        if (path != "node.clock" && (chance(random, 3) || is_packet_limit(path))) continue;
        add(random, machine, row, named(path, path.starts_with("network.partitions") ? "32" : "first"));
    }
    for (const SchemaRow& row : schema()) {
        const std::string path(row.path);
        if (path.starts_with("messaging") && !is_packet_limit(path))
            add(random, machine, row, named(path, "second-1_a"));
    }
    if (!has(machine, "paths.first")) {  // which no protocol can pass then
        std::erase_if(machine.parameters, [](const Parameter& one) { return one.path.starts_with("protocols."); });
    }
    const Parameter* const protocol = find(machine, "protocols.first.first");
    if (protocol == nullptr) {  // which nobody can go by then
        std::erase_if(machine.parameters,
                      [](const Parameter& one) { return one.text == "first" || one.path.starts_with("reach."); });
    } else {
        Parameter other = *protocol;
        other.path = "protocols.other.first";
        machine.parameters.push_back(other);
        for (Parameter& one : machine.parameters) {
            if (one.path == "reach.first.first") one.path = "reach.first.other";  // nothing reaches to itself
        }
    }
    if (!has(machine, "network.topology")) {  // of which the cuts were
        std::erase_if(machine.parameters, [](const Parameter& one) { return one.path.starts_with("network.cut."); });
    }
    // Grouped by section, as the writer writes and the reader reads them.
    const auto section = [](const Parameter& parameter) { return parameter.path.substr(0, parameter.path.find('.')); };
    std::vector<std::string> order;
    for (const Parameter& parameter : machine.parameters) {
        if (std::ranges::find(order, section(parameter)) == order.end()) order.push_back(section(parameter));
    }
    std::ranges::stable_sort(machine.parameters, [&](const auto& a, const auto& b) {
        return std::ranges::find(order, section(a)) < std::ranges::find(order, section(b));
    });
    return machine;
}

}  // namespace narrows
