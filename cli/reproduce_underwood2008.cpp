#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/reproduction.hpp"
#include "data/csv.hpp"
#include "data/library.hpp"
#include "model/gups/shmem.hpp"
#include "model/gups/workload.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "model/unit_prefixes.hpp"

namespace narrows {
namespace {

constexpr std::array table_sizes = {4, 8, 16, 32, 64, 128};
constexpr std::array cores_of_sockets = {1, 2, 4};
constexpr std::array overheads = {20, 50, 100};  // the curves of Figures 12 and 13

class Underwood2008 {
  public:
    Reproduction run() {
        message_formats();
        host_interface_text();
        latency_budget();
        latency_of_path();
        bidirectional();
        equations();
        overhead_budgets();
        distributions();
        random_access();
        return cells_;
    }

  private:
    const std::string& printed(const char* key) const { return text_.printed(key); }
    const std::string& section(const char* key) const { return text_.section(key); }
    double value(const char* key) const { return text_.number(key); }

    void compare(const char* key, const std::string& column, double value, const std::string& note = "") {
        cells_.compare(section(key), key, column, printed(key), value, 0.005, note);
    }

    // What the authors' simulator measured, beside the model that assumes what `note` says.
    void measured(const char* key, const std::string& column, double computed, const std::string& note) {
        cells_.measured(section(key), key, column, printed(key), computed, note);
    }

    PutInterface socket(int cores, double overhead = 50) const {
        PutInterface interface = interface_;
        interface.cores = cores;
        interface.per_message = Time(overhead / clock_);
        return interface;
    }

    // Share of the host interface's message rate that the cores can issue.
    double issued_share(int cores, double cycles, int size) const {
        const PutInterface interface = socket(cores, cycles);
        return std::min(1.0, issue_rate(interface, bytes(size)) / host_interface_rate(interface, bytes(size)));
    }

    // The largest overhead of the figures' curves that still saturates the host interface, 0 if none does.
    int saturating_overhead(int cores, int size) const {
        int largest = 0;
        for (const int cycles : overheads) {
            if (issued_share(cores, cycles, size) >= 1) largest = cycles;
        }
        return largest;
    }

    // The overhead of the figures' curves whose share for two cores is nearest to `percentage`.
    int nearest_overhead(double percentage) const {
        return *std::min_element(overheads.begin(), overheads.end(), [&](int a, int b) {
            return std::abs(100 * issued_share(2, a, 8) - percentage) <
                   std::abs(100 * issued_share(2, b, 8) - percentage);
        });
    }

    void message_formats() {
        constexpr double bits_per_word = 32;
        const CsvTable commands = read_csv(published_directory() / "underwood2008" / "table1.csv");
        double put = 0;
        for (std::size_t i = 0; i < 7; ++i) put += *commands.number(i, "bits");
        const double get = put + *commands.number(8, "bits");
        const auto words = [](double bits) { return std::ceil(bits / bits_per_word) * 4; };
        cells_.compare("Table 1", "put", "bits", commands.cell(7, "bits"), put);
        cells_.compare("Table 1", "get", "bits", commands.cell(9, "bits"), get);
        compare("command_bytes", "bytes", words(put), "the bits of Table 1 in words of 4 bytes");
        compare("get_address", "more bytes for a get", words(get) - words(put));
        const CsvTable contents = read_csv(published_directory() / "underwood2008" / "table2.csv");
        double overhead = 0;
        for (std::size_t i = 0; i < 6; ++i) overhead += *contents.number(i, "bytes");
        compare("message_overhead", "bytes", overhead, "sum of Table 2");
        double source = 0;
        for (std::size_t i = 2; i < 6; ++i) source += *contents.number(i, "bytes");
        cells_.contradiction(section("message_source_fields"), "message_source_fields", "bytes",
                             printed("message_source_fields"), source,
                             "Table 2 gives NID, PID, UID and JID 12 bytes, and only these make the stated 36");
        compare("equation_2_message", "bytes", overhead - *contents.number(0, "bytes"),
                "Table 2 without its header, which is the 8 bytes on each 64-byte packet");
    }

    void host_interface_text() {
        const double header = interface_.host_framing.header.si();
        const double wired = wire_bytes(interface_.host_framing, bytes(8)).si();
        const double registers = value("eregister_transfer") + value("ht_packet_overhead");  // a packet each
        compare("written_per_message", "bytes", header + 8);
        compare("ht_bytes_per_message", "bytes", wired);
        compare("eregister_bytes_per_message", "bytes", registers);
        compare("eregister_savings", "%", 100 * (wired / registers - 1), "of the 24 bytes; it is 11.1 % of the 27");
        cells_.exceeds(section("ht_after_overhead"), "ht_after_overhead", "GB/s", printed("ht_after_overhead"),
                       interface_.host_interface.si() / interface_.host_framing.code / giga, "just over 2 GB/s");
        const double flow_control = (16 + value("equation_2_flow_control")) / 16;  // on every 16 bytes
        const double words = std::ceil(interface_.link.si() / flow_control * value("round_trip") * micro / 8);
        cells_.exceeds(section("eregisters_needed"), "eregisters_needed", "E-registers", printed("eregisters_needed"),
                       words, "over 2048: the words of 8 bytes that the link carries in a round trip of 5 us");
        compare("link_overhead_real", "%", 100 * (1 - 1 / flow_control));
        const double simulated = value("link_width") * value("nic_clock") * mega / giga;
        cells_.contradiction(
            section("link_overhead_simulated"), "link_overhead_simulated", "%", printed("link_overhead_simulated"),
            100 * (1 - value("link_peak") / flow_control / simulated),
            fmt::format("what makes the data of {:.3g} GB/s that of {:.3g} GB/s less 5 in 21 bytes; {} % leave {:.3g} "
                        "GB/s of {:.3g}",
                        simulated, value("link_peak"), printed("link_overhead_simulated"),
                        simulated * (1 - value("link_overhead_simulated") / 100), value("link_peak") / flow_control));
        const CsvTable network = read_csv(published_directory() / "underwood2008" / "table4.csv");
        const std::string& peak = network.cell(2, "value");
        cells_.compare("Table 4", network.cell(2, "parameter"), "GB/s", peak.substr(0, peak.find(' ')),
                       value("link_width") * value("nic_clock") * mega / giga, 0.005, "8 bytes at 500 MHz");
        compare("n_half", "bytes", half_bandwidth_size());
    }

    // The smallest size that reaches half of the host interface's data bandwidth.
    int half_bandwidth_size() const {
        const Bandwidth peak = interface_.host_interface / interface_.host_framing.code;
        int size = 4;
        while (host_interface_bandwidth(interface_, bytes(size)) < peak * 0.5) size += 4;
        return size;
    }

    void latency_budget() {
        const double crossing = time_at(machine_, "host_interface.latency").si() * 1e9;
        const double router = time_at(machine_, "network.router.latency").si() * 1e9;
        const double total = 2 * crossing / (value("latency_ht_share") / 100);
        compare("latency_ht", "ns", 2 * crossing);
        compare("latency_routers", "ns", 2 * router);
        compare("latency_routers_share", "%", 100 * 2 * router / total, "of the 714 ns that 500 ns = 70 % imply");
        cells_.contradiction(section("latency_reduced"), "latency_reduced", "ns", printed("latency_reduced"),
                             total - 2 * crossing + 2 * value("latency_coherent"),
                             "500 ns = 70 % implies 714 ns in all and 264 after the change; 300 after it implies 750");
        compare("overhead_time", "ns", interface_.per_message.si() * 1e9);
    }

    // A ping-pong's one way, stage by stage, as the machine file has it.
    void latency_of_path() {
        const auto time = [](const Machine& machine) { return protocol_time(read_protocol(machine, "put"), bytes(8)); };
        const Breakdown path = time(machine_);
        for (const NamedTime& term : path.terms) {
            cells_.computed("Figure 5", term.name, "ns, 8 bytes", term.time.si() * 1e9, "a stage of the put's path");
        }
        const std::string assumed = "assumes that the receiver sees a put by one access to memory of 150 cycles";
        cells_.computed("Figure 5", "put", "ns, 8 bytes", path.total.si() * 1e9, "its stages together");
        measured("latency_ht_share", "% of the path", 100 * value("latency_ht") / (path.total.si() * 1e9), assumed);
        const Machine coherent = with_change(machine_, "host_interface.latency", printed("latency_coherent") + " ns");
        measured("latency_reduced", "ns, path", time(coherent).total.si() * 1e9, assumed);
        cells_.open(section("mpi_latency"), "mpi_latency", "us", printed("mpi_latency"),
                    "other systems' MPI; what their matching and copying cost would pin it down");
        for (const char* adapter : {"infinipath_rate", "connectx_rate"}) {
            cells_.computed(section("mpi_message_rate"), adapter, "M/s a core", value(adapter) / value("adapter_cores"),
                            "footnote 1, on 8 cores: the text's 1 to 3 million a core");
        }
        cells_.open(section("round_trip"), "round_trip", "us", printed("round_trip"),
                    "another machine's routers and hops would pin it down");
        cells_.open(section("latency_reduction_mpi"), "latency_reduction_mpi", "ratio",
                    printed("latency_reduction_mpi"),
                    "the latency of MPI on the same simulator, in the paper's [33], would pin it down");
        cells_.open(section("latency_reduction_infinipath"), "latency_reduction_infinipath", "ratio",
                    printed("latency_reduction_infinipath"),
                    "InfiniPath's latency, in [5] and [13], would pin it down");
    }

    void bidirectional() {
        const double pipe = 2 * interface_.host_interface.si() / interface_.host_framing.code / giga;
        const char* key = "bidirectional_single_core";
        cells_.about(section(key), key, "%", printed(key), 100 * value("memory_copy") / pipe,
                     "about half: 2 GB/s of memory copy into both directions of the host interface");
    }

    void equations() {
        for (const int size : table_sizes) {
            const std::string row = std::to_string(size);
            PutInterface lean = interface_;
            lean.host_framing.header = data_at(machine_, "host_interface.framing.address");
            cells_.computed("(1)", row, "GB/s", host_interface_bandwidth(interface_, bytes(size)).si() / giga,
                            "Figure 11");
            cells_.computed("(2)", row, "GB/s", link_bandwidth(interface_, bytes(size)).si() / giga, "Figure 11");
            cells_.computed("(3)", row, "GB/s", host_interface_bandwidth(lean, bytes(size)).si() / giga, "Figure 11");
            cells_.computed("(4)", row, "M messages/s", host_interface_rate(interface_, bytes(size)).si() / mega,
                            "Figures 12 and 13");
            cells_.computed("(5)", row, "M messages/s", link_rate(interface_, bytes(size)).si() / mega,
                            "Figures 12 and 13");
            for (const int cores : cores_of_sockets) {
                for (const int cycles : overheads) {
                    cells_.computed(
                        "(6)", row,
                        fmt::format("M messages/s, {} core{}, {} cycles", cores, cores == 1 ? "" : "s", cycles),
                        issue_rate(socket(cores, cycles), bytes(size)).si() / mega,
                        cores == 4 ? "Figure 13" : "Figure 12");
                }
            }
        }
        PutInterface unaligned = interface_;
        unaligned.alignment = Data();
        const std::string as_printed = "as the equation is printed; the rows above have the queue's 8-byte alignment";
        cells_.computed("(1)", "4", "GB/s, unaligned", host_interface_bandwidth(unaligned, bytes(4)).si() / giga,
                        as_printed);
        cells_.computed("(4)", "4", "M messages/s, unaligned", host_interface_rate(unaligned, bytes(4)).si() / mega,
                        as_printed);
        compare("equations_same_up_to", "bytes", largest_alike(unaligned),
                "the largest at which (1), unaligned, is within a tenth of (2)");
        cells_.contradiction(
            section("gain_at_16_bytes"), "gain_at_16_bytes", "%", printed("gain_at_16_bytes"),
            100 * (link_bandwidth(interface_, bytes(16)) / host_interface_bandwidth(interface_, bytes(16)) - 1),
            "(2) over (1) at 16 bytes is 15.6 %, not about 10 %");
    }

    // The largest message of the tables for which host interface and link carry the same within a tenth.
    static int largest_alike(const PutInterface& interface) {
        int largest = 0;
        for (const int size : table_sizes) {
            const double ratio =
                host_interface_bandwidth(interface, bytes(size)) / link_bandwidth(interface, bytes(size));
            if (std::abs(ratio - 1) < 0.1) largest = size;
        }
        return largest;
    }

    void overhead_budgets() {
        const std::string note = "largest of 20, 50 and 100 cycles that saturates the host interface";
        compare(
            "cycles_per_message", "cycles", nearest_overhead(value("streaming_two_cores")),
            "the one of 20, 50 and 100 cycles whose share for two cores, 8 bytes, is nearest to the simulated 90 %");
        compare("single_core_budget", "cycles", saturating_overhead(1, 8), note + ", 8 bytes");
        compare("single_core_budget_128", "cycles", saturating_overhead(1, 128), note + ", 128 bytes");
        cells_.contradiction(section("quad_core_budget"), "quad_core_budget", "cycles", printed("quad_core_budget"),
                             saturating_overhead(4, 8),
                             fmt::format("100 cycles on four cores give {:.0f} % by (6) and (4), not saturation",
                                         100 * issued_share(4, 100, 8)));
    }

    void distributions() {
        constexpr double centrifuge = 7;      // the middle of four to ten integer instructions (Section 3.5)
        constexpr double shift_and_mask = 2;  // what Figure 4 computes beyond a stream
        measured("streaming_two_cores", "%", 100 * issued_share(2, 50, 8),
                 "assumes 50 cycles a put: (6) over (4), 8 bytes");
        measured("block_cyclic_two_cores", "%", 100 * issued_share(2, 50 + shift_and_mask, 8),
                 "assumes 2 more cycles: the shift and the mask of Figure 4");
        measured(
            "cyclic_share_intro", "%", 100 * issued_share(2, 50 + centrifuge, 8),
            "assumes the cycles of cyclic (Section 5.2), the lower of the two that the introduction calls over 80 %");
        measured("cyclic_two_cores", "%", 100 * issued_share(2, 50 + centrifuge, 8),
                 "assumes 7 more cycles: the middle of four to ten instructions of Section 3.5");
        measured("indirect_two_cores", "%", 100 * issued_share(2, 50 + centrifuge, 8),
                 "assumes the cycles of cyclic (Section 5.2)");
    }

    double random_access_rate(const char* mode) const {
        GupsQuery query;
        query.variant = GupsCode::shmem;
        query.nodes = 32;
        query.mode = mode;
        // The paper's bounds leave the memory out, whose 6.4 GB/s would allow 0.05 GUPS a socket, and take all
        // destinations for remote, on one socket too.
        query.without_memory = query.all_remote = true;
        return predict_gups(machine_, query).rate.si();
    }

    void random_access() {
        const double single = random_access_rate("single");
        const double dual = random_access_rate("dual");
        const double quad = random_access_rate("quad");
        const std::string note = "assumes two barriers of 2 us for 512 updates a core, 50 + 2 cycles a put";
        measured("random_access_dual_over_single", "ratio", dual / single, note);
        measured("random_access_quad_over_dual", "%", 100 * (quad / dual - 1), note);
        measured("random_access_two_cores", "%", 100 * dual / quad, note);
        const double link = 32 * link_rate(interface_, bytes(8)).si();
        const double host = 32 * host_interface_rate(interface_, bytes(8)).si();
        cells_.contradiction(
            section("random_access_share_intro"), "random_access_share_intro", "%",
            printed("random_access_share_intro"), 100 * dual / link,
            fmt::format(
                "the introduction says 63 % of the network, Section 7 says 80 %: two cores have {:.0f} % of (5) "
                "and {:.0f} % of what four have",
                100 * dual / link, 100 * dual / quad));
        cells_.computed("Section 7", "four cores", "% of (4)", 100 * quad / host,
                        "that they saturate the network holds within phases, not with the barriers between them");
        cells_.computed("Section 7", "four cores", "% of (5)", 100 * quad / link);
        for (const auto& [cores, rate] : {std::pair("one core", single), {"two cores", dual}, {"four cores", quad}}) {
            for (const int sockets : {1, 2, 4, 8, 16, 32}) {
                cells_.computed("Figure 15", std::to_string(sockets), fmt::format("GUPS, {}", cores),
                                rate / 32 * sockets / giga);
            }
        }
    }

    Machine machine_ = load_machine("xt3-pgas-nic");
    PutInterface interface_ = read_put_interface(machine_, "put");
    double clock_ = rate_at(machine_, "node.clock").si();
    PublishedText text_{"underwood2008"};
    Reproduction cells_{"underwood2008"};
};

}  // namespace

Reproduction reproduce_underwood2008() {
    return Underwood2008().run();
}

}  // namespace narrows
