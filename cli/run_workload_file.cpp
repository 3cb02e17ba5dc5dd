#include <fmt/format.h>

#include "cli/authentication_report.hpp"
#include "cli/launched_run.hpp"
#include "cli/message_run.hpp"
#include "cli/program_words.hpp"
#include "cli/run_kernels.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json json_of_end(const OrderEstimate& seconds, double end) {
    return seconds.has_interval() ? nlohmann::ordered_json(end) : nullptr;
}

int report_program(const RunWords& words, const MessageOptions& options, const MessageRun& run, Output& output) {
    constexpr double milli = 1e3;
    const Program& program = *words.program;
    const OrderEstimate& seconds = run.points.front().seconds;
    Document document;
    document.json = json_of_messages(words, options, run);
    document.json["name"] = program.name;
    document.json["grid"] = format_shape(program_grid(program, words.grid, run.ranks));
    document.json["options"] = json_of_options(program, program_options(program, words.own));
    document.json["result"] = {{"quantity", "time"},
                               {"unit", "s"},
                               {"value", seconds.value},
                               {"low", json_of_end(seconds, seconds.low)},
                               {"high", json_of_end(seconds, seconds.high)}};
    document.json["counters"] = nlohmann::ordered_json::object();
    document.notes.push_back(title_of(words, options, run));
    document.tables.push_back(
        {"",
         {"program", "ranks", {"ms", {"ms"}}, {"range", {"low ms", "high ms"}}, "samples", "errors"},
         {{program.name,
           count_cell(run.ranks),
           number_cell(seconds.value * milli),
           {fmt::format("{:.4g} to {:.4g}", seconds.low * milli, seconds.high * milli),
            {seconds.low * milli, seconds.high * milli}},
           count_cell(static_cast<std::int64_t>(seconds.samples)),
           count_cell(static_cast<std::int64_t>(run.errors))}}});
    add_authentication_remark(document);
    for (const std::string& line : evidence_of_noise(run)) document.remarks.push_back("noise: " + line);
    emit(document, output);
    return run.errors == 0 ? 0 : 1;
}

}  // namespace

int run_workload_file(const RunWords& words, Output& output) {
    return measure_where_asked(words, {report_program, Draws::no}, output);
}

}  // namespace narrows
