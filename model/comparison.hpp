#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"
#include "model/path/path.hpp"
#include "model/report_progress.hpp"
#include "model/uncertainty.hpp"

namespace narrows {

/// A number with its 95 % interval, where it has one.
struct Estimate {
    double value = 0;
    std::optional<Interval> interval;
};

/// How two numbers or texts stand to each other.
enum class Standing {
    beyond,       ///< numbers that differ by more than their intervals explain
    exact,        ///< they differ, and neither has an interval
    only_before,  ///< there is no second one
    only_after,   ///< there is no first one
    within,       ///< numbers that differ by no more than their intervals explain
    same
};

/// For a reader: `beyond intervals`.
std::string_view name_of(Standing standing);

/// Whether two estimates differ by more than their intervals explain.
///
/// Statement: beyond where |b - a| > sqrt(d_a^2 + d_b^2): the interval of the difference does not hold 0.
/// Symbols:   d_a from a to the end of its interval that lies towards b, d_b likewise; 0 without an interval.
/// Source:    Zou and Donner 2008, Construction of confidence limits about effect measures.
/// Range:     errors that are independent of each other; what two predictions share of them makes this lenient.
/// Test:      tests/model/test_comparison.cpp
Standing standing_of(const Estimate& before, const Estimate& after);

/// Second over first less 1; nothing where the first is 0 and the second is not.
std::optional<double> relative_change(double before, double after);

/// A parameter that two machines do not have alike.
struct ParameterDifference {
    std::string path;
    std::optional<Parameter> before;
    std::optional<Parameter> after;
    Standing standing = Standing::same;
    std::optional<double> change;  ///< relative; none of texts, of other units, and where one of them is missing
    /// Relative change of a prediction for the first machine if it had this value of the second, all else its own.
    /// None of what is no cost, and where such a machine cannot be or has no prediction.
    std::optional<double> effect = {};
};

/// What differs between two machines: first what the intervals do not explain, then what has none, what only one of
/// them has, and what is within intervals; each in the order of their files.
std::vector<ParameterDifference> differences(const Machine& before, const Machine& after);

/// Finds what each difference does to a prediction for the first machine, `before`, and puts what does most first.
void weigh(std::vector<ParameterDifference>& differences, const Machine& before, const NumberOf& predicted,
           const ReportProgress& progress = {});

/// A term of two times, one of which may lack it.
struct TermChange {
    std::string name;
    Time before;
    Time after;
    std::optional<double> share;  ///< of the whole change; none where the whole stays as it is

    Time change() const { return after - before; }
};

/// The terms that moved, the largest change first. Those of one time sum to it, so that the changes sum to its change.
std::vector<TermChange> moved_terms(const std::vector<NamedTime>& before, const std::vector<NamedTime>& after);

}  // namespace narrows
