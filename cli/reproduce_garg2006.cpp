#include <fmt/format.h>

#include "cli/given_network.hpp"
#include "cli/reproduction.hpp"
#include "data/csv.hpp"
#include "data/library.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/workload.hpp"
#include "model/read_costs.hpp"
#include "model/unit_prefixes.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

class Garg2006 {
  public:
    Reproduction run() {
        table2();
        naive_table("table3.csv", "Table 3", "mpi");
        naive_table("table5.csv", "Table 5", "raw");
        table6();
        table7();
        virtual_node_mode();
        text();
        return cells_;
    }

  private:
    CsvTable table(const char* file) const { return read_csv(published_directory() / "garg2006" / file); }

    static std::int64_t nodes(const CsvTable& table, std::size_t row) {
        return static_cast<std::int64_t>(*table.number(row, "nodes"));
    }

    static GupsQuery query(GupsCode variant, std::int64_t nodes) {
        GupsQuery query;
        query.variant = variant;
        query.nodes = nodes;
        return query;
    }

    static double limit(const Prediction& prediction, std::string_view resource) {
        for (const Bound& bound : prediction.bounds) {
            if (bound.resource == resource) return bound.limit.si() / giga;
        }
        throw std::logic_error("a prediction without that bound");
    }

    double cycles(std::int64_t nodes, double gups) const {
        return static_cast<double>(nodes) * rate_at(machine_, "node.clock").si() / (gups * giga);
    }

    void table2() {
        const CsvTable published = table("table2.csv");
        for (std::size_t i = 0; i < published.rows.size(); ++i) {
            const Topology network = partition(machine_, nodes(published, i));
            const std::string& row = published.cell(i, "nodes");
            cells_.compare("Table 2", row, "face area", published.cell(i, "face_area"),
                           static_cast<double>(smallest_face(network.shape())));
            cells_.compare("Table 2", row, "alpha", published.cell(i, "alpha"), network.alpha().upper);
            const Bracket found = alpha_of_links(network);
            constexpr double tolerance = 0.005;
            cells_.compare("Table 2", row, "alpha from the links", published.cell(i, "alpha"),
                           found.exact() ? found.upper : 0, tolerance, found.method);
        }
    }

    /// α from nothing but the list of links. Where searching takes longer, the links are recognised as a grid's first.
    static Bracket alpha_of_links(const Topology& network) {
        constexpr std::int64_t searched_nodes = 512;
        AnalysisOptions options;
        options.threads = search_threads();
        options.recognise = network.nodes() > searched_nodes;
        const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
        return analyse(network.graph(), nothing, options).numbers.alpha;
    }

    void naive_table(const char* file, const char* item, const char* messaging) {
        const CsvTable published = table(file);
        for (std::size_t i = 0; i < published.rows.size(); ++i) {
            GupsQuery asked = query(GupsCode::naive, nodes(published, i));
            asked.messaging = messaging;
            const Prediction prediction = predict_gups(machine_, asked);
            const std::string& row = published.cell(i, "nodes");
            cells_.compare(item, row, "alpha", published.cell(i, "alpha"),
                           partition(machine_, asked.nodes).alpha().upper);
            cells_.compare(item, row, "CPU", published.cell(i, "cpu"), limit(prediction, "processor"));
            cells_.compare(item, row, "network", published.cell(i, "network"), limit(prediction, "network"));
        }
    }

    void table6() {
        constexpr int messages = 200000;
        constexpr double simulated = 0.01;
        const CsvTable published = table("table6.csv");
        for (std::size_t i = 0; i < published.rows.size(); ++i) {
            const std::string& row = published.cell(i, "nodes");
            const std::int64_t size = nodes(published, i);
            const double bucket = simulated_bucket_size(static_cast<int>(size), messages, 1);
            cells_.compare("Table 6", row, "mean bucket size", published.cell(i, "mean_bucket_size"), bucket, simulated,
                           fmt::format("simulated; closed form {:.4g}", mean_bucket_size(static_cast<double>(size))));
            cells_.compare("Table 6", row, "cycles/update", published.cell(i, "cycles_per_update"),
                           cycles(size, *published.number(i, "gups")));
            const Prediction prediction = predict_gups(machine_, query(GupsCode::bucketed, size));
            cells_.measured("Table 6", row, "GUPS", published.cell(i, "gups"), prediction.rate.si() / giga,
                            note_of_table6(size));
        }
    }

    static std::string note_of_table6(std::int64_t nodes) {
        if (nodes == 32) return "the cost of a heap level is solved from this row";
        if (nodes <= 8192) return "";
        if (nodes <= 16384) return "beyond the model: MPI's own state for each destination is not in it";
        return "beyond the model: the paper suspects that MPI's state for each destination does not fit the L3 cache";
    }

    static std::string note_of_table7(std::int64_t nodes) {
        if (nodes <= 8192) return "costs fitted on the rows up to 8192, without 128";
        if (nodes <= 16384) return "nothing was fitted to this row";
        return "nothing was fitted to this row; no bound of the model explains it";
    }

    void table7() {
        const Machine one_cost = with_change(with_change(machine_, "compute.gups.route.per_update", "128 cycles"),
                                             "compute.gups.route.per_packet", "0 cycles");
        const Machine unlimited_cache = with_change(one_cost, "node.cache.L1.size", "1 GiB");
        const CsvTable published = table("table7.csv");
        for (std::size_t i = 0; i < published.rows.size(); ++i) {
            const std::string& row = published.cell(i, "nodes");
            const std::int64_t size = nodes(published, i);
            const bool inconsistent = size == 128;
            const Prediction papers = predict_gups(unlimited_cache, query(GupsCode::routed, size));
            const Prediction ours = predict_gups(machine_, query(GupsCode::routed, size));
            compare_or_explain(inconsistent,
                               {"Table 7", row, "CPU", published.cell(i, "cpu"), limit(papers, "processor"), "",
                                "0.211 is h = 2.5, the value for 8x4x8, not 8x4x4"});
            compare_or_explain(inconsistent, {"Table 7", row, "cycles/update", published.cell(i, "cycles_per_update"),
                                              cycles(size, *published.number(i, "gups")), "",
                                              "360 repeats the row above; 0.226 GUPS is 396 cycles"});
            cells_.compare("Table 7", row, "network", published.cell(i, "network"), limit(papers, "network"));
            cells_.compare("Table 7", row, "bytes/update", published.cell(i, "bytes_per_update"),
                           bytes_per_update(size).si());
            cells_.measured("Table 7", row, "GUPS", published.cell(i, "gups"), ours.rate.si() / giga,
                            note_of_table7(size));
        }
    }

    void compare_or_explain(bool contradicts, const Cell& cell) {
        if (contradicts) {
            cells_.contradiction(cell.item, cell.row, cell.column, cell.published, *cell.computed, cell.note);
        } else {
            cells_.compare(cell.item, cell.row, cell.column, cell.published, *cell.computed);
        }
    }

    Data bytes_per_update(std::int64_t nodes) const {
        const Framing framing = read_framing(machine_, "paths.raw.link.framing");
        const int packed = items_per_packet(framing, bytes(8), routed_bucket(partition(machine_, nodes).shape()));
        return wire_bytes(framing, bytes(8) * packed) / packed;
    }

    void virtual_node_mode() {
        const std::string mode = "the hop between a node's two ranks is one more dimension; nothing fitted";
        const std::string gap =
            "; the cut does not explain the 10 %: what limits here, as at 65536, is not in the model";
        for (const int nodes : {8192, 16384}) {
            const std::string key = fmt::format("virtual_node_gain_{}", nodes);
            GupsQuery both = query(GupsCode::routed, nodes);
            both.mode = "virtual-node";
            const double ratio =
                predict_gups(machine_, both).rate / predict_gups(machine_, query(both.variant, nodes)).rate;
            cells_.measured(text_.section(key), std::to_string(nodes), "virtual-node gain, %", text_.printed(key),
                            100 * (ratio - 1), nodes == 16384 ? mode + gap : mode);
        }
    }

    void compare(const char* key, const std::string& row, const std::string& column, double value,
                 const std::string& note = "") {
        cells_.compare(text_.section(key), row, column, text_.printed(key), value, 0.005, note);
    }

    static double number(const CsvTable& table, const std::string& nodes, const char* column) {
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            if (table.cell(i, "nodes") == nodes) return *table.number(i, column);
        }
        throw std::logic_error("the table has no row of " + nodes + " nodes");
    }

    void text() {
        compare("sequential_gups", "1", "GUPS, sequential",
                predict_gups(machine_, query(GupsCode::sequential, 1)).rate.si() / giga);
        compare("mpi_bytes_per_update", "b", "bytes/update, MPI",
                wire_bytes(read_framing(machine_, "paths.mpi.link.framing"), bytes(8)).si());
        cells_.contradiction(text_.section("raw_bytes_per_update"), "b", "bytes/update, raw",
                             text_.printed("raw_bytes_per_update"),
                             wire_bytes(read_framing(machine_, "paths.raw.link.framing"), bytes(8)).si(),
                             "32 + 14 is 46, a slip of the text; Table 5 is computed with 46");
        compare("updates_per_packet_64k", "65536", "updates in a bucket",
                routed_bucket(partition(machine_, 65536).shape()));
        baseline_text();
        const double sequential = text_.number("update_cycles");
        const double hops = routed_hops(partition(machine_, 32).shape());
        compare("hops_32", "32", "software hops", hops);
        compare("hop_cycles", "32", "cycles a hop",
                (number(table("table7.csv"), "32", "cycles_per_update") - sequential) / hops,
                "from the cycles that Table 7 prints for 32 nodes");
    }

    void baseline_text() {
        GupsQuery rarely = query(GupsCode::bucketed, 32);
        rarely.test_interval = text_.number("test_interval");
        cells_.measured(text_.section("test_interval_gups_32"), "32", "GUPS, one test in 60 updates",
                        text_.printed("test_interval_gups_32"), predict_gups(machine_, rarely).rate.si() / giga,
                        "the cost of a test is solved from this figure");
        const CsvTable gups = table("table6.csv");
        for (const char* nodes : {"32", "16384"}) {
            const double beyond =
                cycles(std::stoll(nodes), number(gups, nodes, "gups")) - text_.number("update_cycles");
            compare(fmt::format("baseline_overhead_{}", nodes).c_str(), nodes, "cycles beyond the sequential ones",
                    beyond, "from the GUPS of Table 6");
        }
    }

    PublishedText text_{"garg2006"};
    Machine machine_ = load_machine("bluegene-l");
    Reproduction cells_{"garg2006"};
};

}  // namespace

Reproduction reproduce_garg2006() {
    return Garg2006().run();
}

}  // namespace narrows
