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

// A number of the phase, or the pattern's usual one.
double number_of(const ProgramPhase& phase, const PatternNumber& wanted, const Amounts& names) {
    const auto given = phase.numbers.find(wanted.name);
    const bool is_given = given != phase.numbers.end();
    const Expression expression = is_given ? given->second : Expression(std::string(wanted.usual));
    const double number = expression.at(names, wanted.dimension);
    const auto fail = [&](std::string_view unit, const std::string& remedy) {
        expression.origin().fail(fmt::format("'{}' of phase '{}' is {:g}{}{}: {}", wanted.name, phase.name, number,
                                             unit.empty() ? "" : " ", unit, remedy));
    };
    if (const auto& range = wanted.whole) {
        const bool within = number >= static_cast<double>(range->least) && number <= static_cast<double>(range->most);
        if (!within || number != std::floor(number))
            fail("", fmt::format("give a whole number from {} to {}", range->least, range->most));
    } else if (number < 0) {
        fail(wanted.dimension == Dimension::number ? "" : base_unit(wanted.dimension), "it cannot be below zero");
    }
    return number;
}

PhaseWork work_of(const ProgramPhase& phase, const std::vector<int>& grid, const Amounts& names,
                  std::int64_t ranks_per_node) {
    PhaseWork work;
    work.name = phase.name;
    work.origin = phase.origin;
    work.pattern = phase.pattern;
    work.algorithm = phase.algorithm;
    PatternInputs inputs{phase.pattern, {}, grid, phase.along, phase.algorithm, phase.messages, ranks_per_node};
    work.all_ranks = inputs.group() == inputs.ranks();
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
        static_cast<PatternRounds&>(work) = phase.pattern->rounds(inputs);
    } catch (const InputError& error) {
        if (!error.file().empty()) throw;
        phase.origin.fail(fmt::format("phase '{}': {}", phase.name, error.what()));
    }
    return work;
}

}  // namespace

Amount ProgramOption::amount_of(const std::string& written) const {
    const bool answers = text == "yes" || text == "no";
    if (answers && written.find_first_of("0123456789") == std::string::npos && written != "yes" && written != "no")
        throw InputError(fmt::format("'{}' is neither yes nor no", written));
    const Amount amount = Amount::parse(written);
    const bool is_plain = usual.is(Dimension::number) || usual.is(Dimension::data) || amount.value == 0;
    if (amount.is(Dimension::number) && is_plain) return {amount.value, usual.seconds, usual.bytes};
    if (amount.is(Dimension::number)) {
        throw InputError(
            fmt::format("'{}' is a number without a unit: write one like the default '{}'", written, text));
    }
    if (amount.seconds == usual.seconds && amount.bytes == usual.bytes) return amount;
    throw InputError(fmt::format("'{}' has another unit than the default '{}'", written, text));
}

Amounts names_of_ranks(const std::vector<int>& grid) {
    Amounts names = {{"yes", {1}}, {"no", {0}}, {"P", {static_cast<double>(shape_nodes(grid))}}};
    for (std::size_t d = 0; d < grid.size(); ++d) names[dimension_names[d]] = {static_cast<double>(grid[d])};
    return names;
}

Amounts amounts_of(const Program& program, const std::vector<int>& grid, const std::map<std::string, Amount>& chosen) {
    Amounts names = names_of_ranks(grid);
    for (const ProgramOption& option : program.options) names[option.name] = option.usual;
    for (const auto& [name, amount] : chosen) names.at(name) = amount;
    return names;
}

std::vector<PhaseWork> phases_of(const Program& program, const std::vector<int>& grid,
                                 const std::map<std::string, Amount>& chosen, std::int64_t ranks_per_node) {
    const Amounts names = amounts_of(program, grid, chosen);
    std::vector<PhaseWork> phases;
    for (const ProgramPhase& phase : program.phases) {
        phases.push_back(work_of(phase, grid, names, ranks_per_node));
        for (std::size_t group = 0; group < program.overlaps.size(); ++group) {
            const std::vector<std::string>& members = program.overlaps[group];
            if (std::ranges::find(members, phase.name) == members.end()) continue;
            phases.back().overlap = static_cast<int>(group);
        }
    }
    return phases;
}

}  // namespace narrows
