#include <fmt/format.h>

#include <cmath>

#include "cli/byte_sizes.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"
#include "model/messages/workload.hpp"
#include "model/path/protocol.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"

// Workloads of messages by a machine's protocols: ping-pong, halo-exchange, allreduce, all-to-all.
namespace narrows {
namespace {

// A workload: what it asks of the network, and its time then.
struct Predict {
    PhaseLoads (*loads)(const Machine& machine, const MessageQuery& query);
    TimePrediction (*time)(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads);
};

constexpr Predict of_ping_pong = {ping_pong_loads, predict_ping_pong};
constexpr Predict of_halo_exchange = {halo_exchange_loads, predict_halo_exchange};
constexpr Predict of_allreduce = {allreduce_loads, predict_allreduce};
constexpr Predict of_all_to_all = {all_to_all_loads, predict_all_to_all};

std::vector<std::int64_t> byte_sizes(const std::string& text, const std::string& option) {
    const std::vector<std::size_t> sizes = parse_byte_sizes(text, option);
    return {sizes.begin(), sizes.end()};
}

std::vector<std::int64_t> usual_byte_sizes(const WorkloadWords&, const Machine&) {
    return byte_sizes("8..4MiB", "--bytes");
}

Axis by_bytes() {
    return {"--bytes", &WorkloadWords::bytes, "bytes", "bytes", byte_sizes};
}

Axis by_nodes() {
    return {"-n", &WorkloadWords::nodes, "N", "nodes", parse_sizes};
}

Axis by_neighbours() {
    return {"--neighbours", &WorkloadWords::neighbours, "neighbours", "neighbours", parse_sizes};
}

// Ranks that a node has processors for.
std::int64_t chosen_ranks_of_node(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    constexpr std::int64_t most_ranks = std::int64_t{1} << 26;
    const Parameter* processors = find(machine, "node.processors");
    const std::int64_t most = processors != nullptr ? static_cast<std::int64_t>(processors->measure.value) : most_ranks;
    const std::int64_t ranks =
        parse_count(words.ranks_per_node, "--ranks-per-node", 1, std::max<std::int64_t>(1, most));
    if (ranks <= most_ranks / nodes) return ranks;
    throw InputError(
        fmt::format("--ranks-per-node {}: messages of more than {} ranks are too many", ranks, most_ranks));
}

MessageQuery chosen_message(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    MessageQuery query;
    query.protocol = naming("--protocol", [&] { return chosen_protocol(machine, words.protocol); });
    query.nodes = nodes;
    query.background = chosen_background(words);
    if (!words.ranks_per_node.empty()) query.ranks_per_node = chosen_ranks_of_node(words, machine, nodes);
    if (!words.placement.empty()) choose_placement(words.placement, query.nodes, query.placement, query.node_of_rank);
    if (words.bytes.empty()) return query;
    const std::vector<std::int64_t> sizes = byte_sizes(words.bytes, "--bytes");
    if (sizes.size() != 1) {
        throw InputError(fmt::format("--bytes {}: give one size; 'narrows table' takes a list", words.bytes));
    }
    query.payload = bytes(static_cast<double>(sizes.front()));
    return query;
}

MessageQuery chosen_exchange(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    MessageQuery query = chosen_message(words, machine, nodes);
    if (nodes == 1 && query.ranks_per_node == 1 && !words.nodes.empty()) {
        throw InputError("-n 1: one node has no neighbours: give at least 2 nodes");
    }
    const std::optional<int> links = linked_neighbours(machine, nodes, query.ranks_per_node);
    constexpr std::int64_t most = 1 << 20;
    if (!words.neighbours.empty()) {
        query.neighbours = static_cast<int>(parse_count(words.neighbours, "--neighbours", 1, most));
    } else if (links) {
        query.neighbours = *links;
    } else {
        throw InputError(fmt::format(
            "{} of machine '{}' have no links to each other that say how many neighbours they have: give --neighbours",
            nodes == 1 ? "nodes" : counted(nodes, "node"), machine.id));
    }
    return query;
}

MessageQuery chosen_collective(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const bool known = find(machine, "network.topology") != nullptr || has(machine, "network.cut");
    if (words.nodes.empty() && !known) {
        throw InputError(
            fmt::format("machine '{}' has no network that says how many nodes take part: give -n", machine.id));
    }
    return chosen_message(words, machine, nodes);
}

MessageQuery chosen_allreduce(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    MessageQuery query = chosen_collective(words, machine, nodes);
    query.algorithm = words.algorithm.empty()
                          ? usual_algorithm(machine, query.protocol)
                          : naming("--algorithm", [&] { return allreduce_algorithm(words.algorithm); });
    return query;
}

// Bytes to the byte, in KiB and MiB where they are whole.
std::string size_text(Data size) {
    const bool whole = size.si() >= 1024 && std::fmod(size.si(), 1024) == 0;
    return whole ? print(size) : fmt::format("{:.0f} B", size.si());
}

// Says which protocol a message of this size goes by, where the one asked for reaches to others: in a column too.
void tell_reached(Answer& answer, const Machine& machine, const MessageQuery& query) {
    if (!has(machine, "reach." + query.protocol)) return;
    const std::string reached = read_protocol_for(machine, query.protocol, query.payload).name;
    if (reached != query.protocol) answer.setting += " by " + reached;
    answer.columns.emplace_back("goes by", reached);
    answer.json["goes_by"] = reached;
}

void tell_ranks(Answer& answer, const MessageQuery& query) {
    answer.json["ranks_per_node"] = query.ranks_per_node;
    if (query.ranks_per_node == 1) return;
    const std::string ranks = fmt::format(", {} ranks a node", query.ranks_per_node);
    answer.setting += ranks;
    answer.size += ranks;
}

// What all of them say of what was asked; `kind` is what comes after the workload's name.
Answer asked(const Machine& machine, const std::string& workload, const std::string& kind, const MessageQuery& query) {
    Answer answer;
    answer.machine = machine.id;
    answer.subject = fmt::format("{} {}", workload, kind);
    answer.setting = size_text(query.payload);
    answer.size = answer.setting;
    answer.title = fmt::format("{} ({}) on {}", workload, kind, machine.id);
    answer.json["machine"] = machine.id;
    answer.json["composed"] = !machine.network_name.empty();
    answer.json["workload"] = workload;
    answer.json["protocol"] = query.protocol;
    answer.json["bytes"] = static_cast<std::int64_t>(query.payload.si());
    return answer;
}

// The prediction and its interval.
TimePrediction predicted(const Machine& machine, const MessageQuery& query, Predict predict) {
    const PhaseLoads loads = predict.loads(machine, query);
    const TimePredictionOf of = [&](const Machine& changed) { return predict.time(changed, query, loads); };
    TimePrediction prediction = with_interval(machine, of);
    const bool alone = loads.rounds.empty();
    if (prediction.time > Time() || query.payload == Data() || alone) return prediction;
    throw InputError(
        fmt::format("{} by protocol '{}' would take no time: the stages of its paths have no overheads, and 'spared' "
                    "covers the whole message: give a longer message, or leave 'spared' as it was",
                    size_text(query.payload), query.protocol));
}

Answer answer_ping_pong(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const MessageQuery query = chosen_message(words, machine, nodes);
    Answer answer = asked(machine, "ping-pong", query.protocol, query);
    tell_reached(answer, machine, query);
    answer.setting += ", half the round trip";
    report(answer, predicted(machine, query, of_ping_pong));
    return answer;
}

Answer answer_exchange(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const MessageQuery query = chosen_exchange(words, machine, nodes);
    Answer answer = asked(machine, "halo-exchange", query.protocol, query);
    tell_reached(answer, machine, query);
    const TimePrediction prediction = predicted(machine, query, of_halo_exchange);
    answer.setting += " to and from each of " + counted(query.neighbours, "neighbour");
    answer.size = fmt::format("{} to and from each of {}", answer.size, counted(query.neighbours, "neighbour"));
    answer.json["nodes"] = nodes;
    answer.json["neighbours"] = query.neighbours;
    tell_ranks(answer, query);
    report(answer, prediction);
    const Bandwidth throughput = prediction.throughput.value_or(Bandwidth());
    answer.notes.push_back(
        fmt::format("a node moves {} both ways together, {} with each neighbour", print(throughput),
                    print(throughput / (query.neighbours * static_cast<double>(query.ranks_per_node)))));
    answer.columns.emplace_back(TableColumn("MB/s", {"throughput MB/s"}), number_cell(throughput.si() / 1e6));
    answer.json["throughput"] = {{"value", throughput.si()}, {"unit", "B/s"}};
    return answer;
}

Answer answer_allreduce(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const MessageQuery query = chosen_allreduce(words, machine, nodes);
    Answer answer =
        asked(machine, "allreduce", fmt::format("{} by {}", name_of(*query.algorithm), query.protocol), query);
    answer.size = counted(nodes, "node") + ", " + answer.setting;
    answer.setting = answer.size;
    answer.json["algorithm"] = name_of(*query.algorithm);
    answer.json["nodes"] = nodes;
    tell_ranks(answer, query);
    report(answer, predicted(machine, query, of_allreduce));
    return answer;
}

Answer answer_all_to_all(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const MessageQuery query = chosen_collective(words, machine, nodes);
    Answer answer = asked(machine, "all-to-all", query.protocol, query);
    tell_reached(answer, machine, query);
    answer.size = counted(nodes, "node") + ", " + answer.setting + " from each rank to each other";
    answer.setting = answer.size;
    answer.json["nodes"] = nodes;
    tell_ranks(answer, query);
    report(answer, predicted(machine, query, of_all_to_all));
    return answer;
}

// The time as a function of the machine.
template <class Choose>
auto time_of(Choose choose, Predict predict) {
    return [choose, predict](const WorkloadWords& words, const Machine& machine, std::int64_t nodes) -> NumberOf {
        const MessageQuery query = choose(words, machine, nodes);
        return [query, predict, loads = predict.loads(machine, query)](const Machine& changed) {
            return predict.time(changed, query, loads).time.si();
        };
    };
}

}  // namespace

Workload ping_pong_workload() {
    return {"ping-pong",      {"--protocol", "--bytes", "--network", "--background"},
            {by_bytes()},     usual_byte_sizes,
            answer_ping_pong, time_of(chosen_message, of_ping_pong)};
}

Workload halo_exchange_workload() {
    return {"halo-exchange",
            {"--nodes", "--ranks-per-node", "--protocol", "--bytes", "--neighbours", "--network", "--hosts",
             "--placement", "--background"},
            {by_bytes(), by_neighbours(), by_nodes()},
            usual_byte_sizes,
            answer_exchange,
            time_of(chosen_exchange, of_halo_exchange)};
}

Workload allreduce_workload() {
    return {"allreduce",
            {"--nodes", "--ranks-per-node", "--protocol", "--bytes", "--algorithm", "--network", "--hosts",
             "--placement", "--background"},
            {by_nodes(), by_bytes()},
            [](const WorkloadWords&, const Machine& machine) { return machine_sizes(machine); },
            answer_allreduce,
            time_of(chosen_allreduce, of_allreduce)};
}

Workload all_to_all_workload() {
    return {
        "all-to-all",
        {"--nodes", "--ranks-per-node", "--protocol", "--bytes", "--network", "--hosts", "--placement", "--background"},
        {by_nodes(), by_bytes()},
        [](const WorkloadWords&, const Machine& machine) { return machine_sizes(machine); },
        answer_all_to_all,
        time_of(chosen_collective, of_all_to_all)};
}

}  // namespace narrows
