#include "cli/sensitivity_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/parameter_cells.hpp"

namespace narrows {
namespace {

// The parameters that make most of the interval, at most three.
std::string best_measured(std::vector<Sensitivity> found) {
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
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

}  // namespace

std::string sensitivity_title(const Answer& answer) {
    return fmt::format("{} on {}, {}: change of the {} for a change of a parameter by 1 %", answer.subject,
                       answer.machine, answer.size, answer.figures.quantity);
}

void add_sensitivities(Document& document, const Machine& machine, const Answer& answer, const NumberOf& number) {
    const std::vector<Sensitivity> found = sensitivities(machine, number);
    const bool shared = !found.empty() && found.front().interval_share && !answer.is_of_runs;
    Table table{"", {"parameter", value_column(), "elasticity"}, {}};
    if (shared) table.header.emplace_back("of the interval", std::vector<std::string>{"interval share"});
    document.json["elasticities"] = nlohmann::ordered_json::array();
    for (const Sensitivity& one : found) {
        if (!shared && one.elasticity == 0) continue;
        document.json["elasticities"].push_back({{"path", one.path}, {"elasticity", one.elasticity}});
        const TableCell elasticity(fmt::format("{:+.3f}", one.elasticity), {one.elasticity});
        table.rows.push_back({one.path, value_cell(*find(machine, one.path)), elasticity});
        if (!shared) continue;
        document.json["elasticities"].back()["interval_share"] = *one.interval_share;
        const bool none = *one.interval_share == 0;
        table.rows.back().push_back(none ? TableCell("-", {0}) : share_cell(*one.interval_share));
    }
    document.tables.push_back(table);
    if (shared) document.remarks.push_back(best_measured(found));
    if (answer.is_of_runs) {
        document.remarks.emplace_back(
            "the interval is that of runs beside the model, not of parameters: more runs narrow it (calibrate "
            "--resume)");
    }
}

}  // namespace narrows
