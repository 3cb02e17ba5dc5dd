#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/command_messages.hpp"
#include "calibrate/messaging/gateway.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/protocol.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "calibrate/messaging/shared_run.hpp"

namespace narrows {

/// Calls `execute(make, body)` for a protocol with send and receive, where `make(endpoint)` makes the protocol of a
/// process with the ranks [first, last), or with all where they share memory, and returns what it returns. The command
/// queue, which has puts only, carries `CommandMessages`.
template <class Endpoint, class Execute, class Body>
auto with_messages(Protocol protocol, const RankLayout& layout, int first, int last, const Execute& execute,
                   const Body& body) {
    const auto matched = [&](std::size_t eager) {
        return execute(
            [&layout, eager](Endpoint& endpoint) {
                return std::make_unique<MatchedMessages<Endpoint>>(endpoint, layout, eager);
            },
            body);
    };
    const auto in_common = [&]<class Messages, class Common>(std::optional<Common> common, Messages*) {
        if constexpr (Endpoint::shares_memory) {
            common.emplace(layout);
        } else {
            common.emplace(layout, first, last);
        }
        return execute(
            [&layout, &common](Endpoint& endpoint) { return std::make_unique<Messages>(endpoint, layout, *common); },
            body);
    };
    switch (protocol) {
        case Protocol::active_message:
        case Protocol::eager:
            return matched(eager_bytes);
        case Protocol::rendezvous:
            return matched(0);
        case Protocol::buffered:
            return in_common(std::optional<BufferedMemory>(), static_cast<Buffered<Endpoint>*>(nullptr));
        case Protocol::receiver_initiated:
            return in_common(std::optional<ReceiverInitiatedMemory>(),
                             static_cast<ReceiverInitiated<Endpoint>*>(nullptr));
        case Protocol::command_queue:
            return execute(
                [&layout](Endpoint& endpoint) { return std::make_unique<CommandMessages<Endpoint>>(endpoint, layout); },
                body);
    }
    throw std::logic_error("with_messages: no such protocol");
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
    GatewayShape shape;
    shape.ranks = options.layout.ranks;
    shape.domain = domain;
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
