#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/study/sizes_between.hpp"
#include "cli/command.hpp"
#include "cli/kernel.hpp"

namespace narrows {

// What the runs of all kernels of messages have in common.

/// What the words ask for, of `launched` ranks that were started by others; 0: of as many as the words say. InputError
/// names the option that is wrong.
MessageOptions message_options(const OptionWords& words, int launched);

/// `overlap`.
int run_overlap_kernel(const OptionWords& words, Output& output);

/// The sizes that the words ask for, in increasing order; by default up to `options.largest`. InputError names the
/// option that is wrong.
std::vector<std::size_t> asked_sizes(const OptionWords& words, const MessageOptions& options);

/// The sizes that by default would be beyond `options.largest`.
std::vector<std::size_t> left_out_sizes(const OptionWords& words, const MessageOptions& options);

/// All sizes to be measured: those asked for, and those between them.
std::vector<std::size_t> measured_sizes(const OptionWords& words, const MessageOptions& options);

/// What to say of sizes that were left out, else nothing.
std::string left_out_remark(const OptionWords& words, const MessageOptions& options);

/// What to say where ranks that send to each other share a core, else nothing.
std::string shared_core_remark(const OptionWords& words, const MessageOptions& options);

/// InputError where the words ask for a machine file, and a pair shares a core or there is one size: a fit of that is
/// no machine's.
void require_fit(const OptionWords& words, const MessageOptions& options, const Output& output);

/// Those that are measured beside them for the fit and its judgement: none of matvec, whose sizes are matrices, of
/// overlap, which has no curve, and of pairs that share a core, which say nothing of messages between cores.
SizesBetween sizes_between_asked(const OptionWords& words, const MessageOptions& options);

/// One end of the interval; null where there is none.
nlohmann::ordered_json end_of_interval(const OrderEstimate& estimate, double end);

/// The kernel, its protocol and its transport, in words.
std::string way_of(const OptionWords& words, const MessageOptions& options);

/// The line above a run's table.
std::string title_of(const OptionWords& words, const MessageOptions& options, const MessageRun& run);

/// Why its times cannot be trusted, by what the system counted of all workers while it ran; nothing of workers that
/// had to share cores.
std::vector<std::string> evidence_of_noise(const MessageRun& run);

/// The JSON of a run as far as `errors`; its result, counters and points are to follow.
nlohmann::ordered_json json_of_messages(const OptionWords& words, const MessageOptions& options, const MessageRun& run);

}  // namespace narrows
