#include "calibrate/messaging/protocol.hpp"

#include "calibrate/messaging/with_messages.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

template <int place = 0>
void add_records(std::vector<KnownProtocol>& all) {
    constexpr auto protocol = static_cast<Protocol>(place);
    if constexpr (is_protocol<protocol>) {
        all.push_back({ProtocolOf<protocol>::record, protocol});
        add_records<place + 1>(all);
    }
}

}  // namespace

const std::vector<KnownProtocol>& protocols() {
    static const std::vector<KnownProtocol> all = [] {
        std::vector<KnownProtocol> made;
        add_records(made);
        return made;
    }();
    return all;
}

const ProtocolRecord& record_of(Protocol protocol) {
    return protocols().at(static_cast<std::size_t>(protocol));
}

std::string_view name_of(Protocol protocol) {
    return record_of(protocol).name;
}

Protocol parse_protocol(std::string_view name) {
    return record_called(name, protocols(), "there is no protocol", Offered::all).protocol;
}

}  // namespace narrows
