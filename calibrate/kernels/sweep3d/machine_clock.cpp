#include "calibrate/kernels/sweep3d/machine_clock.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// What a message that is one cell across costs, whose size is so many bytes.
PlaceCost place_cost(const HopCost& hop, double bytes, int ranks) {
    PlaceCost place;
    place.ranks = ranks;
    place.empty = {hop.send.si(), hop.latency.si(), hop.receive.si(), hop.request.si()};
    place.per_byte.transit = hop.bytes.si() / bytes;
    return place;
}

// The clock runs the receiver-initiated protocol, and messages that cost a time and a time a byte.
void check_hop(const HopCost& one, const HopCost& several, double factor) {
    const auto same = [](Time a, Time b) { return std::abs(a.si() - b.si()) <= 1e-9 * std::abs(b.si()); };
    if (one.synchronous && same(one.send, several.send) && same(one.receive, several.receive) &&
        same(one.latency, several.latency) && same(one.bytes * factor, several.bytes)) {
        return;
    }
    throw InputError(
        "messages must wait for their receivers, and have a cost each and a cost per byte: give the "
        "machine 'levels' whose protocols all have a path with 'request'");
}

GatewayCost gateway_cost(const SweepGateways& gateways, const HopCost& hop, double bytes) {
    GatewayCost cost;
    cost.to_controller = hop.send.si();
    cost.from_controller = hop.receive.si();
    cost.message = gateways.service.si();
    cost.request = gateways.request.value_or(Time()).si();
    constexpr double legs = 3;
    const double of_leg = hop.bytes.si() / bytes / legs;
    cost.between_controller_and_host = {hop.latency.si() / 2, of_leg};
    cost.between_hosts = {gateways.wire.si(), of_leg};
    return cost;
}

}  // namespace

SweepClock sweep_clock(const Wavefront& wavefront, const SweepQuery& query) {
    SweepClock clock;
    const double of_column = static_cast<double>(query.planes) * query.angle_block;
    clock.cell_angle = wavefront.cell.si() / of_column;
    clock.row = wavefront.row.si() / query.planes;
    clock.start = wavefront.start.si();
    if (!wavefront.hop) {  // messages are free, or there are none
        clock.costs.places = {{query.ranks(), {}, {}}};
        return clock;
    }
    const double bytes = of_column * sizeof(double);  // of a message that is one cell across
    constexpr int many = 1000;
    for (std::size_t level = 0; level <= wavefront.levels.size(); ++level) {
        check_hop(wavefront.hop(SweepAxis::i, 1, level), wavefront.hop(SweepAxis::i, many, level), many);
    }
    if (wavefront.gateways.ranks > 0 && wavefront.levels.empty()) {
        throw InputError(
            fmt::format("gateways of {0} ranks need a level of ranks that do without them: add one "
                        "with 'ranks: {0}'",
                        wavefront.gateways.ranks));
    }
    if (wavefront.gateways.ranks > 0 && wavefront.levels.back() % wavefront.gateways.ranks != 0) {
        throw InputError(fmt::format("the last level with 'ranks' has {}: give a multiple of the gateways' {}",
                                     wavefront.levels.back(), wavefront.gateways.ranks));
    }
    const auto hop = [&](std::size_t level) { return wavefront.hop(SweepAxis::i, 1, level); };
    for (std::size_t level = 0; level < wavefront.levels.size(); ++level) {
        clock.costs.places.push_back(place_cost(hop(level), bytes, wavefront.levels[level]));
    }
    const HopCost far = hop(wavefront.levels.size());
    if (wavefront.gateways.ranks > 0) {
        if (std::abs(far.request.si() - far.latency.si()) > 1e-9 * far.latency.si()) {
            throw InputError(
                "through gateways a request takes the way of a message: give the protocol of the "
                "machine's last level a 'request' that takes as long as its flight");
        }
        clock.costs.gateways = gateway_cost(wavefront.gateways, far, bytes);
    } else {
        clock.costs.places.push_back(place_cost(far, bytes, query.ranks()));
    }
    return clock;
}

}  // namespace narrows
