#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/validation_session.hpp"
#include "data/library.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

int validate(const std::string& name, const std::string& max_ranks, const std::string& repeats, Output& output) {
    constexpr std::int64_t most_ranks = 1 << 20;
    const Machine machine = load_machine(name);
    if (machine.source != "calibrated") {
        throw InputError(
            fmt::format("machine '{}' was not calibrated ({}): validate runs the kernels here, and needs a file that "
                        "'narrows calibrate -o here.yaml' wrote on this machine",
                        machine.id, machine.source));
    }
    const int ranks = static_cast<int>(parse_count(max_ranks, "--max-ranks", 2, most_ranks));
    const int runs = static_cast<int>(parse_count(repeats, "--repeats", 1, 1000));
    Document document = validation_document(machine, validate_here(machine, ranks, runs, output.progress));
    emit(document, output);
    return 0;
}

}  // namespace

Command validate_command() {
    return {"validate",
            "make runs that the fit did not see, and lay the predictions beside them",
            {"validate here.yaml"},
            [](CLI::App& app) {
                const auto machine = std::make_shared<std::string>();
                const auto ranks = std::make_shared<std::string>("65536");
                const auto repeats = std::make_shared<std::string>("7");
                app.add_option("MACHINE", *machine, "a machine file that calibrate wrote here")->required();
                app.add_option("--max-ranks", *ranks, "largest number of ranks; default 65536");
                app.add_option("--repeats", *repeats, "runs of each size; default 7");
                return
                    [machine, ranks, repeats](Output& output) { return validate(*machine, *ranks, *repeats, output); };
            },
            true};
}

}  // namespace narrows
