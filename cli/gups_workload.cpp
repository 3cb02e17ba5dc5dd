#include "cli/gups_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/gups_tuning.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"
#include "model/messages/workload.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// An option that the variant does not use would change nothing in silence.
void check_used(const std::string& option, const std::string& word, GupsCode variant,
                const std::vector<GupsCode>& users) {
    if (word.empty() || std::ranges::find(users, variant) != users.end()) return;
    std::vector<std::string_view> names;
    for (const GupsCode user : users) names.push_back(name_of(user));
    throw InputError(fmt::format("{} {}: only --variant {} uses it, not {}", option, word, fmt::join(names, " or "),
                                 name_of(variant)));
}

// Two options that say the same thing may contradict each other.
void check_alone(const std::string& option, const std::string& word, const std::string& other,
                 const std::string& other_word) {
    if (word.empty() || other_word.empty()) return;
    throw InputError(fmt::format("{} {} and {} {} both say how many ranks a node has: give one of them", option, word,
                                 other, other_word));
}

// A sequential run would ignore what asks for more than one node or rank.
void require_single(const std::string& option, const std::string& word, std::int64_t number) {
    if (word.empty() || number == 1) return;
    throw InputError(
        fmt::format("{} {}: --variant sequential is one rank on one node: leave {} out", option, number, option));
}

void check_pages(const OptionWords& words, const Machine& machine) {
    constexpr const char* path = "compute.gups.update_4KiB_pages";
    if (!small_pages(words["--pages"]) || has(machine, path)) return;
    throw InputError(fmt::format(
        "--pages {}: machine '{}' has no '{}': add it to its file, give it with --set, or leave --pages out",
        words["--pages"], machine.id, path));
}

Data checked_table(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    constexpr double word = 8;
    const Data table = parse_data(words["--table"]);
    if (table.si() < word) throw InputError("a table has at least one word of 8 bytes");
    if (std::fmod(table.si(), word) != 0) {
        throw InputError(fmt::format("'{}' is not a whole number of words: give a multiple of 8 B", words["--table"]));
    }
    if (find(machine, "node.memory.size") == nullptr) return table;
    const Data memory = data_at(machine, "node.memory.size");
    if (table <= memory * static_cast<double>(nodes)) return table;
    throw InputError(fmt::format(
        "'{}' does not fit into the memory of {} of {} (node.memory.size): give a smaller table{}", words["--table"],
        nodes == 1 ? "a node" : fmt::format("{} nodes", nodes), print(memory), nodes == 1 ? "" : " or more nodes"));
}

void choose_ranks(const OptionWords& words, std::int64_t nodes, GupsQuery& query) {
    const bool lone = query.variant == GupsCode::sequential;
    if (words.has("--ranks-per-node")) {
        query.ranks_per_node = words.count<std::int64_t>("--ranks-per-node");
        if (lone) require_single("--ranks-per-node", words["--ranks-per-node"], *query.ranks_per_node);
    }
    if (!words.has("--ranks")) return;
    const std::int64_t ranks = words.count<std::int64_t>("--ranks");
    if (lone) return require_single("--ranks", words["--ranks"], ranks);
    if (ranks % nodes != 0) {
        throw InputError(fmt::format("--ranks {}: not a multiple of the {} nodes of -n", ranks, nodes));
    }
    query.ranks_per_node = ranks / nodes;
}

}  // namespace

bool small_pages(const std::string& pages) {
    if (pages.empty() || pages == "2MiB" || pages == "2 MiB") return false;
    if (pages == "4KiB" || pages == "4 KiB") return true;
    throw InputError(fmt::format("--pages {}: pages are '2MiB' or '4KiB'", pages));
}

const Options& gups_options() {
    constexpr std::int64_t largest_bucket = 1024;  // HPCC's rule
    static const Options rows = {
        Option{"--mode", "how ranks share a node of the machine, such as coprocessor or virtual-node"}.taking("MODE"),
        Option{"--messaging",
               "one of the machine's protocols; default: compute.gups.protocol, else its first between nodes, of "
               "routed its last"}
            .taking("PROTOCOL"),
        Option{"--variant", "the code; default: the first that the machine has the costs of"}.taking(
            "naive|bucketed|routed|shmem|sequential"),
        Option{"--shape", "arrangement of the ranks or nodes, such as 64x32x32"}.taking("SHAPE"),
        Option{
            "--table",
            "table of all ranks together; default: the larger of 32 MiB and 8 KiB a rank, in predictions for several "
            "nodes half of their memory where the machine has node.memory.size"}
            .taking_bytes(),
        {"--updates",
         "updates of all ranks together; default: four a word of the table, and in run fewer by a clock or over tcp, "
         "udp and mpi where that would take long",
         node_limit},
        {"--bucket",
         "routed: updates a bucket holds; default: 1024 / sum of the shape; naive: updates a message, default 1",
         largest_bucket},
        {"--test-interval", "bucketed: updates between tests of the previous send", node_limit},
        Option{"--pages", "pages of the table's memory; default: 2MiB"}.taking("2MiB|4KiB"),
    };
    return rows;
}

GupsCode chosen_variant(const OptionWords& words, const Machine& machine) {
    if (words.has("--variant"))
        return with_option_context("--variant", [&] { return gups_variant(words["--variant"]); });
    const auto possible = gups_variants(machine);
    if (possible.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no costs of gups: add 'compute.gups.update' to its file", machine.id));
    }
    return possible.front();
}

GupsQuery chosen_query(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    GupsQuery query;
    query.variant = chosen_variant(words, machine);
    query.nodes = query.variant == GupsCode::sequential ? 1 : nodes;
    check_used("--bucket", words["--bucket"], query.variant, {GupsCode::routed, GupsCode::naive});
    check_used("--test-interval", words["--test-interval"], query.variant, {GupsCode::bucketed});
    for (const char* option : {"--mode", "--messaging", "--background", "--network", "--hosts", "--placement"}) {
        check_used(option, words[option], query.variant,
                   {GupsCode::naive, GupsCode::bucketed, GupsCode::routed, GupsCode::shmem});
    }
    check_alone("--ranks", words["--ranks"], "--ranks-per-node", words["--ranks-per-node"]);
    check_alone("--mode", words["--mode"], "--ranks", words["--ranks"]);
    check_alone("--mode", words["--mode"], "--ranks-per-node", words["--ranks-per-node"]);
    check_pages(words, machine);
    if (query.variant == GupsCode::sequential && words.has("--variant")) {
        require_single("-n", words["--nodes"], nodes);
    } else if (query.variant == GupsCode::sequential && words.has("--nodes") && nodes > 1) {
        throw InputError(
            fmt::format("-n {}: the file of machine '{}' tells what updates of one rank take, which is --variant "
                        "sequential; --variant naive and the others say what it lacks for more",
                        nodes, machine.id));
    }
    query.mode = words["--mode"];
    if (words.has("--messaging"))
        query.messaging =
            with_option_context("--messaging", [&] { return chosen_protocol(machine, words["--messaging"]); });
    query.small_pages = small_pages(words["--pages"]);
    choose_ranks(words, nodes, query);
    if (words.has("--placement"))
        choose_placement(words["--placement"], query.nodes, query.placement, query.node_of_rank);
    query.background = chosen_background(words);
    if (words.has("--shape"))
        query.shape = with_option_context("--shape", [&] { return parse_shape(words["--shape"]); });
    if (words.has("--table"))
        query.table = with_option_context("--table", [&] { return checked_table(words, machine, query.nodes); });
    if (words.has("--updates")) query.updates = words.count<double>("--updates");
    if (words.has("--bucket")) query.bucket = words.count("--bucket");
    if (words.has("--test-interval")) {
        query.test_interval = words.count<double>("--test-interval");
    }
    return query;
}

namespace {

// What was asked, in words and in JSON.
Answer asked(const Machine& machine, const GupsQuery& query, const Placement& placement) {
    const std::string shape = format_shape(placement.shape);
    const std::string network = placement.nodes > 1 ? placement.network.spec() : "";
    Answer answer = answer_about(machine, "gups", fmt::format("RandomAccess ({})", name_of(query.variant)));
    answer.subject = fmt::format("gups {}", name_of(query.variant));
    answer.setting = fmt::format("{}, {} as {}{}", counted(placement.nodes, "node"), counted(placement.ranks(), "rank"),
                                 shape, network.empty() ? "" : ", " + network);
    answer.size = counted(placement.nodes, "node");
    answer.columns.emplace_back("topology", network.empty() ? "-" : network);
    answer.json["variant"] = name_of(query.variant);
    tell_nodes(answer, machine, placement.nodes);
    answer.json["ranks"] = placement.ranks();
    answer.json["shape"] = shape;
    answer.json["network"] = network;
    return answer;
}

Answer answer_gups(const OptionWords& words, const Machine& machine, std::int64_t nodes,
                   const ReportProgress& /*progress*/) {
    const GupsQuery query = chosen_query(words, machine, nodes);
    const GupsJob job = gups_job(machine, query);
    const PredictionOf predict = [&](const Machine& changed) { return predict_gups(changed, query, job); };
    Answer answer = asked(machine, query, job.placement);
    report(answer, with_interval(machine, predict));
    if (job.placement.routing && job.placement.nodes > 1 && !can_be_routed(job.placement)) {
        answer.doubts.emplace_back("the network is too large to follow its routing: these bounds hold for any routing");
    }
    return answer;
}

OutcomeOf outcome_of_gups(const OptionWords& words, const Machine& machine, std::int64_t nodes) {
    const GupsQuery query = chosen_query(words, machine, nodes);
    return [query, job = gups_job(machine, query)](const Machine& changed) {
        return outcome_of(predict_gups(changed, query, job));
    };
}

std::vector<std::int64_t> sizes_of_gups(const OptionWords& words, const Machine& machine) {
    if (chosen_variant(words, machine) == GupsCode::sequential) return {1};
    return machine_sizes(machine, false);
}

}  // namespace

Workload gups_workload() {
    constexpr const char* bent_torus =
        "what-if gups -m bluegene-l -n 65536 --messaging raw --set network.topology='torus 32x64x32' --set "
        "network.link.bandwidth='2.8 Gbit/s'";
    Workload workload{
        "gups",
        together({workload_options({"--nodes", "--ranks", "--ranks-per-node"}),
                  gups_options({"--mode", "--messaging", "--variant", "--shape", "--table", "--updates", "--bucket",
                                "--test-interval", "--pages"}),
                  workload_options({"--network", "--hosts", "--placement", "--background"})}),
        {Axis{"-n", "--nodes", "N", "nodes"}},
        sizes_of_gups,
        answer_gups,
        outcome_of_gups,
        {"predict gups -m bluegene-l -n 65536 --explain",
         "predict gups -m bluegene-l -n 16384 --variant routed --mode virtual-node",
         "predict gups -m xt3-pgas-nic -n 32 --mode quad --variant shmem --format json",
         "table gups -m bluegene-l -n 32,64,..65536", "table gups -m bluegene-l --variant routed --format csv",
         "table gups -m cluster-400g --variant routed --network 'torus 16x16x16' -n 8..4096",
         "what-if gups -m bluegene-l -n 65536 --set node.clock=2x", bent_torus,
         "sensitivity gups -m bluegene-l -n 16384 --variant routed", "tune gups -m bluegene-l -n 512",
         "solve gups -m bluegene-l -n 8192 --messaging raw --target '20 GUPS' --vary network.link.bandwidth"}};
    workload.variants = [](const Machine& machine) {
        std::vector<std::string> names;
        for (const GupsCode code : gups_variants(machine)) names.emplace_back(name_of(code));
        return names;
    };
    workload.demonstrated = [](std::int64_t nodes) {
        OptionWords words;
        words["--variant"] = "routed";
        // Far beyond the caches, within what a quick calibration measures.
        words["--table"] = fmt::format("{} MiB", 256 * nodes);
        return words;
    };
    workload.tuned = tuned_gups;
    workload.is_rate = true;
    return workload;
}

}  // namespace narrows
