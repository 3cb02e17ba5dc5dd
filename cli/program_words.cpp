#include "cli/program_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/options.hpp"
#include "data/workload_file.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// Options of one word that a command has beside those of a workload file; a test looks for others.
constexpr std::array reserved = {"against", "background", "color", "explain", "format", "grid", "help", "hosts",
                                 "machine", "measured", "minimise", "network", "nodes", "output", "placement",
                                 "protocol", "quiet", "rank", "ranks", "rendezvous", "repeats", "secret", "set",
                                 "state", "target", "threads", "transport", "vary", "workers",
                                 // columns of sweep
                                 "bottleneck", "high", "low", "result", "unit"};

bool is_fraction(const ProgramOption& option) {
    const Amount& usual = option.usual;
    return usual.seconds == 0 && usual.bytes == 0 && usual.value != std::floor(usual.value);
}

}  // namespace

Program read_program(const std::string& name) {
    Program program = load_program(name);
    for (const ProgramOption& option : program.options) {
        if (std::ranges::find(reserved, option.name) == reserved.end()) continue;
        option.origin.fail(fmt::format("'--{}' is an option of narrows itself: give it another name", option.name));
    }
    return program;
}

std::vector<int> program_grid(const Program& program, const std::string& grid, std::int64_t ranks) {
    if (grid.empty()) return most_cubic_shape(ranks, program.dimensions);
    std::vector<int> shape = with_option_context("--grid", [&] { return parse_shape(grid); });
    if (static_cast<int>(shape.size()) != program.dimensions) {
        throw InputError(
            fmt::format("--grid {}: the ranks of {} are a {}", grid, program.name,
                        program.dimensions == 1 ? "line" : fmt::format("grid of {} dimensions", program.dimensions)));
    }
    if (shape_nodes(shape) == ranks) return shape;
    throw InputError(fmt::format("--grid {}: it has {} places for {} ranks: its sizes must multiply to that", grid,
                                 shape_nodes(shape), ranks));
}

bool makes_rows(const ProgramOption& option) {
    return option.usual.is(Dimension::data) || (option.usual.is(Dimension::number) && !is_fraction(option));
}

std::map<std::string, Amount> program_options(const Program& program, const OptionWords& words) {
    std::map<std::string, Amount> chosen;
    for (const ProgramOption& option : program.options) {
        const std::string name = "--" + option.name;
        const std::string& written = words[name];
        if (written.empty()) continue;
        if (written.find(',') != std::string::npos || written.find("..") != std::string::npos) {
            throw InputError(fmt::format(
                "{} {}: give one value; {}", name, written,
                makes_rows(option) ? "a list makes the rows of 'narrows table'" : "'narrows sweep' takes lists"));
        }
        chosen.emplace(option.name, with_option_context(name, [&] { return option.amount_of(written); }));
    }
    return chosen;
}

Option program_grid_option() {
    return Option{"--grid", "ranks along each dimension, such as 2x3; default: as cubic as it goes"}.taking("SHAPE");
}

Options own_options(const Program& program) {
    Options options;
    for (const ProgramOption& option : program.options) {
        const Option of_any{"--" + option.name, fmt::format("{} (default {})", option.help, option.text)};
        options.push_back(is_fraction(option) ? of_any.taking_fraction("FRACTION") : of_any);
    }
    return options;
}

nlohmann::ordered_json json_of_options(const Program& program, const std::map<std::string, Amount>& chosen) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const ProgramOption& option : program.options) {
        const auto given = chosen.find(option.name);
        json[option.name] = (given == chosen.end() ? option.usual : given->second).value;
    }
    return json;
}

}  // namespace narrows
