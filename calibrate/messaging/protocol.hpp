#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace narrows {

/// The papers' messaging protocols, in the order in which users see them; the first is the default. Active messages as
/// a user of handlers and puts has them; `eager` and `rendezvous` are sends and receives with tags on top of them, from
/// 1 KiB on by rendezvous, or always. A new one has its name here, and its header, with its `ProtocolOf`, in
/// `with_messages.hpp`.
enum class Protocol : int { active_message, eager, rendezvous, buffered, receiver_initiated, command_queue };

/// What is known of a protocol, whatever it runs over.
struct ProtocolRecord {
    std::string_view name;  ///< on the command line and in files
    std::string_view source;
    /// Bytes that the queues or descriptors of so many ranks take in shared memory, messages apart.
    std::size_t (*memory)(int ranks) = [](int /*ranks*/) { return std::size_t{0}; };
    /// Bytes of the longest send that does not wait for its receive.
    std::size_t longest_free = std::numeric_limits<std::size_t>::max();
    bool puts = false;     ///< whether measurements between pairs put instead of sending; `ProtocolOf` has `Puts` then
    bool handles = false;  ///< whether streams of messages call a handler instead of putting
};

/// The protocol as code, specialised in its header: its `record`, and a `Maker` (itself, or one that it shares), whose
/// `make<Endpoint>(endpoint, layout, memory, record)` makes what sends and receives for a process. Ranks share a
/// `Memory` when the protocol needs one.
template <Protocol protocol>
struct ProtocolOf;

/// What ranks share of a protocol that needs nothing.
struct NoMemory {
    template <class... Arguments>
    explicit NoMemory(const Arguments&...) {}
};

/// A protocol and its record.
struct KnownProtocol : ProtocolRecord {
    Protocol protocol;
};

/// All of them.
const std::vector<KnownProtocol>& protocols();

/// Its record. Every protocol has one.
const ProtocolRecord& record_of(Protocol protocol);

/// Its name.
std::string_view name_of(Protocol protocol);

/// The protocol of that name. InputError with a suggestion when there is none.
Protocol parse_protocol(std::string_view name);

}  // namespace narrows
