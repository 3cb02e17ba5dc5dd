#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "cli/reproduction.hpp"
#include "data/csv.hpp"
#include "data/library.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "model/unit_prefixes.hpp"

namespace narrows {
namespace {

constexpr double integer = 4;  // bytes
constexpr Data large = bytes(1 << 20);

class Kumar2008 {
  public:
    Reproduction run() {
        hardware();
        links();
        latencies();
        exchange();
        allreduce();
        quad_allreduce();
        figures();
        return text_.cells();
    }

  private:
    Path whole(const char* protocol) const { return whole_path(read_protocol(machine_, protocol)); }

    // What a node sends and receives together in an exchange with so many neighbours, MB/s.
    double exchanged(const char* protocol, double neighbours) const {
        const Path path = with_flows(whole(protocol), "receiver", neighbours);
        return 2 * neighbours * (large * message_rate(path, large)).si() / mega;
    }

    void hardware() {
        const double clock = rate_at(machine_, "node.cores.PowerPC-450.clock").si();
        const double peak = number_at(machine_, "node.cores.PowerPC-450.count") * clock *
                            number_at(machine_, "node.cores.PowerPC-450.flops");
        text_.compare("peak", "Gflops", peak / giga,
                      "four cores with 4 operations a cycle, which the text does not state");
        text_.cells().computed("Section 1", "scale", "nodes", text_.value("scale") * 1e15 / peak, "nodes of 3 Pflops");
        for (const char* unit : {"injection-FIFOs", "reception-FIFOs", "injection-counters", "reception-counters"}) {
            text_.cells().computed("Section 3.1", unit, "a node",
                                   number_at(machine_, "host_interface.units.groups") *
                                       number_at(machine_, fmt::format("host_interface.units.{}", unit)),
                                   "four groups");
        }
        text_.about("clock_gain", "%", 100 * (clock / rate_at(bluegene_l_, "node.clock").si() - 1),
                    "about 20 %: 850 MHz against the 700 MHz of garg2006");
        text_.open("linpack_bgl", "Tflops", "of Blue Gene/L, for which arithmetic counts and messages hardly do");
        text_.open("collective_gain", "ratio", "the rate of Blue Gene/L's collective network would pin it down");
    }

    void links() {
        const Framing packets = read_framing(bluegene_l_, "paths.raw.link.framing");
        const Data payload = packets.packet - packets.header;
        const Bandwidth raw = bandwidth_at(machine_, "network.link.bandwidth");
        text_.measured("link_achievable", "MB/s", (raw * (payload / wire_bytes(packets, payload))).si() / mega,
                       "assumes Blue Gene/L's packets (garg2006): 256 bytes, 24 of them header, and a gap of 14");
        text_.cells().computed("Section 3.1", "link_achievable", "% of raw",
                               100 * text_.value("link_achievable") / text_.value("link_raw"));
        text_.cells().computed("Section 3.1", "collective_achievable", "% of raw",
                               100 * text_.value("collective_achievable") / text_.value("collective_raw"));
        text_.open("collective_achievable", "MB/s", "packet and header of the collective network would pin it down");
    }

    void latencies() {
        static const std::string fitted = "one of the five rows that the parts of a latency are derived from";
        static const std::string judged = "not used for the parts: ";
        const std::vector<std::pair<const char*, std::string>> rows = {
            {"eager", fitted},
            {"mpi-eager", fitted},
            {"mpi-rendezvous", judged + "request, get and acknowledgement, whose flight the answer hides"},
            {"converse-on-mpi",
             judged + "the driver also probes and posts a receive, which has no cost of its own here"},
            {"converse", fitted},
            {"put", fitted},
            {"get", fitted},
            {"mpi-get", judged + "a get and the layer that an eager message pays for MPI"},
            {"", "what ARMCI's own layer costs beside a get is not stated elsewhere, and would pin it down"},
            {"", "what ARMCI does while it waits is not stated, and would pin it down"}};
        const CsvTable table = read_csv(published_directory() / "kumar2008" / "table1.csv");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& [protocol, note] = rows[i];
            const std::string& name = table.cell(i, "protocol");
            const std::string& printed = table.cell(i, "latency");
            if (*protocol == '\0') {
                text_.cells().open("Table 1", name, "us", printed, note);
                continue;
            }
            const Time time = protocol_time(read_protocol(machine_, protocol), bytes(0)).total;
            text_.cells().measured("Table 1", name, "us", printed, time.si() / micro, note);
        }
        mpi_layer();
    }

    void mpi_layer() {
        text_.compare("mpi_difference", "us", text_.value("eager_mpi") - text_.value("eager_dcmf"),
                      "two rows of Table 1");
        const Time acknowledged = protocol_time(read_protocol(machine_, "mpi-eager"), bytes(0)).total +
                                  protocol_time(read_protocol(machine_, "get"), bytes(0)).total +
                                  protocol_time(read_protocol(machine_, "eager"), bytes(0)).total;
        text_.cells().computed("Table 1", "MPI Rendezvous One-way", "us, acknowledgement awaited",
                               acknowledged.si() / micro, "with the whole acknowledgement on the way");
    }

    void exchange() {
        const std::string both_ways = "twice 374 MB/s, at one link";
        text_.measured("exchange_eager", "MB/s", exchanged("mpi-eager", 1), both_ways);
        text_.measured("exchange_rendezvous", "MB/s", exchanged("mpi-rendezvous", 1), both_ways);
        for (int neighbours = 1; neighbours <= static_cast<int>(text_.value("neighbours")); ++neighbours) {
            const std::string row = std::to_string(neighbours);
            text_.cells().computed("Figure 5", row, "MB/s, eager", exchanged("mpi-eager", neighbours),
                                   "links, until the core that copies out of the memory FIFO is busy");
            text_.cells().computed("Figure 6", row, "MB/s, rendezvous", exchanged("mpi-rendezvous", neighbours),
                                   "links alone: the DMA engine moves the payload");
        }
        const double link = text_.value("link_achievable");
        const double stops = text_.value("eager_saturates");
        const double clock = rate_at(machine_, "node.clock").si();
        text_.cells().computed("Section 4", "copy, at least", "MB/s", stops * link, "three links' worth is copied");
        text_.cells().computed("Section 4", "copy, below", "MB/s", (stops + 1) * link, "a fourth link brings no more");
        text_.cells().computed("Section 4", "copy, at least", "B a cycle", stops * link * mega / clock);
        text_.open(
            "eager_saturates", "links",
            "the machine's copy rate is derived from it; the plateau of Figure 5, or a memcpy, would pin it down");
        switch_of_protocols();
    }

    void switch_of_protocols() {
        for (const double neighbours : {1.0, 6.0}) {
            const auto size = crossover(with_flows(whole("mpi-eager"), "receiver", neighbours),
                                        with_flows(whole("mpi-rendezvous"), "receiver", neighbours), large);
            if (!size) continue;
            const std::string column = fmt::format("KiB, {} neighbour{}", neighbours, neighbours > 1 ? "s" : "");
            const std::string note = "where rendezvous becomes as fast; the copy rate is derived from the exchange";
            if (neighbours > 1) {
                text_.measured("rendezvous_above", column, size->si() / kibi, note);
            } else {
                text_.cells().computed("Section 4", "rendezvous_above", column, size->si() / kibi, note);
            }
        }
    }

    void allreduce() {
        const double raw = bandwidth_at(machine_, "other_networks.collective.bandwidth").si();
        const double achievable = raw / number_at(machine_, "other_networks.collective.framing.code");
        text_.compare("allreduce_share", "%", 100 * text_.value("allreduce_peak") * mega / raw);
        text_.measured("allreduce_peak", "MB/s", achievable / mega, "bound: what the collective network achieves");
        const PathProtocol smp = read_protocol(machine_, "allreduce");
        for (const double integers : {4096.0, 65536.0, 1048576.0}) {
            const double size = integers * integer;
            text_.cells().computed("Figure 12", fmt::format("{:.0f} integers", integers), "MB/s",
                                   size / protocol_time(smp, bytes(size)).total.si() / mega, "3.2 us and 824 MB/s");
        }
        text_.cells().computed("Section 4.2", "allreduce_two_threads", "B",
                               text_.value("allreduce_two_threads") * integer);
        text_.cells().computed("Section 4.2", "allreduce_ring_above", "B",
                               text_.value("allreduce_ring_above") * integer);
        text_.cells().computed(
            "Section 4.2", "allreduce_quad_peak", "cycles an integer",
            rate_at(machine_, "node.clock").si() * integer / (text_.value("allreduce_quad_peak") * mega),
            "of each core, if its sums limit the ring as the text says");
        text_.open("allreduce_two_threads", "integers",
                   "the machine file has the switch; what a second thread brings is in Figure 12 only");
        text_.open("allreduce_latency", "us",
                   "software, hop and depth of the collective network are not given; two sizes of machine would do");
        text_.open("allreduce_shared_peak_at", "K integers", "the size of the shared memory segment would pin it down");
    }

    Time quad_time(const char* protocol, Data size) const { return message_time(whole(protocol), size).total; }

    // The least number of integers of which `after` takes less time than `before`, up to 64 Ki.
    std::optional<double> overtakes(const char* before, const char* after) const {
        const Path first = whole(before);
        const Path second = whole(after);
        for (double integers = 1; integers <= 1 << 16; ++integers) {
            const Data size = bytes(integers * integer);
            if (message_time(second, size).total < message_time(first, size).total) return integers;
        }
        return std::nullopt;
    }

    // The fragment with which ring and direct reduce take as long at the paper's switch.
    double fragment_of_switch() const {
        const Data size = bytes(text_.value("allreduce_ring_above") * integer);
        const Time direct = quad_time("quad-direct", size);
        double below = 1;
        double above = size.si();
        while (above - below > 1) {
            const double middle = std::floor((below + above) / 2);
            Path ring = whole("quad-ring");
            for (Stage& stage : ring.stages) {
                if (stage.piece.si() > 0) stage.piece = bytes(middle);
            }
            (message_time(ring, size).total < direct ? below : above) = middle;
        }
        return above;
    }

    void quad_allreduce() {
        const std::string assumed = "1.2 us from core to core and fragments of 256 B are assumed";
        const std::string shared = "fragments of 256 B are assumed, the shared queue's own overhead is not given";
        for (const double integers : {1.0, 512.0, 4096.0, 32768.0, 1048576.0}) {
            const Data size = bytes(integers * integer);
            for (const char* protocol : {"quad-direct", "quad-ring", "quad-ring-fifo", "quad-shared-memory"}) {
                const std::string row = fmt::format("{:.0f} integers", integers);
                const Time time = quad_time(protocol, size);
                const bool latency = integers <= 512;
                text_.cells().computed(latency ? "Figure 13" : "Figure 14", row,
                                       fmt::format("{}, {}", latency ? "us" : "MB/s", protocol),
                                       latency ? time.si() / micro : (size / time).si() / mega,
                                       protocol == std::string("quad-shared-memory") ? shared : assumed);
            }
        }
        text_.measured("allreduce_quad_peak", "MB/s, quad-ring of 2^22 integers",
                       (large * 16 / quad_time("quad-ring", large * 16)).si() / mega,
                       "a core's sum is derived from this number, the rest is the ring's filling; cycles of a vector "
                       "sum of integers on the core would pin it down");
        if (const auto integers = overtakes("quad-direct", "quad-ring")) {
            text_.measured("allreduce_ring_above", "integers, by time alone", *integers, assumed);
        }
        text_.cells().computed(
            "Section 4.2", "allreduce_ring_above", "B, fragment", fragment_of_switch(),
            "with which the ring is as fast as direct reduce at 512 integers; Section 3.3.1 gives none");
        if (const auto integers = overtakes("quad-shared-memory", "quad-ring-fifo")) {
            text_.cells().computed("Section 4.2", "shared memory below", "integers", *integers,
                                   "shared memory is faster than the memory FIFO up to here; " + assumed);
        }
        if (const auto integers = overtakes("quad-shared-memory", "quad-ring")) {
            text_.cells().computed(
                "Section 4.2", "direct put above", "integers", *integers,
                "direct put is faster than shared memory from here on, as the text says of throughput; " + assumed);
        }
    }

    void figures() {
        text_.cells().open("Figures 5 and 6", "curves", "MB/s", "", "the points over sizes are not in the text");
        text_.cells().open("Figures 7 to 10", "contours", "overlap ratio", "",
                           "the ratios over size and computing time are not in the text");
        text_.cells().open("Figures 11 to 14", "curves", "us and MB/s", "",
                           "the points over sizes are not in the text");
        text_.cells().open("Section 3.1", "barrier", "us", "", "the text calls the barrier network fast and no more");
    }

    Machine machine_ = load_machine("bluegene-p");
    Machine bluegene_l_ = load_machine("bluegene-l");
    TextReproduction text_{"kumar2008"};
};

}  // namespace

Reproduction reproduce_kumar2008() {
    return Kumar2008().run();
}

}  // namespace narrows
