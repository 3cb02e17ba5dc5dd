#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/quantity.hpp"
#include "model/unit.hpp"

namespace narrows {

template <int S, int B>
constexpr Dimension dimension_of(Quantity<S, B>) {
    if constexpr (S == 1 && B == 0) return Dimension::time;
    if constexpr (S == 0 && B == 1) return Dimension::data;
    if constexpr (S == -1 && B == 0) return Dimension::frequency;
    if constexpr (S == -1 && B == 1) return Dimension::bandwidth;
    if constexpr (S == 1 && B == -1) return Dimension::time_per_byte;
}

/// What a name in a formula stands for, with its value in SI units. The texts outlive it: most are literals.
struct Symbol {
    std::string_view name;
    std::string_view meaning;
    double value = 0;
    Dimension dimension = Dimension::number;

    Symbol(std::string_view symbol, std::string_view what, double si, Dimension of = Dimension::number)
        : name(symbol), meaning(what), value(si), dimension(of) {}
    template <int S, int B>
    Symbol(std::string_view symbol, std::string_view what, Quantity<S, B> quantity)
        : Symbol(symbol, what, quantity.si(), dimension_of(quantity)) {}
};

/// A value with the expression, as workload files have them, that gives it from its symbols.
/// Test: tests/cli/test_formulas.cpp evaluates those of all workloads.
struct Formula {
    std::string name;  ///< of what it gives
    std::string text;
    std::string_view source;
    double value = 0;  ///< SI
    Dimension dimension = Dimension::number;
    std::vector<Symbol> symbols;
};

}  // namespace narrows
