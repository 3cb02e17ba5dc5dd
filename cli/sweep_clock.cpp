#include "cli/sweep_clock.hpp"

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
    if (!wavefront.hop) {  // messages are free, or there are none
        clock.costs.places = {{query.ranks(), {}, {}}};
        return clock;
    }
    const double bytes = of_column * sizeof(double);  // of a message that is one cell across
    const auto hop = [&](std::size_t level) { return wavefront.hop(SweepAxis::i, 1, level); };
    for (std::size_t level = 0; level < wavefront.levels.size(); ++level) {
        clock.costs.places.push_back(place_cost(hop(level), bytes, wavefront.levels[level]));
    }
    const HopCost far = hop(wavefront.levels.size());
    if (wavefront.gateways.ranks > 0) {
        clock.costs.gateways = gateway_cost(wavefront.gateways, far, bytes);
    } else {
        clock.costs.places.push_back(place_cost(far, bytes, query.ranks()));
    }
    return clock;
}

}  // namespace narrows
