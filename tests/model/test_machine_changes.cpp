#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "data/library.hpp"
#include "model/schema.hpp"
#include "predictions.hpp"

// Editing any number of a machine changes its predictions exactly as the formulas say. The formulas are written out
// once more here, on plain numbers in cycles, bytes and bytes a second, for Blue Gene/L's torus of 64 x 32 x 32.
namespace narrows {
namespace {

using Numbers = std::map<std::string, double>;

constexpr std::int64_t all_nodes = 65536;
constexpr double ranks = all_nodes;
const std::vector<int> dimensions = {64, 32, 32};

// All values of the machine in their own base units.
Numbers numbers_of(const Machine& machine) {
    Numbers numbers;
    for (const Parameter& parameter : machine.parameters) {
        if (parameter.text.empty()) numbers[parameter.path] = parameter.measure.value;
    }
    return numbers;
}

double packet(const Numbers& machine, const std::string& path, double payload) {
    const std::string framing = "paths." + path + ".link.framing.";
    const double granule = machine.at(framing + "granule");
    const double room = machine.at(framing + "packet") - machine.at(framing + "header");
    double total = 0;
    do {
        const double part = std::min(payload, room);
        total += std::ceil((part + machine.at(framing + "header")) / granule) * granule + machine.at(framing + "gap");
        payload -= part;
    } while (payload > 0);
    return total;
}

double network(const Numbers& machine, double bytes_per_update) {
    const double phi = 2.0 * 64 / (32.0 * 32 * all_nodes);  // a ring of 64 cut into halves
    return ranks * ranks * phi * machine.at("network.link.bandwidth") / bytes_per_update;
}

double misses(double cache, double state) {
    return std::max(0.0, 1 - cache / state);
}

double handled(const Numbers& machine, const std::string& call, double payload) {
    return machine.at(call + ".overhead") +
           machine.at(call + ".per_byte") * std::max(0.0, payload - machine.at(call + ".spared"));
}

double message(const Numbers& machine, double payload) {
    return handled(machine, "paths.mpi.send", payload) + handled(machine, "paths.mpi.receive", payload) +
           machine.at("paths.mpi.other.overhead");
}

double naive(const Numbers& machine) {
    const double cycles = machine.at("compute.gups.update") + (ranks - 1) / ranks * message(machine, 8);
    return std::min(ranks * machine.at("node.clock") / cycles, network(machine, packet(machine, "mpi", 8)));
}

double bucketed(const Numbers& machine) {
    const std::string bucket = "compute.gups.bucket.";
    const double mean = 1 / (1 - 1024 / ranks);
    const double levels = (1 + 1 / mean) * std::log2(ranks);
    const double state = 1024 * machine.at(bucket + "pending") + ranks * machine.at(bucket + "destination");
    const double level = machine.at(bucket + "heap_level") +
                         misses(machine.at("node.cache.L1.size"), state) * machine.at("node.cache.L3.latency");
    const double remote = machine.at(bucket + "test") + levels * level + message(machine, 8 * mean) / mean;
    const double cycles = machine.at("compute.gups.update") + (ranks - 1) / ranks * remote;
    return std::min(ranks * machine.at("node.clock") / cycles,
                    network(machine, packet(machine, "mpi", 8 * mean) / mean));
}

double routed(const Numbers& machine) {
    const std::string route = "compute.gups.route.";
    const double hops = 63.0 / 64 + 31.0 / 32 + 31.0 / 32;
    const double header = machine.at("paths.raw.link.framing.header");
    const double granule = machine.at("paths.raw.link.framing.granule");
    int packed = 8;  // 1024 / (64 + 32 + 32), or fewer where that fills the packet
    while (packed > 1 && std::fmod(header + 8 * packed, granule) != 0) --packed;
    if (std::fmod(header + 8 * packed, granule) != 0) packed = 8;
    const double state = ranks * machine.at(route + "table_entry") + 125 * machine.at(route + "peer_state") + 8192;
    const double miss = misses(machine.at("node.cache.L1.size"), state) * machine.at("node.cache.L3.latency");
    const double hop = machine.at(route + "per_update") + miss + machine.at(route + "per_packet") / packed;
    const double processor = ranks * machine.at("node.clock") / (machine.at("compute.gups.update") + hops * hop);
    const double ratio = processor / network(machine, packet(machine, "raw", 8 * packed) / packed);
    return processor * (1 - std::pow(ratio, 3)) / (1 - std::pow(ratio, 4));
}

bool is_count(const Parameter& parameter) {
    return schema_row(parameter.path)->kind == Kind::count;
}

struct FormulaCase {
    GupsCode variant;
    double (*rate)(const Numbers&);
};

// The ends of runs of 10^8 updates a rank, which the formulas leave out.
constexpr double of_ends = 1e-5;

constexpr FormulaCase formulas[] = {
    {GupsCode::naive, naive}, {GupsCode::bucketed, bucketed}, {GupsCode::routed, routed}};

double predicted(const Machine& machine, GupsCode variant) {
    return predict_gups(machine, gups_query(variant, all_nodes)).rate.si();
}

}  // namespace

TEST_CASE("as shipped, predictions are the formulas written out by hand") {
    const Machine machine = load_machine("bluegene-l");
    for (const FormulaCase& formula : formulas) {
        CAPTURE(name_of(formula.variant));
        CHECK(predicted(machine, formula.variant) == Approx(formula.rate(numbers_of(machine))).epsilon(of_ends));
    }
}

TEST_CASE("each number of a machine, changed by each factor, moves each prediction as its formula says") {
    const Machine machine = load_machine("bluegene-l");
    for (const Parameter& parameter : machine.parameters) {
        if (!parameter.text.empty() || is_count(parameter)) continue;
        for (const char* change : {"0.5x", "+10%", "-20%", "2x", "3x", "40x"}) {
            const std::string& path = parameter.path;
            if (path.ends_with("framing.packet") && std::string(change) == "0.5x") continue;  // smaller than a message
            if (path.ends_with("framing.header") && std::string(change) == "40x") continue;   // larger than a packet
            const Machine changed = with_change(machine, path, change);
            for (const FormulaCase& formula : formulas) {
                CAPTURE(path, change, name_of(formula.variant));
                CHECK(predicted(changed, formula.variant) ==
                      Approx(formula.rate(numbers_of(changed))).epsilon(of_ends));
            }
        }
    }
}

TEST_CASE("a prediction reacts to the parameters of its formula and to no other") {
    const Machine machine = load_machine("bluegene-l");
    const std::map<GupsCode, std::set<std::string>> expected = {
        {GupsCode::naive,
         {"node.clock", "compute.gups.update", "paths.mpi.send.overhead", "paths.mpi.receive.overhead",
          "paths.mpi.other.overhead"}},
        {GupsCode::routed,
         {"node.clock", "node.cache.L1.size", "node.cache.L3.latency", "compute.gups.update",
          "compute.gups.route.per_update", "compute.gups.route.per_packet", "compute.gups.route.table_entry",
          "compute.gups.route.peer_state", "paths.raw.link.framing.header", "paths.raw.link.framing.granule",
          "paths.raw.link.framing.gap", "network.link.bandwidth"}}};
    for (const auto& [variant, paths] : expected) {
        std::set<std::string> moving;
        for (const Parameter& parameter : machine.parameters) {
            if (!parameter.text.empty() || is_count(parameter)) continue;
            const Machine changed = with_change(machine, parameter.path, "1.0625x");
            const double ratio = predicted(changed, variant) / predicted(machine, variant);
            if (std::abs(ratio - 1) > of_ends) moving.insert(parameter.path);
        }
        CHECK(moving == paths);
    }
}

TEST_CASE("changing the shape changes hops, bucket and cut") {
    const Machine machine = with_change(load_machine("bluegene-l"), "network.partitions.65536", "torus 128x32x16");
    const double hops = 127.0 / 128 + 31.0 / 32 + 15.0 / 16;
    const Prediction prediction = predict_gups(machine, gups_query(GupsCode::routed, all_nodes));
    CHECK(term_of(prediction, "route").si() == Approx(hops * 94.8 / 700e6));
    const double phi = 2.0 * 128 / (64.0 * 64 * all_nodes);
    CHECK(limit_of(prediction, "network").si() ==
          Approx(ranks * ranks * phi * 0.175e9 / ((24 + 40 + 14) / 5.0)));  // 1024/176 = 5 updates a bucket
    const Machine mesh = with_change(load_machine("bluegene-l"), "network.partitions.65536", "mesh 64x32x32");
    CHECK(limit_of(predict_gups(mesh, gups_query(GupsCode::naive, all_nodes)), "network").si() ==
          Approx(18.3795e9 / 2).epsilon(1e-4));
}

}  // namespace narrows
