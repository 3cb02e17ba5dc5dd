#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "calibrate/study/frozen_predictions.hpp"
#include "cli/commands.hpp"
#include "cli/launcher.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/repertoire.hpp"
#include "cli/validation_report.hpp"
#include "data/inputs.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

ValidationChoice chosen(const OptionWords& words) {
    ValidationChoice choice;
    choice.workload = words["--workload"];
    choice.usual = words.has("--usual");
    if (words.has("--max-ranks")) choice.most_ranks = words.count("--max-ranks");
    if (words.has("--cases")) choice.cases = words.count("--cases");
    if (words.has("--seed")) choice.seed = words.count<std::uint64_t>("--seed");
    return choice;
}

FrozenBy frozen_by(const Machine& machine) {
    std::ifstream program("/proc/self/exe", std::ios::binary);
    return {sha256(std::string(std::istreambuf_iterator<char>(program), {})), sha256(write_machine(machine)),
            machine.id, sha256};
}

/// The plan whose predictions `file` has. InputError when they are not those of this program and machine, and when its
/// cases cannot be run here.
ValidationPlan frozen_plan(const Repertoire& known, const Machine& machine, const std::string& file) {
    const std::string option = "--against " + file;
    const std::string text = read_whole_file(file);
    if (!has_frozen_predictions(text)) {
        throw InputError(option + ": it has no frozen predictions: write some with --freeze FILE");
    }
    const FrozenPredictions frozen = with_option_context(option, [&] { return read_frozen(text, frozen_by(machine)); });
    ValidationPlan plan = plan_validation(validated_workload(known, frozen.choice.workload), machine, frozen.choice);
    with_option_context(option, [&] { frozen.require_of(plan); });
    plan.frozen = true;
    return plan;
}

Document frozen_document(const Machine& machine, const ValidationPlan& plan, const std::string& file) {
    const FrozenPredictions frozen = freeze(plan, frozen_by(machine));
    write_whole_file(file, frozen.text);
    Document document{json_of("validate")};
    document.json["machine"] = machine.id;
    document.json["frozen"] = {
        {"file", file}, {"sha256", frozen.sha256}, {"cases", plan.runs.size()}, {"refused", plan.refused.size()}};
    document.notes.push_back(fmt::format("{} predictions of {} are in '{}', SHA-256 {}", plan.runs.size(),
                                         plan.choice.workload, file, frozen.sha256));
    document.csv = Table{"",
                         {"file", "sha256", "cases", "refused"},
                         {{file, frozen.sha256, count_cell(static_cast<std::int64_t>(plan.runs.size())),
                           count_cell(static_cast<std::int64_t>(plan.refused.size()))}}};
    for (const std::string& line : plan.refused) document.remarks.push_back("refused: " + line);
    document.remarks.push_back("nothing has run: --against FILE measures and judges them");
    return document;
}

int validate(const Repertoire& known, const OptionWords& words, Output& output) {
    const ValidatedWorkload workload = validated_workload(known, words["--workload"]);
    const Machine machine = load_machine(words["MACHINE"]);
    if (machine.environment.empty()) {
        throw InputError(
            fmt::format("machine '{}' was not calibrated ({}): validate runs the kernels here, and needs a file that "
                        "'narrows calibrate -o here.yaml' wrote on this machine",
                        machine.id, machine.source));
    }
    if (!has(machine, workload.section)) {
        throw InputError(
            fmt::format("machine '{}' was calibrated without {}: calibrate it anew", machine.id, words["--workload"]));
    }
    if (words.has("--usual") && !workload.usual) {
        throw InputError(fmt::format("--usual: of {} there are no usual cases: leave it out", words["--workload"]));
    }
    const int runs = words.has("--repeats") ? words.count("--repeats") : 5;
    require_no_launcher();
    require_apart({{"MACHINE", words["MACHINE"]},
                   {"--workload", words["--workload"]},
                   {"--against", words["--against"]},
                   {"-o", output.file},
                   {"--freeze", words["--freeze"]}});
    if (words.has("--freeze")) {
        require_output(output, Draws::no);
        return emit(frozen_document(machine, plan_validation(workload, machine, chosen(words)), words["--freeze"]),
                    output);
    }
    require_output(output, Draws::yes);
    const ValidationPlan plan = words.has("--against") ? frozen_plan(known, machine, words["--against"])
                                                       : plan_validation(workload, machine, chosen(words));
    Progress progress(output.progress, "validate");
    const Validation found =
        validate_here(machine, plan, {runs}, [&progress](double fraction) { progress.at(fraction); });
    return emit(validation_document(machine, found), output);
}

}  // namespace

Command validate_command() {
    return {
        "validate",
        "run cases that the fit did not see, drawn at random, and compare the predictions with them",
        {"validate here.yaml", "validate here.yaml --workload fft-slabs --cases 10",
         "validate here.yaml --workload sample-sort --cases 3 --seed 5 --repeats 1"},
        [](CLI::App& app, const Arguments& arguments) {
            const auto words = std::make_shared<OptionWords>();
            const std::vector<std::string> names = names_with(arguments.known.kernels, &Kernel::validated);
            const std::string usual = names.empty() ? "" : names.front();
            (*words)["--workload"] = usual;
            app.add_option("MACHINE", (*words)["MACHINE"], "a machine file that calibrate wrote here")->required();
            words->add_options(
                app,
                {Option{"--workload", fmt::format("{}; default {}; or a workload file", fmt::join(names, ", "), usual)}
                     .taking("WORKLOAD"),
                 {"--cases", "number of cases to draw; default 40", 10000},
                 {"--seed", "seed of the draw; default 1", std::numeric_limits<std::int64_t>::max(), 0},
                 {"--max-ranks", "largest number of ranks; default 65536", 1 << 20, 2},
                 {"--repeats", "runs of each case; default 5", 1000},
                 {"--usual", "the powers of two between those of the calibration instead, in runs like its own", 0, 1,
                  true},
                 Option{"--freeze", "only write the predictions, into this file"}.taking("FILE"),
                 Option{"--against", "measure and judge the predictions of this file"}.taking("FILE")});
            for (const char* option : {"--freeze", "--usual", "--workload", "--cases", "--seed", "--max-ranks"}) {
                app.get_option("--against")->excludes(app.get_option(option));
            }
            app.get_option("--usual")->excludes(app.get_option("--cases"));
            app.get_option("--freeze")->excludes(app.get_option("--repeats"));
            return [words, &known = arguments.known](Output& output) { return validate(known, *words, output); };
        },
        true};
}

}  // namespace narrows
