#pragma once

#include <random>

#include "model/machine.hpp"

namespace narrows {

/// A machine with a random choice of everything that the schema allows: values in random units, intervals, sources,
/// notes with characters that YAML treats specially, curves, names, topologies.
Machine random_machine(std::mt19937_64& random);

}  // namespace narrows
