#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "model/path/path.hpp"

namespace narrows {

/// A path that a protocol's messages take, so many times in a row.
struct Passage {
    Path path;
    int times = 1;
};

/// What one message costs from the call that sends it to the call that has received it: passages in order. Eager is a
/// start, a flight, a dispatch and a copy; a rendezvous three starts, two requests, a flight and two dispatches.
struct PathProtocol {
    std::string name;
    std::vector<Passage> passages;
};

/// Time of a message: the sum of its passages, a term each, since each waits for the one before.
///
/// Statement: T(n) = sum over passages of times * t(n), t as in `path_time`.
/// Source:    kumar2008 Section 3.2.1 (rendezvous = request + get + acknowledgement), pakin2009 Primitive performance
///            (two DaCS and one MPI latency and two synchronisations), kumar2007 Section 3.2.
/// Range:     an idle machine, one message at a time.
/// Test:      tests/model/path/test_protocol.cpp
Breakdown protocol_time(const PathProtocol& protocol, Data payload);

/// How the messages of the protocol of this name are framed on the first link that their bytes pass, if they pass one.
/// InputError when the machine has no such protocol.
std::optional<Framing> link_framing(const Machine& machine, const std::string& protocol);

/// The stages of all passages as one path, for `pipelined_time`, `message_rate` and `with_flows`.
Path whole_path(const PathProtocol& protocol);

/// Names of all protocols, in the order of the file.
std::vector<std::string> protocol_names(const Machine& machine);

/// The server of a stage: X of `far-X`, which is X at the receiver's end.
std::string without_end(const std::string& server);

/// What kind of server a stage of this name keeps busy.
Site site_of(const Machine& machine, std::string_view server);

/// Those that are messages, no whole allreduces, and that no other reaches to; on another machine's network those
/// between nodes alone. Without those of levels inside a node, unless there are no others.
std::vector<std::string> message_protocols(const Machine& machine);

/// On another machine's network: the machine's own, of messages inside a node; else none. Messages inside a node then
/// pass what those between nodes do, without the network.
std::vector<std::string> inside_protocols(const Machine& machine);

/// Whether another protocol reaches to this one for longer messages, so that nobody chooses it for short ones.
bool is_reached(const Machine& machine, const std::string& protocol);

/// Whether the stages of the protocol have a `link`, which the machine or the path describes, so that its messages go
/// from node to node.
bool crosses_link(const Machine& machine, const std::string& protocol);

/// What the protocols of a machine are called whose nodes were put on another machine's network.
inline constexpr std::string_view inside_prefix = "inside-";

/// The protocol of this name. `host_interface` and `network_interface`, named in a path before its link alone, are
/// passed behind it too, there as `far-host_interface` and `far-network_interface`. What a stage leaves out is that of
/// the machine's place of the same name: `memory` (`node.memory`), `host_interface`, `link` and `router` (`network`),
/// one of `node.links` or of `other_networks`: bandwidth, latency and framing. InputError with a suggestion when it is
/// missing, or passes a path that is missing.
PathProtocol read_protocol(const Machine& machine, const std::string& name);

/// `is_whole_allreduce`, by what `with_protocols_found` found if the machine has that.
bool is_allreduce(const Machine& machine, const std::string& protocol);

/// InputError when the protocol is a whole allreduce (`is_whole_allreduce`), and so no message.
void require_message(const Machine& machine, const std::string& protocol);

/// The protocol that a message of this name's protocol goes by: itself, or what `reach` has for messages above a size,
/// of several the one with the largest size below `payload`. kumar2008 Section 4: eager to 1 KB, rendezvous above;
/// kumar2007 Section 4: buffered to 2 KB. InputError as `read_protocol`.
/// Test: tests/model/path/test_protocol.cpp
PathProtocol read_protocol_for(const Machine& machine, const std::string& name, Data payload);

/// The stages of that protocol as one path.
Path message_path(const Machine& machine, const std::string& protocol, Data payload);

/// The machine that knows from now on where the costs of its protocols are, so that a prediction does not look for them
/// by their names: for many predictions of machines that differ from it in values alone.
/// Test: tests/model/path/test_protocol.cpp
Machine with_protocols_found(Machine machine);

}  // namespace narrows
