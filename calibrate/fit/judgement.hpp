#pragma once

#include <cstddef>
#include <vector>

namespace narrows {

/// How well a fit does on sizes that it did not see.
struct FitJudgement {
    std::size_t sizes = 0;    ///< 0 where there are none: the rest then says nothing
    double median_error = 0;  ///< relative, without sign
    double worst_error = 0;
    double coverage = 0;  ///< share of them that its intervals hold
};

/// Of the errors of so many sizes, of which `held` are in their intervals.
FitJudgement judgement_of(const std::vector<double>& errors, std::size_t held);

}  // namespace narrows
