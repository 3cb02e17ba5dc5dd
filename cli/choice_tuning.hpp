#pragma once

#include <string>
#include <vector>

#include "cli/document.hpp"
#include "cli/workload.hpp"
#include "model/explore/choices.hpp"

namespace narrows {

/// What is left to choose: options, and the words of each choice for them, empty where it does without one.
struct Choices {
    std::vector<std::string> options;             ///< `--grid`
    std::vector<std::vector<std::string>> words;  ///< of each choice, one an option
};

/// The words of a list that is given for an option, else the usual ones.
std::vector<std::string> asked_or(const OptionWords& words, const std::string& option,
                                  const std::vector<std::string>& usual);

/// The placements to choose from: those of --placement, else rules where nodes have several ranks, else the default.
std::vector<std::string> placements_to_try(const OptionWords& words, std::int64_t nodes, std::int64_t ranks_per_node);

/// Each word of one with each of the other.
std::vector<std::vector<std::string>> paired(const std::vector<std::string>& one,
                                             const std::vector<std::string>& other);

/// Adds what makes the order of choices doubtful: intervals, and that no runs are like some, which are named.
void tell_doubts(Document& document, const std::vector<RankedChoice>& found,
                 const std::vector<std::string>& unmeasured);

/// `Workload::tuned`: the predictions by these choices, the best first, and which of them intervals do not tell from
/// the best. Choices without a prediction are left out. InputError where no choice has one, and of a single choice.
Document tuned_choices(const Workload& workload, OptionWords words, const Machine& machine, const Choices& all,
                       const ReportProgress& progress);

}  // namespace narrows
