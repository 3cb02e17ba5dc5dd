#include "model/gups/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "model/demand/servers.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/bucketed.hpp"
#include "model/gups/naive.hpp"
#include "model/gups/residuals.hpp"
#include "model/gups/sequential.hpp"
#include "model/gups/shmem.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr Data update_size = bytes(8);

// Whether it says what the receiver's end does with a message: one for puts, or for packets alone, does not.
bool has_receiver(const Path& path) {
    return !path.stages.empty() &&
           (path.stages.back().site == Site::processor || path.stages.back().site == Site::node);
}
bool receives(const Machine& machine, const std::string& protocol) {
    return has_receiver(message_path(machine, protocol, update_size));
}

// Protocols that updates may go by: those between nodes, and those with a receiver, each as far as there are such.
std::vector<std::string> update_protocols(const Machine& machine, bool with_receiver) {
    std::vector<std::string> names = message_protocols(machine);
    const auto prefer = [&](bool (*wanted)(const Machine&, const std::string&)) {
        const auto is_wanted = [&](const std::string& name) { return wanted(machine, name); };
        if (std::ranges::any_of(names, is_wanted)) std::erase_if(names, std::not_fn(is_wanted));
    };
    prefer(crosses_link);
    if (with_receiver) prefer(receives);
    return names;
}

// The protocol that is asked for, else the machine's for updates, else the first; of packets the last, the leanest.
std::string protocol_of(const Machine& machine, const GupsQuery& query) {
    if (!query.messaging.empty()) return read_protocol(machine, query.messaging).name;
    const bool packets = query.variant == GupsCode::routed;
    const auto names = update_protocols(machine, !packets && query.variant != GupsCode::shmem);
    if (packets || names.empty()) return names.empty() ? "" : names.back();
    const Parameter* usual = find(machine, "compute.gups.protocol");
    const bool is_known = usual != nullptr && std::ranges::find(names, usual->text) != names.end();
    return is_known ? usual->text : names.front();
}

// The framing of the packets of routed updates.
Framing packet_framing(const Machine& machine, const std::string& protocol) {
    const auto framing = protocol.empty() ? std::nullopt : link_framing(machine, protocol);
    return framing ? *framing : read_framing(machine, "network.link.framing");
}

// What a message to a rank of another node passes, and what one to a rank of the same node does.
struct Messages {
    Path between;
    Path inside;
};

// Everything that several variants ask the machine for.
class Costs {
  public:
    Costs(const Machine& machine, const GupsQuery& query, const GupsJob& job)
        : machine_(machine), query_(query), job_(job) {}

    const Placement& placement() const { return job_.placement; }
    const GupsJob& job() const { return job_; }

    Data table() const { return query_.table.value_or(default_table(machine_, placement())); }

    // Workers, as far as each has as many ranks as the one that has most of them, which is the last to end.
    double busy_workers() const {
        const auto ranks = static_cast<double>(placement().ranks());
        return ranks / std::ceil(ranks / placement().workers);
    }
    double updates() const { return query_.updates.value_or(4 * (table() / update_size)); }

    // Updates in a message of the naive code, which holds a bucket for each rank where that is more than one.
    int naive_bucket() const {
        if (!query_.bucket || *query_.bucket == 1) return 1;
        const std::int64_t ranks = placement().ranks();
        if (ranks > held_updates) {
            throw InputError(
                fmt::format("a bucket of {} updates for each of {} ranks is not possible: a rank may hold {} updates, "
                            "so give a bucket of 1, at most {} ranks, or the routed variant",
                            *query_.bucket, ranks, held_updates, held_updates));
        }
        return checked_bucket(std::array{static_cast<int>(ranks)}, query_.bucket);
    }

    // The curve is of nodes whose processors all work, but for its largest table, on which one works alone. Where some
    // are idle the others have larger parts of the table, and what a processor keeps near, lines and translations of
    // addresses, holds less of them. What processors share is then larger for each of them, which this leaves out.
    Time update() const {
        const bool small = query_.small_pages && has(machine_, "compute.gups.update_4KiB_pages");
        const auto nodes = static_cast<double>(placement().nodes);
        const double all = nodes * static_cast<double>(processors_of_node(machine_));
        const double idle = std::max(1.0, all / placement().workers);
        return curve_at(machine_, small ? "compute.gups.update_4KiB_pages" : "compute.gups.update")
            .at(table() / nodes * idle);
    }

    // A curve over the state that one processor works on, for the ranks that share it.
    Time over_state(std::string_view path, std::string_view state) const {
        const double sharing = static_cast<double>(placement().ranks()) / placement().workers;
        return curve_at(machine_, path).at(data_or_zero(machine_, state) * sharing);
    }

    Messages messages(const std::string& name, Data payload) const {
        Messages found;
        if (!name.empty()) found.between = message_path(machine_, name, payload);
        found.inside = job_.inside.empty() ? found.between : message_path(machine_, job_.inside, payload);
        found.inside = inside_node(std::move(found.inside));
        if (placement().nodes > 1) require_link(name, found.between);
        return found;
    }

    // The mean over all messages to other ranks of what one costs that leaves its node, and of what others cost.
    Time mean(Time between, Time inside) const {
        if (job_.loads.hops <= 0) return inside;
        return inside + (between - inside) * (job_.loads.leaving / job_.loads.hops);
    }

    // Of an operation's messages those that leave their node.
    double leaving() const { return query_.all_remote ? 1 : job_.loads.leaving; }

    // Limits of the servers that messages of so many updates pass, and of the memory.
    std::vector<Bound> servers(const Messages& passed, double together, Data on_link) const {
        std::vector<Bound> bounds;
        if (has_network(machine_)) {
            const auto nodes = static_cast<double>(placement().nodes);
            OperationMessages messages{job_.loads,
                                       passed.between,
                                       update_size * together,
                                       together,
                                       on_link,
                                       passed.inside,
                                       (job_.loads.hops - job_.loads.leaving) / nodes};
            if (query_.all_remote) messages.loads.node = 1.0 / nodes;
            if (query_.all_remote) messages.staying = 0;
            const Bandwidth link = placement().nodes > 1 ? usable_link(machine_, query_.background) : Bandwidth();
            add_server_bounds(bounds, messages, link);
        }
        constexpr Data read_and_written = bytes(128);  // a cache line each way
        if (!query_.without_memory) {
            add_memory_bound(bounds, machine_, static_cast<double>(placement().nodes), read_and_written);
        }
        return bounds;
    }

    NetworkShare network() const {
        NetworkShare share;
        share.nodes = static_cast<double>(placement().nodes);
        if (placement().nodes == 1) return share;
        share.phi = placement().network.phi_value();
        share.by_flow = job_.by_flow;
        for (const char* searched : {"network.cut.pair_flow", "network.cut.uniform_flow"}) {
            if (find(machine_, searched) == nullptr) continue;
            const double number = number_at(machine_, searched);
            if (number <= share.phi) share.by_flow = searched == std::string_view("network.cut.uniform_flow");
            share.phi = std::min(share.phi, number);
        }
        require_known(share.phi);
        share.link = usable_link(machine_, query_.background);
        return share;
    }

    // What messages of so many updates, the mean of all, ask of everything but their ends.
    void add_way(MessageGups& inputs, const Messages& messages, double together) const {
        inputs.bytes = on_link(messages.between, together);
        inputs.network = network();
        inputs.servers = servers(messages, together, inputs.bytes);
    }

    // Bytes of an update on a link, when so many are in a message.
    Data on_link(const Path& between, double together) const {
        const Bandwidth link(number_or(machine_, "network.link.bandwidth", 0));
        return link_bytes(between, update_size * together, link) / together;
    }

    void require_known(double phi) const {
        if (std::isfinite(phi)) return;
        throw InputError(
            fmt::format("no formula gives the cuts of '{}': choose that network by its name, and they are searched",
                        placement().network.spec()))
            .of_setting("network");
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
    void require_link(const std::string& name, const Path& between) const {
        if (between.stage_of("link") != nullptr) return;
        throw InputError(
            fmt::format("machine '{}' describes no message between nodes{}: add a path with a 'link' and its protocol "
                        "to its file, "
                        "such as 'paths: {{wire: {{send: {{overhead: 250 ns}}, link: {{}}, receive: {{overhead: 250 "
                        "ns}}}}}}' and "
                        "'protocols: {{mpi: {{wire: 1}}}}', or choose the network of a machine that has one",
                        machine_.id, name.empty() ? "" : fmt::format(" (protocol '{}' crosses no link)", name)))
            .of_setting("network");
    }

    const Machine& machine_;
    const GupsQuery& query_;
    const GupsJob& job_;
};

void require_receiver(const Machine& machine, const std::string& protocol, const Path& path) {
    if (protocol.empty() || has_receiver(path)) return;
    throw InputError(fmt::format(
        "machine '{}': protocol '{}' does not say what its receiver does: add a stage behind the link to its "
        "path, such as 'receive: {{overhead: 250 ns}}'",
        machine.id, protocol));
}

Prediction predict_naive(const Costs& costs) {
    const std::string& protocol = costs.job().protocol;
    NaiveGups inputs;
    inputs.ranks = static_cast<double>(costs.placement().ranks());
    inputs.workers = costs.busy_workers();
    const int together = costs.naive_bucket();
    const Data payload = update_size * together;
    const Messages messages = costs.messages(protocol, payload);
    require_receiver(costs.machine(), protocol, messages.between);
    const EndTimes between = end_times(messages.between, payload);
    const EndTimes inside = end_times(messages.inside, payload);
    inputs.update = costs.update();
    inputs.send = costs.mean(between.send, inside.send);
    inputs.receive = costs.mean(between.receive, inside.receive);
    inputs.other = costs.mean(between.other, inside.other);
    inputs.messages = naive_messages(together, inputs.ranks, costs.updates());
    costs.add_way(inputs, messages, 1 / inputs.messages);
    return naive_gups(inputs);
}

Prediction predict_bucketed(const Costs& costs) {
    const Machine& machine = costs.machine();
    BucketedGups inputs;
    inputs.ranks = static_cast<double>(costs.placement().ranks());
    inputs.workers = costs.busy_workers();
    const bool measured = has(machine, "compute.gups.bucket.per_update");  // the project's own code, inside a node
    inputs.mean_bucket =
        measured ? mean_bucket_of_run(inputs.ranks, costs.updates() / inputs.ranks) : mean_bucket_size(inputs.ranks);
    inputs.update = costs.update();
    const Data payload = update_size * inputs.mean_bucket;
    const bool by_calls = !measured || costs.placement().nodes > 1;
    const Messages messages = by_calls ? costs.messages(costs.job().protocol, payload) : Messages();
    Time inside = end_times(messages.inside, payload).total();
    if (measured) {
        inputs.insert = costs.over_state("compute.gups.bucket.per_update", "compute.gups.bucket.state");
        if (has(machine, "compute.gups.bucket.per_own_update"))
            inputs.own = time_at(machine, "compute.gups.bucket.per_own_update");
        inside = costs.over_state("compute.gups.bucket.per_message", "compute.gups.bucket.state");
    } else {
        inputs.test = time_at(machine, "compute.gups.bucket.test");
        inputs.test_interval = costs.query().test_interval;
        inputs.heap_level = time_at(machine, "compute.gups.bucket.heap_level");
        inputs.state = data_at(machine, "compute.gups.bucket.pending") * held_updates +
                       data_at(machine, "compute.gups.bucket.destination") * inputs.ranks;
        inputs.cache = costs.first_level_cache();
        inputs.miss = costs.next_level();
    }
    inputs.message = costs.mean(end_times(messages.between, payload).total(), inside);
    costs.add_way(inputs, messages, inputs.mean_bucket);
    return bucketed_gups(inputs);
}

// What packets take more that go to another processor of their node, the mean of all packets: (1 - 1/w) of the updates
// end on another of its w processors, and go there once where each has a part of one dimension.
Time crossing_cost(const Costs& costs, int packed) {
    const Machine& machine = costs.machine();
    const double workers = costs.placement().workers / static_cast<double>(costs.placement().nodes);
    const double hops = routed_hops(costs.placement().shape);
    if (workers <= 1 || hops == 0 || find(machine, core_distance_path) == nullptr) return {};
    const double lines = number_or(machine, "compute.gups.route.crossing.packet", 0) +
                         number_or(machine, "compute.gups.route.crossing.line", 0) * (lines_of_packet(packed) - 1);
    return time_at(machine, core_distance_path) * (lines * (1 - 1 / workers) / hops);
}

// A packet costs what `per_packet`, `per_line` and `crossing` say; on another machine's network only what stays in its
// node. Without them a packet costs what its protocol does.
Time packet_cost(const Costs& costs, const Messages& messages, int packed) {
    const Machine& machine = costs.machine();
    const Data payload = update_size * packed;
    const char* whole = "compute.gups.route.per_packet";
    const char* line = "compute.gups.route.per_line";
    const char* state = "compute.gups.route.state";
    const bool known = has(machine, whole);
    Time inside = known ? costs.over_state(whole, state) : end_times(messages.inside, payload).total();
    if (known && has(machine, line)) {
        inside += costs.over_state(line, state) * (lines_of_packet(packed) - 1);
    }
    const Time crossing = known ? crossing_cost(costs, packed) : Time();
    if (known && !machine.composed) return inside + crossing;
    return costs.mean(end_times(messages.between, payload).total(), inside) + crossing;
}

// Once ranks have no updates left dimensions end one after another, each with a packet on its way.
Time end_of_run(const Costs& costs, const Messages& messages, const RoutedGups& inputs) {
    Time end;
    double updates = 0;
    for (const int size : costs.placement().shape) {
        if (size == 1) continue;
        updates = std::clamp(inputs.updates_of_rank / size, 1.0, inputs.updates_per_packet);
        const Data payload = update_size * updates;
        end += costs.mean(message_time(messages.between, payload).total, message_time(messages.inside, payload).total);
        end += inputs.per_update * updates;
    }
    return end + inputs.update * updates;
}

RoutedGups inputs_of_routed(const Costs& costs) {
    const Machine& machine = costs.machine();
    const std::vector<int>& shape = costs.placement().shape;
    const std::string& protocol = costs.job().protocol;
    const int bucket = checked_bucket(shape, costs.query().bucket);
    const Framing framing = packet_framing(machine, protocol);
    const int packed = items_per_packet(framing, update_size, bucket);
    const Data payload = update_size * packed;
    const bool alone = costs.placement().nodes == 1 && has(machine, "compute.gups.route.per_packet");
    const Messages messages = alone ? Messages() : costs.messages(protocol, payload);
    const double peers = std::accumulate(shape.begin(), shape.end(), 0.0) - static_cast<double>(shape.size());
    RoutedGups inputs;
    inputs.workers = costs.busy_workers();
    inputs.hops = routed_hops(shape);
    inputs.updates_per_packet = packed;
    inputs.update = costs.update() * number_or(machine, "compute.gups.route.slowdown", 1);
    inputs.per_update = costs.over_state("compute.gups.route.per_update", "compute.gups.route.state");
    inputs.first = number_or(machine, "compute.gups.route.first", 0);
    inputs.alone = number_or(machine, "compute.gups.route.alone", 0);
    inputs.per_packet = packet_cost(costs, messages, packed);
    inputs.under_way = static_cast<int>(std::clamp(number_or(machine, "compute.gups.route.under_way", 1), 1.0, 1e6));
    inputs.updates_of_rank = costs.updates() / static_cast<double>(costs.placement().ranks());
    inputs.flushed_packets = finishing_packets(shape, packed, inputs.updates_of_rank);
    if (has(machine, "compute.gups.route.per_run")) {
        inputs.per_run = costs.over_state("compute.gups.route.per_run", "compute.gups.route.state");
    }
    if (!alone) inputs.end_of_run = end_of_run(costs, messages, inputs) * (inputs.workers / costs.updates());
    if (const Parameter* const entry = find(machine, "compute.gups.route.table_entry")) {
        inputs.lookup_state = Data(entry->measure.value) * static_cast<double>(costs.placement().ranks()) +
                              data_or_zero(machine, "compute.gups.route.peer_state") * peers +
                              update_size * held_updates;
        inputs.cache = costs.first_level_cache();
        inputs.miss = costs.next_level();
    }
    costs.add_way(inputs, messages,
                  inputs.hops > 0 ? 1 / (1.0 / packed + inputs.flushed_packets / inputs.hops) : packed);
    return inputs;
}

Prediction predict_shmem(const Costs& costs) {
    const Machine& machine = costs.machine();
    const std::string& protocol = costs.job().protocol;
    ShmemGups inputs;
    const Messages messages = costs.messages(protocol, update_size);
    inputs.interface = read_put_interface(machine, protocol, costs.query().background);
    inputs.interface.cores = costs.busy_workers() / static_cast<double>(costs.placement().nodes);
    inputs.sockets = static_cast<double>(costs.placement().nodes);
    inputs.leaving = costs.leaving();
    inputs.update = time_at(machine, "compute.gups.apply");
    inputs.barrier = time_or_zero(machine, "compute.gups.barrier");
    inputs.network = costs.network();
    inputs.on_link = costs.on_link(messages.between, 1);
    inputs.servers = costs.servers(messages, 1, inputs.on_link);
    return shmem_gups(inputs);
}

struct GupsRecord {
    GupsCode variant;
    std::string_view name;
    std::string_view needs;  // a machine that has this can be asked for the variant
    Prediction (*predict)(const Costs& costs);
};

// In the order in which they become a machine's default.
constexpr std::array variants = {
    GupsRecord{GupsCode::naive, "naive", "compute.gups.update", predict_naive},
    GupsRecord{GupsCode::bucketed, "bucketed", "compute.gups.bucket", predict_bucketed},
    GupsRecord{GupsCode::routed, "routed", "compute.gups.route",
               [](const Costs& costs) { return routed_gups(inputs_of_routed(costs)); }},
    GupsRecord{GupsCode::shmem, "shmem", "compute.gups.apply", predict_shmem},
    GupsRecord{GupsCode::sequential, "sequential", "compute.gups.update",
               [](const Costs& costs) { return sequential_gups(costs.update()); }},
};

const GupsRecord& record_of(GupsCode variant) {
    for (const GupsRecord& record : variants) {
        if (record.variant == variant) return record;
    }
    throw std::logic_error("unknown variant");
}

bool can_predict(const Machine& machine, const GupsRecord& variant) {
    if (variant.variant != GupsCode::naive) return has(machine, variant.needs);
    const auto names = update_protocols(machine, true);
    const auto is_possible = [&](const std::string& name) {
        return crosses_link(machine, name) &&
               end_times(message_path(machine, name, update_size), update_size).receive > Time();
    };
    return has(machine, variant.needs) && std::ranges::any_of(names, is_possible);
}

}  // namespace

std::string_view name_of(GupsCode variant) {
    return record_of(variant).name;
}

GupsCode gups_variant(std::string_view name) {
    return record_called(name, variants, "gups has no variant", Offered::all_it_has).variant;
}

std::vector<GupsCode> gups_variants(const Machine& machine) {
    std::vector<GupsCode> predictable;
    for (const GupsRecord& variant : variants) {
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
    const std::uint64_t power = std::bit_ceil(static_cast<std::uint64_t>(ranks));
    return std::max(bytes(32.0 * 1024 * 1024), bytes(8192) * static_cast<double>(power));
}

GupsJob gups_job(const Machine& machine, const GupsQuery& query) {
    GupsJob job;
    job.placement = place(machine, query);
    if (query.variant == GupsCode::sequential) return job;
    job.by_flow = job.placement.nodes > 1 && job.placement.network.flow_limits();
    job.protocol = protocol_of(machine, query);
    const auto inside = inside_protocols(machine);
    if (!inside.empty()) job.inside = query.variant == GupsCode::routed ? inside.back() : inside.front();
    const bool along_dimensions = query.variant == GupsCode::routed;
    LineTraffic traffic{{job.placement.ranks()}};
    if (along_dimensions) checked_bucket(job.placement.shape, query.bucket);  // before anything is counted
    if (along_dimensions) traffic.shape.assign(job.placement.shape.begin(), job.placement.shape.end());
    job.loads = loads_of(traffic, job.placement);
    return job;
}

RoutedGups routed_inputs(const Machine& machine, const GupsQuery& query) {
    return inputs_of_routed(Costs(machine, query, gups_job(machine, query)));
}

Framing routed_framing(const Machine& machine, const GupsQuery& query) {
    return packet_framing(machine, protocol_of(machine, query));
}

Data routed_link_bytes(const Machine& machine, const GupsQuery& query, double updates) {
    const std::string protocol = protocol_of(machine, query);
    const Data payload = update_size * updates;
    if (protocol.empty() || !crosses_link(machine, protocol))
        return wire_bytes(packet_framing(machine, protocol), payload);
    return link_bytes(message_path(machine, protocol, payload), payload,
                      bandwidth_at(machine, "network.link.bandwidth"));
}

Prediction predict_gups(const Machine& machine, const GupsQuery& query) {
    return predict_gups(machine, query, gups_job(machine, query));
}

Prediction predict_gups(const Machine& machine, const GupsQuery& query, const GupsJob& job) {
    const Costs costs(machine, query, job);
    Prediction prediction = record_of(query.variant).predict(costs);
    if (!std::isfinite(prediction.rate.si())) {
        throw InputError(fmt::format("nothing limits gups on machine '{}': all costs are zero", machine.id));
    }
    const ResidualSurface* const surface = residuals_named(machine, residuals_of(query.variant));
    if (surface == nullptr || job.placement.nodes > 1 || machine.composed) return prediction;
    const auto variables = residual_variables(query, job.placement, costs.table(), costs.updates());
    const auto time_in = [&](double distance) {
        const Machine there = at_core_distance(machine, distance);
        return 1 / record_of(query.variant).predict(Costs(there, query, job)).rate.si();
    };
    const bool follows = query.variant == GupsCode::routed && has(machine, "compute.gups.route.crossing");
    const auto in_states =
        follows ? model_in_states(surface->measured().states, 1 / prediction.rate.si(), time_in) : nullptr;
    return corrected(std::move(prediction), surface->beside(variables, in_states));
}

}  // namespace narrows
