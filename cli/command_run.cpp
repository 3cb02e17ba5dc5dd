#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/repertoire.hpp"
#include "data/workload_file.hpp"

namespace narrows {
namespace {

// The kernel of this name, one of a workload file included.
std::optional<Kernel> kernel_named(const Repertoire& known, const std::string& name) {
    if (const Kernel* const one = known.kernel(name); one != nullptr && one->run) return *one;
    if (is_workload_file(name)) return file_kernel(name);
    return std::nullopt;
}

template <class Has>
std::vector<std::string> names_with(const Repertoire& known, const Has& has) {
    std::vector<std::string> names;
    for (const Kernel& kernel : known.kernels) {
        if (has(kernel)) names.push_back(kernel.name);
    }
    return names;
}

std::vector<std::string> names_that_run(const Repertoire& known) {
    return names_with(known, [](const Kernel& kernel) { return static_cast<bool>(kernel.run); });
}

[[noreturn]] void refuse_kernel(const std::string& name, const Repertoire& known) {
    std::vector<std::string> names = names_that_run(known);
    for (const std::string& file : workload_file_names()) names.push_back(file);
    throw InputError(fmt::format("there is no kernel '{}'{} (there are: {}; any file's name ends in '.yaml')", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

Command run_command() {
    return {"run",
            "run a kernel for real, on this machine",
            {"run fft-pencils --ranks 4 --n 32 --repeats 3"},
            [](CLI::App& app, const Arguments& arguments) {
                const Repertoire& known = arguments.known;
                const auto words = std::make_shared<WorkloadWords>();
                const std::string name =
                    named_in(arguments, [&](const std::string& word) { return known.kernel(word) != nullptr; });
                app.add_option(
                       "KERNEL", words->workload,
                       fmt::format("{}, or a workload file as for predict. Its options: narrows run KERNEL --help",
                                   fmt::join(names_that_run(known), ", ")))
                    ->required();
                words->add_options(app, kernel_options({"--ranks", "--workers"}));
                const std::optional<Kernel> kernel = kernel_named(known, name);
                if (kernel) {
                    words->add_options(app, kernel->options);
                } else {
                    app.allow_extras();  // that there is no such kernel is what is wrong
                }
                return [words, kernel, &known](Output& output) {
                    if (!kernel) refuse_kernel(words->workload, known);
                    words->workload = kernel->name;
                    if (output.file.ends_with(".yaml") && !kernel->writes_machine) {
                        const auto writers = names_with(known, [](const Kernel& one) { return one.writes_machine; });
                        throw InputError(fmt::format("-o {}: run {} writes a machine file, run {} does not",
                                                     output.file, fmt::join(writers, ", "), kernel->name));
                    }
                    return kernel->run(*words, output);
                };
            },
            false,
            ".yaml"};
}

}  // namespace narrows
