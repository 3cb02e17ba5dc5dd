#include "topologies/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "topologies/adjacency.hpp"
#include "topologies/input_error.hpp"
#include "topologies/random.hpp"
#include "topologies/routes/text_lines.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::string_view first_rule = "first:";
constexpr std::string_view random_rule = "random:";

int placed_count(std::string_view text, int hosts) {
    return static_cast<int>(parse_count(text, "the number of hosts", 1, hosts));
}

std::vector<int> random_hosts(int count, int hosts, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<int> all(hosts);
    std::iota(all.begin(), all.end(), 0);
    for (int i = 0; i < count; ++i) std::swap(all[i], all[i + static_cast<int>(random_below(random, hosts - i))]);
    all.resize(count);
    std::ranges::sort(all);
    return all;
}

/// Which vertices are left when those that carry no traffic are taken away one by one.
std::vector<bool> useful_vertices(const Network& network, const std::vector<bool>& chosen) {
    const Adjacency arcs(network);
    std::vector<bool> useful(network.vertices(), true);
    std::vector<int> waiting(network.vertices());
    std::iota(waiting.begin(), waiting.end(), 0);
    const auto neighbours = [&](int v) {
        std::vector<int> found;
        for (int arc = arcs.first[v]; arc < arcs.first[v + 1] && found.size() < 2; ++arc) {
            const int to = arcs.target[arc];
            if (useful[to] && (found.empty() || found.front() != to)) found.push_back(to);
        }
        return found;
    };
    while (!waiting.empty()) {
        const int v = waiting.back();
        waiting.pop_back();
        if (chosen[v] || !useful[v]) continue;
        const std::vector<int> left = neighbours(v);
        if (left.size() > 1) continue;
        useful[v] = false;
        waiting.insert(waiting.end(), left.begin(), left.end());
    }
    return useful;
}

}  // namespace

bool is_placement_rule(std::string_view text) {
    return text.substr(0, first_rule.size()) == first_rule || text.substr(0, random_rule.size()) == random_rule;
}

std::vector<int> placed_hosts(std::string_view rule, int hosts) {
    if (!is_placement_rule(rule)) {
        throw InputError(fmt::format("'{}' places no hosts: give first:COUNT, random:COUNT:SEED or a file", rule));
    }
    const std::string_view words = rule.substr(rule.find(':') + 1);
    if (rule.substr(0, first_rule.size()) == first_rule) {
        std::vector<int> all(placed_count(words, hosts));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    const std::size_t colon = words.find(':');
    if (colon == std::string_view::npos) {
        throw InputError(fmt::format("'{}' has no seed: give one, such as {}:1", rule, rule));
    }
    const int count = placed_count(words.substr(0, colon), hosts);
    const std::int64_t seed =
        parse_count(words.substr(colon + 1), "the seed", 0, std::numeric_limits<std::int64_t>::max());
    return random_hosts(count, hosts, static_cast<std::uint64_t>(seed));
}

std::vector<int> listed_hosts(std::string_view text, const std::string& file, const HostFinder& hosts) {
    std::vector<int> listed;
    std::vector<int> line_of(hosts.hosts());
    WordLines lines(text, hosts);
    while (const WordLine* const line = lines.next()) {
        for (const auto& [word, column, found] : line->words) {
            const auto fail = [&, at = column](const std::string& message) {
                throw InputError(file, line->line, at, std::string(line->text), message);
            };
            if (!found) fail(hosts.complaint(word));
            if (line_of[*found] != 0) {
                fail(fmt::format("host '{}' is already listed in line {}: remove one", word, line_of[*found]));
            }
            line_of[*found] = line->line;
            listed.push_back(*found);
        }
    }
    if (listed.empty()) throw InputError(file, 1, 1, "", "there is no host in this file: list some by name or number");
    std::ranges::sort(listed);
    return listed;
}

Network on_part(const Network& network, const std::vector<int>& hosts, std::vector<int>* vertex_map) {
    require_valid(network);
    std::vector<bool> chosen(network.vertices());
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const bool sorted = i == 0 || hosts[i - 1] < hosts[i];
        if (!sorted || hosts[i] < 0 || hosts[i] >= network.hosts) throw std::logic_error("on_part: not sorted hosts");
        chosen[hosts[i]] = true;
    }
    if (hosts.empty()) throw std::logic_error("on_part: no host");

    const std::vector<bool> useful = useful_vertices(network, chosen);
    std::vector<int> old = hosts;
    std::size_t routers_from = 0;
    for (int v = 0; v < network.vertices(); ++v) {
        if (v == network.first_router() && v > 0) routers_from = old.size();
        if (useful[v] && !chosen[v]) old.push_back(v);
    }
    std::vector<int> renamed(network.vertices(), -1);
    for (std::size_t i = 0; i < old.size(); ++i) renamed[old[i]] = static_cast<int>(i);
    const int count = static_cast<int>(hosts.size());
    Network part{count, static_cast<int>(old.size()) - count, {}, static_cast<int>(routers_from)};
    for (const auto& [u, v, capacity] : network.edges) {
        if (useful[u] && useful[v]) part.connect(renamed[u], renamed[v], capacity);
    }
    if (vertex_map != nullptr) vertex_map->swap(old);
    return part;
}

}  // namespace narrows
