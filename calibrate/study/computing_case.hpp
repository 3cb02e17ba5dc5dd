#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/study/case_space.hpp"
#include "calibrate/study/study_case.hpp"
#include "model/program/program.hpp"

namespace narrows {

/// A phase of a program that computes on all ranks, with the loops of the `program` kernel.
struct ComputingCase {
    std::uint64_t flops = 0;   ///< of a rank
    std::uint64_t memory = 0;  ///< bytes that a rank reads and writes, half each
    int ranks = 2;

    /// The case in words: the same case has the same name in every session.
    std::string name() const;
    PhaseWork phase() const;
};

/// The case of that name; none for other words.
std::optional<ComputingCase> computing_case_named(const std::string& name);

/// Those that the costs of computing are fitted on: operations alone, memory of several sizes alone, and both.
std::vector<ComputingCase> computing_cases(int workers);

/// Operations (a quarter of the cases), memory (a quarter) or both: 4 KiB to 256 MiB of a rank, an eighth to 64
/// operations a byte, two ranks to one a worker, uniform on the scale of logarithms.
ComputingCase computing_case_at(const UnitNumbers& next, const CaseLimits& limits);

/// The case as something to be timed for about so many seconds, if a phase takes `expected`; its updates are phases.
StudyCase study_case(const ComputingCase& what, double expected, double seconds);

}  // namespace narrows
