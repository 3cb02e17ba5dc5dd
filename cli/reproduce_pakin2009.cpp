#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "cli/reproduce_sweep3d.hpp"
#include "cli/reproduction.hpp"
#include "data/csv.hpp"
#include "data/library.hpp"
#include "model/path/protocol.hpp"
#include "model/path/rank_state.hpp"
#include "model/unit_prefixes.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

constexpr double percent = 100;

// GB/s of data over `lanes` of so many Gbit/s each that send 10 bits for 8.
double lanes_rate(double lanes, double gigabits) {
    return lanes * gigabits * 8 / 10 / 8;
}

class Pakin2009 {
  public:
    Reproduction run() {
        counts();
        state_of_a_rank();
        network();
        peaks();
        node_links();
        local_store();
        of_others();
        within_a_blade();
        between_nodes();
        what_overlap_brings();
        add_sweep3d_cells(text_, machine_);
        return text_.cells();
    }

  private:
    double number(const std::string& path) const { return number_at(machine_, path); }

    double flops(const std::string& core, const char* kind) const {
        const std::string path = "node.cores." + core;
        return number(path + ".count") * rate_at(machine_, path + ".clock").si() * number(path + "." + kind);
    }

    double node_flops(const char* kind) const {
        return flops("SPE", kind) + flops("PPE", kind) + flops("Opteron", kind);
    }

    static constexpr std::int64_t ranks_of_blade = 16;

    void counts() {
        const double hosts = nodes_ * number("node.cores.Opteron.count");
        const double controllers = nodes_ * number("node.cores.PPE.count");
        const double ranks = nodes_ * number("node.processors");
        text_.compare("nodes", "nodes", nodes_, "17 units of 180: the machine's topology");
        text_.compare("accelerators", "SPEs", ranks, "32 a node");
        text_.compare("ranks", "ranks", ranks, "32 a node");
        text_.compare("all_cores", "cores", ranks + hosts + controllers, "40 a node");
        text_.compare("cores_with_hosts", "cores", ranks + hosts + controllers, "40 a node");
        const CsvTable table = read_csv(published_directory() / "pakin2009" / "table1.csv");
        const std::string& scale = table.cell(table.rows.size() - 1, "reverse_acceleration");
        const auto printed = [&scale](const char* name) {  // `12,240` before the name
            const auto end = scale.find(name) - 1;
            const auto start = scale.find_last_of(" (", end - 1) + 1;
            std::string digits;
            for (const char c : scale.substr(start, end - start)) digits += c == ',' ? "" : std::string(1, c);
            return digits;
        };
        text_.cells().compare("Table 1", "Opteron cores", "cores", printed("Opteron"), hosts, 0, "4 a node");
        text_.cells().compare("Table 1", "PPEs", "cores", printed("PPEs"), controllers, 0, "4 a node");
        text_.cells().compare("Table 1", "SPEs", "cores", printed("SPEs"), ranks, 0, "32 a node");
        text_.cells().computed("Section Cell Messaging Layer", "gateways", "cores", hosts + controllers,
                               "PPEs and Opteron cores that forward messages");
    }

    void state_of_a_rank() {
        const Data record = data_at(machine_, "messaging.cml.record.descriptor");
        const auto all = static_cast<std::int64_t>(text_.value("ranks"));
        text_.cells().computed(
            "Section Cell Messaging Layer", "state of a rank", "B, gateways",
            gateway_state(all, ranks_of_blade, record).si(),
            "assumes 64 bytes each: 15 others on the blade and one for all that are not, at any size");
        text_.cells().computed("Section Cell Messaging Layer", "state of a rank", "B, pairwise",
                               pairwise_state(all, 1, record).si(),
                               "assumes 64 bytes for each of all others: beyond the local store of 256 KB");
    }

    void network() {
        const double uplinks =
            std::ceil(text_.value("unit_nodes") / text_.value("taper") / text_.value("spine_switches"));
        text_.cells().computed("Section Roadrunner", "uplinks", "a unit", uplinks * text_.value("spine_switches"),
                               "180 nodes at 2:1 over eight switches, rounded up to whole links of each");
        text_.compare("most_units", "units", std::floor(text_.value("switch_ports") / uplinks),
                      "ports of a switch over its links to a unit");
        text_.compare("crossbars", "crossbars of a unit",
                      text_.value("crossbars_unit_first") + text_.value("crossbars_unit_second"), "two levels");
        text_.compare("crossbars", "crossbars between units",
                      text_.value("crossbar_levels_between") * text_.value("crossbars_of_level_between"),
                      "three levels");
        text_.compare("infiniband_bandwidth", "GB/s", lanes_rate(4, 5),
                      "4x DDR: four lanes of 5 Gbit/s with 8b/10b, rates that the text does not state");
        text_.compare("pcie_bandwidth", "GB/s", lanes_rate(8, 2.5),
                      "x8: eight lanes of 2.5 Gbit/s with 8b/10b, rates that the text does not state");
    }

    void peaks() {
        const double cells = number("node.cores.PPE.count");
        text_.compare("cell_accelerators_peak", "Gflops", flops("SPE", "flops") / cells / giga);
        text_.compare("cell_peak", "Gflops", (flops("SPE", "flops") + flops("PPE", "flops")) / cells / giga);
        text_.compare("opteron_blade_peak", "Gflops", flops("Opteron", "flops") / giga);
        text_.compare("node_peak", "Gflops", node_flops("flops") / giga, "four Cell processors and an Opteron blade");
        text_.compare("peak_double", "Pflops", nodes_ * node_flops("flops") / peta);
        text_.compare("peak_single", "Pflops", nodes_ * node_flops("single_flops") / peta,
                      "assumes 8 operations a cycle of a PPE and 4 of an Opteron core");
        text_.exceeds("accelerator_share", "%", percent * (1 - flops("Opteron", "flops") / node_flops("flops")),
                      "over 95 %: the Cell processors' part of a node");
        text_.open("accelerator_memory_share", "%",
                   "the memory rates of both processors, in Figure 3, would pin it down");
        const Machine old = load_machine("cell-blade");
        const double old_rate = number_at(old, "node.cores.SPE.flops");
        text_.compare("cell_improvement", "ratio", number("node.cores.SPE.flops") / old_rate,
                      "102.4 over the 14.64 Gflops of kumar2007");
        text_.compare("opteron_memory", "GB", 2 * text_.value("cell_blade_memory"), "two Cell blades of 8 GB");
    }

    void node_links() {
        for (const char* link : {"eib", "flexio"}) {
            const std::string path = fmt::format("node.links.{}", link);
            text_.cells().computed(
                "Section Roadrunner", link, "transfers at once",
                bandwidth_at(machine_, path + ".total") / bandwidth_at(machine_, path + ".bandwidth"),
                "total over one transfer");
        }
        text_.cells().computed("Section Primitive performance", "put_initiation", "ns",
                               time_at(machine_, "paths.put.eib.overhead").si() / nano,
                               "100 cycles at 3.2 GHz, at most");
    }

    void local_store() {
        const double store = text_.value("local_store");
        const double footprint =
            text_.value("footprint_text") + text_.value("footprint_data") + text_.value("footprint_bss");
        text_.compare("footprint", "KB", footprint, "code, initialized and uninitialized data");
        text_.compare("staging_area", "KB", store - footprint, "of 256 KB");
        text_.about("core_functions_share", "%", percent * text_.value("core_functions_size") / store,
                    "about: 5 of 256 KB");
        text_.cells().computed("Section Sweep3D", "largest_cube", "B a cell",
                               text_.value("staging_area") * kibi / std::pow(text_.value("largest_cube"), 3),
                               "what 201 KB hold for each cell of 9 x 9 x 9");
        text_.compare("largest_measured", "KB", std::exp2(std::ceil(std::log2(store)) - 1),
                      "the largest power of two beside a program in 256 KB");
    }

    // What other codes and other machines reached, and what only a figure has.
    void of_others() {
        text_.open("vpic_rate", "Pflops", "a particle code's operations and messages, in the paper's [5]");
        text_.open("spasm_rate", "Pflops", "a molecular dynamics code's operations and messages, in the paper's [6]");
        text_.open("petavision_rate", "Pflops", "the simulator's operations and messages");
        text_.open("linpack_rate", "Pflops", "the part of the peak that Linpack reaches, in the paper's [24]");
        text_.open("wrf_gain", "%", "another machine: the part of the code on its accelerators, in the paper's [2]");
        text_.open("namd_gain", "ratio",
                   "another machine: the part of the code on its accelerators, in the paper's [3]");
        text_.open("figure_parallelism", "cells", "the grid that Figure 4 shows; four cells lie on its major diagonal");
        text_.open(
            "small_message", "B",
            "what a controller's copy and a get cost on either side of 128 bytes: the model has one cost for both");
    }

    Time time_of(const char* protocol, double size) const {
        return protocol_time(read_protocol(machine_, protocol), bytes(size)).total;
    }

    void within_a_blade() {
        const std::string note = "descriptor, put and flag, 100 cycles each at most";
        for (const char* protocol : {"same-cell", "same-blade"}) {
            text_.cells().computed("Figure 6", protocol, "us, 2400 B",
                                   time_of(protocol, text_.value("message_bytes")).si() / micro, note);
            const double size = text_.value("largest_measured") * kibi;
            text_.cells().computed("Figure 6", protocol, "GB/s, 128 KB", size / time_of(protocol, size).si() / giga,
                                   note + "; the text: close to the theoretical maximum");
        }
        text_.cells().open("Figure 6", "same-cell", "us", "", "the least latency within a Cell is only in Figure 6");
        text_.cells().open("Figure 6", "same-blade", "us", "", "the least latency within a blade is only in Figure 6");
    }

    void between_nodes() {
        const Breakdown time = protocol_time(read_protocol(machine_, "between-nodes"), bytes(0));
        text_.measured("blade_latency", "us", time.total.si() / micro,
                       "no test: 9.24 us are the text's 2 DaCS + MPI, the rest is put down to two synchronisations");
        double legs = 0;
        for (const NamedTime& term : time.terms) legs += term.name.starts_with("synchronise") ? 0 : term.time.si();
        text_.measured("legs_latency", "us", legs / micro, "no test: the machine's three legs are a third of it each");
        const double rest = text_.value("blade_latency") - text_.value("legs_latency");
        text_.cells().computed("Section Primitive performance", "synchronisations", "us", rest,
                               "11.77 - 9.24, for both; most of it, the text says");
        text_.cells().computed("Section Primitive performance", "legs_latency", "% of 11.77 us",
                               percent * text_.value("legs_latency") / text_.value("blade_latency"));
        for (const char* leg : {"DaCS", "MPI"}) {
            text_.cells().open("Figure 5", leg, "us", "",
                               "the text has 2 DaCS + MPI = 9.24 us only; the right-hand side of Figure 5 has each");
        }
        text_.cells().open("Section Primitive performance", "synchronisation", "us", "",
                           "a ping-pong between an SPE and its PPE would pin it down");
        const double size = text_.value("largest_measured") * kibi;
        text_.cells().computed("Figure 6", "between-nodes", "us, 2400 B",
                               time_of("between-nodes", text_.value("message_bytes")).si() / micro,
                               "three legs of 2 GB/s, one after the other");
        text_.cells().computed("Figure 6", "between-nodes", "GB/s, 128 KB",
                               size / time_of("between-nodes", size).si() / giga,
                               "noticeably slower than the 2 GB/s of the slowest leg, as the text says");
        text_.open("slowest_between", "KB", "DaCS's rate over sizes is only in Figure 5");
    }

    void what_overlap_brings() {
        const Path path = whole_path(read_protocol(machine_, "between-nodes"));
        const auto rate = [&path](double size, double piece) {
            return size / pipelined_time(path, bytes(size), bytes(piece)).total.si() / giga;
        };
        const double size = text_.value("largest_measured") * kibi;
        text_.cells().computed("Figure 6", "between-nodes overlapped", "GB/s, 128 KB", rate(size, 16 * kibi),
                               "in pieces of 16 KB that follow each other through the legs");
        const double block = text_.value("message_bytes");
        text_.cells().computed("Figure 6", "between-nodes overlapped", "us, 2400 B",
                               pipelined_time(path, bytes(block), bytes(block / 2)).total.si() / micro,
                               "in two pieces: the start-ups cost more than the overlap brings, as the text says");
    }

    Machine machine_ = load_machine("roadrunner");
    double nodes_ = static_cast<double>(parse_topology(text_at(machine_, "network.topology")).nodes());
    TextReproduction text_{"pakin2009"};
};

}  // namespace

Reproduction reproduce_pakin2009() {
    return Pakin2009().run();
}

}  // namespace narrows
