#include "cli/gups_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/unit.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::int64_t count(const std::string& text, const std::string& option, std::int64_t high = node_limit) {
    return parse_count(text, option, 1, high);
}

bool small_pages(const std::string& pages) {
    if (pages.empty() || pages == "2MiB" || pages == "2 MiB") return false;
    if (pages == "4KiB" || pages == "4 KiB") return true;
    throw InputError(fmt::format("--pages {}: pages are '2MiB' or '4KiB'", pages));
}

// An option that the variant does not use would change nothing in silence.
void check_used(const std::string& option, const std::string& word, GupsCode variant, GupsCode user) {
    if (word.empty() || variant == user) return;
    throw InputError(
        fmt::format("{} {}: only --variant {} uses it, not {}", option, word, name_of(user), name_of(variant)));
}

// Two options that say the same thing may contradict each other.
void check_alone(const std::string& option, const std::string& word, const std::string& other,
                 const std::string& other_word) {
    if (word.empty() || other_word.empty()) return;
    throw InputError(fmt::format("{} {} and {} {} both say how many ranks a node has: give one of them", option, word,
                                 other, other_word));
}

// A sequential run would ignore what asks for more than one node or rank.
void check_lone(const std::string& option, const std::string& word, std::int64_t number) {
    if (word.empty() || number == 1) return;
    throw InputError(
        fmt::format("{} {}: --variant sequential is one rank on one node: leave {} out", option, number, option));
}

void check_pages(const WorkloadWords& words, const Machine& machine) {
    constexpr const char* path = "compute.gups.update_4KiB_pages";
    if (!small_pages(words.pages) || has(machine, path)) return;
    throw InputError(fmt::format(
        "--pages {}: machine '{}' has no '{}': add it to its file, give it with --set, or leave --pages out",
        words.pages, machine.id, path));
}

Data checked_table(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    constexpr double word = 8;
    const Data table = parse_data(words.table);
    if (table.si() < word) throw InputError("a table has at least one word of 8 bytes");
    if (std::fmod(table.si(), word) != 0) {
        throw InputError(fmt::format("'{}' is not a whole number of words: give a multiple of 8 B", words.table));
    }
    if (find(machine, "node.memory.size") == nullptr) return table;
    const Data memory = data_at(machine, "node.memory.size");
    if (table <= memory * static_cast<double>(nodes)) return table;
    throw InputError(fmt::format(
        "'{}' does not fit into the memory of {} of {} (node.memory.size): give a smaller table{}", words.table,
        nodes == 1 ? "a node" : fmt::format("{} nodes", nodes), print(memory), nodes == 1 ? "" : " or more nodes"));
}

void choose_ranks(const WorkloadWords& words, std::int64_t nodes, GupsQuery& query) {
    const bool lone = query.variant == GupsCode::sequential;
    if (!words.ranks_per_node.empty()) {
        query.ranks_per_node = count(words.ranks_per_node, "--ranks-per-node");
        if (lone) check_lone("--ranks-per-node", words.ranks_per_node, *query.ranks_per_node);
    }
    if (words.ranks.empty()) return;
    const std::int64_t ranks = count(words.ranks, "--ranks");
    if (lone) return check_lone("--ranks", words.ranks, ranks);
    if (ranks % nodes != 0) {
        throw InputError(fmt::format("--ranks {}: not a multiple of the {} nodes of -n", ranks, nodes));
    }
    query.ranks_per_node = ranks / nodes;
}

}  // namespace

GupsCode chosen_variant(const WorkloadWords& words, const Machine& machine) {
    if (!words.variant.empty()) return naming("--variant", [&] { return gups_variant(words.variant); });
    const auto possible = gups_variants(machine);
    if (possible.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no costs of gups: add 'compute.gups.update' to its file", machine.id));
    }
    return possible.front();
}

GupsQuery chosen_query(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    GupsQuery query;
    query.variant = chosen_variant(words, machine);
    query.nodes = query.variant == GupsCode::sequential ? 1 : nodes;
    if (query.variant != GupsCode::naive) check_used("--bucket", words.bucket, query.variant, GupsCode::routed);
    check_used("--test-interval", words.test_interval, query.variant, GupsCode::bucketed);
    check_alone("--ranks", words.ranks, "--ranks-per-node", words.ranks_per_node);
    check_alone("--mode", words.mode, "--ranks", words.ranks);
    check_alone("--mode", words.mode, "--ranks-per-node", words.ranks_per_node);
    check_pages(words, machine);
    if (query.variant == GupsCode::sequential) check_lone("-n", words.nodes, nodes);
    query.mode = words.mode;
    query.messaging = words.messaging;
    query.small_pages = small_pages(words.pages);
    choose_ranks(words, nodes, query);
    if (!words.placement.empty()) choose_placement(words.placement, query.nodes, query.placement, query.node_of_rank);
    query.background = chosen_background(words);
    if (!words.shape.empty()) query.shape = naming("--shape", [&] { return parse_shape(words.shape); });
    if (!words.table.empty())
        query.table = naming("--table", [&] { return checked_table(words, machine, query.nodes); });
    if (!words.updates.empty()) query.updates = static_cast<double>(count(words.updates, "--updates"));
    if (!words.bucket.empty()) query.bucket = static_cast<int>(count(words.bucket, "--bucket", 1024));
    if (!words.test_interval.empty()) {
        query.test_interval = static_cast<double>(count(words.test_interval, "--test-interval"));
    }
    return query;
}

}  // namespace narrows
