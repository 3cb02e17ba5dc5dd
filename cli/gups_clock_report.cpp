#include <fmt/format.h>

#include <algorithm>

#include "cli/gups_clock.hpp"
#include "cli/prediction_report.hpp"
#include "data/csv.hpp"
#include "data/library.hpp"
#include "data/published_cells.hpp"
#include "topologies/number_text.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double giga = 1e9;

/// What was measured on the machine itself in runs like this one; empty where nothing is known.
struct Published {
    std::string gups;
    std::string blocking;
};

Published published(const ClockedMachine& clocked) {
    Published found;
    if (!clocked.usual) return found;
    const std::string nodes = std::to_string(clocked.query.nodes);
    const bool virtual_node = clocked.placement.ranks_per_node == 2;
    const PublishedText texts(published_directory() / "garg2006");
    const auto stated = [&texts](const std::string& key) { return texts.has(key) ? texts.printed(key) : ""; };
    if (texts.about("machine") != clocked.machine.id) return found;
    found.blocking = virtual_node ? stated("sbf_virtual_node_" + nodes) : stated("sbf_" + nodes);
    if (virtual_node) return found;
    if (found.blocking.empty()) found.blocking = stated("sbf_coprocessor_" + nodes);
    const CsvTable measured = read_csv(published_directory() / "garg2006" / "table7.csv");
    for (std::size_t i = 0; i < measured.rows.size(); ++i) {
        if (measured.cell(i, "nodes") == nodes) found.gups = measured.cell(i, "gups");
    }
    return found;
}

nlohmann::ordered_json number_or_null(const std::string& text, double scale) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(to_number(text).value() * scale);
}

Table update_table(const UpdateTime& time) {
    Table table{"", {"an update of a processor", "ns", "share"}, {}};
    const auto row = [&](const char* name, double seconds) {
        table.rows.push_back({name, fmt::format("{:.1f}", seconds * 1e9),
                              fmt::format("{:.1f} %", 100 * seconds / std::max(time.all(), 1e-30))});
    };
    row("forming and applying", time.updates);
    row("routing", time.routing);
    row("packets", time.packets);
    row("waiting", time.waiting);
    return table;
}

Table link_table(const ClockedMachine& clocked, const ClockedGups& run) {
    Table table{"", {"dimension", "nodes", "links busy", "fullest"}, {}};
    const auto percent = [](double part) { return fmt::format("{:.1f} %", 100 * part); };
    for (std::size_t d = 0; d < run.mean_link.size(); ++d) {
        table.rows.push_back({std::to_string(d + 1), std::to_string(clocked.clock.grid.shape[d]),
                              percent(run.mean_link[d]), percent(run.fullest_link[d])});
    }
    return table;
}

std::string bounds_of(const Prediction& prediction) {
    std::string text = fmt::format("the model predicts {:.4g} GUPS", prediction.rate.si() / giga);
    for (const Bound& bound : prediction.bounds) {
        text += fmt::format(", {} at most {:.4g}", name_of(bound.resource), bound.limit.si() / giga);
    }
    return text;
}

void put_model(nlohmann::ordered_json& json, const Prediction& model) {
    Answer predicted;
    report(predicted, model);
    json["predicted"] = predicted.json["result"];
    json["bounds"] = predicted.json["bounds"];
}

// 1 in a run that is steady; less while buckets and queues fill.
double applied_per_formed(const ClockedWork& work) {
    return work.formed == 0 ? 0 : static_cast<double>(work.applied) / static_cast<double>(work.formed);
}

std::string held(int places) {
    return places == 0 ? std::string("any number of packets") : fmt::format("{} packets", places);
}

nlohmann::ordered_json terms_of(const UpdateTime& time) {
    nlohmann::ordered_json terms = nlohmann::ordered_json::array();
    const auto add = [&terms](const char* name, double seconds) {
        terms.push_back({{"name", name}, {"value", seconds}, {"unit", "s"}});
    };
    add("update", time.updates);
    add("route", time.routing);
    add("packets", time.packets);
    add("waiting", time.waiting);
    return terms;
}

}  // namespace

void add_clocked(const ClockedMachine& clocked, const GupsRun& run, Document& document) {
    const ClockedGups& times = *run.clocked;
    const Published known = published(clocked);
    const UpdateTime time = update_time(clocked, times);
    const double whole = run.rate();
    const double rate = times.steady_seconds > 0 ? times.steady_rate() : whole;

    nlohmann::ordered_json& json = document.json;
    json["result"]["value"] = rate;
    json["machine"] = clocked.machine.id;
    json["virtual_clock"] = true;
    json["nodes"] = clocked.query.nodes;
    json["wall_seconds"] = times.wall_seconds;
    nlohmann::ordered_json& counters = json["counters"];
    const bool steady = times.steady_seconds > 0;
    const auto of_middle = [steady](nlohmann::ordered_json value) {
        return steady ? std::move(value) : nlohmann::ordered_json(nullptr);
    };
    counters["send_blocking_factor"] = of_middle(times.blocking());
    counters["cycles_per_update"] = nullptr;    // of this machine
    counters["packets_waiting_max"] = nullptr;  // more come while it looks
    counters["rate_with_start_and_end"] = whole;
    counters["steady_seconds"] = times.steady_seconds;
    counters["applied_per_formed"] = of_middle(applied_per_formed(times.steady));
    counters["processor_utilisation"] = of_middle(time.all() > 0 ? time.busy() / time.all() : 0);
    counters["link_utilisation"] = of_middle({{"mean", times.mean_link}, {"fullest", times.fullest_link}});
    counters["packet_links"] = times.packet_links;
    counters["events"] = times.events;
    json["terms"] = terms_of(time);
    const Prediction model =
        prediction_of(clocked, steady ? std::nullopt : std::optional(static_cast<double>(run.counters.updates)));
    put_model(json, model);
    json["published"] = {{"update_rate", number_or_null(known.gups, giga)},
                         {"send_blocking_factor", number_or_null(known.blocking, 1)}};

    document.notes = {fmt::format("gups routed on {}, by its clock: {} as {} on {}, {} a packet", clocked.machine.id,
                                  counted(run.ranks, "rank"), format_shape(run.shape),
                                  counted(clocked.query.nodes, "node"), counted(run.bucket, "update"))};
    const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
    const auto dash_unless_steady = [steady](TableCell cell) { return steady ? std::move(cell) : TableCell("-"); };
    const double fullest = times.fullest_link.empty() ? 0 : *std::ranges::max_element(times.fullest_link);
    Table table{"",
                {"nodes",
                 "GUPS",
                 {"measured", {"measured GUPS"}},
                 "blocking",
                 {"measured", {"measured blocking"}},
                 "processors busy",
                 "fullest link"},
                {{count_cell(clocked.query.nodes), number_cell(rate / giga), or_dash(known.gups),
                  dash_unless_steady({fmt::format("{:.3g}", times.blocking()), {times.blocking()}}),
                  or_dash(known.blocking), dash_unless_steady(share_cell(time.busy() / std::max(time.all(), 1e-30))),
                  dash_unless_steady(share_cell(fullest))}}};
    std::vector<Table> tables = {std::move(table), update_table(time)};
    if (steady) tables.push_back(link_table(clocked, times));
    tables.insert(tables.end(), document.tables.begin(), document.tables.end());
    document.tables = std::move(tables);

    if (times.steady_seconds > 0) {
        document.remarks.push_back(fmt::format(
            "of the middle of the run, {:.4g} us, with {:.3f} updates applied for each formed (1 where it is "
            "steady); {:.4g} GUPS with its start and end",
            times.steady_seconds * 1e6, applied_per_formed(times.steady), whole / giga));
    } else {
        document.remarks.push_back("too short to be steady: of the whole run; give more --updates");
    }
    document.remarks.push_back(bounds_of(model));
    const LinkCosts& links = clocked.clock.links;
    document.remarks.push_back(
        fmt::format("buffers: {} at a link, {} of a rank for a direction, {} received a dimension", held(links.through),
                    held(links.injection), held(links.reception)));
    for (const std::string& rounded : clocked.rounded) document.remarks.push_back("buffers: " + rounded);
    document.remarks.push_back(
        fmt::format("{} events in {:.3g} s on this machine, {:.0f} ns each", times.events, times.wall_seconds,
                    1e9 * times.wall_seconds / std::max<double>(1, static_cast<double>(times.events))));
}

}  // namespace narrows
