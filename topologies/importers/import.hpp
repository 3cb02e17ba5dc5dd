#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/importers/source.hpp"
#include "topologies/labelled_network.hpp"

namespace narrows {

/// What a file alone does not say.
struct ImportOptions {
    /// Name of a format of `import_formats()`; recognised by content when empty.
    std::string format;
    /// Cables between two linked switches, which Slurm's topology.conf omits (`--cables`).
    std::optional<int> cable_multiplicity;
    /// The text of a file that another one includes, or nothing when it cannot be read. Without this function included
    /// files are an error.
    std::function<std::optional<std::string>(const std::string& path)> read_included;
};

/// One format: how it is called, recognised and read.
struct ImportFormat {
    std::string name;
    std::string help;
    /// Endings of file names, with the dot.
    std::vector<std::string> endings;
    /// Whether a text is surely of this format.
    std::function<bool(std::string_view text)> recognises;
    std::function<LabelledNetwork(const Source&, const ImportOptions&)> read;
    /// Whether it says which switches are linked but not by how many cables.
    bool omits_cables = false;
};

/// All formats, in the order in which they are tried.
const std::vector<ImportFormat>& import_formats();

/// The network in `text`. Throws InputError (`file_name`, line, column, text) when it cannot be used, and nothing else
/// for any text.
LabelledNetwork import_network(std::string_view text, const std::string& file_name, const ImportOptions& options = {});

}  // namespace narrows
