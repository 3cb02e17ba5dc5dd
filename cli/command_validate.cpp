#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/launcher.hpp"
#include "cli/validation_session.hpp"
#include "data/library.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// The words of the command, as typed.
struct ValidateWords {
    std::string machine;
    std::string workload = "gups";
    std::string max_ranks = "65536";
    std::string repeats = "7";
};

int validate(const ValidateWords& words, Output& output) {
    constexpr std::int64_t most_ranks = 1 << 20;
    const bool sweep = words.workload == "sweep3d";
    if (!sweep && words.workload != "gups") {
        const std::vector<std::string> known = {"gups", "sweep3d"};
        throw InputError(fmt::format("--workload: there is no '{}' to validate{} (there are: {})", words.workload,
                                     did_you_mean(words.workload, known), fmt::join(known, ", ")));
    }
    const Machine machine = load_machine(words.machine);
    if (machine.environment.empty()) {
        throw InputError(
            fmt::format("machine '{}' was not calibrated ({}): validate runs the kernels here, and needs a file that "
                        "'narrows calibrate -o here.yaml' wrote on this machine",
                        machine.id, machine.source));
    }
    if (sweep && !has(machine, "compute.sweep3d")) {
        throw InputError(fmt::format("machine '{}' was calibrated without sweep3d: calibrate it anew", machine.id));
    }
    const int ranks = static_cast<int>(parse_count(words.max_ranks, "--max-ranks", 2, most_ranks));
    const int runs = static_cast<int>(parse_count(words.repeats, "--repeats", 1, 1000));
    require_no_launcher();
    require_output(output, Draws::yes);
    const auto validated = sweep ? validate_sweep3d_here : validate_here;
    emit(validation_document(machine, validated(machine, {ranks, runs}, output.progress)), output);
    return 0;
}

}  // namespace

Command validate_command() {
    return {"validate",
            "make runs that the fit did not see, and lay the predictions beside them",
            {"validate here.yaml", "validate here.yaml --workload sweep3d"},
            [](CLI::App& app) {
                const auto words = std::make_shared<ValidateWords>();
                app.add_option("MACHINE", words->machine, "a machine file that calibrate wrote here")->required();
                app.add_option("--workload", words->workload, "gups (default) or sweep3d, on up to 16x16 ranks");
                app.add_option("--max-ranks", words->max_ranks, "largest number of ranks; default 65536");
                app.add_option("--repeats", words->repeats, "runs of each size; default 7");
                return [words](Output& output) { return validate(*words, output); };
            },
            true};
}

}  // namespace narrows
