#include <fmt/format.h>

#include <filesystem>

#include "cli/calibration_session.hpp"
#include "cli/commands.hpp"
#include "cli/gups_options.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Document summary(const Calibration& calibration, const std::string& file) {
    Document document;
    document.json = json_of("calibrate");
    document.json["machine"] = calibration.machine.id;
    document.json["file"] = file;
    document.json["runs"] = calibration.runs;
    document.json["seconds"] = calibration.seconds;
    document.json["tight"] = calibration.tight;
    document.json["noise"] = calibration.evidence;
    document.json["parameters"] = nlohmann::ordered_json::array();
    Table table{"", {"parameter", "value", "95 % interval"}, {}};
    for (const Parameter& parameter : calibration.machine.parameters) {
        if (!parameter.interval) continue;
        document.json["parameters"].push_back({{"path", parameter.path},
                                               {"value", parameter.measure.value},
                                               {"low", parameter.interval->low},
                                               {"high", parameter.interval->high},
                                               {"unit", base_unit(parameter.measure.dimension)}});
        table.rows.push_back({parameter.path, print(Time(parameter.measure.value)),
                              print(Time(parameter.interval->low)) + " to " + print(Time(parameter.interval->high))});
    }
    document.notes.push_back(
        fmt::format("{} runs in {:.0f} s, written to {}", calibration.runs, calibration.seconds, file));
    if (!calibration.tight) document.notes.push_back("some medians did not become tight: their intervals say so");
    for (const std::string& line : calibration.evidence) document.notes.push_back("noise: " + line);
    document.tables.push_back(table);
    return document;
}

// The raw samples are kept beside the machine file, under another name until it is written.
int calibrate(CalibrationWords words, Output& output) {
    const bool to_file = output.file.ends_with(".yaml");
    if (!output.file.empty() && !to_file) {
        throw InputError(fmt::format("-o {}: calibrate writes a machine file, whose name ends in .yaml", output.file));
    }
    if (to_file) require_writable(output.file);
    words.samples_file = (to_file ? output.file : std::string("calibration")) + unfinished_samples;
    const Calibration calibration = calibrate_here(words, output.err);
    if (calibration.end != Calibration::End::done) return explain_end(calibration, output.err);
    if (!to_file) {
        std::filesystem::remove(words.samples_file);
        output.out << write_machine(calibration.machine);
        return 0;
    }
    write_whole_file(output.file, write_machine(calibration.machine));
    std::filesystem::rename(words.samples_file, output.file + ".samples.jsonl");
    Output to_terminal{output.out, output.err, output.format, ""};
    emit(summary(calibration, output.file), to_terminal);
    return 0;
}

}  // namespace

Command calibrate_command() {
    return {"calibrate",
            "measure this machine and write its machine file",
            {"calibrate --quick --allow-noise -o here.yaml"},
            [](CLI::App& app) {
                const auto words = std::make_shared<CalibrationWords>();
                app.add_flag("--quick", words->quick, "about 40 seconds, wider intervals");
                app.add_flag("--allow-noise", words->allow_noise,
                             "measure on a busy machine too, with wider intervals");
                const auto budget = std::make_shared<std::string>();
                app.add_option("--budget", *budget, "time for the runs; default: '240 s', with --quick '30 s'");
                app.add_option("--resume", words->resume, "go on from the samples of an interrupted calibration");
                return [words, budget](Output& output) {
                    if (!budget->empty()) words->seconds = positive_seconds("--budget", *budget);
                    return calibrate(*words, output);
                };
            },
            true,
            ".yaml"};
}

}  // namespace narrows
