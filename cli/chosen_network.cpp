#include "cli/chosen_network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/given_network.hpp"
#include "cli/options.hpp"
#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "model/gups/workload.hpp"
#include "model/unit.hpp"
#include "topologies/registry.hpp"
#include "topologies/written_grid.hpp"

namespace narrows {
namespace {

// The graph with its groups of hosts, the cuts that a search found, and the halves of a named network that it is of.
std::shared_ptr<const BoundedNetwork> bounded(Network graph, const std::optional<BestCuts>& found,
                                              const GivenNetwork& given) {
    std::vector<Boundary> sides;
    if (given.topology) sides = boundaries_of(given.topology->halves(), graph.hosts, given.numbers_in_whole);
    for (const Cut& cut : found ? std::vector<Cut>{found->phi, found->alpha, found->bisection} : std::vector<Cut>()) {
        const Cut counted = cut_of(graph, cut.side);
        if (counted.capacity > 0) sides.push_back(boundary_of(graph, counted));
    }
    std::vector<Boundary> groups = boundaries(graph);
    return std::make_shared<const BoundedNetwork>(
        BoundedNetwork{std::move(graph), std::move(groups), std::move(sides)});
}

// One unit of the file's capacities, when it says a bandwidth.
std::optional<Bandwidth> bandwidth_unit(const GivenNetwork& given) {
    if (given.capacity_unit.empty() || given.capacity_unit == "links") return std::nullopt;
    try {
        return parse_bandwidth("1 " + given.capacity_unit);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// What there is to say of the file beside its cuts.
std::vector<std::string> remarks_of(const GivenNetwork& given) {
    std::vector<std::string> remarks = given.warnings;
    const auto is_weighted = [](const Edge& edge) { return edge.capacity != 1; };
    const auto& edges = given.graph->edges;
    if (given.capacity_unit != "links" && !bandwidth_unit(given) && std::ranges::any_of(edges, is_weighted)) {
        remarks.push_back(
            fmt::format("capacities of {} have no unit: each counts as so many of the machine's links; a line "
                        "'# capacities in Gbit/s' in an edge list gives one",
                        given.name));
    }
    return remarks;
}

// The sharper of the upper ends of φ and t, with what it is.
SearchedNetwork searched(const GivenNetwork& given, const NetworkAnalysis& found) {
    const NetworkNumbers& numbers = found.numbers;
    SearchedNetwork network;
    network.name = given.name;
    if (!given.part) network.topology = given.topology;
    network.nodes = given.nodes();
    network.by_flow = numbers.uniform_flow.upper < numbers.phi.upper;
    const Bracket& sharper = network.by_flow ? numbers.uniform_flow : numbers.phi;
    network.pair_flow = sharper.upper;
    if (network.nodes > 1 && sharper.upper == 0) {
        throw InputError(
            fmt::format("{}: no link joins all its hosts, so that not all can send to each other: join the "
                        "parts, or name the hosts of one part",
                        given.name));
    }
    network.proof = fmt::format("{}: {}, {}", network.by_flow ? "uniform flow t" : "sparsest cut phi", sharper.method,
                                sharper.certificate);
    Network graph = *given.graph;
    network.switched = hang_on_switches(graph);
    if (const auto unit = bandwidth_unit(given)) {
        double largest = 0;
        for (const auto& edge : graph.edges) largest = std::max(largest, edge.capacity);
        for (auto& edge : graph.edges) edge.capacity /= largest;
        network.pair_flow /= largest;
        network.link = *unit * largest;
    }
    network.graph = bounded(std::move(graph), found.proofs.cuts, given);
    return network;
}

// The family whose network a file writes out, with the links' bandwidth where the file says it.
std::optional<Machine> on_written_grid(const Machine& machine, const GivenNetwork& given) {
    if (given.topology || given.part) return std::nullopt;
    const double capacity = given.graph->edges.empty() ? 0 : given.graph->edges.front().capacity;
    const bool is_measured = bandwidth_unit(given).has_value();
    if (!is_measured && capacity != 1) return std::nullopt;
    constexpr double seconds = 2;  // a hypercube that is numbered otherwise has many tori to be held against
    const auto grid = written_grid(*given.graph, stop_after(seconds));
    if (!grid) return std::nullopt;
    Machine composed = on_network(machine, *grid);
    return is_measured
               ? with_change(composed, "network.link.bandwidth", fmt::format("{} {}", capacity, given.capacity_unit))
               : composed;
}

// Predictions have no --cables.
GivenNetwork network_with_cables(const NetworkWords& words) {
    try {
        return given_network(words);
    } catch (const InputError& error) {
        if (error.setting() != "cables") throw;
        throw InputError(
            fmt::format("{0} does not say how many cables join two switches: give the file that 'narrows topology {0} "
                        "--cables COUNT --export network.edges' writes",
                        words.network));
    }
}

// A network whose cuts no formula gives is searched for a moment.
Machine on_searched_network(const Machine& machine, GivenNetwork& given) {
    const NetworkNumbers numbers = known_numbers(given);
    if (given.topology && !given.part && (numbers.phi.exact() || numbers.uniform_flow.exact())) {
        return on_network(machine, *given.topology);
    }
    if (auto on_grid = on_written_grid(machine, given)) return *on_grid;
    constexpr double seconds = 0.6;
    AnalysisOptions options{.threads = search_threads(), .stop = stop_after(seconds), .left = left_of(seconds)};
    constexpr double seconds_of_work = 1e9;
    options.exact_work = seconds_of_work;
    return on_network(machine, searched(given, analyse(write_out(given), numbers, options)));
}

Machine on_given_network(const Machine& machine, const std::string& network, const std::string& hosts) {
    NetworkWords words;
    words.network = network;
    words.hosts = hosts;
    GivenNetwork given = network_with_cables(words);
    Machine composed = on_searched_network(machine, given);
    if (given.topology) return composed;
    const std::vector<std::string> remarks = remarks_of(given);
    composed.remarks.insert(composed.remarks.end(), remarks.begin(), remarks.end());
    return composed;
}

// A job's part of the machine's own network.
Machine on_hosts(const Machine& machine, const std::string& hosts) {
    if (hosts.empty()) return machine;
    if (find(machine, "network.topology") == nullptr) {
        throw InputError(
            fmt::format("--hosts {}: machine '{}' has no network of which a job could have a part: choose "
                        "one with --network",
                        hosts, machine.id));
    }
    return on_given_network(machine, text_at(machine, "network.topology"), hosts);
}

}  // namespace

Machine with_network(const Machine& machine, const std::string& network, const std::string& hosts) {
    if (network.empty()) return on_hosts(machine, hosts);
    const bool is_machine =
        network == "-" || network.ends_with(".yaml") || network.ends_with(".yml") || find_machine(network).has_value();
    if (is_machine) {
        const Machine other = load_machine(network);
        return with_option_context("--network",
                                   [&] { return on_network(machine, hosts.empty() ? other : on_hosts(other, hosts)); });
    }
    const bool means_file = network.find_first_of("./") != std::string::npos || is_there(network);
    const auto is_family = [&network](const FamilyRecord& family) { return family.name == network; };
    if (network.find(' ') == std::string::npos && !means_file && std::ranges::none_of(topology_families(), is_family)) {
        throw InputError(
            fmt::format("--network {}: there is no such machine{} (a topology is written like 'torus 8x8x8')", network,
                        did_you_mean(network, machine_ids())));
    }
    return with_option_context("--network", [&] { return on_given_network(machine, network, hosts); });
}

}  // namespace narrows
