#include "model/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::array<const char*, 3> dimension_names = {"Px", "Py", "Pz"};

void check_chosen(const Program& program, const std::map<std::string, Amount>& chosen) {
    std::vector<std::string> known;
    for (const ProgramOption& option : program.options) known.push_back(option.name);
    for (const auto& [name, amount] : chosen) {
        const auto option = std::find_if(program.options.begin(), program.options.end(),
                                         [&n = name](const ProgramOption& one) { return one.name == n; });
        if (option == program.options.end()) {
            throw InputError(fmt::format("{} has no option '{}'{} (it has: {})", program.name, name,
                                         did_you_mean(name, known), fmt::join(known, ", ")));
        }
        const bool alike = amount.seconds == option->usual.seconds && amount.bytes == option->usual.bytes;
        if (!alike && amount.value != 0 && option->usual.value != 0) {
            throw InputError(fmt::format("option '{}' has another unit than its default '{}'", name, option->text));
        }
    }
}

// A number of the phase, or the pattern's usual one.
double number_of(const ProgramPhase& phase, const PatternNumber& wanted, const Amounts& names) {
    const auto given = phase.numbers.find(wanted.name);
    const bool is_given = given != phase.numbers.end();
    const Expression expression = is_given ? given->second : Expression(std::string(wanted.usual));
    const double number = expression.at(names, wanted.dimension);
    const bool may_be_negative = wanted.name == "by";
    if (number < 0 && !may_be_negative) {
        expression.origin().fail(
            fmt::format("'{}' of phase '{}' is {:g}: it cannot be below zero", wanted.name, phase.name, number));
    }
    return number;
}

PhaseWork work_of(const ProgramPhase& phase, const std::vector<int>& grid, const Amounts& names) {
    PhaseWork work;
    work.name = phase.name;
    work.origin = phase.origin;
    work.pattern = phase.pattern;
    work.algorithm = phase.algorithm;
    work.all_ranks = !phase.along || grid.size() == 1;
    PatternInputs inputs;
    inputs.grid = grid;
    inputs.along = phase.along;
    inputs.algorithm = phase.algorithm;
    for (const PatternNumber& number : phase.pattern->numbers) {
        inputs.numbers.emplace(number.name, number_of(phase, number, names));
    }
    if (phase.pattern->computes) {
        const auto wanted = numbers_of_computing();
        work.compute = {number_of(phase, wanted[0], names), number_of(phase, wanted[1], names),
                        number_of(phase, wanted[2], names)};
    }
    if (phase.repeat) {
        work.repeat = phase.repeat->at(names, Dimension::number);
        if (work.repeat < 0)
            phase.repeat->origin().fail(
                fmt::format("phase '{}' repeats {:g} times: give 0 or more", phase.name, work.repeat));
    }
    try {
        PatternRounds made = phase.pattern->rounds(inputs);
        work.rounds = std::move(made.rounds);
        work.times = made.times;
        work.computes = made.computes;
        work.pieces = made.pieces;
    } catch (const InputError& error) {
        phase.origin.fail(fmt::format("phase '{}': {}", phase.name, error.what()));
    }
    return work;
}

}  // namespace

Amounts amounts_of(const Program& program, const std::vector<int>& grid, const std::map<std::string, Amount>& chosen) {
    Amounts names = {{"yes", {1, 0, 0}}, {"no", {0, 0, 0}}};
    names["P"] = {static_cast<double>(shape_nodes(grid)), 0, 0};
    for (std::size_t d = 0; d < grid.size(); ++d) names[dimension_names[d]] = {static_cast<double>(grid[d]), 0, 0};
    for (const ProgramOption& option : program.options) names[option.name] = option.usual;
    for (const auto& [name, amount] : chosen) names.at(name) = amount;
    return names;
}

std::vector<std::string> names_of_ranks(int dimensions) {
    std::vector<std::string> names = {"P", "yes", "no"};
    names.insert(names.end(), dimension_names.begin(), dimension_names.begin() + dimensions);
    return names;
}

std::vector<PhaseWork> phases_of(const Program& program, const std::vector<int>& grid,
                                 const std::map<std::string, Amount>& chosen) {
    check_chosen(program, chosen);
    const Amounts names = amounts_of(program, grid, chosen);
    std::vector<PhaseWork> phases;
    for (const ProgramPhase& phase : program.phases) {
        phases.push_back(work_of(phase, grid, names));
        for (std::size_t group = 0; group < program.overlaps.size(); ++group) {
            const std::vector<std::string>& members = program.overlaps[group];
            if (std::find(members.begin(), members.end(), phase.name) == members.end()) continue;
            phases.back().overlap = static_cast<int>(group);
        }
    }
    return phases;
}

}  // namespace narrows
