#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// What `solve` is asked, as typed.
struct SolveWords {
    std::string target;
    std::string minimise;           ///< `price` or `power`; empty: neither
    std::vector<std::string> vary;  ///< `NAME=VALUES`, of networks too where something is minimised
};

/// Every setting of the values is predicted and priced: the one of least expense that reaches the target, and all that
/// no other beats in both. `output.remarks` says which settings have no prediction. InputError for a machine without
/// prices, values that cannot be, and where no setting has a prediction.
Document minimised_settings(const AskedWorkload& asked, const SolveWords& words, bool& found, const Output& output);

}  // namespace narrows
