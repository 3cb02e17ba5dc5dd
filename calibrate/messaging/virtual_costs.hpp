#pragma once

#include <cstddef>
#include <vector>

namespace narrows {

/// What a message costs between ranks that reach each other directly, in seconds. The sender is busy for `send`, the
/// message is there `transit` later, then the receiver is busy for `receive`. A sender learns that its receiver waits
/// `request` after the receiver has said so.
struct DirectCost {
    double send = 0;
    double transit = 0;
    double receive = 0;
    double request = 0;
};

/// Direct costs within a place, for an empty message and for each byte more.
struct PlaceCost {
    int ranks = 1;  ///< consecutive ranks that share the place
    DirectCost empty;
    DirectCost per_byte;
};

/// A leg between gateways: what is sent arrives so much later.
struct LegCost {
    double latency = 0;
    double per_byte = 0;
};

/// What passing gateways costs. A controller serves what leaves its domain and a host what comes to it, one at a time
/// in the order in which they come; beside that they forward.
struct GatewayCost {
    double to_controller = 0;    ///< from a rank to its controller
    double from_controller = 0;  ///< from a controller to its rank
    double message = 0;          ///< to serve a message
    double request = 0;          ///< to serve what a receiver sends to the sender's controller
    LegCost between_controller_and_host;
    LegCost between_hosts;
};

/// What messages cost on the machine that is simulated.
struct VirtualCosts {
    std::vector<PlaceCost> places;  ///< from the smallest to the largest; the last one has all ranks that talk directly
    GatewayCost gateways;

    DirectCost direct(int from, int to, std::size_t bytes) const {
        for (const PlaceCost& place : places) {
            if (from / place.ranks == to / place.ranks) return at(place, static_cast<double>(bytes));
        }
        return at(places.back(), static_cast<double>(bytes));
    }

  private:
    static DirectCost at(const PlaceCost& place, double bytes) {
        const auto& [ranks, empty, each] = place;
        return {empty.send + bytes * each.send, empty.transit + bytes * each.transit,
                empty.receive + bytes * each.receive, empty.request};
    }
};

}  // namespace narrows
