#pragma once

#include <string>
#include <vector>

#include "cli/calibration_session.hpp"
#include "cli/document.hpp"
#include "cli/imported_machine.hpp"

namespace narrows {

/// A machine made of files that were measured elsewhere.
struct Import {
    ImportedMachine imported;  ///< with what the samples say of the node and of messages inside it
    std::vector<MissingKey> missing;
};

/// Whether the only one of `files` has samples of `calibrate`, by its content. InputError when it cannot be read.
bool are_samples(const std::vector<std::string>& files);

/// The machine of what benchmarks printed, and of one file of samples at most. InputError as `parse_benchmarks`,
/// `imported_machine` and `calibrate_from`.
Import import_files(const std::vector<std::string>& files);

/// What was made of the files, for the machine file `file`.
Document import_document(const Import& import, const std::string& file);

/// The missing keys, a sentence each.
std::vector<std::string> missing_lines(const Import& import);

}  // namespace narrows
