#include "cli/sweep_clock_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "calibrate/messaging/gateway_memory.hpp"
#include "cli/sweep_report.hpp"
#include "cli/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

double share(const ClockedRun& one) {
    return communication_share(one.clocked.wavefront, seconds(one.run.iteration_seconds()));
}

// Seconds of a rank for a cell-angle, with its part of what rows and blocks cost beside their cells.
double grind_time(const ClockedRun& one) {
    const SweepQuery& query = one.clocked.query;
    const SweepClock& clock = *one.options.virtual_clock;
    const double cells_of_row = static_cast<double>(query.cells[0]) / query.grid[0];
    const double rows_of_block = static_cast<double>(query.cells[1]) / query.grid[1] * query.planes;
    return clock.cell_angle + (clock.row + clock.start / rows_of_block) / (cells_of_row * query.angle_block);
}

nlohmann::ordered_json json_of_clocked(const ClockedRun& one) {
    nlohmann::ordered_json json = sweep_json(one.options, one.run);
    json["machine"] = one.clocked.machine;
    json["virtual_clock"] = true;
    json["wall_seconds"] = one.run.wall_seconds;
    nlohmann::ordered_json& counters = json["counters"];
    counters["grind_time"] = grind_time(one);
    counters["communication_share"] = share(one);
    if (one.options.domain != 0) counters["gateway_utilisation"] = one.run.gateway_busy;
    json["predicted"] = json_of_result("time", "s", wavefront_time(one.clocked.wavefront).si(), nullptr, nullptr);
    return json;
}

std::vector<TableCell> clocked_row(const ClockedRun& one, double recurrence) {
    const bool gateways = one.options.domain != 0;
    const int ranks_of_node = one.clocked.query.processors;
    return {count_cell((one.run.ranks + ranks_of_node - 1) / ranks_of_node),
            count_cell(one.run.ranks),
            format_shape({one.options.grid[0], one.options.grid[1]}),
            number_cell(one.run.iteration_seconds() * 1e3),
            number_cell(recurrence * 1e3),
            share_cell(share(one)),
            share_cell(one.run.rank_busy),
            gateways ? share_cell(one.run.gateway_busy) : "-",
            gateways ? share_cell(one.run.busiest_gateway) : "-"};
}

Plot clocked_plot(const std::vector<ClockedRun>& runs, const std::vector<double>& recurrences) {
    Plot plot{"Sweep3D on " + runs.front().clocked.machine + ", by its clock", "ranks", "time of an iteration", "ms"};
    Series clock{"clock", Look::points};
    Series recurrence{"recurrence"};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        clock.add(runs[i].run.ranks, runs[i].run.iteration_seconds() * 1e3);
        recurrence.add(runs[i].run.ranks, recurrences[i] * 1e3);
    }
    plot.series = {recurrence, clock};
    return plot;
}

}  // namespace

Document clocked_document(const std::vector<ClockedRun>& runs) {
    const ClockedRun& first = runs.front();
    Document document;
    std::vector<double> recurrences;
    std::uint64_t messages = 0;
    double wall = 0;
    Table table{"",
                {"nodes",
                 "ranks",
                 "grid",
                 {"ms", {"clock ms"}},
                 {"recurrence", {"recurrence ms"}},
                 "communication",
                 "ranks busy",
                 "gateways busy",
                 {"busiest", {"busiest gateway"}}},
                {}};
    for (const ClockedRun& one : runs) {
        recurrences.push_back(wavefront_time(one.clocked.wavefront).si());
        table.rows.push_back(clocked_row(one, recurrences.back()));
        messages += one.run.messages;
        wall += one.run.wall_seconds;
    }
    if (runs.size() == 1) {
        const int domain = first.options.domain;
        document.json = json_of_clocked(first);
        document.notes.push_back(fmt::format(
            "sweep3d on {}, by its clock: {} as {}{}", first.clocked.machine, counted(first.run.ranks, "rank"),
            format_shape({first.options.grid[0], first.options.grid[1]}),
            domain == 0 ? std::string()
                        : fmt::format(" behind {} gateways", GatewayShape{first.run.ranks, domain}.gateways())));
    } else {
        document.json = json_of("run");
        document.json["kernel"] = "sweep3d";
        document.json["points"] = nlohmann::ordered_json::array();
        for (const ClockedRun& one : runs) document.json["points"].push_back(json_of_clocked(one));
        document.notes.push_back(fmt::format("sweep3d on {}, by its clock", first.clocked.machine));
        document.plot = clocked_plot(runs, recurrences);
    }
    document.tables.push_back(std::move(table));
    document.remarks.push_back(
        fmt::format("{} messages of all iterations; {:.3g} s on this machine, {:.0f} ns a message", messages, wall,
                    1e9 * wall / std::max(1.0, static_cast<double>(messages))));
    if (runs.size() == 1 && !first.options.skip_compute) document.tables.push_back(sweep_iterations(first.run));
    return document;
}

}  // namespace narrows
