#pragma once

#include <memory>
#include <vector>

#include "calibrate/kernels/program/rank_program.hpp"
#include "model/program/program.hpp"

namespace narrows {

/// What each of so many ranks sends, receives and computes in these phases. InputError for more messages than memory
/// holds, for a phase that repeats a broken number of times, and for one that cannot be run.
std::shared_ptr<const ProgramRanks> program_ranks(const std::vector<PhaseWork>& phases, int ranks);

}  // namespace narrows
