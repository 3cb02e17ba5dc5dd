#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// A size, and the prediction for it.
struct SizeRow {
    std::int64_t size;
    Answer answer;
};

/// Measured rates to lay beside predictions, by size.
using MeasuredRates = std::map<std::int64_t, Rate>;

/// The option that is a list, else the workload's first. InputError when two are, which would make a table of two
/// dimensions.
const Axis& chosen_axis(const Workload& workload, OptionWords words);

/// The sizes that the axis' option lists; without it the usual ones of the machine. InputError when there are none.
std::vector<std::int64_t> chosen_sizes(const Workload& workload, const Axis& axis, OptionWords words,
                                       const Machine& machine);

/// The prediction for one of them.
SizeRow size_row(const Workload& workload, const Axis& axis, OptionWords words, const Machine& machine,
                 std::int64_t size, const ReportProgress& progress = {});

/// The bounds or terms of all rows, in the order in which they first appear.
std::vector<std::string> part_names(const std::vector<SizeRow>& rows);

/// A row a size: every bound or term, the prediction with its interval, the bottleneck, and what was measured if
/// anything. Precondition of these: there are rows.
Table bottleneck_table(const Axis& axis, const std::vector<SizeRow>& rows, const MeasuredRates& measured = {});
Plot parts_plot(const Axis& axis, const std::vector<SizeRow>& rows, const MeasuredRates& measured = {});

/// The sizes at which the bottleneck changes, in words.
std::vector<std::string> bottleneck_changes(const Axis& axis, const std::vector<SizeRow>& rows);

}  // namespace narrows
