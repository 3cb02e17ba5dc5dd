#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/open_mpi_rules.hpp"
#include "cli/options.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/repertoire.hpp"

namespace narrows {
namespace {

[[noreturn]] void refuse_workload(const std::string& name, const Repertoire& known) {
    const std::vector<std::string> names = names_with(known.workloads, &Workload::tuned);
    throw InputError(fmt::format("there is nothing to tune in '{}'{} (there is: {}, a workload file)", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

// Whether the file of Open MPI's rules is asked for.
bool asks_for_rules(const Output& output) {
    return output.file.empty() ? output.format == "conf" : output.file.ends_with(".conf");
}

int run_tune(const Workload& workload, const OptionWords& words, Output& output) {
    const Machine machine = chosen_machine(words);
    require_output(output, Draws::no);
    Progress progress(output.progress, "tune");
    const ReportProgress told = [&progress](double fraction) { progress.at_least(fraction); };
    if (!asks_for_rules(output)) {
        Document document = workload.tuned(workload, words, machine, told);
        add_machine_remarks(document, machine);
        return emit(document, output);
    }
    const OpenMpiRules rules =
        with_option_context("--format conf", [&] { return open_mpi_rules(workload, words, machine, told); });
    deliver(rules.text, output);
    if (!rules.without.empty())
        output.remarks << fmt::format("left out, as Open MPI has none like them: {}\n", fmt::join(rules.without, ", "));
    return 0;
}

}  // namespace

Command tune_command() {
    Command command{
        "tune",
        "the best of what a workload leaves to choose: the code, shape and buckets of gups, grid and blocks "
        "of sweep3d, grid of a workload file's ranks, algorithm of a collective by size, placement of ranks",
        {"tune stencil -m cluster-400g -n 64"},
        [](CLI::App& app, const Arguments& arguments) {
            const auto asked = std::make_shared<AskedWorkload>(app, arguments);
            app.get_option("--format")
                ->description(
                    "table, json, csv or markdown; of a collective also conf, as -o FILE.conf: rules for Open "
                    "MPI's coll_tuned_dynamic_rules_filename");
            return [asked, &known = arguments.known](Output& output) {
                const Workload& workload = asked->workload();
                if (!workload.tuned) refuse_workload(asked->words().workload, known);
                return run_tune(workload, asked->words(), output);
            };
        }};
    command.own_ending = ".conf";
    command.own_format = true;
    return command;
}

}  // namespace narrows
