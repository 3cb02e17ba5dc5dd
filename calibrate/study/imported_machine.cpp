#include "calibrate/study/imported_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "calibrate/fit/message_curve.hpp"
#include "calibrate/study/made_parameter.hpp"
#include "calibrate/study/messaging_machine.hpp"
#include "model/path/exchange.hpp"
#include "model/path/protocol.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr const char* imported_protocol = "mpi";

using Times = std::map<std::size_t, std::vector<double>>;

Parameter imported(std::string path, Measure measure, const std::string& source, std::string note = "") {
    Parameter made = made_parameter(std::move(path), std::move(measure), "imported: " + source);
    made.note = std::move(note);
    return made;
}

std::string name_with_pairs(const BenchmarkTable& table) {
    if (table.what == MessageBenchmark::one_way) return fmt::format("{} ({})", table.file, table.name);
    return fmt::format("{} ({}, {} pair{})", table.file, table.name, table.pairs, table.pairs == 1 ? "" : "s");
}

/// The largest rate or bandwidth of all tables, and the table that has it.
struct Largest {
    double value = 0;
    double bytes = 0;
    const BenchmarkTable* table = nullptr;

    void consider(const BenchmarkTable& other, double candidate, double size) {
        if (candidate > value) *this = {candidate, size, &other};
    }
};

class Importer {
  public:
    explicit Importer(const std::vector<BenchmarkOutput>& outputs) {
        for (const BenchmarkOutput& output : outputs) {
            made_.unused.insert(made_.unused.end(), output.unused.begin(), output.unused.end());
            for (const BenchmarkTable& table : output.tables) tables_.push_back(&table);
            add_summary(output);
        }
        if (!outputs.empty()) made_.machine.id = std::filesystem::path(outputs.front().file).stem().string();
        made_.machine.name = made_.machine.id;
        streams_ = has(MessageBenchmark::stream);
        choose_tables();
    }

    ImportedMachine run() {
        if (times_.empty()) {
            throw InputError(
                "no file has the time of a message: add osu_latency, IMB PingPong or an "
                "hpccoutf.txt that has the ping-pong");
        }
        if (times_.size() == 1) {
            throw InputError(fmt::format(
                "{} has one size of message, which does not tell the time of a byte: run it with all sizes", timed_));
        }
        add_interface();
        judge();
        made_.machine.parameters = parameters_;
        add_curve(made_.machine, times_);
        made_.machine.source = "imported";
        made_.machine.environment = {{"imported", fmt::format("{}", fmt::join(made_.used, "; "))}};
        const bool repeated = std::ranges::all_of(times_, [](const auto& size) { return size.second.size() > 1; });
        for (Parameter& one : made_.machine.parameters) {
            if (!repeated) one.interval.reset();
        }
        for (const Parameter& one : made_.machine.parameters) made_.paths.push_back(one.path);
        return std::move(made_);
    }

  private:
    bool has(MessageBenchmark what, std::size_t rows = 1) const {
        return std::ranges::any_of(tables_, [what, rows](const BenchmarkTable* table) {
            return table->what == what && table->rows.size() >= rows;
        });
    }

    void leave_out(const BenchmarkTable& table, const std::string& why) {
        made_.unused.push_back(fmt::format("{}: {}", name_with_pairs(table), why));
    }

    // Curves before the two points of an hpccoutf.txt, one way before both ways.
    void choose_tables() {
        constexpr std::size_t curve = 3;
        const bool curves = has(MessageBenchmark::one_way, curve);
        for (const BenchmarkTable* table : tables_) {
            if (table->what == MessageBenchmark::one_way) {
                if (curves && table->rows.size() < curve) {
                    leave_out(*table, "another file has all sizes");
                    continue;
                }
                if (timed_.find(table->file) == std::string::npos) timed_ += (timed_.empty() ? "" : ", ") + table->file;
                for (const SizedValue& row : table->rows) {
                    times_[static_cast<std::size_t>(row.bytes)].push_back(row.value);
                    round_trip_.consider(*table, row.bytes / row.value, row.bytes);
                }
            } else if (table->what == MessageBenchmark::both_ways && streams_) {
                leave_out(*table, fmt::format("{:.4g} GB/s each way at once; the bandwidth is that of messages one way",
                                              1e-9 * bandwidth_of(*table)));
                continue;
            } else {
                consider(*table);
            }
            made_.used.push_back(fmt::format("{}, {:.0f} to {:.0f} B", name_with_pairs(*table),
                                             table->rows.front().bytes, table->rows.back().bytes));
        }
    }

    static double bandwidth_of(const BenchmarkTable& table) {
        double largest = 0;
        for (const SizedValue& row : table.rows) largest = std::max(largest, row.value * row.bytes);
        return largest;
    }

    // Rates of messages are told by sizes that the bandwidth does not hold back.
    void consider(const BenchmarkTable& table) {
        for (const SizedValue& row : table.rows) bandwidth_.consider(table, row.value * row.bytes, row.bytes);
        if (table.what == MessageBenchmark::both_ways) return;
        constexpr double small = 256, free = 0.5;
        const double held_back = free * bandwidth_of(table);
        Largest& fastest = table.pairs > 1 ? many_ : one_;
        bool tells = false;
        for (const SizedValue& row : table.rows) {
            if (row.bytes > small && row.value * row.bytes > held_back) continue;
            fastest.consider(table, row.value, row.bytes);
            tells = true;
        }
        if (!tells) {
            made_.unused.push_back(
                fmt::format("{}: its rate of messages, as bandwidth holds back each size: run it "
                            "from 1 B",
                            name_with_pairs(table)));
        }
    }

    // What the rate of many pairs says beside that of one. Empty where they slow each other down.
    std::string note_on_rate() const {
        if (one_.table == nullptr) return "at least: more pairs may send more, as one pair's rate is not known";
        const double share = many_.value / (one_.value * many_.table->pairs);
        constexpr double slowed = 0.9;
        if (share < slowed) return "";
        return fmt::format("at least: {} pairs send {:.0f} % of {} times what one pair does", many_.table->pairs,
                           100 * share, many_.table->pairs);
    }

    void add_interface() {
        if (many_.table != nullptr) {
            parameters_.push_back(imported("network_interface.message_rate", {many_.value, Dimension::frequency, "M/s"},
                                           fmt::format("{}, {:.0f} B", name_with_pairs(*many_.table), many_.bytes),
                                           note_on_rate()));
            ends_.message = 1 / many_.value;
        }
        if (bandwidth_.table != nullptr) {
            // No message is faster than the interface: a round trip tells of it too.
            if (round_trip_.value > bandwidth_.value) bandwidth_ = round_trip_;
            parameters_.push_back(
                imported("network_interface.bandwidth", {bandwidth_.value, Dimension::bandwidth, "GB/s"},
                         fmt::format("{}, {:.0f} B", name_with_pairs(*bandwidth_.table), bandwidth_.bytes),
                         "of host interface, network interface and link together: the least of them"));
            ends_.byte = 1 / bandwidth_.value;
        }
        ends_.has_interface = !parameters_.empty();
        if (one_.table != nullptr) {
            ends_.call = 1 / one_.value;
            ends_.source = fmt::format("imported: at most, one over the message rate of {}, {:.0f} B",
                                       name_with_pairs(*one_.table), one_.bytes);
        }
    }

    void add_curve(Machine& machine, const Times& times) const {
        add_link_curve(machine, imported_protocol, fit_message_medians(times), ends_, timed_);
        if (update_) machine.parameters.insert(machine.parameters.begin(), *update_);
    }

    // Each size between the ends by the fit that leaves it out.
    void judge() {
        constexpr std::size_t enough_sizes = 8, folds = 3;
        if (times_.size() < enough_sizes) return;
        std::vector<double> errors;
        for (std::size_t fold = 0; fold < folds; ++fold) {
            Times seen, unseen;
            std::size_t i = 0;
            for (const auto& [bytes, seconds] : times_) {
                const bool inner = i > 0 && i + 1 < times_.size();
                (inner && i % folds == fold ? unseen : seen).emplace(bytes, seconds);
                ++i;
            }
            Machine trial;
            trial.parameters = parameters_;
            add_curve(trial, seen);
            for (const auto& [size, seconds] : unseen) {
                const Data payload = bytes(static_cast<double>(size));
                const double predicted =
                    message_time(message_path(trial, imported_protocol, payload), payload).total.si();
                errors.push_back(std::abs(predicted / median_estimate(seconds).value - 1));
            }
        }
        made_.judgement = judgement_of(errors, 0);
    }

    void add_summary(const BenchmarkOutput& output) {
        if (const auto rate = output.summary.find("StarRandomAccess_GUPs"); rate != output.summary.end()) {
            update_ = imported("compute.gups.update", {1e-9 / rate->second, Dimension::time, "ns"},
                               output.file + ", one over StarRandomAccess_GUPs", "while all ranks of a node update");
            made_.used.push_back(output.file + " (StarRandomAccess_GUPs)");
        }
    }

    ImportedMachine made_;
    std::vector<const BenchmarkTable*> tables_;
    std::vector<Parameter> parameters_;  // of the network interface
    std::optional<Parameter> update_;
    Times times_;
    std::string timed_;  // the files that have them
    bool streams_ = false;
    Largest many_, one_, bandwidth_, round_trip_;
    MeasuredEnds ends_;
};

}  // namespace

ImportedMachine imported_machine(const std::vector<BenchmarkOutput>& outputs) {
    return Importer(outputs).run();
}

void add_node(ImportedMachine& imported, const Machine& node) {
    constexpr const char* update = "compute.gups.update";
    Machine& machine = imported.machine;
    const Parameter* const one_time = find(machine, update);
    if (one_time != nullptr && has(node, update)) {
        imported.unused.push_back(one_time->source +
                                  ": the samples have the times of updates by the size of the table");
        std::erase_if(machine.parameters, [](const Parameter& one) { return one.path == update; });
    }
    for (const Parameter& one : node.parameters) {
        if (find(machine, one.path) == nullptr) machine.parameters.push_back(one);
    }
    for (Parameter& one : machine.parameters) {
        if (one.source.empty()) one.source = node.source;
    }
    machine.residuals = node.residuals;
    machine.environment.insert(machine.environment.end(), node.environment.begin(), node.environment.end());
    group_sections(machine);
}

}  // namespace narrows
