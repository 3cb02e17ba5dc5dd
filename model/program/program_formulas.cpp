#include "model/program/program_formulas.hpp"

#include <array>
#include <stdexcept>

namespace narrows {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> of_ranks = {{
    {"P", "ranks"},
    {"Px", "ranks along the first dimension of their grid"},
    {"Py", "ranks along the second dimension"},
    {"Pz", "ranks along the third dimension"},
    {"yes", "a condition that holds"},
    {"no", "a condition that does not hold"},
}};

Symbol symbol_of(const Program& program, std::string_view name, const Amount& amount) {
    for (const ProgramOption& option : program.options) {
        if (option.name == name)
            return {option.name, option.help, amount.value, amount.dimension().value_or(Dimension::number)};
    }
    for (const auto& [known, meaning] : of_ranks) {
        if (known == name) return {known, meaning, amount.value};
    }
    throw std::logic_error("a program's name without a meaning");
}

}  // namespace

std::vector<Formula> formulas_of(const Program& program, const std::vector<int>& grid,
                                 const std::map<std::string, Amount>& chosen) {
    const Amounts amounts = amounts_of(program, grid, chosen);
    std::vector<Formula> formulas;
    const auto add = [&](const std::string& name, const Expression& expression) {
        const Amount value = expression.at(amounts);
        Formula formula{name, expression.text(), "", value.value, value.dimension().value_or(Dimension::number), {}};
        for (const std::string& used : expression.names()) {
            formula.symbols.push_back(symbol_of(program, used, amounts.at(used)));
        }
        formulas.push_back(std::move(formula));
    };
    for (const ProgramPhase& phase : program.phases) {
        for (const auto& [key, expression] : phase.numbers) add(phase.name + " " + key, expression);
        if (phase.repeat) add(phase.name + " repeat", *phase.repeat);
    }
    return formulas;
}

}  // namespace narrows
