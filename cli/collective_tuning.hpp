#pragma once

#include <string_view>
#include <vector>

#include "cli/contest.hpp"
#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// The names of a collective's algorithms, the default first.
std::vector<std::string_view> algorithm_names(std::string_view collective);

/// The fastest algorithms of a collective from 1 B to 64 MiB, with the sizes at which another one overtakes, to a byte.
struct TunedCollective {
    std::int64_t nodes = 1;
    std::int64_t ranks = 1;
    std::vector<Reign> reigns;
};

/// Among these algorithms. InputError for an algorithm or a size among the words.
TunedCollective tune_collective(const Workload& workload, const OptionWords& words, const Machine& machine,
                                const std::vector<std::string_view>& algorithms, const ReportProgress& progress);

/// `Workload::tuned`: the same among all algorithms; with --bytes algorithms and placements for that size.
Document tuned_collective(const Workload& workload, const OptionWords& words, const Machine& machine,
                          const ReportProgress& progress);

}  // namespace narrows
