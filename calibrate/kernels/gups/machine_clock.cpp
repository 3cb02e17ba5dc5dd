#include "calibrate/kernels/gups/machine_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/transport/mailboxes.hpp"
#include "model/read_costs.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr Data update_bytes = bytes(8);

LinkGrid link_grid(const Machine& machine, const Placement& placement) {
    const std::vector<int> network = placement.network.shape();
    const std::string family = placement.network.family();
    if (network.empty() || family == "hyperx" || placement.network.switched()) {
        throw InputError(fmt::format("{} has the network '{}': a virtual clock knows the links of meshes and tori only",
                                     machine.id, placement.network.spec()));
    }
    LinkGrid grid;
    grid.shape = network;
    grid.wraps.assign(network.size(), family != "mesh" && family != "hypercube");
    grid.ranks_per_node = static_cast<int>(placement.ranks_per_node);
    const bool along = placement.shape.size() >= network.size() &&
                       std::equal(network.rbegin(), network.rend(), placement.shape.rbegin());
    if (!along) {
        throw InputError(fmt::format("{}: packets go along the network's dimensions, {}: give these or no shape",
                                     format_shape(placement.shape), format_shape(network)))
            .of_setting("shape");
    }
    return grid;
}

// Clocks add up multiples of 2^-40 s, about a picosecond, without rounding: a run is the same on every machine.
double whole_steps(double seconds) {
    constexpr int steps = 40;
    return std::ldexp(std::round(std::ldexp(seconds, steps)), -steps);
}

// A bucket is sent as one packet.
int checked_bucket_of_packet(const ClockedMachine& clocked, double usual) {
    if (!clocked.query.bucket) return static_cast<int>(usual);
    const Framing framing = routed_framing(clocked.machine, clocked.query);
    const int most = items_fitting(framing, update_bytes, routed_bucket(clocked.placement.shape));
    if (*clocked.query.bucket > most) {
        throw InputError(fmt::format("{} updates: a packet of {} holds {}: give 1 to {}", *clocked.query.bucket,
                                     clocked.machine.id, most, most))
            .of_setting("bucket");
    }
    return *clocked.query.bucket;
}

// Who ran the machine had the shape and the packets that it has unless others are asked for.
bool runs_as_usual(const ClockedMachine& clocked) {
    GupsQuery usual = clocked.query;
    usual.shape.clear();
    usual.bucket.reset();
    if (!clocked.query.shape.empty() && clocked.placement.shape != place(clocked.machine, usual).shape) return false;
    return clocked.bucket == static_cast<int>(routed_inputs(clocked.machine, usual).updates_per_packet);
}

LinkCosts link_costs(ClockedMachine& clocked) {
    const Framing framing = routed_framing(clocked.machine, clocked.query);
    const Bandwidth link = bandwidth_at(clocked.machine, "network.link.bandwidth");
    LinkCosts costs;
    for (int words = 0; words <= clocked.bucket; ++words) {
        costs.service.push_back(whole_steps((routed_link_bytes(clocked.machine, clocked.query, words) / link).si()));
    }
    costs.latency = whole_steps(time_at(clocked.machine, "network.link.latency").si());
    Framing in_buffer = framing;
    in_buffer.gap = Data();
    in_buffer.code = 1;
    const Data packet = wire_bytes(in_buffer, update_bytes * clocked.bucket);
    // Packets that a buffer of the machine holds, of `sides` directions together: `otherwise` where the file does not
    // say, and what the clock can do where it says more or less.
    const auto places = [&](const std::string& name, int sides, int least, int most, int otherwise) {
        const std::string path = fmt::format("network.{}.buffer", name);
        if (find(clocked.machine, path) == nullptr) return otherwise;
        const Data buffer = data_at(clocked.machine, path);
        const double held = sides * std::floor(std::min(buffer / packet, 1e9));
        const double taken = std::clamp<double>(held, least, most);
        if (taken != held) {
            clocked.rounded.push_back(fmt::format("{} of {} holds {:.0f} packets of {}{}, the clock has {:.0f}", path,
                                                  print(buffer), held, print(packet), sides == 1 ? "" : " a dimension",
                                                  taken));
        }
        return static_cast<int>(taken);
    };
    constexpr int most = 1'000'000;  // as good as any number
    constexpr int of_ring = 2;       // a ring needs so many at each link to go on moving
    constexpr int directions = 2;
    constexpr int otherwise = 96;
    costs.through = places("link", 1, of_ring, most, 0);
    costs.injection = places("injection", 1, 1, most, 0);
    costs.reception = places("reception", directions, 1, most_slots, otherwise);
    return costs;
}

void use_costs(const RoutedGups& inputs, const Machine& machine, GupsClock& clock) {
    // garg2006, Section 4.1: all of an update but the latency of memory is forming it.
    const Time latency = std::min(time_or_zero(machine, "node.memory.latency"), inputs.update);
    clock.form = whole_steps((inputs.update - latency + inputs.per_update * inputs.first).si());
    clock.apply = whole_steps(latency.si());
    clock.route = whole_steps((inputs.per_update + inputs.miss * missing_share(inputs)).si());
    clock.send = whole_steps(inputs.per_packet.si() / 2);
    clock.receive = clock.send;
    const Time look = time_or_zero(machine, "compute.gups.route.look");
    clock.look = whole_steps(look.si() > 0 ? look.si() : inputs.per_update.si());
    if (clock.look <= 0) {
        throw InputError(fmt::format(
            "machine '{}' takes no time to look for packets: add 'compute.gups.route.look' to its file", machine.id));
    }
}

}  // namespace

ClockedMachine clocked_gups(const Machine& machine, const GupsQuery& query) {
    ClockedMachine clocked;
    clocked.machine = machine;
    clocked.query = query;
    if (!has(machine, "compute.gups.route")) {
        throw InputError(fmt::format(
            "machine '{}' has no costs of software routing: add 'compute.gups.route' to its file", machine.id));
    }
    clocked.placement = place(machine, query);
    clocked.clock.grid = link_grid(machine, clocked.placement);
    const RoutedGups inputs = routed_inputs(machine, query);
    clocked.bucket = checked_bucket_of_packet(clocked, inputs.updates_per_packet);
    clocked.usual = runs_as_usual(clocked);
    clocked.clock.links = link_costs(clocked);
    use_costs(inputs, machine, clocked.clock);
    return clocked;
}

UpdateTime update_time(const ClockedMachine& clocked, const ClockedGups& run) {
    const GupsClock& clock = clocked.clock;
    const bool steady = run.steady_seconds > 0;
    const ClockedWork& work = steady ? run.steady : run.work;
    const auto count = [](std::uint64_t events) { return static_cast<double>(events); };
    const double updates = std::max(1.0, count(work.formed));
    UpdateTime time;
    time.updates = (count(work.formed) * clock.form + count(work.applied) * clock.apply) / updates;
    time.routing = count(work.routed) * clock.route / updates;
    time.packets = (count(work.sent) * clock.send + count(work.received) * clock.receive) / updates;
    const double seconds = steady ? run.steady_seconds : run.seconds;
    const double each = seconds * static_cast<double>(clocked.placement.ranks()) / updates;
    // Of what ranks are caught in at the ends of a middle all counts, or nothing: it may seem to take more than it
    // does.
    if (const double busy = time.busy(); busy > each) {
        for (double* part : {&time.updates, &time.routing, &time.packets}) *part *= each / busy;
    }
    time.waiting = std::max(0.0, each - time.busy());
    return time;
}

Prediction prediction_of(const ClockedMachine& clocked, std::optional<double> updates) {
    GupsQuery query = clocked.query;
    query.updates = updates;
    RoutedGups inputs = routed_inputs(clocked.machine, query);
    inputs.updates_per_packet = clocked.bucket;
    inputs.bytes = routed_link_bytes(clocked.machine, clocked.query, clocked.bucket) / clocked.bucket;
    return routed_gups(inputs);
}

}  // namespace narrows
