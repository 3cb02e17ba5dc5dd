#pragma once

#include <string>

#include "calibrate/study/validated_kernel.hpp"
#include "cli/words.hpp"
#include "model/machine.hpp"

namespace narrows {

/// Writes the plan's predictions into `file` before anything runs, with hashes (SHA-256) of this program, of the
/// machine and of the cases. Returns the hash of it all. InputError when the file cannot be written.
std::string freeze(const ValidationPlan& plan, const Machine& machine, const std::string& file);

/// The plan whose predictions `file` has. InputError when the file is none, was changed, or is of another program or
/// machine than this one, and when its cases cannot be run here.
ValidationPlan frozen_plan(const Repertoire& known, const Machine& machine, const std::string& file);

}  // namespace narrows
