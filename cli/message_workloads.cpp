#include <fmt/format.h>

#include <functional>

#include "cli/byte_sizes.hpp"
#include "cli/choice_tuning.hpp"
#include "cli/collective_tuning.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"
#include "model/demand/placement.hpp"
#include "model/messages/collective_rounds.hpp"
#include "model/messages/workload.hpp"
#include "model/path/protocol.hpp"
#include "model/path/stage_formula.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"

// Workloads of messages by a machine's protocols: ping-pong, halo-exchange, allreduce, all-to-all.
namespace narrows {
namespace {

// A workload: what it asks of the network, and its time then.
struct Predict {
    std::function<PhaseLoads(const Machine& machine, const MessageQuery& query)> loads;
    std::function<TimePrediction(const Machine& machine, const MessageQuery& query, const PhaseLoads& loads)> time;
};

Predict of_ping_pong() {
    return {ping_pong_loads, [](const auto&... asked) { return predict_ping_pong(asked...); }};
}
Predict of_halo_exchange() {
    return {halo_exchange_loads, [](const auto&... asked) { return predict_halo_exchange(asked...); }};
}
Predict of_collective(std::string_view name) {
    return {
        [name](const Machine& machine, const MessageQuery& query) { return collective_loads(machine, name, query); },
        [name](const Machine& machine, const MessageQuery& query, const PhaseLoads& loads) {
            return predict_collective(machine, name, query, loads);
        }};
}

std::vector<std::int64_t> usual_byte_sizes(const OptionWords&, const Machine&) {
    return parse_byte_sizes("8..4MiB", "--bytes");
}

Axis by_bytes() {
    return Axis{"--bytes", "--bytes", "bytes", "bytes", parse_byte_sizes};
}

Axis by_nodes() {
    return Axis{"-n", "--nodes", "N", "nodes"};
}

Axis by_neighbours() {
    return Axis{"--neighbours", "--neighbours", "neighbours", "neighbours"};
}

// Ranks that a node has processors for.
std::int64_t chosen_ranks_of_node(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    constexpr std::int64_t most_ranks = std::int64_t{1} << 26;
    const std::int64_t ranks = parse_count(words["--ranks-per-node"], "--ranks-per-node", 1, most_ranks);
    if (turns_on_processors(machine, ranks) > 1) {
        throw InputError(
            fmt::format("--ranks-per-node {}: a node of {} has {}: give no more ranks, or set "
                        "node.processors",
                        ranks, machine.id, counted(processors_of_node(machine), "processor")));
    }
    if (ranks <= most_ranks / nodes) return ranks;
    throw InputError(
        fmt::format("--ranks-per-node {}: messages of more than {} ranks are too many", ranks, most_ranks));
}

MessageQuery chosen_message(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    MessageQuery query;
    query.protocol = with_option_context("--protocol", [&] { return chosen_protocol(machine, words["--protocol"]); });
    query.nodes = nodes;
    query.background = chosen_background(words);
    if (words.has("--ranks-per-node")) query.ranks_per_node = chosen_ranks_of_node(words, machine, nodes);
    if (words.has("--placement"))
        choose_placement(words["--placement"], query.nodes, query.placement, query.node_of_rank);
    if (!words.has("--bytes")) return query;
    const std::vector<std::int64_t> sizes = parse_byte_sizes(words["--bytes"], "--bytes");
    if (sizes.size() != 1) {
        throw InputError(fmt::format("--bytes {}: give one size; 'narrows table' takes a list", words["--bytes"]));
    }
    query.payload = bytes(static_cast<double>(sizes.front()));
    return query;
}

MessageQuery chosen_exchange(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    MessageQuery query = chosen_message(words, machine, nodes);
    if (nodes == 1 && query.ranks_per_node == 1 && words.has("--nodes")) {
        throw InputError("-n 1: one node has no neighbours: give at least 2 nodes");
    }
    const std::optional<int> links = linked_neighbours(machine, nodes, query.ranks_per_node);
    if (words.has("--neighbours")) {
        query.neighbours = words.count("--neighbours");
    } else if (links) {
        query.neighbours = *links;
    } else {
        throw InputError(
            fmt::format("machine '{1}' has no links that say how many neighbours {0} have: give --neighbours",
                        nodes == 1 ? "nodes" : counted(nodes, "node"), machine.id));
    }
    return query;
}

void require_known_nodes(const Machine& machine) {
    if (has_network(machine)) return;
    throw InputError(
        fmt::format("machine '{}' has no network that says how many nodes there are: give -n", machine.id));
}

MessageQuery chosen_collective(std::string_view name, const OptionWords& words, const Machine& machine,
                               std::int64_t nodes) {
    if (!words.has("--nodes")) require_known_nodes(machine);
    MessageQuery query = chosen_message(words, machine, nodes);
    const std::string_view usual = usual_algorithm(machine, name, query.protocol);
    query.algorithm = !words.has("--algorithm") ? usual : words["--algorithm"];
    if (query.algorithm != by_network)
        with_option_context("--algorithm", [&] { return collective_algorithm(name, query.algorithm); });
    return query;
}

// Says which protocol a message of this size goes by, where the one asked for reaches to others: in a column too.
void tell_reached(Answer& answer, const Machine& machine, const MessageQuery& query) {
    if (!has(machine, "reach." + query.protocol)) return;
    const std::string reached = read_protocol_for(machine, query.protocol, query.payload).name;
    if (reached != query.protocol) answer.setting += " by " + reached;
    answer.columns.emplace_back("goes by", reached);
    answer.json["goes_by"] = reached;
}

// A protocol of messages inside nodes may be asked for, and is then that of all messages.
void tell_links(Answer& answer, const Machine& machine, const MessageQuery& query) {
    if (query.nodes == 1 || query.algorithm == by_network || crosses_link(machine, query.protocol)) return;
    const auto protocols = message_protocols(machine);
    if (protocols.empty() || !crosses_link(machine, protocols.front())) return;
    answer.notes.push_back(fmt::format("messages by {} cross no link, those between nodes too: {} does", query.protocol,
                                       protocols.front()));
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
    Answer answer = answer_about(machine, workload, fmt::format("{} ({})", workload, kind));
    answer.subject = fmt::format("{} {}", workload, kind);
    answer.setting = size_text(query.payload);
    answer.size = answer.setting;
    answer.json["protocol"] = query.protocol;
    answer.json["bytes"] = static_cast<std::int64_t>(query.payload.si());
    return answer;
}

// Bytes that are sent and take no time are a machine of which too little is said.
TimePrediction timed(TimePrediction prediction, const MessageQuery& query, const PhaseLoads& loads) {
    if (prediction.time > Time() || query.payload == Data() || loads.rounds.empty()) return prediction;
    throw InputError(
        query.nodes == 1 && query.ranks_per_node > 1
            ? fmt::format("{} by protocol '{}' would take no time: its paths have no stage inside a node: give more "
                          "nodes, or a stage such as 'memory'",
                          size_text(query.payload), query.protocol)
            : fmt::format("{} by protocol '{}' would take no time: the stages of its paths have no overheads, and "
                          "'spared' covers the whole message: give a longer message, or leave 'spared' as it was",
                          size_text(query.payload), query.protocol));
}

// The prediction with its interval, and what the message takes that goes farthest.
TimePrediction report_messages(Answer& answer, const Machine& machine, const MessageQuery& query,
                               const Predict& predict) {
    const PhaseLoads loads = predict.loads(machine, query);
    const TimePredictionOf of = [&](const Machine& changed) { return predict.time(changed, query, loads); };
    TimePrediction prediction = timed(with_interval(machine, of), query, loads);
    report(answer, prediction);
    if (query.algorithm == by_network) return prediction;
    int links = 1;
    for (const MessageLoads& kind : loads.kinds) links = std::max(links, kind.network.links);
    std::vector<Formula> formulas;
    for (const Stage& stage : over_links(message_path(machine, query.protocol, query.payload), links).stages) {
        if (const Formula formula = stage_formula(stage, query.payload); formula.value > 0) formulas.push_back(formula);
    }
    const std::string far = links > 1 ? fmt::format(" over {} links", links) : "";
    report_formulas(answer,
                    fmt::format("a message of {}{} on an idle machine, stage by stage:", size_text(query.payload), far),
                    formulas);
    return prediction;
}

Answer answer_ping_pong(const OptionWords& words, const Machine& machine, std::int64_t nodes,
                        const ReportProgress& /*progress*/) {
    const MessageQuery query = chosen_message(words, machine, nodes);
    Answer answer = asked(machine, "ping-pong", query.protocol, query);
    tell_reached(answer, machine, query);
    answer.setting += ", half the round trip";
    report_messages(answer, machine, query, of_ping_pong());
    return answer;
}

Answer answer_exchange(const OptionWords& words, const Machine& machine, std::int64_t nodes,
                       const ReportProgress& /*progress*/) {
    const MessageQuery query = chosen_exchange(words, machine, nodes);
    Answer answer = asked(machine, "halo-exchange", query.protocol, query);
    tell_reached(answer, machine, query);
    answer.setting += " to and from each of " + counted(query.neighbours, "neighbour");
    answer.size = fmt::format("{} to and from each of {}", answer.size, counted(query.neighbours, "neighbour"));
    tell_nodes(answer, machine, nodes);
    answer.json["neighbours"] = query.neighbours;
    tell_ranks(answer, query);
    tell_links(answer, machine, query);
    const TimePrediction prediction = report_messages(answer, machine, query, of_halo_exchange());
    const Bandwidth throughput = prediction.throughput.value_or(Bandwidth());
    answer.notes.push_back(
        fmt::format("a node moves {} both ways together, {} with each neighbour", print(throughput),
                    print(throughput / (query.neighbours * static_cast<double>(query.ranks_per_node)))));
    answer.columns.emplace_back(TableColumn("MB/s", {"throughput MB/s"}), number_cell(throughput.si() / 1e6));
    answer.json["throughput"] = {{"value", throughput.si()}, {"unit", "B/s"}};
    return answer;
}

// What the bytes of a collective are of.
std::string_view bytes_of(std::string_view name) {
    if (name == "all-to-all") return " from each rank to each other";
    if (name == "allgather") return " of each rank";
    return "";
}

Answer answer_collective(std::string_view name, const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    const MessageQuery query = chosen_collective(name, words, machine, nodes);
    Answer answer = asked(machine, std::string(name), fmt::format("{} by {}", query.algorithm, query.protocol), query);
    tell_reached(answer, machine, query);
    const std::string size = name == "barrier" ? "" : fmt::format(", {}{}", answer.setting, bytes_of(name));
    answer.size = counted(nodes, "node") + size;
    answer.setting = answer.size;
    answer.json["algorithm"] = query.algorithm;
    tell_nodes(answer, machine, nodes);
    tell_ranks(answer, query);
    tell_links(answer, machine, query);
    report_messages(answer, machine, query, of_collective(name));
    return answer;
}

Option algorithm_option(std::string_view name) {
    const std::string also =
        name == "allreduce" ? "; none where the protocol passes one of other_networks, which combines by itself" : "";
    return Option{"--algorithm", "default: the first" + also}.taking(
        fmt::format("{}", fmt::join(algorithm_names(name), "|")));
}

std::vector<std::string> examples_of(std::string_view name) {
    if (name == "all-to-all") return {"predict all-to-all -m cluster-400g -n 64 --ranks-per-node 4 --bytes 4KiB"};
    if (name != "allreduce") return {};
    return {"table allreduce -m xt3-pgas-nic -n 2..32 --algorithm ring --bytes 64KiB",
            "sensitivity allreduce -m xt3-pgas-nic -n 32 --bytes 1KiB", "tune allreduce -m cluster-400g -n 64",
            "tune allreduce -m cluster-400g -n 64 --format conf",
            "tune allreduce -m cluster-400g -n 16 --ranks-per-node 4 --bytes 1MiB"};
}

// What it comes to as a function of the machine.
template <class Choose>
auto outcome_by(Choose choose, const Predict& predict) {
    return [choose, predict](const OptionWords& words, const Machine& machine, std::int64_t nodes) -> OutcomeOf {
        const MessageQuery query = choose(words, machine, nodes);
        return [query, predict, loads = predict.loads(machine, query)](const Machine& changed) {
            return outcome_of(timed(predict.time(changed, query, loads), query, loads));
        };
    };
}

}  // namespace

Workload ping_pong_workload() {
    return {"ping-pong",
            workload_options({"--protocol", "--bytes", "--network", "--background"}),
            {by_bytes()},
            usual_byte_sizes,
            answer_ping_pong,
            outcome_by(chosen_message, of_ping_pong()),
            {"predict ping-pong -m roadrunner --protocol between-nodes --bytes 2400"}};
}

namespace {

// Placements of the ranks on nodes.
Document tuned_placement(const Workload& workload, const OptionWords& words, const Machine& machine,
                         const ReportProgress& progress) {
    const std::int64_t nodes = chosen_nodes(words, machine);
    Choices choices{{"--placement"}, {}};
    const std::int64_t ranks_per_node = chosen_exchange(words, machine, nodes).ranks_per_node;
    for (const std::string& one : placements_to_try(words, nodes, ranks_per_node)) {
        choices.words.push_back({one});
    }
    return tuned_choices(workload, words, machine, choices, progress);
}

}  // namespace

Workload halo_exchange_workload() {
    const Options own = {{"--neighbours", "neighbours; default: a node's links; a table takes lists", 1 << 20}};
    Workload workload{
        "halo-exchange",
        together({workload_options({"--nodes", "--ranks-per-node", "--protocol", "--bytes"}), own,
                  workload_options({"--network", "--hosts", "--placement", "--background"})}),
        {by_bytes(), by_neighbours(), by_nodes()},
        usual_byte_sizes,
        answer_exchange,
        outcome_by(chosen_exchange, of_halo_exchange()),
        {"predict halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 1MiB --neighbours 4",
         "table halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 1MiB --neighbours 1,2,3,4,5,6",
         "what-if halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 1MiB --set "
         "paths.copy.receiver.bandwidth=2x",
         "tune halo-exchange -m cluster-400g -n 16 --ranks-per-node 4 --neighbours 4 --bytes 64KiB"}};
    workload.tuned = tuned_placement;
    return workload;
}

Workload collective_workload(std::string_view name) {
    const bool sized = name != "barrier";  // of bytes
    const auto choose = [name](const OptionWords& words, const Machine& machine, std::int64_t nodes) {
        return chosen_collective(name, words, machine, nodes);
    };
    std::vector<std::string> usual = {"--nodes", "--ranks-per-node", "--protocol"};
    if (sized) usual.emplace_back("--bytes");
    Workload workload{
        std::string(name),
        together({workload_options(usual),
                  {algorithm_option(name)},
                  workload_options({"--network", "--hosts", "--placement", "--background"})}),
        {by_nodes()},
        [](const OptionWords&, const Machine& machine) {
            require_known_nodes(machine);
            return machine_sizes(machine);
        },
        [name](const OptionWords& words, const Machine& machine, std::int64_t nodes,
               const ReportProgress& /*progress*/) { return answer_collective(name, words, machine, nodes); },
        outcome_by(choose, of_collective(name)),
        examples_of(name)};
    if (sized) workload.axes.push_back(by_bytes());
    if (algorithm_names(name).size() > 1) workload.tuned = tuned_collective;
    return workload;
}

}  // namespace narrows
