#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "data/cell_values.hpp"
#include "model/demand/placement.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/shmem.hpp"
#include "model/path/protocol.hpp"
#include "model/path/rank_state.hpp"
#include "model/read_costs.hpp"
#include "model/wavefront/accelerator.hpp"
#include "model/wavefront/closed_forms.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// The paper's own numbers: of so many rows of a table, from 1.
Amount sum_of_rows(const CellCall& call) {
    const CsvTable& table = call.values.table(call.words(0));
    const std::int64_t last = call.count(3);
    Amount sum;
    for (std::int64_t row = call.count(2); row <= last; ++row) {
        if (row < 1 || row > static_cast<std::int64_t>(table.rows.size())) {
            throw InputError(fmt::format("the table has the rows 1 to {}, not {}", table.rows.size(), row));
        }
        sum.value += table.number(static_cast<std::size_t>(row - 1), call.words(1)).value_or(0);
    }
    return sum;
}

// Calls the third argument's expression with the first one as the name of `value`.
double value_for(const CellCall& call, const std::string& value) {
    double found = 0;
    call.values.with({{call.words(0), value}}, [&] { found = call.number(2); });
    return found;
}

// The least whole number of `1..100` from which on a condition holds.
Amount first_from_which(const CellCall& call) {
    const std::string range = call.words(1);
    const std::size_t dots = std::min(range.find(".."), range.size());
    constexpr std::int64_t most = std::int64_t{1} << 40;
    std::int64_t below = parse_count(range.substr(0, dots), "a range such as 1..100", 1, most) - 1;
    std::int64_t holds = parse_count(range.substr(std::min(dots + 2, range.size())), "a range", below + 1, most);
    if (value_for(call, std::to_string(holds)) == 0) throw InputError("the condition holds nowhere in " + range);
    while (holds - below > 1) {
        const std::int64_t middle = below + (holds - below) / 2;
        (value_for(call, std::to_string(middle)) != 0 ? holds : below) = middle;
    }
    return {static_cast<double>(holds)};
}

// Of the numbers `20 50 100` the first for which an expression is least.
Amount number_of_least(const CellCall& call) {
    std::istringstream numbers(call.words(1));
    std::string best;
    double least = 0;
    for (std::string number; numbers >> number;) {
        const double value = value_for(call, number);
        if (!best.empty() && value >= least) continue;
        best = number;
        least = value;
    }
    return Amount::parse(best);
}

Amount parameter_at(const CellCall& call) {
    const std::string path = call.words(0);
    const Parameter* found = find(call.machine(), path);
    if (found != nullptr && found->measure.dimension == Dimension::cycles) {
        return Amount::of(time_at(call.machine(), path));
    }
    const bool is_number = found != nullptr && found->text.empty();
    return is_number ? Amount::of(found->measure) : Amount{number_at(call.machine(), path)};
}

Topology partition_of(const CellCall& call) {
    return partition(call.machine(), call.count(0));
}

// A protocol's stages as one path; messages share the server that two more arguments name.
Path path_of(const CellCall& call, std::size_t protocol, std::size_t shared) {
    Path path = whole_path(read_protocol(call.machine(), call.words(protocol)));
    if (call.arguments.size() <= shared + 1) return path;
    return with_flows(path, call.words(shared), call.number(shared + 1));
}

Amount passes_of_protocol(const CellCall& call) {
    Amount passes;
    for (const Stage& stage : path_of(call, 0, 1).stages) passes.value += stage.times;
    return passes;
}

Amount time_of_passage(const CellCall& call) {
    const std::string name = call.words(1);
    std::vector<std::string> names;
    for (const NamedTime& term : protocol_time(read_protocol(call.machine(), call.words(0)), call.data(2)).terms) {
        if (term.name == name) return Amount::of(term.time);
        names.push_back(term.name);
    }
    throw InputError(fmt::format("the protocol passes no '{}'{} (it passes: {})", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

Amount crossover_of(const CellCall& call) {
    const auto size = crossover(path_of(call, 0, 3), path_of(call, 1, 3), call.data(2));
    if (!size) throw InputError("the second protocol is slower at every size up to that");
    return Amount::of(*size);
}

PutInterface interface_of(const CellCall& call) {
    return read_put_interface(call.machine(), call.words(0));
}

Amount packed_items(const CellCall& call) {
    const Framing framing = read_framing(call.machine(), call.words(0));
    return {static_cast<double>(items_per_packet(framing, call.data(1), static_cast<int>(call.count(2))))};
}

Amount side_of_sweep_grid(const CellCall& call) {
    const std::vector<int> grid = most_cubic_shape(call.count(0), 2);
    return {static_cast<double>(grid[call.count(1) == 1 ? 0 : 1])};
}

Amount steps_of_sweep(const CellCall& call) {
    const auto count = [&](std::size_t i) { return static_cast<int>(call.count(i)); };
    return {sweep_steps({count(0), count(1), count(2)})};
}

Amount part_of_pushed_sweep(const CellCall& call) {
    PushedSweep sweep;
    sweep.cell_angles = call.number(0);
    sweep.accelerators = static_cast<int>(call.count(1));
    sweep.grind = time_at(call.machine(), "compute.sweep3d.grind");
    sweep.volume = data_at(call.machine(), "compute.sweep3d.volume");
    sweep.bandwidth = bandwidth_at(call.machine(), "node.memory.bandwidth");
    const Breakdown time = pushed_sweep_time(sweep);
    return Amount::of(call.arguments.size() < 3 ? time.total
                                                : time.terms.at(call.words(2) == "computing" ? 0 : 1).time);
}

}  // namespace

const std::vector<CellFunction>& model_functions() {
    using Call = const CellCall&;
    static const std::vector<CellFunction> all = {
        {"sum", 4, 4, "FILE.csv, COLUMN, FIRST ROW, LAST ROW", sum_of_rows, false},
        {"first", 3, 3, "NAME, FROM..TO, CONDITION", first_from_which, false},
        {"least", 3, 3, "NAME, NUMBER NUMBER ..., EXPRESSION", number_of_least, false},
        {"machine", 1, 1, "PATH", parameter_at},
        {"nodes_of_machine", 0, 0, "",
         [](Call call) {
             return Amount{static_cast<double>(parse_topology(text_at(call.machine(), "network.topology")).nodes())};
         }},
        {"alpha", 1, 1, "NODES", [](Call call) { return Amount{partition_of(call).alpha().upper}; }},
        {"face_area", 1, 1, "NODES",
         [](Call call) { return Amount{static_cast<double>(smallest_face(partition_of(call).shape()))}; }},
        {"routed_hops", 1, 1, "NODES", [](Call call) { return Amount{routed_hops(partition_of(call).shape())}; }},
        {"routed_bucket", 1, 1, "NODES",
         [](Call call) { return Amount{static_cast<double>(routed_bucket(partition_of(call).shape()))}; }},
        {"mean_bucket_size", 1, 1, "RANKS", [](Call call) { return Amount{mean_bucket_size(call.number(0))}; }},
        {"simulated_bucket_size", 2, 2, "RANKS, MESSAGES",
         [](Call call) {
             return Amount{simulated_bucket_size(static_cast<int>(call.count(0)), static_cast<int>(call.count(1)), 1)};
         }},
        {"wire_bytes", 2, 2, "PATH OF A FRAMING, DATA",
         [](Call call) { return Amount::of(wire_bytes(read_framing(call.machine(), call.words(0)), call.data(1))); }},
        {"items_per_packet", 3, 3, "PATH OF A FRAMING, DATA, AT MOST", packed_items},
        {"pairwise_state", 3, 3, "RANKS, PLACES, DATA",
         [](Call call) {
             return Amount::of(pairwise_state(call.count(0), static_cast<int>(call.count(1)), call.data(2)));
         }},
        {"gateway_state", 3, 3, "RANKS, RANKS NEARBY, DATA",
         [](Call call) { return Amount::of(gateway_state(call.count(0), call.count(1), call.data(2))); }},
        {"passes", 1, 1, "PROTOCOL", passes_of_protocol},
        {"protocol_time", 2, 2, "PROTOCOL, DATA",
         [](Call call) {
             return Amount::of(protocol_time(read_protocol(call.machine(), call.words(0)), call.data(1)).total);
         }},
        {"passage", 3, 3, "PROTOCOL, PATH, DATA", time_of_passage},
        {"pipelined", 3, 3, "PROTOCOL, DATA, PIECE",
         [](Call call) { return Amount::of(pipelined_time(path_of(call, 0, 3), call.data(1), call.data(2)).total); }},
        {"message_rate", 2, 4, "PROTOCOL, DATA, SERVER, MESSAGES THAT SHARE IT",
         [](Call call) { return Amount::of(message_rate(path_of(call, 0, 2), call.data(1))); }},
        {"crossover", 3, 5, "PROTOCOL, PROTOCOL, DATA AT MOST, SERVER, MESSAGES THAT SHARE IT", crossover_of},
        {"issue_rate", 2, 2, "PROTOCOL, DATA",
         [](Call call) { return Amount::of(issue_rate(interface_of(call), call.data(1))); }},
        {"host_interface_rate", 2, 2, "PROTOCOL, DATA",
         [](Call call) { return Amount::of(host_interface_rate(interface_of(call), call.data(1))); }},
        {"link_rate", 2, 2, "PROTOCOL, DATA",
         [](Call call) { return Amount::of(link_rate(interface_of(call), call.data(1))); }},
        {"sweep_grid", 2, 2, "RANKS, 1 OR 2", side_of_sweep_grid},
        {"sweep_steps", 3, 3, "RANKS ALONG I, ALONG J, BLOCKS", steps_of_sweep},
        {"pushed_sweep", 2, 3, "CELLS AND ANGLES, ACCELERATORS, COMPUTING OR TRANSFERS", part_of_pushed_sweep},
    };
    return all;
}

}  // namespace narrows
