#include "cli/program_words.hpp"

#include <fmt/format.h>

#include "cli/options.hpp"
#include "topologies/shape.hpp"

namespace narrows {

std::vector<int> program_grid(const Program& program, const std::string& grid, std::int64_t ranks) {
    if (grid.empty()) return most_cubic_shape(ranks, program.dimensions);
    std::vector<int> shape = naming("--grid", [&] { return parse_shape(grid); });
    if (static_cast<int>(shape.size()) != program.dimensions) {
        throw InputError(
            fmt::format("--grid {}: the ranks of {} are a {}", grid, program.name,
                        program.dimensions == 1 ? "line" : fmt::format("grid of {} dimensions", program.dimensions)));
    }
    if (shape_nodes(shape) == ranks) return shape;
    throw InputError(fmt::format("--grid {}: it has {} places for {} ranks: its sizes must multiply to that", grid,
                                 shape_nodes(shape), ranks));
}

std::map<std::string, Amount> program_options(const Program& program, const std::map<std::string, std::string>& given) {
    std::map<std::string, Amount> chosen;
    for (const ProgramOption& option : program.options) {
        const auto found = given.find(option.name);
        if (found == given.end() || found->second.empty()) continue;
        const std::string& written = found->second;
        if (written.find(',') != std::string::npos || written.find("..") != std::string::npos) {
            throw InputError(
                fmt::format("--{} {}: give one value; a list makes the rows of 'narrows table'", option.name, written));
        }
        chosen.emplace(option.name, naming("--" + option.name, [&] { return option.amount_of(written); }));
    }
    return chosen;
}

std::map<std::string, std::string> own_options(const Program& program) {
    std::map<std::string, std::string> options;
    for (const ProgramOption& option : program.options) {
        options.emplace(option.name, fmt::format("{} (default {})", option.help, option.text));
    }
    return options;
}

}  // namespace narrows
