#pragma once

#include <functional>
#include <string>

#include "model/machine.hpp"

namespace narrows {

/// The messaging layer of another machine whose framing the packets of its network get; empty for its first one.
using LayerOf = std::function<std::string(const Machine& network)>;

/// The machine's nodes on the network that `--network` names: that of another machine, else a topology, else a file,
/// whose cuts are searched for a while when no formula gives them. InputError names the option.
Machine with_network(const Machine& machine, const std::string& network, const LayerOf& layer_of);

}  // namespace narrows
