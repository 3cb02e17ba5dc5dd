#include "cli/given_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <thread>

#include "cli/options.hpp"
#include "data/whole_file.hpp"
#include "topologies/importers/import.hpp"
#include "topologies/placement.hpp"
#include "topologies/shape.hpp"
#include "topologies/union_find.hpp"

namespace narrows {
namespace {

/// The text of a file that another file includes by a relative path.
std::optional<std::string> included_text(const std::filesystem::path& from, const std::string& path) {
    const std::filesystem::path whole = from.parent_path() / path;
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(whole, unknown)) return std::nullopt;
    return read_whole_file(whole);
}

/// A word with a dot or a slash is meant as a file, which is then reported missing, instead of an unknown topology.
bool means_file(const NetworkWords& words) {
    std::error_code ignored;
    if (!words.from.empty()) return true;
    if (is_there(words.network) && !std::filesystem::is_directory(words.network, ignored)) {
        return true;
    }
    return words.network.find(' ') == std::string::npos && words.network.find_first_of("./") != std::string::npos;
}

void require_file(const NetworkWords& words) {
    std::error_code ignored;
    if (std::filesystem::is_directory(words.network, ignored)) {
        throw InputError(fmt::format("'{}' is a folder: give a file in it", words.network));
    }
    const bool is_spec = words.network.find(' ') != std::string::npos;
    if (is_spec && !is_there(words.network)) {
        throw InputError(fmt::format("--from {} reads a file, and '{}' is none: leave --from out for a SPEC",
                                     words.from, words.network));
    }
}

GivenNetwork read_file(const NetworkWords& words) {
    require_file(words);
    const std::filesystem::path path(words.network);
    ImportOptions options;
    options.format = words.from;
    options.read_included = [&path](const std::string& name) { return included_text(path, name); };
    constexpr int most_cables = 1000;
    if (!words.cables.empty()) {
        options.cable_multiplicity = static_cast<int>(parse_count(words.cables, "--cables", 1, most_cables));
    }
    LabelledNetwork read = import_network(read_whole_file(path), words.network, options);
    GivenNetwork given;
    given.name = path.filename().string();
    given.capacity_unit = read.capacity_unit;
    given.graph = std::move(read.network);
    given.names = std::move(read.names);
    given.warnings = std::move(read.warnings);
    return given;
}

void keep_hosts(const std::string& choice, GivenNetwork& given) {
    const Network& whole = write_out(given);
    const bool is_rule = is_placement_rule(choice) || (choice.find(':') != std::string::npos && !is_there(choice));
    const std::vector<int> hosts =
        is_rule ? with_option_context("--hosts", [&] { return placed_hosts(choice, whole.hosts); })
                : listed_hosts(read_whole_file(choice), choice, given.host_finder());
    given.hosts_of_whole = whole.hosts;
    Network part = on_part(whole, hosts, &given.numbers_in_whole);
    if (!given.names.empty()) {
        std::vector<std::string> names;
        for (const int vertex : given.numbers_in_whole) names.push_back(given.names[vertex]);
        given.names = std::move(names);
    }
    given.graph = std::move(part);
    given.part = true;
    given.name += fmt::format(", {} of its hosts", hosts.size());
}

/// Gives every link of a host that hangs on one other vertex more capacity than all others together, so that no
/// least cut and no flow is limited by it.
void widen_host_links(GivenNetwork& given) {
    write_out(given);
    Network& network = *given.graph;
    const std::vector<int> degree = degrees(network.vertices(), network.edges);
    const auto hangs = [&](const Edge& edge) {
        return (edge.u < network.hosts && degree[edge.u] == 1) || (edge.v < network.hosts && degree[edge.v] == 1);
    };
    double others = 0, least = std::numeric_limits<double>::infinity();
    UnionFind hung(network.vertices());
    for (const auto& edge : network.edges) {
        if (hangs(edge)) {
            hung.join(edge.u, edge.v);
            continue;
        }
        others += edge.capacity;
        least = std::min(least, edge.capacity);
    }
    bool others_are_between_hosts = false;  // not where all hosts hang on the same vertex
    for (int host = 0; host < network.hosts; ++host)
        others_are_between_hosts = others_are_between_hosts || hung.find(host) != hung.find(0);
    if (others == 0 || !others_are_between_hosts) {
        throw InputError(
            "--without-host-links: the network has no links between hosts but their own: leave the option out");
    }
    given.widened = std::ceil(others / least + 1) * least;
    for (auto& edge : network.edges) {
        if (hangs(edge)) edge.capacity = given.widened;
    }
    given.part = true;
    given.name += ", without host links";
}

}  // namespace

std::vector<int> GivenNetwork::grid_shape() const {
    return !topology || topology->grid_wraps().empty() ? std::vector<int>{} : topology->shape();
}

std::string GivenNetwork::label(int vertex) const {
    if (numbers_in_whole.empty()) return vertex_label(*graph, vertex, names, grid_shape());
    if (!names.empty()) return names[vertex];
    const int switches = std::max(0, *std::ranges::max_element(numbers_in_whole) + 1 - hosts_of_whole);
    return vertex_label(Network{hosts_of_whole, switches, {}}, numbers_in_whole[vertex], {}, grid_shape());
}

HostFinder GivenNetwork::host_finder() const {
    return {graph->hosts, names, {grid_shape(), numbers_in_whole}};
}

std::vector<std::string> GivenNetwork::words_for_vertices() const {
    if (!names.empty()) return names;
    std::vector<std::string> words;
    for (const int vertex : numbers_in_whole) words.push_back(std::to_string(vertex));
    return words;
}

GivenNetwork given_network(const NetworkWords& words) {
    GivenNetwork given;
    if (means_file(words)) {
        given = read_file(words);
    } else {
        if (!words.cables.empty()) {
            throw InputError(
                fmt::format("--cables {} is for a file that omits cables (Slurm's), and '{}' is none: "
                            "leave --cables out",
                            words.cables, words.network));
        }
        given.topology = parse_topology(words.network);
        given.name = given.topology->spec();
    }
    if (!words.hosts.empty()) keep_hosts(words.hosts, given);
    if (words.without_host_links) widen_host_links(given);
    if (given.nodes() < 2) {
        throw InputError(fmt::format("'{}' is a single node: there is nothing to cut, give two or more", given.name));
    }
    return given;
}

const Network& write_out(GivenNetwork& given) {
    if (given.graph) return *given.graph;
    if (given.topology->nodes() > graph_limit || given.topology->links() > graph_limit) {
        throw InputError(fmt::format("'{}' has more than {} nodes or links, too many to write out: give a smaller one",
                                     given.name, graph_limit));
    }
    given.graph = given.topology->graph();
    return *given.graph;
}

NetworkNumbers known_numbers(const GivenNetwork& given) {
    if (!given.topology || given.part) return {not_known(), not_known(), not_known(), not_known()};
    const Topology& topology = *given.topology;
    return {topology.bisection(), topology.alpha(), topology.phi(), topology.uniform_flow()};
}

bool all_exact(const NetworkNumbers& numbers) {
    return numbers.bisection.exact() && numbers.alpha.exact() && numbers.phi.exact() && numbers.uniform_flow.exact();
}

Stop stop_after(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return [end] { return Clock::now() >= end; };
}

TimeLeft left_of(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    return [begin, seconds] { return seconds - std::chrono::duration<double>(Clock::now() - begin).count(); };
}

int search_threads() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace narrows
