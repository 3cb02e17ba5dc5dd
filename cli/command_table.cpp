#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/size_table.hpp"
#include "data/measured_file.hpp"

namespace narrows {
namespace {

int print_table(const Workload& workload, OptionWords words, const std::string& measured_file, Output& output) {
    const Axis& axis = chosen_axis(workload, words);
    const Machine machine = chosen_machine(words);
    std::vector<SizeRow> rows;
    const std::vector<std::int64_t> sizes = chosen_sizes(workload, axis, words, machine);
    const MeasuredFile file = measured_file.empty() ? MeasuredFile() : read_measured(measured_file);
    Progress progress(output.progress, "table");
    const ReportProgress told = [&progress](double fraction) { progress.at_least(fraction); };
    const bool is_asked = !axis.word(words).empty();
    std::vector<std::string> left_out;  // of the usual sizes
    std::string reason;                 // of the last one
    double reached = 0;                 // work grows with the size
    const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    for (const std::int64_t size : sizes) {
        const double until = reached + static_cast<double>(size) / all;
        try {
            rows.push_back(size_row(workload, axis, words, machine, size, part_of(told, reached, until)));
        } catch (const InputError& error) {
            if (is_asked || (rows.empty() && size == sizes.back())) throw;
            left_out.push_back(std::to_string(size));
            reason = error.what();
        }
        told(reached = until);
    }
    const Answer& first = rows.front().answer;
    Document document{json_of("table")};
    document.json["rows"] = nlohmann::ordered_json::array();
    MeasuredRates measured;  // of the rows
    std::set<std::int64_t> shown;
    for (const auto& [size, answer] : rows) {
        document.json["rows"].push_back(answer.json);
        const auto found = file.rates.find(file.by_ranks ? answer.json["ranks"].get<std::int64_t>() : size);
        if (found == file.rates.end()) continue;
        measured[size] = found->second;
        shown.insert(found->first);
        document.json["rows"].back()["measured"] = {{"value", found->second.si()}, {"unit", "1/s"}};
    }
    document.notes.push_back(fmt::format("{} on {}, in {}", first.subject, machine.id, first.figures.unit));
    document.tables.push_back(bottleneck_table(axis, rows, measured));
    document.remarks = bottleneck_changes(axis, rows);
    if (!left_out.empty()) {
        document.remarks.push_back(
            fmt::format("no prediction for {} {}: {}", fmt::join(left_out, ", "), axis.unit, reason));
    }
    std::vector<std::string> beside;
    for (const auto& [number, rate] : file.rates) {
        if (!shown.contains(number)) beside.push_back(std::to_string(number));
    }
    if (!beside.empty()) {
        document.remarks.push_back(fmt::format("measured too, but no row: {} = {}", file.by_ranks ? "ranks" : axis.unit,
                                               fmt::join(beside, ", ")));
    }
    std::vector<NamedAnswer> answers;
    for (const SizeRow& row : rows) answers.emplace_back(row.answer.size, &row.answer);
    add_doubts(document, answers);
    add_machine_remarks(document, machine);
    document.plot = parts_plot(axis, rows, measured);
    return emit(document, output);
}

}  // namespace

Command table_command() {
    return {"table",
            "the bottleneck table: one row per size",
            {"table sample-sort -m cluster-400g -n 8,64"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                const auto measured = std::make_shared<std::string>();
                if (asked->is_rate()) {
                    app.add_option("--measured", *measured,
                                   "measurements to show beside the predictions: lines N,GUPS or an hpccoutf.txt")
                        ->type_name("FILE");
                }
                return [asked, measured](Output& output) {
                    return print_table(asked->workload(), asked->words(), *measured, output);
                };
            }};
}

}  // namespace narrows
