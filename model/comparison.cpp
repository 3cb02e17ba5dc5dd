#include "model/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// From the value to the end of its interval on the side of `other`.
double towards(const Estimate& estimate, double other) {
    if (!estimate.interval) return 0;
    return other > estimate.value ? estimate.interval->high - estimate.value : estimate.value - estimate.interval->low;
}

bool is_number(const std::optional<Parameter>& parameter) {
    return parameter && parameter->text.empty();
}

ParameterDifference difference(const Parameter* first, const Parameter* second) {
    ParameterDifference found;
    found.path = (first != nullptr ? first : second)->path;
    if (first != nullptr) found.before = *first;
    if (second != nullptr) found.after = *second;
    if (second == nullptr) {
        found.standing = Standing::only_before;
    } else if (first == nullptr) {
        found.standing = Standing::only_after;
    } else if (is_number(found.before) && is_number(found.after) &&
               first->measure.dimension == second->measure.dimension) {
        found.standing =
            standing_of({first->measure.value, first->interval}, {second->measure.value, second->interval});
        found.change = relative_change(first->measure.value, second->measure.value);
    } else {
        const bool alike = first->text == second->text && first->measure == second->measure;
        found.standing = alike ? Standing::same : Standing::exact;
    }
    return found;
}

}  // namespace

std::string_view name_of(Standing standing) {
    static constexpr auto names = std::to_array<std::string_view>(
        {"beyond intervals", "no interval", "only in the first", "only in the second", "within intervals", "same"});
    static_assert(names.size() == static_cast<std::size_t>(Standing::same) + 1);
    return names.at(static_cast<std::size_t>(standing));
}

Standing standing_of(const Estimate& before, const Estimate& after) {
    if (before.value == after.value) return Standing::same;
    if (!before.interval && !after.interval) return Standing::exact;
    const double explained = std::hypot(towards(before, after.value), towards(after, before.value));
    return std::abs(after.value - before.value) > explained ? Standing::beyond : Standing::within;
}

std::optional<double> relative_change(double before, double after) {
    if (before == after) return 0;
    if (before == 0) return std::nullopt;
    return after / before - 1;
}

std::vector<ParameterDifference> differences(const Machine& before, const Machine& after) {
    std::vector<ParameterDifference> found;
    const auto keep = [&found](ParameterDifference one) {
        if (one.standing != Standing::same) found.push_back(std::move(one));
    };
    for (const Parameter& parameter : before.parameters) keep(difference(&parameter, find(after, parameter.path)));
    for (const Parameter& parameter : after.parameters) {
        if (find(before, parameter.path) == nullptr) keep(difference(nullptr, &parameter));
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.standing < b.standing; });
    return found;
}

void weigh(std::vector<ParameterDifference>& differences, const Machine& before, const NumberOf& predicted,
           const ReportProgress& progress) {
    if (differences.empty()) return;
    Machine machine = before;
    const auto seen = machine.seen = std::make_shared<std::vector<char>>(machine.parameters.size());
    const double number = predicted(machine);
    machine.seen = nullptr;
    const auto effect_of = [&](const ParameterDifference& one) -> std::optional<double> {
        if (!one.before || !one.after || !is_cost(*one.before) || !is_cost(*one.after)) return std::nullopt;
        const auto place = static_cast<std::size_t>(find(machine, one.path) - machine.parameters.data());
        if (seen->at(place) == 0) return 0;
        std::optional<double> effect;
        const Parameter kept = std::exchange(machine.parameters[place], *one.after);
        try {
            if (!contradiction_in(machine)) effect = relative_change(number, predicted(machine));
        } catch (const InputError&) {  // no effect is known then
        }
        machine.parameters[place] = kept;
        return effect;
    };
    double done = 0;
    for (ParameterDifference& one : differences) {
        one.effect = effect_of(one);
        if (progress) progress(++done / static_cast<double>(differences.size()));
    }
    std::ranges::stable_sort(differences, [](const auto& a, const auto& b) {
        return std::abs(a.effect.value_or(0)) > std::abs(b.effect.value_or(0));
    });
}

std::vector<TermChange> moved_terms(const std::vector<NamedTime>& before, const std::vector<NamedTime>& after) {
    std::vector<TermChange> terms;
    const auto add = [&terms](const NamedTime& term, Time TermChange::*side) {
        auto known = std::ranges::find_if(terms, [&](const auto& one) { return one.name == term.name; });
        if (known == terms.end()) known = terms.insert(known, {term.name, Time(), Time(), std::nullopt});
        (*known).*side += term.time;
    };
    for (const NamedTime& term : before) add(term, &TermChange::before);
    for (const NamedTime& term : after) add(term, &TermChange::after);
    Time whole;
    Time size;
    for (const TermChange& term : terms) {
        whole += term.change();
        size += term.before + term.after;
    }
    constexpr double rounding = 1e-12;
    const auto is_nothing = [&size](Time change) { return std::abs(change.si()) <= rounding * size.si(); };
    terms.erase(std::remove_if(terms.begin(), terms.end(), [&](const auto& one) { return is_nothing(one.change()); }),
                terms.end());
    for (TermChange& term : terms) {
        if (!is_nothing(whole)) term.share = term.change() / whole;
    }
    std::ranges::stable_sort(
        terms, [](const auto& a, const auto& b) { return std::abs(a.change().si()) > std::abs(b.change().si()); });
    return terms;
}

}  // namespace narrows
