#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/study/calibration.hpp"
#include "calibrate/study/validated_kernel.hpp"
#include "cli/command.hpp"
#include "cli/words.hpp"

namespace narrows {

/// Code that runs for real: all that a command knows of it. A new one is a function that returns this, listed in
/// `repertoire()`; its name is that of the workload which predicts it, if one does.
struct Kernel {
    std::string name;
    std::string alias;
    Options options;  ///< that it has beside `--ranks` and `--workers`
    /// Runs what the words ask for and prints it; returns the exit code. Empty: it is only validated, with others.
    std::function<int(const OptionWords& words, Output& output)> run;
    std::vector<std::string> examples = {};  ///< commands with their words, in the help of each; a test runs them
    bool writes_machine = false;             ///< what it measures may be written as a machine file
    bool measures_messages = false;          ///< calibrations measure the messages that it sends
    std::optional<ValidatedWorkload> validated = {};
    std::optional<CalibratedKernel> calibrated = {};
};

/// The options that several kernels have, each typed once.
const Options& kernel_options();
/// Those of these names.
inline Options kernel_options(const std::vector<std::string>& names) {
    return options_named(kernel_options(), names);
}

/// The names of those of a job of several processes.
const std::vector<std::string>& process_options();

/// The protocol that the words name, else the usual one.
Protocol protocol_or(const OptionWords& words, Protocol usual);

/// Whether the time is that of a machine's clock. InputError where only one of --virtual-clock and --machine is there.
bool has_virtual_clock(const OptionWords& words);

/// Of a process over TCP or MPI; 1 when nothing is said.
int ranks_per_process(const OptionWords& words);

/// Ranks of so many processes. InputError for more than can send messages.
int launched_ranks(const OptionWords& words, int processes);

/// `shared` when the text is empty. InputError for what is no transport.
Transport parse_transport(const std::string& text);

/// Whether frames between processes are authenticated. InputError where the words leave out what is not there.
bool authenticated(const OptionWords& words);

/// A workload file, whose name or path is the kernel's.
Kernel file_kernel(const std::string& name);

}  // namespace narrows
