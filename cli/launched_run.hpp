#pragma once

#include <functional>
#include <optional>
#include <ostream>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/transport/job_secret.hpp"
#include "calibrate/transport/tcp_mesh.hpp"
#include "cli/run_kernels.hpp"

namespace narrows {

/// What a command measures with so many ranks.
using OptionsOfRanks = std::function<MessageOptions(int ranks)>;
/// Prints or writes what was measured; returns the exit code.
using Report = std::function<int(const MessageOptions& options, const MessageRun& run)>;
/// The same for the words that were typed.
using ReportOfWords = int (*)(const RunWords& words, const MessageOptions& options, const MessageRun& run,
                              Output& output);

/// Measures what the words ask for where they ask for it: with ranks of this process or its children, or as one of the
/// ranks of a launcher or of a job between hosts. Returns the exit code.
int measure_where_asked(const RunWords& words, ReportOfWords report, Output& output);

/// This rank's part in a measurement under a launcher of MPI. Rank 0 alone reports, and throws what is wrong with the
/// options of any; the others are silent and return 0, so that the job's exit code is rank 0's. What ends the job goes
/// to `err` of the rank that has it.
int run_under_mpi(const OptionsOfRanks& options_of, const Report& report, std::ostream& err);

/// The place of this process among ranks over TCP that are started one by one, if the words give one. InputError when
/// they give it in part, or with another transport.
std::optional<TcpPlace> tcp_place(const RunWords& words);

/// That process's part. Rank 0 alone reports; the others say on `err` that they have done theirs.
int run_at(const TcpPlace& place, const JobSecret& secret, const OptionsOfRanks& options_of, const Report& report,
           std::ostream& err);

}  // namespace narrows
