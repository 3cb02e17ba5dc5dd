#include <fmt/format.h>

#include <set>

#include "cli/commands.hpp"
#include "cli/measured_file.hpp"
#include "cli/prediction_report.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// Many families have members of a few sizes only.
bool can_have(const Topology& topology, std::int64_t nodes) {
    try {
        return topology.with_nodes(nodes).nodes() == nodes;
    } catch (const InputError&) {
        return false;
    }
}

// Sizes to show when -n does not say: the listed partitions, else powers of two up to the whole machine.
std::vector<std::int64_t> default_sizes(const Machine& machine, GupsCode variant) {
    if (variant == GupsCode::sequential) return {1};
    if (has(machine, "network.cut")) return {static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"))};
    std::set<std::int64_t> sizes;
    for (const std::string& name : names_below(machine, "network.partitions")) sizes.insert(std::stoll(name));
    if (sizes.empty() && find(machine, "network.topology") != nullptr) {
        const Topology whole = parse_topology(text_at(machine, "network.topology"));
        for (std::int64_t nodes = 2; nodes < whole.nodes(); nodes *= 2) {
            if (can_have(whole, nodes)) sizes.insert(nodes);
        }
        sizes.insert(whole.nodes());
    }
    if (sizes.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no network of its own: choose one with --network, such as "
                        "--network bluegene-l, and sizes with -n",
                        machine.id));
    }
    return {sizes.begin(), sizes.end()};
}

std::string measured_error(const Prediction& prediction, Rate measured) {
    return fmt::format("{:+.1f} %", 100 * (prediction.rate / measured - 1));
}

Table bottleneck_table(const std::vector<Answer>& answers, const std::map<std::int64_t, Rate>& measured) {
    Table table{"", {"N", "topology"}, {}};
    for (const Bound& bound : answers.front().prediction.bounds) table.header.push_back(std::string(bound.resource));
    if (answers.front().placement.nodes == 1 && answers.size() > 1) {
        table.header.resize(2);
        for (const Bound& bound : answers.back().prediction.bounds) table.header.push_back(std::string(bound.resource));
    }
    const std::size_t bounds = table.header.size() - 2;
    table.header.insert(table.header.end(), {"GUPS", "95 % interval", "bottleneck"});
    if (!measured.empty()) table.header.insert(table.header.end(), {"measured", "error"});
    for (const Answer& row : answers) {
        const Prediction& prediction = row.prediction;
        std::vector<std::string> cells = {fmt::format("{}", row.placement.nodes),
                                          row.placement.nodes > 1 ? row.placement.network.spec() : "-"};
        for (const Bound& bound : prediction.bounds) cells.push_back(gups_text(bound.limit));
        cells.resize(2 + bounds, "-");
        const std::string interval = interval_text(prediction);
        cells.insert(cells.end(), {gups_text(prediction.rate), interval.empty() ? "-" : interval,
                                   std::string(prediction.bottleneck)});
        if (!measured.empty()) {
            const auto found = measured.find(row.placement.nodes);
            cells.push_back(found == measured.end() ? "-" : gups_text(found->second));
            cells.push_back(found == measured.end() ? "-" : measured_error(prediction, found->second));
        }
        table.rows.push_back(cells);
    }
    return table;
}

Series& series_named(Plot& plot, const std::string& name) {
    for (Series& series : plot.series) {
        if (series.name == name) return series;
    }
    plot.series.push_back({name, {}, {}, false});
    return plot.series.back();
}

Plot bounds_plot(const std::vector<Answer>& answers, const std::map<std::int64_t, Rate>& measured) {
    Plot plot{fmt::format("RandomAccess ({}) on {}", name_of(answers.front().query.variant), answers.front().machine),
              "nodes",
              "GUPS",
              {}};
    for (const Answer& row : answers) {
        const double nodes = static_cast<double>(row.placement.nodes);
        const auto add = [&](const std::string& name, Rate rate) {
            Series& series = series_named(plot, name);
            series.x.push_back(nodes);
            series.y.push_back(rate.si() / 1e9);
        };
        add("predicted", row.prediction.rate);
        for (const Bound& bound : row.prediction.bounds) add(std::string(bound.resource) + " bound", bound.limit);
    }
    for (const auto& [nodes, rate] : measured) {
        Series& series = series_named(plot, "measured");
        series.points = true;
        series.x.push_back(static_cast<double>(nodes));
        series.y.push_back(rate.si() / 1e9);
    }
    return plot;
}

// The size at which the bottleneck changes, in words.
std::vector<std::string> changes(const std::vector<Answer>& answers) {
    std::vector<std::string> lines;
    for (std::size_t i = 1; i < answers.size(); ++i) {
        const auto before = answers[i - 1].prediction.bottleneck;
        const auto after = answers[i].prediction.bottleneck;
        if (before != after) {
            lines.push_back(fmt::format("from {} nodes on the {} is the bottleneck, not the {}",
                                        answers[i].placement.nodes, after, before));
        }
    }
    if (lines.empty()) {
        lines.push_back(
            fmt::format("the bottleneck is the {} at every size here", answers.front().prediction.bottleneck));
    }
    return lines;
}

int print_table(const GupsWords& words, const std::string& measured_file, Output& output) {
    const Machine machine = chosen_machine(words);
    const auto sizes =
        words.nodes.empty() ? default_sizes(machine, chosen_variant(words, machine)) : parse_sizes(words.nodes, "-n");
    const auto measured = measured_file.empty() ? std::map<std::int64_t, Rate>() : read_measured(measured_file);
    std::vector<Answer> answers;
    for (const std::int64_t nodes : sizes) answers.push_back(answer(machine, chosen_query(words, machine, nodes)));
    Document document;
    document.json = json_of("table");
    document.json["rows"] = nlohmann::ordered_json::array();
    for (const Answer& row : answers) {
        document.json["rows"].push_back(json_of(row));
        const auto found = measured.find(row.placement.nodes);
        if (found != measured.end()) {
            document.json["rows"].back()["measured"] = {{"value", found->second.si()}, {"unit", "1/s"}};
        }
    }
    document.notes.push_back(fmt::format("gups {} on {}, in GUPS", name_of(answers.front().query.variant), machine.id));
    document.tables.push_back(bottleneck_table(answers, measured));
    document.remarks = changes(answers);
    document.plot = bounds_plot(answers, measured);
    emit(document, output);
    return 0;
}

}  // namespace

Command table_command() {
    return {"table",
            "the bottleneck table: a row a size",
            {"table gups -m bluegene-l -n 32,64,..65536", "table gups -m bluegene-l --variant routed --format csv",
             "table gups -m cluster-400g --variant routed --network 'torus 16x16x16' -n 8..4096"},
            [](CLI::App& app) {
                const auto words = std::make_shared<GupsWords>();
                const auto measured = std::make_shared<std::string>();
                add_gups_options(app, words);
                app.add_option("--measured", *measured, "measurements to lay beside: lines N,GUPS or an hpccoutf.txt");
                return [words, measured](Output& output) { return print_table(*words, *measured, output); };
            }};
}

}  // namespace narrows
