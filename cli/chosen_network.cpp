#include "cli/chosen_network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/given_network.hpp"
#include "cli/options.hpp"
#include "data/library.hpp"
#include "data/whole_file.hpp"
#include "model/gups/workload.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

// The sharper of the upper ends of φ and t, with what it is.
SearchedNetwork searched(const GivenNetwork& given, const NetworkNumbers& numbers) {
    SearchedNetwork network;
    network.name = given.name;
    if (!given.part) network.topology = given.topology;
    network.nodes = given.nodes();
    network.by_flow = numbers.uniform_flow.upper < numbers.phi.upper;
    const Bracket& sharper = network.by_flow ? numbers.uniform_flow : numbers.phi;
    network.pair_flow = sharper.upper;
    network.proof = fmt::format("{}: {}, {}", network.by_flow ? "uniform flow t" : "sparsest cut phi", sharper.method,
                                sharper.certificate);
    if (given.topology && !given.part) return network;
    Network graph = *given.graph;
    network.switched = hang_on_switches(graph);
    if (given.capacity_unit == "Gbit/s") {
        double largest = 0;
        for (const auto& edge : graph.edges) largest = std::max(largest, edge.capacity);
        for (auto& edge : graph.edges) edge.capacity /= largest;
        network.pair_flow /= largest;
        network.link = parse_bandwidth(fmt::format("{} Gbit/s", largest));
    }
    network.graph = std::make_shared<const Network>(std::move(graph));
    return network;
}

// A network whose cuts no formula gives is searched for a while.
Machine on_given_network(const Machine& machine, const std::string& network, const std::string& hosts) {
    NetworkWords words;
    words.network = network;
    words.hosts = hosts;
    GivenNetwork given = given_network(words);
    NetworkNumbers numbers = known_numbers(given);
    if (given.topology && !given.part && (numbers.phi.exact() || numbers.uniform_flow.exact())) {
        return on_network(machine, *given.topology);
    }
    write_out(given);
    const double seconds = given.part ? 1 : 20;
    AnalysisOptions options;
    options.threads = search_threads();
    options.stop = stop_after(seconds);
    options.left = left_of(seconds);
    constexpr double seconds_of_work = 1e9;
    options.exact_work = seconds_of_work;
    numbers = analyse(write_out(given), numbers, options).numbers;
    return on_network(machine, searched(given, numbers));
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
    const bool is_machine = network == "-" || network.ends_with(".yaml") || find_machine(network).has_value();
    if (is_machine) {
        const Machine other = load_machine(network);
        return naming("--network", [&] { return on_network(machine, hosts.empty() ? other : on_hosts(other, hosts)); });
    }
    const bool means_file = network.find_first_of("./") != std::string::npos || is_there(network);
    if (network.find(' ') == std::string::npos && !means_file) {
        throw InputError(
            fmt::format("--network {}: there is no such machine{} (a topology is written like 'torus 8x8x8')", network,
                        did_you_mean(network, machine_ids())));
    }
    return naming("--network", [&] { return on_given_network(machine, network, hosts); });
}

}  // namespace narrows
