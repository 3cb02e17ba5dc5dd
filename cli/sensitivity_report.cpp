#include "cli/sensitivity_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/parameter_cells.hpp"
#include "model/expense.hpp"

namespace narrows {
namespace {

// The parameters that make most of the interval, at most three.
std::string best_measured(std::vector<Sensitivity> found) {
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) {
        return a.interval_share.value_or(0) > b.interval_share.value_or(0);
    });
    constexpr std::size_t most = 3;
    constexpr double worth_it = 0.01;
    std::string text = "to measure better, of the interval's squared width:";
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
        const double share = found[i].interval_share.value_or(0);
        if (share > worth_it) text += fmt::format("{} {} {:.1f} %", i == 0 ? "" : ",", found[i].path, 100 * share);
    }
    return text;
}

// What so many nodes cost, where the machine's file says it and its network can be counted.
std::optional<Expense> price_of(Document& document, const Machine& machine, std::int64_t nodes) {
    if (!has_expense(machine, Spent::price)) return std::nullopt;
    try {
        return expense_of(machine, Spent::price, nodes);
    } catch (const InputError& error) {
        document.remarks.push_back(fmt::format("nothing for the price: {}", error.what()));
        return std::nullopt;
    }
}

// How many percent better the result gets for 1 % of the whole price, spent on what the parameter is a property of.
// At a kink it gets better by less than it gets worse the other way: another server holds it back from there on.
std::optional<double> gain_of(const Sensitivity& one, const Machine& machine, const std::optional<Expense>& price) {
    const auto share = price ? price->share_of(machine, one.path) : std::nullopt;
    if (!share || one.at_step) return std::nullopt;
    const auto [up, down] = one.kink.value_or(std::pair(one.elasticity, one.elasticity));
    return std::min(std::abs(up), std::abs(down)) / *share;
}

TableCell elasticity_cell(const Sensitivity& one) {
    if (one.at_step) return "at a step";
    if (one.kink) return {fmt::format("{:+.3f} up, {:+.3f} down", one.kink->first, one.kink->second), {one.elasticity}};
    return {fmt::format("{:+.3f}", one.elasticity), {one.elasticity}};
}

}  // namespace

std::string sensitivity_title(const Answer& answer) {
    return fmt::format("{} on {}, {}: change of the {} for a change of a parameter by 1 %", answer.subject,
                       answer.machine, answer.size, answer.figures.quantity);
}

void add_sensitivities(Document& document, const Machine& machine, std::int64_t nodes, const Answer& answer,
                       const NumberOf& number, const ReportProgress& progress) {
    const std::vector<Sensitivity> found = sensitivities(machine, number, progress);
    const bool shared = !found.empty() && found.front().interval_share && !answer.is_of_runs;
    Table table{"", {"parameter", value_column(), "elasticity"}, {}};
    if (shared) table.header.emplace_back("of the interval", std::vector<std::string>{"interval share"});
    const std::optional<Expense> price = price_of(document, machine, nodes);
    if (price) table.header.emplace_back("for 1 % of the price", std::vector<std::string>{"gain per price"});
    document.json["elasticities"] = nlohmann::ordered_json::array();
    bool any_at_step = false, any_kink = false;
    for (const Sensitivity& one : found) {
        if (!shared && one.elasticity == 0 && !one.at_step && !one.kink) continue;
        document.json["elasticities"].push_back({{"path", one.path}, {"elasticity", one.elasticity}});
        if (one.at_step) document.json["elasticities"].back()["at_step"] = true;
        any_at_step = any_at_step || one.at_step;
        if (one.kink) {
            document.json["elasticities"].back()["up"] = one.kink->first;
            document.json["elasticities"].back()["down"] = one.kink->second;
        }
        any_kink = any_kink || one.kink;
        std::vector<TableCell> row = {one.path, value_cell(*find(machine, one.path)), elasticity_cell(one)};
        if (shared) {
            document.json["elasticities"].back()["interval_share"] = *one.interval_share;
            const bool none = *one.interval_share == 0;
            row.push_back(none ? TableCell("-", {0}) : share_cell(*one.interval_share));
        }
        const std::optional<double> gain = gain_of(one, machine, price);
        if (gain) document.json["elasticities"].back()["gain_per_price"] = *gain;
        if (price) row.push_back(gain ? TableCell(fmt::format("{:.2f} %", *gain), {*gain}) : "-");
        constexpr double seen = 0.0005;
        if (shared || one.at_step || one.kink || std::abs(one.elasticity) >= seen) table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        document.remarks.emplace_back("no parameter of the machine changes it by as much as can be seen");
    document.tables.push_back(table);
    if (any_at_step) {
        document.remarks.push_back(
            fmt::format("at a step: the {} jumps where such a value changes, as when a packet "
                        "takes a granule more, and follows no small change",
                        answer.figures.quantity));
    }
    if (any_kink) {
        document.remarks.emplace_back(
            "up and down: of a larger and of a smaller value, where several servers are equally busy");
    }
    if (price) {
        document.remarks.push_back(
            fmt::format("for 1 % of the price, {} {} in all, spent on what has the parameter: the {} is so much "
                        "better, if that gets better by as much as it gets dearer",
                        Figures().text(price->sum), price->unit, answer.figures.quantity));
    }
    if (shared) document.remarks.push_back(best_measured(found));
    if (answer.is_of_runs) {
        document.remarks.emplace_back(
            "the interval is that of runs beside the model, not of parameters: more runs narrow it (calibrate "
            "--resume)");
    }
}

}  // namespace narrows
