#pragma once

#include "cli/reproduction.hpp"
#include "model/machine.hpp"

namespace narrows {

/// Adds what pakin2009 says of Sweep3D: on one Cell processor, and on all of `roadrunner`. Numbers that a parameter of
/// a machine file is fitted to say so.
void add_sweep3d_cells(TextReproduction& text, const Machine& roadrunner);

}  // namespace narrows
