#pragma once

#include <string>

#include "model/machine.hpp"

namespace narrows {

/// The machine's nodes on the network that `--network` names: that of another machine, else a topology, else a file,
/// whose cuts are searched for a while when no formula gives them. InputError names the option.
/// Of the network only the hosts that `--hosts` says, unless it is empty: `first:64`, `random:64:7` or a file.
Machine with_network(const Machine& machine, const std::string& network, const std::string& hosts);

}  // namespace narrows
