#include "model/wavefront/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "model/message_cost.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "model/uncertainty.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr double double_bytes = 8;
constexpr std::int64_t most_sweep_ranks = 1 << 24;

/// Cost of a message of a size.
using CostOf = std::function<HopCost(Data size)>;

int nearest_divisor(int whole, int part) {
    int nearest = 1;
    for (int divisor = 1; divisor <= whole; ++divisor) {
        if (whole % divisor == 0 && std::abs(divisor - part) < std::abs(nearest - part)) nearest = divisor;
    }
    return nearest;
}

void check_divides(int part, int whole, const char* parts) {
    if (part >= 1 && whole % part == 0) return;
    throw InputError(
        fmt::format("{} {} a block do not divide {}: give {}", part, parts, whole, nearest_divisor(whole, part)));
}

// How messages of a level are costed, read once for all sizes.
CostOf level_cost(const Machine& machine, const std::string& level) {
    HopCost fixed;
    fixed.send = time_or_zero(machine, level + ".send");
    fixed.receive = time_or_zero(machine, level + ".receive");
    fixed.latency = time_or_zero(machine, level + ".latency");
    fixed.synchronous = find(machine, level + ".request") != nullptr;
    fixed.request = time_or_zero(machine, level + ".request");
    const bool sized = find(machine, level + ".bandwidth") != nullptr;
    const Bandwidth bandwidth = sized ? bandwidth_at(machine, level + ".bandwidth") : Bandwidth();
    return [fixed, sized, bandwidth](Data size) {
        HopCost cost = fixed;
        if (sized) cost.bytes = size / bandwidth;
        return cost;
    };
}

// Levels by increasing number of ranks; the last one has all others.
std::vector<CostOf> read_levels(const Machine& machine, std::vector<int>& ranks) {
    std::vector<CostOf> costs;
    const std::vector<std::string> names = names_below(machine, "levels");
    for (const std::string& name : names) {
        const std::string level = "levels." + name;
        const bool last = name == names.back();
        if (last != (find(machine, level + ".ranks") == nullptr)) {
            throw InputError(fmt::format(
                "machine '{}': every level but the last says how many 'ranks' are so near: {} 'ranks' {} '{}'",
                machine.id, last ? "leave out" : "add", last ? "of" : "to", level));
        }
        if (!last) {
            const int count = static_cast<int>(number_at(machine, level + ".ranks"));
            if (!ranks.empty() && count <= ranks.back()) {
                throw InputError(
                    fmt::format("machine '{}': '{}' has {} ranks, no more than the level before: list levels "
                                "by increasing 'ranks'",
                                machine.id, level, count));
            }
            ranks.push_back(count);
        }
        costs.push_back(level_cost(machine, level));
    }
    return costs;
}

SweepGateways read_gateways(const Machine& machine) {
    SweepGateways gateways;
    if (!has(machine, "gateways")) return gateways;
    gateways.ranks = static_cast<int>(number_at(machine, "gateways.ranks"));
    gateways.service = time_at(machine, "gateways.service");
    gateways.wire = time_or_zero(machine, "gateways.wire");
    if (find(machine, "gateways.request") != nullptr) gateways.request = time_at(machine, "gateways.request");
    return gateways;
}

CostOf protocol_cost(const Machine& machine, const std::string& name) {
    return [path = whole_path(read_protocol(machine, name))](Data size) {
        HopCost cost;
        cost.latency = message_time(path, Data()).total;
        cost.bytes = message_time(path, size).total - cost.latency;
        return cost;
    };
}

CostOf layer_cost(const Machine& machine, const std::string& layer) {
    const Framing framing = read_framing(machine, layer + ".framing");
    const MessageCost send = read_message_cost(machine, layer + ".send");
    const MessageCost receive = read_message_cost(machine, layer + ".receive");
    const Time latency = time_or_zero(machine, "network.link.latency");
    const bool sized = find(machine, "network.link.bandwidth") != nullptr;
    const Bandwidth bandwidth = sized ? bandwidth_at(machine, "network.link.bandwidth") : Bandwidth();
    return [=](Data size) {
        HopCost cost;
        cost.send = message_time(send, framing, size);
        cost.receive = message_time(receive, framing, size);
        cost.latency = latency;
        if (sized) cost.bytes = wire_bytes(framing, size) / bandwidth;
        return cost;
    };
}

// What messages cost on a machine without levels.
CostOf cost_anywhere(const Machine& machine, const SweepQuery& query) {
    const std::vector<std::string> protocols = names_below(machine, "protocols");
    if (!query.protocol.empty() || !protocols.empty()) {
        return protocol_cost(machine, query.protocol.empty() ? protocols.front() : query.protocol);
    }
    for (const std::string& name : names_below(machine, "messaging")) {
        const std::string layer = "messaging." + name;
        if (find(machine, layer + ".send.per_message") != nullptr) return layer_cost(machine, layer);
    }
    throw InputError(
        fmt::format("machine '{}' does not say what messages cost: add 'levels', 'protocols' or a layer of 'messaging'",
                    machine.id));
}

Time grind_time(const Machine& machine, const SweepQuery& query) {
    const bool isotropic = query.moments == 1 && find(machine, "compute.sweep3d.grind_isotropic") != nullptr;
    return time_at(machine, isotropic ? "compute.sweep3d.grind_isotropic" : "compute.sweep3d.grind");
}

}  // namespace

void check(const SweepQuery& query) {
    check_divides(query.planes, query.cells[2], "planes");
    check_divides(query.angle_block, query.angles, "angles");
    if (query.moments != 1 && query.moments != 4) {
        throw InputError(fmt::format("{} flux moments: scattering is isotropic (1) or linear (4): give {}",
                                     query.moments, query.moments < 3 ? 1 : 4));
    }
    const std::int64_t ranks = std::int64_t{query.grid[0]} * query.grid[1];
    if (ranks > most_sweep_ranks) {
        throw InputError(fmt::format("{} ranks are too many to evaluate: give at most {}", ranks, most_sweep_ranks));
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
        if (query.grid[axis] >= 1 && query.grid[axis] <= query.cells[axis]) continue;
        throw InputError(fmt::format("{} ranks along {} do not fit its {} cells: give 1 to {}", query.grid[axis],
                                     axis == 0 ? "I" : "J", query.cells[axis], query.cells[axis]));
    }
}

Wavefront sweep_wavefront(const Machine& machine, const SweepQuery& query) {
    check(query);
    Wavefront wavefront;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        wavefront.cells[axis] = even_parts(query.cells[axis], query.grid[axis]);
    }
    wavefront.blocks = query.blocks();
    wavefront.cell = grind_time(machine, query) * (static_cast<double>(query.planes) * query.angle_block);
    if (query.ranks() == 1) return wavefront;
    std::vector<CostOf> costs;
    if (query.protocol.empty()) costs = read_levels(machine, wavefront.levels);
    if (costs.empty()) {
        costs.push_back(cost_anywhere(machine, query));
    } else {
        wavefront.gateways = read_gateways(machine);
    }
    const double surface = static_cast<double>(query.planes) * query.angle_block * double_bytes;
    wavefront.hop = [costs, surface](SweepAxis, int cells, std::size_t level) {
        return costs[level](bytes(surface * cells));
    };
    return wavefront;
}

SweepCost sweep_cost(const Wavefront& wavefront) {
    SweepCost cost;
    cost.compute = wavefront.cell * wavefront.cells[0].front() * wavefront.cells[1].front();
    if (!wavefront.hop) return cost;
    const Time gateways =
        wavefront.gateways.ranks > 0 ? wavefront.gateways.service * 2 + wavefront.gateways.wire : Time();
    const auto message = [&](SweepAxis axis, int cells) {
        const HopCost hop = wavefront.hop(axis, cells, wavefront.levels.size());
        return SweepMessage{hop.send, hop.receive, hop.send + gateways + hop.latency + hop.bytes + hop.receive};
    };
    cost.i = message(SweepAxis::i, wavefront.cells[1].front());
    cost.j = message(SweepAxis::j, wavefront.cells[0].front());
    return cost;
}

Time sweep3d_time(const Machine& machine, const SweepQuery& query) {
    return wavefront_time(sweep_wavefront(machine, query));
}

TimePrediction predict_sweep3d(const Machine& machine, const SweepQuery& query) {
    TimePrediction prediction = critical_path(wavefront_breakdown(sweep_wavefront(machine, query)));
    const TimePrediction interval = with_interval(machine, TimePredictionOf([&query](const Machine& changed) {
                                                      TimePrediction alone;
                                                      alone.time = sweep3d_time(changed, query);
                                                      return alone;
                                                  }));
    prediction.low = interval.low;
    prediction.high = interval.high;
    prediction.estimate = "the recurrence of all ranks and blocks, along its critical path";
    prediction.source = "sweep3d.f 2.2b (schedule), derived";
    prediction.assumptions =
        "every cell and angle takes the same time; ranks are numbered along I first and lie on nodes in that order; a "
        "gateway takes a message as soon as it is idle";
    return prediction;
}

double communication_share(const Wavefront& wavefront, Time time) {
    return time.si() > 0 ? std::max(0.0, 1 - wavefront_ideal_time(wavefront) / time) : 0;
}

}  // namespace narrows
