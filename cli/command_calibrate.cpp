#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/calibration_session.hpp"
#include "cli/commands.hpp"
#include "cli/import_session.hpp"
#include "cli/launcher.hpp"
#include "cli/options.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/repertoire.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Document summary(const Calibration& calibration, const std::string& file) {
    Document document{json_of("calibrate")};
    document.json["machine"] = calibration.machine.id;
    document.json["file"] = file;
    document.json["runs"] = calibration.runs;
    document.json["seconds"] = calibration.seconds;
    document.json["tight"] = nullptr;
    if (calibration.tight) document.json["tight"] = *calibration.tight;
    document.json["noise"] = nullptr;
    if (calibration.examined) document.json["noise"] = calibration.evidence;
    document.json["parameters"] = nlohmann::ordered_json::array();
    Table table{"", {"parameter", value_column(), interval_column()}, {}};
    for (const Parameter& parameter : calibration.machine.parameters) {
        if (!parameter.interval) continue;
        document.json["parameters"].push_back({{"path", parameter.path},
                                               {"value", parameter.measure.value},
                                               {"low", parameter.interval->low},
                                               {"high", parameter.interval->high},
                                               {"unit", base_unit(parameter.measure)}});
        table.rows.push_back({parameter.path, value_cell(parameter), interval_cell(parameter)});
    }
    const std::string runs =
        calibration.seconds == 0 ? fmt::format("{} samples", calibration.runs) : calibration.runs_text();
    document.notes.push_back(fmt::format("{}, written to {}", runs, file));
    if (!calibration.tight.value_or(true))
        document.notes.push_back("some times did not converge: their intervals are wider");
    if (!calibration.remark.empty()) document.notes.push_back("of the samples' file " + calibration.remark);
    for (const std::string& line : calibration.evidence) document.notes.push_back("noise: " + line);
    document.tables.push_back(table);
    return document;
}

void check_words(const CalibrationWords& words) {
    if (!words.transport.empty() && words.transport != "mpi" && words.transport != "shared") {
        throw InputError(
            fmt::format("--transport {}: messages are measured over 'shared' memory, or over 'mpi' under a launcher",
                        words.transport));
    }
    if (words.transport == "mpi" && !words.resume.empty()) {
        throw InputError("--resume: a calibration under MPI cannot be resumed: leave --resume out");
    }
    if (words.transport == "mpi" && words.choice.allow_noise) {
        throw InputError("--allow-noise: under MPI noise is not measured: leave --allow-noise out");
    }
    const bool measures = words.choice.quick || !words.resume.empty() || !words.history.empty() ||
                          words.choice.seconds > 0 || !words.transport.empty();
    if (!words.from.empty() && measures) {
        throw InputError(
            "--from reads files and measures nothing: leave the other options but -o and --allow-noise out");
    }
}

Calibration calibration_of(const CalibrationWords& words, const std::function<void()>& check, Output& output) {
    const bool measures = words.from.empty();
    if (words.transport == "mpi" && measures) return calibrate_under_mpi(words, check, output.err);
    check();
    if (!measures) return calibrate_from(words, words.from.front());
    require_no_launcher();
    return calibrate_here(words, output.progress);
}

// What benchmarks printed elsewhere. A machine file on standard output is nothing else: the rest is said beside it.
int import(const CalibrationWords& words, Output& output) {
    const Import made = import_files(words);
    const std::string text = write_machine(made.imported.machine);
    if (output.file.empty()) {
        for (const std::string& line : missing_lines(made)) output.remarks << "narrows: " << line << "\n";
        output.out << text;
        return 0;
    }
    write_whole_file(output.file, text);
    Output to_terminal = output;
    to_terminal.file.clear();
    return emit(import_document(made, output.file), to_terminal);
}

// The raw samples are kept beside the machine file, under another name until it is written.
void keep_samples(const std::string& from, const std::string& as) {
    std::error_code error;
    std::filesystem::rename(from, as, error);
    if (error)
        throw InputError(fmt::format("cannot write '{}' ({}): the samples are in '{}'", as, error.message(), from));
}

int calibrate(CalibrationWords words, Output& output) {
    const bool to_file = output.file.ends_with(".yaml");
    const auto check = [&] {
        check_words(words);
        if (!output.file.empty() && !to_file) {
            throw InputError(
                fmt::format("-o {}: calibrate writes a machine file, whose name ends in .yaml", output.file));
        }
        if (!to_file && output.format != "table") {
            throw InputError(fmt::format(
                "--format {}: without -o FILE.yaml calibrate prints the machine file: name a file, or leave it out",
                output.format));
        }
        if (to_file) require_writable(output.file);
    };
    if (!words.from.empty()) {
        check();
        if (!are_samples(words.from)) return import(words, output);
    }
    words.samples_file = (to_file ? output.file : std::string("calibration")) + unfinished_samples;
    if (!words.from.empty()) words.samples_file.clear();
    const Calibration calibration = calibration_of(words, check, output);
    if (calibration.end != Calibration::End::done) return explain_end(calibration, words, output.err);
    if (calibration.machine.parameters.empty()) return 0;  // another rank reports
    if (!to_file) {
        output.out << write_machine(calibration.machine) << std::flush;
        if (!output.out) return 0;  // whoever opened it tells so, and the samples stay
        std::error_code ignored;    // what is left then is samples that nobody needs
        if (!words.samples_file.empty()) std::filesystem::remove(words.samples_file, ignored);
        return 0;
    }
    write_whole_file(output.file, write_machine(calibration.machine));
    if (!words.samples_file.empty()) keep_samples(words.samples_file, output.file + ".samples.jsonl");
    Output to_terminal = output;
    to_terminal.file.clear();
    return emit(summary(calibration, output.file), to_terminal);
}

}  // namespace

Command calibrate_command() {
    return {
        "calibrate",
        "measure this machine and write its machine file",
        {"calibrate --quick --allow-noise -o here.yaml"},
        [](CLI::App& app, const Arguments& arguments) {
            const auto words = std::make_shared<CalibrationWords>();
            words->choice.kernels = calibrated_kernels(arguments.known);
            words->choice.messages =
                std::ranges::any_of(arguments.known.kernels, [](const Kernel& one) { return one.measures_messages; });
            app.add_flag("--quick", words->choice.quick, "less than a minute, wider intervals");
            app.add_flag("--allow-noise", words->choice.allow_noise,
                         "measure on a busy machine too, with wider intervals");
            const auto budget = std::make_shared<std::string>();
            app.add_option("--budget", *budget, "time for the runs; default: '270 s', with --quick '36 s'")
                ->type_name("TIME");
            app.add_option("--transport", words->transport,
                           "shared (default): this machine, messages in its memory; mpi: messages between the ranks "
                           "of mpirun -n RANKS narrows calibrate, and nothing else")
                ->type_name("shared|mpi");
            app.add_option("--from", words->from,
                           "measure nothing, and make a machine of a file that was measured elsewhere: samples of "
                           "calibrate, or messages between two nodes as osu_latency, osu_bw, osu_bibw, osu_mbw_mr, "
                           "IMB-MPI1 or hpcc (hpccoutf.txt) print them; may be given several times")
                ->type_name("FILE")
                ->allow_extra_args(false);
            app.add_option("--history", words->history,
                           "machine file of an earlier calibration of this machine: intervals then include the "
                           "differences between sessions; may be given several times")
                ->type_name("FILE")
                ->allow_extra_args(false);
            app.add_option("--resume", words->resume,
                           "resume an interrupted calibration from its samples, or add runs to an earlier one of this "
                           "machine")
                ->type_name("FILE");
            return [words, budget](Output& output) {
                if (!budget->empty()) words->choice.seconds = positive_seconds("--budget", *budget);
                return calibrate(*words, output);
            };
        },
        true,
        ".yaml"};
}

}  // namespace narrows
