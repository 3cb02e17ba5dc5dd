#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/labelled_network.hpp"

namespace narrows {

/// One format that a network can be written in.
struct ExportFormat {
    std::string name;
    std::string help;
    /// The usual ending of a file's name, with the dot.
    std::string ending;
    std::function<std::string(const LabelledNetwork&)> write;
    /// What of the network is another when it is read back, a sentence each; left empty where nothing ever is.
    std::function<std::vector<std::string>(const LabelledNetwork&)> changed{};
};

const std::vector<ExportFormat>& export_formats();

/// `network` in `format`, which `import_network` reads back: the same names, kinds and links. Throws InputError for an
/// unknown format, and where the format cannot say what the network is.
std::string export_network(const LabelledNetwork& network, std::string_view format);

/// `network` with its vertices' numbers as names, and its capacities in links.
LabelledNetwork number_vertices(Network network);

}  // namespace narrows
