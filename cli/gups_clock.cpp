#include "cli/gups_clock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options.hpp"
#include "data/library.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

void check_words(const OptionWords& words) {
    if (words.has("--variant") && words["--variant"] != "routed") {
        throw InputError(
            fmt::format("--variant {}: a virtual clock times only the routed variant: leave --variant or "
                        "--virtual-clock out",
                        words["--variant"]));
    }
    if (words.has("--protocol") || words.has("--domain")) {
        throw InputError("--virtual-clock: packets pass the machine's links: leave --protocol and --domain out");
    }
    if (words.has("--workers") || words.has("--in-transit") || words.has("--receive-buffers")) {
        throw InputError(
            "--virtual-clock: everything runs on one thread, and the machine says what its buffers hold: leave "
            "--workers, --in-transit and --receive-buffers out");
    }
    std::vector<std::string> of_processes = process_options();
    of_processes.emplace_back("--processor");
    for (const std::string& option : of_processes) {
        if (!words.has(option)) continue;
        throw InputError(fmt::format("--virtual-clock: the ranks are of one process: leave {} out", option));
    }
    if (!words.has("--ranks") && !words.has("--shape")) {
        throw InputError("--virtual-clock: say how many ranks the machine runs with --ranks");
    }
}

// Ranks of a node: what the mode says, else the machine's first one.
std::int64_t ranks_of_node(const Machine& machine, const std::string& mode) {
    GupsQuery one{.variant = GupsCode::routed, .mode = mode};
    const auto modes = names_below(machine, "node.modes");
    if (mode.empty() && modes.empty()) return 1;
    if (modes.empty()) throw InputError(fmt::format("--mode: machine '{}' has no modes: leave it out", machine.id));
    return with_option_context("--mode", [&] { return place(machine, one).ranks_per_node; });
}

GupsQuery clocked_query(const OptionWords& words, const Machine& machine) {
    GupsQuery query{.variant = GupsCode::routed,
                    .ranks_per_node = ranks_of_node(machine, words["--mode"]),
                    .mode = words["--mode"]};
    if (words.has("--shape"))
        query.shape = with_option_context("--shape", [&] { return parse_shape(words["--shape"]); });
    const std::int64_t ranks = !words.has("--ranks") ? shape_nodes(query.shape) : words.count<std::int64_t>("--ranks");
    if (ranks % *query.ranks_per_node != 0) {
        throw InputError(fmt::format("--ranks {}: {} has {} ranks on a node: give a multiple", ranks, machine.id,
                                     *query.ranks_per_node));
    }
    query.nodes = ranks / *query.ranks_per_node;
    if (query.nodes < 2) throw InputError("--virtual-clock: a single node has no links: give more --ranks");
    if (words.has("--bucket")) {
        query.bucket = words.count("--bucket");
    }
    return query;
}

}  // namespace

std::optional<ClockedMachine> clocked_machine(const OptionWords& words) {
    if (!has_virtual_clock(words)) {
        if (words.has("--mode")) throw InputError("--mode: only a machine has modes: add --virtual-clock and -m");
        return std::nullopt;
    }
    check_words(words);
    const Machine machine = load_machine(words["--machine"]);
    ClockedMachine clocked = clocked_gups(machine, clocked_query(words, machine));
    const std::vector<std::string> shipped = machine_ids();
    clocked.usual = clocked.usual && std::ranges::find(shipped, words["--machine"]) != shipped.end();
    return clocked;
}

}  // namespace narrows
