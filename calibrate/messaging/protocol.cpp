#include "calibrate/messaging/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "topologies/input_error.hpp"

namespace narrows {

const std::vector<ProtocolName>& protocols() {
    static const std::vector<ProtocolName> all = {
        {Protocol::active_message, "active-message", "kumar2008"},
        {Protocol::eager, "eager", "kumar2008"},
        {Protocol::rendezvous, "rendezvous", "kumar2008"},
        {Protocol::buffered, "buffered", "kumar2007"},
        {Protocol::receiver_initiated, "receiver-initiated", "pakin2009"},
        {Protocol::command_queue, "command-queue", "underwood2008"},
    };
    return all;
}

std::string_view name_of(Protocol protocol) {
    return std::find_if(protocols().begin(), protocols().end(),
                        [protocol](const ProtocolName& known) { return known.protocol == protocol; })
        ->name;
}

Protocol parse_protocol(std::string_view name) {
    std::vector<std::string> names;
    for (const ProtocolName& known : protocols()) {
        if (known.name == name) return known.protocol;
        names.emplace_back(known.name);
    }
    throw InputError(fmt::format("there is no protocol '{}'{} (there are: {})", name,
                                 did_you_mean(std::string(name), names), fmt::join(names, ", ")));
}

}  // namespace narrows
