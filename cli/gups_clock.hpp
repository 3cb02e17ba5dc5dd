#pragma once

#include <optional>

#include "calibrate/kernels/gups/machine_clock.hpp"
#include "cli/document.hpp"
#include "cli/kernel.hpp"

namespace narrows {

/// What the words ask for of a virtual clock; nothing when they do not. InputError names what does not go with one, and
/// what the machine lacks.
std::optional<ClockedMachine> clocked_machine(const OptionWords& words);

/// What such a run adds to the document of a run, beside what was measured on the machine itself where that is known.
void add_clocked(const ClockedMachine& clocked, const GupsRun& run, Document& document);

}  // namespace narrows
