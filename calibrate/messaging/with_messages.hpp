#pragma once

#include <memory>
#include <optional>
#include <stdexcept>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/command_messages.hpp"
#include "calibrate/messaging/gateway.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "calibrate/messaging/put_windows.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "calibrate/messaging/shared_run.hpp"

namespace narrows {

/// Whether there is such a protocol.
template <Protocol protocol>
inline constexpr bool is_protocol = requires {
    ProtocolOf<protocol>::record;
};

/// Calls `visit(ProtocolOf<protocol>())` and returns what it returns.
template <int place = 0, class Visit>
auto with_protocol(Protocol protocol, const Visit& visit) {
    if constexpr (is_protocol<static_cast<Protocol>(place + 1)>) {
        if (static_cast<int>(protocol) != place) return with_protocol<place + 1>(protocol, visit);
    } else if (static_cast<int>(protocol) != place) {
        throw std::logic_error("with_protocol: no such protocol");
    }
    return visit(ProtocolOf<static_cast<Protocol>(place)>());
}

/// What `with_messages` does for the protocols of one maker.
template <class Endpoint, class Maker, class Execute, class Body>
auto with_maker(const ProtocolRecord& record, const RankLayout& layout, int first, int last, const Execute& execute,
                const Body& body) {
    std::optional<typename Maker::Memory> memory;
    if constexpr (Endpoint::shares_memory) {
        memory.emplace(layout);
    } else {
        memory.emplace(layout, first, last);
    }
    const auto make = [&](Endpoint& endpoint) {
        return Maker::template make<Endpoint>(endpoint, layout, *memory, record);
    };
    return execute(make, body);
}

/// Calls `execute(make, body)` for a protocol with send and receive, where `make(endpoint)` makes the protocol of a
/// process with the ranks [first, last), or with all where they share memory, and returns what it returns.
template <class Endpoint, class Execute, class Body>
auto with_messages(Protocol protocol, const RankLayout& layout, int first, int last, const Execute& execute,
                   const Body& body) {
    return with_protocol(protocol, [&]<class Known>(Known) {
        return with_maker<Endpoint, typename Known::Maker>(Known::record, layout, first, last, execute, body);
    });
}

/// Runs `body(messages, rank, waiter)` on all ranks of `options` over shared memory. With `domain` above 0, messages
/// are receiver-initiated and go from domain to domain of so many ranks through gateways, which run beside the ranks;
/// with `overlap` a gateway sends a message's first part on before it has the last.
template <class Body>
RankTimes run_messages(Protocol protocol, int domain, const RankOptions& options, const Body& body,
                       bool overlap = false) {
    if (domain == 0) {
        const auto execute = [&options](const auto& make, const auto& inner) {
            return run_shared(options, make, inner);
        };
        return with_messages<SharedEndpoint>(protocol, options.layout, 0, options.layout.ranks, execute, body);
    }
    using Messages = GatewayMessages<SharedEndpoint>;
    GatewayShape shape{options.layout.ranks, domain};
    shape.overlap = overlap;
    RankOptions all = options;
    all.layout = {shape.total(), std::min(options.layout.workers, shape.total())};
    GatewayMemory memory(all.layout, shape);
    const auto make = [&](SharedEndpoint& endpoint) {
        return std::make_unique<Messages>(endpoint, all.layout, memory);
    };
    return run_shared(all, make, [&](Messages& messages, int rank, auto& waiter) {
        if (shape.is_gateway(rank)) {
            messages.run_gateway(rank, waiter);
        } else {
            body(messages, rank, waiter);
            messages.finish(rank);
        }
    });
}

}  // namespace narrows
