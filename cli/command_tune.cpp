#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/repertoire.hpp"

namespace narrows {
namespace {

[[noreturn]] void refuse_workload(const std::string& name, const Repertoire& known) {
    std::vector<std::string> names;
    for (const Workload& one : known.workloads) {
        if (one.tuned) names.push_back(one.name);
    }
    throw InputError(
        fmt::format("there is nothing to tune in '{}'{} (there is: {}, a workload file whose ranks are a grid)", name,
                    did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

Command tune_command() {
    return {"tune",
            "the best grid and blocks of sweep3d, grid of a workload file's ranks, or algorithm of a collective by "
            "size, for a machine",
            {},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                return [asked, &known = arguments.known](Output& output) {
                    const Workload& workload = asked->workload();
                    if (!workload.tuned) refuse_workload(asked->words().workload, known);
                    emit(workload.tuned(workload, asked->words(), chosen_machine(asked->words())), output);
                    return 0;
                };
            }};
}

}  // namespace narrows
