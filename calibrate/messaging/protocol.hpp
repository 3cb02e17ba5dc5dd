#pragma once

#include <string_view>
#include <vector>

namespace narrows {

/// The papers' messaging protocols. Active messages as a user of handlers and puts has them; `eager` and `rendezvous`
/// are sends and receives with tags on top of them, from 1 KiB on by rendezvous, or always.
enum class Protocol { buffered, receiver_initiated, active_message, eager, rendezvous, command_queue };

/// A protocol and what it is called on the command line and in files.
struct ProtocolName {
    Protocol protocol;
    std::string_view name;
    std::string_view source;
};

/// All of them; the first is the default.
const std::vector<ProtocolName>& protocols();

/// Its name. Every protocol has one.
std::string_view name_of(Protocol protocol);

/// The protocol of that name. InputError with a suggestion when there is none.
Protocol parse_protocol(std::string_view name);

}  // namespace narrows
