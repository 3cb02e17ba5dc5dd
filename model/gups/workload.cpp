#include "model/gups/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "model/gups/bucket_size.hpp"
#include "model/gups/bucketed.hpp"
#include "model/gups/naive.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/sequential.hpp"
#include "model/gups/shmem.hpp"
#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr Data update_size = bytes(8);

struct Named {
    GupsCode variant;
    std::string_view name;
    std::string_view needs;  // a machine that has this can be asked for the variant
};

// In the order in which they become a machine's default.
constexpr std::array variants = {
    Named{GupsCode::naive, "naive", "messaging.*.receive"},
    Named{GupsCode::bucketed, "bucketed", "compute.gups.bucket"},
    Named{GupsCode::routed, "routed", "compute.gups.route"},
    Named{GupsCode::shmem, "shmem", "compute.gups.apply"},
    Named{GupsCode::sequential, "sequential", "compute.gups.update"},
};

bool can_predict(const Machine& machine, const Named& variant) {
    if (variant.variant != GupsCode::naive) return has(machine, variant.needs);
    const auto layers = names_below(machine, "messaging");
    return std::any_of(layers.begin(), layers.end(),
                       [&](const auto& layer) { return has(machine, "messaging." + layer + ".receive"); });
}

// Everything that several variants ask the machine for.
class Costs {
  public:
    Costs(const Machine& machine, const GupsQuery& query)
        : machine_(machine), query_(query), placement_(place(machine, query)) {}

    const Placement& placement() const { return placement_; }

    Data table() const { return query_.table.value_or(default_table(machine_, placement_)); }

    double updates() const { return query_.updates.value_or(4 * (table() / update_size)); }

    Time update() const {
        const bool small = query_.small_pages && has(machine_, "compute.gups.update_4KiB_pages");
        const std::string path = small ? "compute.gups.update_4KiB_pages" : "compute.gups.update";
        return curve_at(machine_, path).at(table() / static_cast<double>(placement_.nodes));
    }

    // A curve over the state that one processor works on, for the ranks that share it.
    Time over_state(const std::string& path, const std::string& state) const {
        const double sharing = static_cast<double>(placement_.ranks()) / placement_.workers;
        return curve_at(machine_, path).at(data_or_zero(machine_, state) * sharing);
    }

    std::string layer() const {
        const auto layers = names_below(machine_, "messaging");
        if (query_.messaging.empty()) return layers.empty() ? "none" : layers.front();
        if (std::find(layers.begin(), layers.end(), query_.messaging) == layers.end()) {
            throw InputError(fmt::format("machine '{}' has no messaging layer '{}'{} (it has: {})", machine_.id,
                                         query_.messaging, did_you_mean(query_.messaging, layers),
                                         fmt::join(layers, ", ")));
        }
        return query_.messaging;
    }

    // Of what carries software-routed updates: the layer asked for, else the leanest, which is listed last.
    Framing raw_framing() const {
        const auto layers = names_below(machine_, "messaging");
        if (has(machine_, "network.framing")) return framing("");  // of another machine's network, and of its layer
        return framing(query_.messaging.empty() && !layers.empty() ? layers.back() : layer());
    }

    Framing framing(const std::string& layer_name) const {
        if (has(machine_, "network.framing")) return read_framing(machine_, "network.framing");
        const std::string path = "messaging." + layer_name + ".framing";
        return read_framing(machine_, has(machine_, path) ? path : "network.link.framing");
    }

    NetworkShare network() const {
        NetworkShare share;
        share.nodes = static_cast<double>(placement_.nodes);
        if (placement_.nodes == 1) return share;
        share.phi = placement_.network.phi_value();
        share.by_flow = placement_.network.flow_limits();
        if (const Parameter* searched = find(machine_, "network.cut.pair_flow")) {
            if (searched->measure.value <= share.phi) share.by_flow = searched->source.starts_with("uniform flow");
            share.phi = std::min(share.phi, searched->measure.value);
        }
        share.injection = placement_.network.switched() ? 1 : 0;
        share.link = bandwidth_at(machine_, "network.link.bandwidth");
        return share;
    }

    Data first_level_cache() const { return data_or_zero(machine_, "node.cache.L1.size"); }

    Time next_level() const {
        for (const char* level : {"node.cache.L2.latency", "node.cache.L3.latency"}) {
            if (find(machine_, level) != nullptr) return time_at(machine_, level);
        }
        return Time();
    }

    const Machine& machine() const { return machine_; }
    const GupsQuery& query() const { return query_; }

  private:
    const Machine& machine_;
    const GupsQuery& query_;
    Placement placement_;
};

Time both_ends(const Costs& costs, const std::string& layer, Data payload) {
    const Framing framing = costs.framing(layer);
    const std::string path = "messaging." + layer;
    return message_time(read_message_cost(costs.machine(), path + ".send"), framing, payload) +
           message_time(read_message_cost(costs.machine(), path + ".receive"), framing, payload) +
           time_or_zero(costs.machine(), path + ".other.per_message");
}

Prediction predict_naive(const Costs& costs) {
    const std::string path = "messaging." + costs.layer();
    const Framing framing = costs.framing(costs.layer());
    NaiveGups inputs;
    inputs.ranks = static_cast<double>(costs.placement().ranks());
    inputs.workers = costs.placement().workers;
    inputs.update = costs.update();
    inputs.send = message_time(read_message_cost(costs.machine(), path + ".send"), framing, update_size);
    inputs.receive = message_time(read_message_cost(costs.machine(), path + ".receive"), framing, update_size);
    inputs.other = time_or_zero(costs.machine(), path + ".other.per_message");
    inputs.bytes = wire_bytes(framing, update_size);
    inputs.network = costs.network();
    return naive_gups(inputs);
}

Prediction predict_bucketed(const Costs& costs) {
    const Machine& machine = costs.machine();
    BucketedGups inputs;
    inputs.ranks = static_cast<double>(costs.placement().ranks());
    inputs.workers = costs.placement().workers;
    inputs.mean_bucket = mean_bucket_size(inputs.ranks);
    inputs.update = costs.update();
    const Data payload = update_size * inputs.mean_bucket;
    if (has(machine, "compute.gups.bucket.per_update")) {  // the project's own code, measured
        inputs.insert = costs.over_state("compute.gups.bucket.per_update", "compute.gups.bucket.state");
        inputs.message = costs.over_state("compute.gups.bucket.per_message", "compute.gups.bucket.state");
    } else {
        inputs.test = time_at(machine, "compute.gups.bucket.test");
        inputs.test_interval = costs.query().test_interval;
        inputs.heap_level = time_at(machine, "compute.gups.bucket.heap_level");
        inputs.message = both_ends(costs, costs.layer(), payload);
        inputs.state = data_at(machine, "compute.gups.bucket.pending") * held_updates +
                       data_at(machine, "compute.gups.bucket.destination") * inputs.ranks;
        inputs.cache = costs.first_level_cache();
        inputs.miss = costs.next_level();
    }
    inputs.bytes = wire_bytes(costs.framing(costs.layer()), payload) / inputs.mean_bucket;
    inputs.network = costs.network();
    return bucketed_gups(inputs);
}

RoutedGups inputs_of_routed(const Costs& costs) {
    const Machine& machine = costs.machine();
    const std::vector<int>& shape = costs.placement().shape;
    const Framing framing = costs.raw_framing();
    const int bucket = checked_bucket(shape, costs.query().bucket);
    const int packed = items_per_packet(framing, update_size, bucket);
    const double peers = std::accumulate(shape.begin(), shape.end(), 0.0) - static_cast<double>(shape.size());
    RoutedGups inputs;
    inputs.workers = costs.placement().workers;
    inputs.hops = routed_hops(shape);
    inputs.updates_per_packet = packed;
    inputs.update = costs.update();
    inputs.per_update = costs.over_state("compute.gups.route.per_update", "compute.gups.route.state");
    inputs.first = has(machine, "compute.gups.route.first") ? number_at(machine, "compute.gups.route.first") : 0;
    inputs.per_packet = costs.over_state("compute.gups.route.per_packet", "compute.gups.route.state");
    if (has(machine, "compute.gups.route.state")) {
        inputs.flushed_packets = peers * static_cast<double>(costs.placement().ranks()) / costs.updates();
    }
    if (has(machine, "compute.gups.route.table_entry")) {
        inputs.lookup_state =
            data_at(machine, "compute.gups.route.table_entry") * static_cast<double>(costs.placement().ranks()) +
            data_or_zero(machine, "compute.gups.route.peer_state") * peers + update_size * held_updates;
        inputs.cache = costs.first_level_cache();
        inputs.miss = costs.next_level();
    }
    inputs.bytes = wire_bytes(framing, update_size * packed) / packed;
    inputs.network = costs.network();
    return inputs;
}

Prediction predict_shmem(const Costs& costs) {
    const Machine& machine = costs.machine();
    ShmemGups inputs;
    inputs.interface = read_put_interface(machine, costs.layer());
    inputs.interface.cores = costs.placement().workers / static_cast<double>(costs.placement().nodes);
    inputs.sockets = static_cast<double>(costs.placement().nodes);
    inputs.update = time_at(machine, "compute.gups.apply");
    inputs.barrier = time_or_zero(machine, "messaging." + costs.layer() + ".barrier");
    inputs.network = costs.network();
    return shmem_gups(inputs);
}

Prediction predict_variant(const Costs& costs) {
    switch (costs.query().variant) {
        case GupsCode::sequential:
            return sequential_gups(costs.update());
        case GupsCode::naive:
            return predict_naive(costs);
        case GupsCode::bucketed:
            return predict_bucketed(costs);
        case GupsCode::routed:
            return routed_gups(inputs_of_routed(costs));
        case GupsCode::shmem:
            return predict_shmem(costs);
    }
    throw std::logic_error("unknown variant");
}

}  // namespace

std::string_view name_of(GupsCode variant) {
    for (const Named& named : variants) {
        if (named.variant == variant) return named.name;
    }
    throw std::logic_error("unknown variant");
}

GupsCode gups_variant(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Named& named : variants) {
        if (named.name == name) return named.variant;
        names.push_back(named.name);
    }
    throw InputError(fmt::format("gups has no variant '{}'{} (it has: {})", name,
                                 did_you_mean(std::string(name), names), fmt::join(names, ", ")));
}

std::vector<GupsCode> gups_variants(const Machine& machine) {
    std::vector<GupsCode> predictable;
    for (const Named& variant : variants) {
        if (can_predict(machine, variant)) predictable.push_back(variant.variant);
    }
    return predictable;
}

Data default_table(const Machine& machine, const Placement& placement) {
    const bool machine_room = placement.nodes > 1 && find(machine, "node.memory.size") != nullptr;
    if (!machine_room) return default_table(placement.ranks());
    return data_at(machine, "node.memory.size") * (0.5 * static_cast<double>(placement.nodes));
}

Data default_table(std::int64_t ranks) {
    return std::max(bytes(32.0 * 1024 * 1024), bytes(8192) * static_cast<double>(ranks));
}

RoutedGups routed_inputs(const Machine& machine, const GupsQuery& query) {
    return inputs_of_routed(Costs(machine, query));
}

Framing routed_framing(const Machine& machine, const GupsQuery& query) {
    return Costs(machine, query).raw_framing();
}

Prediction predict_gups(const Machine& machine, const GupsQuery& query) {
    Prediction prediction = predict_variant(Costs(machine, query));
    if (!std::isfinite(prediction.rate.si())) {
        throw InputError(fmt::format("nothing limits gups on machine '{}': all costs are zero", machine.id));
    }
    return prediction;
}

}  // namespace narrows
