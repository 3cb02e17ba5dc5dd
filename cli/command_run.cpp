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

}  // namespace

Command run_command() {
    return {"run",
            "run a kernel for real, on this machine",
            {"run fft-pencils --ranks 4 --n 32 --repeats 3"},
            [](CLI::App& app, const Arguments& arguments) {
                const Repertoire& known = arguments.known;
                const auto words = std::make_shared<OptionWords>();
                const std::string name =
                    named_in(arguments, [&](const std::string& word) { return known.kernel(word) != nullptr; });
                CLI::Option* const named = app.add_option(
                    "KERNEL", words->workload,
                    fmt::format("{}, or a workload file as for predict. Its options: narrows run KERNEL --help",
                                fmt::join(names_with(known.kernels, &Kernel::run), ", ")));
                named->required();
                words->add_options(app, kernel_options({"--ranks", "--workers"}));
                const std::optional<Kernel> kernel = kernel_named(known, name);
                if (kernel) {
                    words->add_options(app, kernel->options);
                } else {  // what is wrong, whatever follows it, --help too
                    named->each([&known](const std::string& word) {
                        refuse_named("kernel", word, names_with(known.kernels, &Kernel::run));
                    });
                }
                return [words, kernel, &known](Output& output) {
                    words->workload = kernel->name;
                    if (output.file.ends_with(".yaml") && !kernel->writes_machine) {
                        const auto writers = names_with(known.kernels, &Kernel::writes_machine);
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
