#pragma once

#include "calibrate/kernels/messages/measure.hpp"
#include "cli/run_kernels.hpp"

namespace narrows {

/// How a kernel's measurement is reported.
struct Report {
    /// Prints or writes what was measured as the words ask for it; returns the exit code.
    int (*report)(const RunWords& words, const MessageOptions& options, const MessageRun& run, Output& output);
    Draws draws;
};

/// Measures what the words ask for where they ask for it: with ranks of this process or its children, or as one of the
/// ranks of a launcher or of a job between hosts, of which rank 0 reports. Returns the exit code.
int measure_where_asked(const RunWords& words, const Report& report, Output& output);

}  // namespace narrows
