#pragma once

#include <optional>

#include "calibrate/kernels/gups/gups.hpp"
#include "cli/document.hpp"
#include "cli/run_kernels.hpp"
#include "model/gups/workload.hpp"

namespace narrows {

/// A machine whose time a run of the routed variant tells.
struct ClockedMachine {
    Machine machine;
    GupsQuery query;
    Placement placement;
    int bucket = 0;          ///< updates in a full one
    bool published = false;  ///< what was measured on the machine ran as this does
    GupsClock clock;
    std::vector<std::string> rounded;  ///< what the clock has otherwise than the machine's file, and why
};

/// What the words ask for of a virtual clock; nothing when they do not. InputError names what does not go with one, and
/// what the machine lacks.
std::optional<ClockedMachine> clocked_machine(const RunWords& words);

/// What such a run adds to the document of a run, beside what was measured on the machine itself where that is known.
void add_clocked(const ClockedMachine& clocked, const GupsRun& run, Document& document);

}  // namespace narrows
