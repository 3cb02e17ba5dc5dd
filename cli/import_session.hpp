#pragma once

#include <string>
#include <vector>

#include "calibrate/study/imported_machine.hpp"
#include "cli/calibration_session.hpp"
#include "cli/document.hpp"

namespace narrows {

/// What predictions for a cluster ask for, and a machine has not.
struct MissingKey {
    std::string path;
    std::string remedy;  ///< what to write there, or where to measure it
};

/// A machine made of files that were measured elsewhere.
struct Import {
    ImportedMachine imported;  ///< with what the samples say of the node and of messages inside it
    std::vector<MissingKey> missing;
};

/// Whether the only one of `files` has samples of `calibrate`, by its content. InputError when it cannot be read.
bool are_samples(const std::vector<std::string>& files);

/// The machine of what benchmarks printed, and of one file of samples at most. InputError as `parse_benchmarks`,
/// `imported_machine` and `calibrate_from`.
Import import_files(const CalibrationWords& words);

/// The keys that predictions for a cluster still need. `outputs` may know where to find them.
std::vector<MissingKey> missing_keys(const Machine& machine, const std::vector<BenchmarkOutput>& outputs);

/// What was made of the files, for the machine file `file`.
Document import_document(const Import& import, const std::string& file);

/// The missing keys, a sentence each.
std::vector<std::string> missing_lines(const Import& import);

}  // namespace narrows
