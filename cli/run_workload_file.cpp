#include <fmt/format.h>

#include "cli/authentication_report.hpp"
#include "cli/kernel.hpp"
#include "cli/launched_run.hpp"
#include "cli/message_run.hpp"
#include "cli/program_words.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

int report_program(const OptionWords& words, const MessageOptions& options, const MessageRun& run, Output& output) {
    constexpr double milli = 1e3;
    const Program& program = *words.program;
    const OrderEstimate& seconds = run.points.front().seconds;
    Document document{json_of_messages(words, options, run)};
    document.json["name"] = program.name;
    document.json["grid"] = format_shape(program_grid(program, words["--grid"], run.ranks));
    document.json["options"] = json_of_options(program, program_options(program, words));
    document.json["result"] = json_of_result("time", "s", seconds.value, end_of_interval(seconds, seconds.low),
                                             end_of_interval(seconds, seconds.high));
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
    return emit(document, output, run.errors == 0);
}

}  // namespace

Kernel file_kernel(const std::string& name) {
    const auto program = std::make_shared<const Program>(read_program(name));
    return {name, "",
            together({kernel_options({"--protocol"}),
                      {program_grid_option()},
                      kernel_options(process_options()),
                      kernel_options({"--repeats"}),
                      own_options(*program)}),
            [program](OptionWords words, Output& output) {
                words.program = program;
                return measure_where_asked(words, {report_program, Draws::no}, output);
            }};
}

}  // namespace narrows
