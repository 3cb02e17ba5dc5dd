#pragma once

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// `Workload::tuned` of gups: codes that the machine has the costs of, for software routing shapes of the ranks and
/// buckets, as far as the words leave them free. The shape of the network stays.
Document tuned_gups(const Workload& workload, const OptionWords& words, const Machine& machine,
                    const ReportProgress& progress);

}  // namespace narrows
