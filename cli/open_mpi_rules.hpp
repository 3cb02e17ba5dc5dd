#pragma once

#include <string>
#include <vector>

#include "cli/workload.hpp"

namespace narrows {

/// The rules by which Open MPI's `tuned` component chooses among the algorithms of a collective that it has too: its
/// file for `coll_tuned_dynamic_rules_filename`. InputError for another workload, or a collective none of whose
/// algorithms Open MPI has.
///
/// Source: ompi/mca/coll/tuned/coll_tuned_dynamic_file.c (classic format), coll_tuned_decision_dynamic.c (what the size
///         of a message is), coll_base_functions.h (numbers of collectives) of Open MPI 4.1 and 5.0; `ompi_info --all`
///         (numbers of algorithms). Test: tests/cli/test_open_mpi_rules.cpp
struct OpenMpiRules {
    std::string text;
    std::vector<std::string> without;  ///< algorithms of the collective that Open MPI lacks
};
OpenMpiRules open_mpi_rules(const Workload& workload, const OptionWords& words, const Machine& machine,
                            const ReportProgress& progress);

}  // namespace narrows
