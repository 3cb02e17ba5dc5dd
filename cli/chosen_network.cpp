#include "cli/chosen_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/given_network.hpp"
#include "cli/options.hpp"
#include "data/library.hpp"
#include "model/gups/workload.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

// The sharper of the upper ends of φ and t, with what it is.
SearchedNetwork searched(const GivenNetwork& given, const NetworkNumbers& numbers) {
    SearchedNetwork network;
    network.name = given.name;
    network.topology = given.topology;
    network.nodes = given.nodes();
    const bool by_flow = numbers.uniform_flow.upper < numbers.phi.upper;
    const Bracket& sharper = by_flow ? numbers.uniform_flow : numbers.phi;
    network.pair_flow = sharper.upper;
    network.proof =
        fmt::format("{}: {}, {}", by_flow ? "uniform flow t" : "sparsest cut phi", sharper.method, sharper.certificate);
    if (given.topology) return network;
    network.switched = hang_on_switches(*given.graph);
    if (given.capacity_unit == "Gbit/s") {
        double largest = 0;
        for (const auto& edge : given.graph->edges) largest = std::max(largest, edge.capacity);
        network.pair_flow /= largest;
        network.link = parse_bandwidth(fmt::format("{} Gbit/s", largest));
    }
    return network;
}

// A network whose cuts no formula gives is searched for a while.
Machine on_given_network(const Machine& machine, const std::string& network) {
    NetworkWords words;
    words.network = network;
    GivenNetwork given = given_network(words);
    NetworkNumbers numbers = known_numbers(given);
    if (given.topology && (numbers.phi.exact() || numbers.uniform_flow.exact())) {
        return on_network(machine, *given.topology);
    }
    constexpr double seconds = 20;
    AnalysisOptions options;
    options.threads = search_threads();
    options.stop = stop_after(seconds);
    constexpr double seconds_of_work = 1e9;
    options.exact_work = seconds_of_work;
    numbers = analyse(write_out(given), numbers, options).numbers;
    return on_network(machine, searched(given, numbers));
}

}  // namespace

Machine with_network(const Machine& machine, const std::string& network, const LayerOf& layer_of) {
    const auto ids = machine_ids();
    const bool is_machine = network.ends_with(".yaml") || std::find(ids.begin(), ids.end(), network) != ids.end();
    if (is_machine) {
        const Machine other = load_machine(network);
        return on_network(machine, other, layer_of(other));
    }
    const bool means_file = network.find_first_of("./") != std::string::npos || std::filesystem::exists(network);
    if (network.find(' ') == std::string::npos && !means_file) {
        throw InputError(
            fmt::format("--network {}: there is no such machine{} (a topology is written like 'torus 8x8x8')", network,
                        did_you_mean(network, ids)));
    }
    return naming("--network", [&] { return on_given_network(machine, network); });
}

}  // namespace narrows
