#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/document.hpp"
#include "cli/workload.hpp"
#include "model/prediction.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// What every answer says of what was asked; `title` is that of a picture, without the machine.
Answer answer_about(const Machine& machine, const std::string& workload, const std::string& title);

/// Puts the number of nodes into `answer`, and a doubt where the machine's grid has no room for the shape of so many.
void tell_nodes(Answer& answer, const Machine& machine, std::int64_t nodes);

/// Puts a prediction into `answer`: result, bottleneck, bounds and terms, in JSON and for a reader. The workload itself
/// has said before what was asked.
void report(Answer& answer, const Prediction& prediction);
void report(Answer& answer, const TimePrediction& prediction);

/// `15.36 GUPS (14.9 to 15.8), held back by: processor`.
std::string headline(const Answer& answer);

/// The formulas, with their symbols, of a prediction that is reported.
void report_formulas(Answer& answer, const std::string& title, const std::vector<Formula>& formulas);

/// Why to trust answers less, as remarks: each reason once, with the names of those that have it where others have not.
using NamedAnswer = std::pair<std::string, const Answer*>;
void add_doubts(Document& document, const std::vector<NamedAnswer>& answers);

/// What a reader must know of a prediction for this machine: that it was composed of two machines, what its network's
/// file did not say, or that it was calibrated without residuals.
void add_machine_remarks(Document& document, const Machine& machine);

/// Throws InputError where the answer has another machine beside it, for commands that would not show it.
void require_alone(const Answer& answer);

/// The servers that predictions for the machine take as no limit, in a line each with the place that would limit it.
std::vector<std::string> assumption_lines(const Machine& machine);

}  // namespace narrows
