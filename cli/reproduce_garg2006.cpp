#include <fmt/format.h>

#include "cli/reproduction.hpp"
#include "data/csv.hpp"
#include "data/library.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/workload.hpp"
#include "model/read_costs.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double giga = 1e9;

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
            const std::string row = published.cell(i, "nodes");
            cells_.compare("Table 2", row, "face area", published.cell(i, "face_area"),
                           static_cast<double>(smallest_face(network.shape())));
            cells_.compare("Table 2", row, "alpha", published.cell(i, "alpha"), network.alpha().upper);
        }
    }

    void naive_table(const char* file, const char* item, const char* messaging) {
        const CsvTable published = table(file);
        for (std::size_t i = 0; i < published.rows.size(); ++i) {
            GupsQuery asked = query(GupsCode::naive, nodes(published, i));
            asked.messaging = messaging;
            const Prediction prediction = predict_gups(machine_, asked);
            const std::string row = published.cell(i, "nodes");
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
            const std::string row = published.cell(i, "nodes");
            const std::int64_t size = nodes(published, i);
            const double bucket = simulated_bucket_size(static_cast<int>(size), messages, 1);
            cells_.compare("Table 6", row, "mean bucket size", published.cell(i, "mean_bucket_size"), bucket, simulated,
                           fmt::format("simulated; closed form {:.4g}", mean_bucket_size(static_cast<double>(size))));
            cells_.compare("Table 6", row, "cycles/update", published.cell(i, "cycles_per_update"),
                           cycles(size, *published.number(i, "gups")));
            const Prediction prediction = predict_gups(machine_, query(GupsCode::bucketed, size));
            cells_.measured("Table 6", row, "GUPS", published.cell(i, "gups"), prediction.rate.si() / giga,
                            size == 32     ? "this row gives the cost of a heap level"
                            : size <= 8192 ? ""
                                           : "beyond the model: the state outgrows the caches it describes");
        }
    }

    void table7() {
        const Machine one_cost = with_change(with_change(machine_, "compute.gups.route.per_update", "128 cycles"),
                                             "compute.gups.route.per_packet", "0 cycles");
        const Machine unlimited_cache = with_change(one_cost, "node.cache.L1.size", "1 GiB");
        const CsvTable published = table("table7.csv");
        for (std::size_t i = 0; i < published.rows.size(); ++i) {
            const std::string row = published.cell(i, "nodes");
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
                            size > 8192 ? "nothing was fitted to this row" : "costs fitted on the rows up to 8192");
        }
    }

    void compare_or_explain(bool contradicts, const Cell& cell) {
        if (contradicts) {
            cells_.contradiction(cell.item, cell.row, cell.column, cell.published, cell.computed, cell.note);
        } else {
            cells_.compare(cell.item, cell.row, cell.column, cell.published, cell.computed);
        }
    }

    Data bytes_per_update(std::int64_t nodes) const {
        const Framing framing = read_framing(machine_, "messaging.raw.framing");
        const int packed = items_per_packet(framing, bytes(8), routed_bucket(partition(machine_, nodes).shape()));
        return wire_bytes(framing, bytes(8) * packed) / packed;
    }

    void virtual_node_mode() {
        for (const auto& [nodes, gain] : {std::pair<int, const char*>{8192, "70"}, {16384, "10"}}) {
            GupsQuery both = query(GupsCode::routed, nodes);
            both.mode = "virtual-node";
            const double ratio =
                predict_gups(machine_, both).rate / predict_gups(machine_, query(both.variant, nodes)).rate;
            cells_.measured("Section 6.2", std::to_string(nodes), "virtual-node gain, %", gain, 100 * (ratio - 1),
                            "the hop between a node's two ranks is one more dimension; nothing fitted");
        }
    }

    void text() {
        GupsQuery rarely = query(GupsCode::bucketed, 32);
        rarely.test_interval = 60;
        cells_.measured("Section 6.1", "32", "GUPS, one test in 60 updates", "0.0515",
                        predict_gups(machine_, rarely).rate.si() / giga, "this figure gives the cost of a test");
        cells_.compare("Section 4.1", "1", "GUPS, sequential", "0.0067",
                       predict_gups(machine_, query(GupsCode::sequential, 1)).rate.si() / giga);
        cells_.compare("Section 4.3.1", "b", "bytes/update, MPI", "78",
                       wire_bytes(read_framing(machine_, "messaging.mpi.framing"), bytes(8)).si());
        cells_.contradiction("Section 4.3.2", "b", "bytes/update, raw", "44",
                             wire_bytes(read_framing(machine_, "messaging.raw.framing"), bytes(8)).si(),
                             "32 + 14 is 46, a slip of the text; Table 5 is computed with 46");
        cells_.compare("Section 5.3", "65536", "updates in a bucket", "8",
                       routed_bucket(partition(machine_, 65536).shape()));
        cells_.compare("Section 6.1", "32", "cycles beyond the sequential 104", "914", cycles(32, 0.022) - 104);
        cells_.compare("Section 6.1", "16384", "cycles beyond the sequential 104", "8900", cycles(16384, 1.274) - 104);
        const double hops = routed_hops(partition(machine_, 32).shape());
        cells_.compare("Section 6.2", "32", "software hops", "2", hops);
        cells_.compare("Section 6.2", "32", "cycles a hop", "128", (360 - 104) / hops, 0.005,
                       "the 360 cycles that Table 7 prints for 32 nodes");
    }

    Machine machine_ = load_machine("bluegene-l");
    Reproduction cells_{"garg2006"};
};

}  // namespace

Reproduction reproduce_garg2006() {
    return Garg2006().run();
}

}  // namespace narrows
