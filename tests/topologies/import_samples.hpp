#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/importers/import.hpp"

namespace narrows::testing {

/// A small good file and how it is read.
struct ImportSample {
    std::string name;
    std::string text;
    ImportOptions options;
};

/// One or more of every format.
const std::vector<ImportSample>& import_samples();

/// The sample called `name`.
const ImportSample& import_sample(const std::string& name);

/// A network by names: whether a vertex is a switch, and the capacity of all links between two vertices together.
struct NetworkByName {
    std::map<std::string, bool> switches;
    std::map<std::pair<std::string, std::string>, double> links;

    friend bool operator==(const NetworkByName&, const NetworkByName&) = default;
};

NetworkByName by_name(const LabelledNetwork& network);

/// What `import_network` says of a bad text, as `line:column: message [text]`, or "accepted".
std::string import_error(std::string_view text, const ImportOptions& options = {});

/// Whether a warning of `network` contains `part`.
bool warns_of(const LabelledNetwork& network, std::string_view part);

/// What ibnetdiscover would print of a three-level fat tree of `ports`-port switches with all hosts, links at `speed`.
std::string fat_tree_ibnetdiscover(int ports, std::string_view speed);

}  // namespace narrows::testing
