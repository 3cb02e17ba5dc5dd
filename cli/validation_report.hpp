#pragma once

#include "calibrate/study/validated_kernel.hpp"
#include "cli/document.hpp"

namespace narrows {

/// The cases as table, JSON and plot; `summary` has median and worst error and the coverage of the intervals.
Document validation_document(const Machine& machine, const Validation& validation);

}  // namespace narrows
