#pragma once

#include <vector>

#include "model/machine.hpp"

namespace narrows {

/// `compute.flops`, `compute.memory` and `compute.balanced` of this machine, as the loops of the `program` kernel
/// compute, a rank on each of `workers` cores at the same time; two seconds. The interval is that of the runs.
std::vector<Parameter> processor_pace(int workers);

}  // namespace narrows
