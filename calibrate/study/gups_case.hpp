#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/gups/gups.hpp"

namespace narrows {

/// One configuration of the RandomAccess kernel that calibration runs again and again. `local` ones tell the time of an
/// update alone.
struct GupsCase {
    GupsOptions options;

    /// The configuration in words: the same case has the same name in every session.
    std::string name() const;
};

/// The case of that name; none for other words.
std::optional<GupsCase> gups_case_named(const std::string& name);

/// How long calibration may take.
enum class Effort { quick, full };

/// Whether `ranks` with table, buckets, inboxes and stacks take at most half of `available_memory`.
bool fits_in(int ranks, std::size_t available_memory);

/// The ranks that the fit of a calibration sees. Validation takes its sizes between and beside them.
std::vector<int> fitted_ranks(Effort effort, std::size_t available_memory);

/// Every case of a calibration, for `workers` cores. Large tables and many ranks are left out where `available_memory`
/// does not hold them.
std::vector<GupsCase> calibration_cases(Effort effort, int workers, std::size_t available_memory);

/// Updates that a run of `ranks` makes in calibration and validation: enough that starting and finishing do not
/// outweigh the rest, few enough to repeat.
std::uint64_t study_updates(std::int64_t ranks);

/// Words of the table for `ranks`: 4 MiB, or 8 KiB a rank if that is more. HPCC's 32 MiB would be as large as the
/// shared cache of many processors, where an access costs what the neighbours leave of it.
std::uint64_t study_table_words(std::int64_t ranks);

}  // namespace narrows
