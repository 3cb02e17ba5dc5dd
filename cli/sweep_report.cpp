#include "cli/sweep_report.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/authentication_report.hpp"
#include "cli/counters_csv.hpp"
#include "cli/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr std::array<const char*, 6> faces = {"leakage_i_low",  "leakage_i_high", "leakage_j_low",
                                              "leakage_j_high", "leakage_k_low",  "leakage_k_high"};

nlohmann::ordered_json counters_of(const SweepOptions& options, const SweepRun& run) {
    const SweepIteration& last = run.iterations.back();
    nlohmann::ordered_json counters;
    const auto computed = [&](const char* name, auto value) {
        counters[name] = options.skip_compute ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
    };
    computed("error", last.error);
    computed("fixed", last.fixed);
    computed("source", run.balance.source);
    computed("absorption", run.balance.absorption);
    for (std::size_t face = 0; face < faces.size(); ++face) computed(faces[face], run.balance.leakage[face]);
    computed("grind_time", run.grind_time());
    counters["messages"] = run.messages;
    counters["message_bytes"] = run.bytes;
    // Only a clock that is not the wall's can tell what messages cost.
    counters["communication_share"] = nullptr;
    counters["gateway_utilisation"] = nullptr;
    return counters;
}

// Source, absorption and leakage, of the counters.
Table balance_table(const nlohmann::ordered_json& counters) {
    nlohmann::ordered_json balance = {{"source", counters.at("source")}, {"absorption", counters.at("absorption")}};
    for (const char* face : faces) balance[face] = counters.at(face);
    constexpr int digits = 12;
    return counters_table(balance, digits);
}

}  // namespace

nlohmann::ordered_json sweep_json(const SweepOptions& options, const SweepRun& run) {
    nlohmann::ordered_json json = json_of("run");
    const auto& cells = options.problem.cells;
    // Of this process only, and a machine's clock says nothing of them.
    const bool counted = options.transport == Transport::shared && !options.virtual_clock;
    json["kernel"] = "sweep3d";
    json["variant"] = nullptr;
    json["protocol"] = name_of(options.protocol);
    json["transport"] = name_of(options.transport);
    add_authentication(options.transport, options.authenticated, json);
    json["ranks"] = run.ranks;
    json["workers"] = run.workers;
    json["shape"] = format_shape({options.grid[0], options.grid[1]});
    json["cells"] = format_shape({cells[0], cells[1], cells[2]});
    json["vectors"] = options.skip_compute ? nlohmann::ordered_json(nullptr) : name_of(run.vectors);
    json["seconds"] = run.seconds;
    json["cpu_seconds"] = counted ? nlohmann::ordered_json(run.cpu_seconds) : nullptr;
    json["involuntary_switches"] = counted ? nlohmann::ordered_json(run.involuntary_switches) : nullptr;
    json["pinned"] = run.pinned;
    json["verified"] = !options.skip_compute;
    json["errors"] = options.skip_compute ? nullptr : nlohmann::ordered_json(run.errors());
    json["result"] = json_of_result("iteration_time", "s", run.iteration_seconds());
    json["counters"] = counters_of(options, run);
    json["iterations"] = nlohmann::ordered_json::array();
    for (const SweepIteration& one : run.iterations) {
        if (!options.skip_compute) json["iterations"].push_back({{"error", one.error}, {"fixed", one.fixed}});
    }
    return json;
}

Table sweep_iterations(const SweepRun& run) {
    Table table{"", {"iteration", "error", "fixed"}, {}};
    for (std::size_t i = 0; i < run.iterations.size(); ++i) {
        table.rows.push_back({std::to_string(i + 1), fmt::format("{:.12g}", run.iterations[i].error),
                              std::to_string(run.iterations[i].fixed)});
    }
    return table;
}

namespace {

// The counters, those of each iteration among them.
Table sweep_csv(const nlohmann::ordered_json& json) {
    Table table = counters_csv(json);
    table.header.insert(table.header.begin() + 1, "iteration");
    for (auto& row : table.rows) row.insert(row.begin() + 1, "-");
    std::size_t number = 0;
    for (const auto& iteration : json.at("iterations")) {
        ++number;
        for (const auto& [name, value] : iteration.items()) {
            table.rows.push_back({name, count_cell(number), {"", {nlohmann::json(value)}}, "1"});
        }
    }
    return table;
}

}  // namespace

Document sweep_document(const SweepOptions& options, const SweepRun& run) {
    Document document{sweep_json(options, run)};
    document.csv = sweep_csv(document.json);
    const auto& cells = options.problem.cells;
    document.notes.push_back(
        fmt::format("sweep3d of {} cells: {} as {} on {}, {} over {}", format_shape({cells[0], cells[1], cells[2]}),
                    counted(run.ranks, "rank"), format_shape({options.grid[0], options.grid[1]}),
                    counted(run.workers, options.transport == Transport::shared ? "thread" : "process"),
                    name_of(options.protocol), name_of(options.transport)));
    document.notes.push_back(fmt::format(
        "{:.4g} s an iteration, {} of {:.4g} B on average", run.iteration_seconds(), counted(run.messages, "message"),
        run.messages == 0 ? 0 : static_cast<double>(run.bytes) / static_cast<double>(run.messages)));
    add_authentication_remark(document);
    if (options.skip_compute) return document;
    document.notes.push_back(
        fmt::format("{:.4g} ns of a core a cell-angle, {} vectors", run.grind_time() * 1e9, name_of(run.vectors)));
    document.tables.push_back(sweep_iterations(run));
    document.tables.push_back(balance_table(document.json["counters"]));
    return document;
}

}  // namespace narrows
