#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/gups_options.hpp"
#include "model/gups/workload.hpp"
#include "model/prediction.hpp"

namespace narrows {

/// A prediction with what it was asked of, as commands print it.
struct Answer {
    std::string machine;
    GupsQuery query;
    Placement placement;
    Prediction prediction;
};

/// The prediction with its interval.
Answer answer(const Machine& machine, const GupsQuery& query);

/// The JSON object of one prediction, without `schema` and `command`.
nlohmann::ordered_json json_of(const Answer& answer);

/// An update rate for a reader: GUPS with four digits or more, never with an exponent above.
std::string gups_text(Rate rate);
/// `0.38 to 0.41`, or empty without an interval.
std::string interval_text(const Prediction& prediction);

/// Formula, terms with units, source and validity, line by line.
std::vector<std::string> explanation(const Answer& answer);

}  // namespace narrows
