#pragma once

#include <string>

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// What the table of `add_sensitivities` is of, in words.
std::string sensitivity_title(const Answer& answer);

/// Adds to the document what to buy and what to measure better: how the prediction `answer` for so many nodes, whose
/// value is `number` of the machine, follows each parameter, what the interval of each does to that of the prediction,
/// where parameters make it, and what a part of the price buys, where the machine has prices.
void add_sensitivities(Document& document, const Machine& machine, std::int64_t nodes, const Answer& answer,
                       const NumberOf& number, const ReportProgress& progress = {});

}  // namespace narrows
