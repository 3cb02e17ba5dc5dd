#include <fmt/format.h>

#include <limits>

#include "cli/commands.hpp"
#include "cli/launcher.hpp"
#include "cli/validated_workload.hpp"
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
    std::string repeats = "5";
    std::string cases = "40";
    std::string seed = "1";
    bool usual = false;
};

int validate(const ValidateWords& words, Output& output) {
    constexpr std::int64_t most_ranks = 1 << 20;
    const ValidatedWorkload workload = validated_workload(words.workload);
    const Machine machine = load_machine(words.machine);
    if (machine.environment.empty()) {
        throw InputError(
            fmt::format("machine '{}' was not calibrated ({}): validate runs the kernels here, and needs a file that "
                        "'narrows calibrate -o here.yaml' wrote on this machine",
                        machine.id, machine.source));
    }
    if (!has(machine, workload.section)) {
        throw InputError(
            fmt::format("machine '{}' was calibrated without {}: calibrate it anew", machine.id, words.workload));
    }
    constexpr std::int64_t most_cases = 10000;
    ValidationChoice choice;
    choice.workload = words.workload;
    choice.most_ranks = static_cast<int>(parse_count(words.max_ranks, "--max-ranks", 2, most_ranks));
    choice.usual = words.usual;
    choice.cases = static_cast<int>(parse_count(words.cases, "--cases", 1, most_cases));
    choice.seed =
        static_cast<std::uint64_t>(parse_count(words.seed, "--seed", 0, std::numeric_limits<std::int64_t>::max()));
    const int runs = static_cast<int>(parse_count(words.repeats, "--repeats", 1, 1000));
    require_no_launcher();
    require_output(output, Draws::yes);
    const ValidationPlan plan = plan_validation(machine, choice);
    emit(validation_document(machine, validate_here(machine, plan, {runs}, output.progress)), output);
    return 0;
}

}  // namespace

Command validate_command() {
    return {"validate",
            "make runs that the fit did not see, drawn by chance, and lay the predictions beside them",
            {"validate here.yaml", "validate here.yaml --workload sweep3d --cases 20 --seed 7",
             "validate here.yaml --workload messages --cases 60"},
            [](CLI::App& app) {
                const auto words = std::make_shared<ValidateWords>();
                app.add_option("MACHINE", words->machine, "a machine file that calibrate wrote here")->required();
                app.add_option(
                    "--workload", words->workload,
                    "gups (default), sweep3d, on up to 16x16 ranks, or messages: of ping-pong, halo-exchange, "
                    "allreduce and all-to-all, on up to a rank a core, or one of these alone");
                app.add_option("--cases", words->cases, "how many are drawn; default 40");
                app.add_option("--seed", words->seed, "that they are drawn by; default 1");
                app.add_option("--max-ranks", words->max_ranks, "largest number of ranks; default 65536");
                app.add_option("--repeats", words->repeats, "runs of each case; default 5");
                app.add_flag("--usual", words->usual,
                             "the powers of two between those of the calibration instead, in runs like its own");
                return [words](Output& output) { return validate(*words, output); };
            },
            true};
}

}  // namespace narrows
