#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

Table bounds_table(const Prediction& prediction) {
    Table table{"", {"resource", "GUPS at most", "source"}, {}};
    for (const Bound& bound : prediction.bounds) {
        const bool tight = bound.resource == prediction.bottleneck;
        table.rows.push_back(
            {std::string(bound.resource) + (tight ? " *" : ""), gups_text(bound.limit), std::string(bound.source)});
    }
    return table;
}

std::string counted(std::int64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

int predict(const GupsWords& words, bool explain, Output& output) {
    const Machine machine = chosen_machine(words);
    const Answer found = answer(machine, chosen_query(words, machine, chosen_nodes(words, machine)));
    Document document;
    document.json = json_of("predict");
    document.json.update(json_of(found));
    const std::string interval = interval_text(found.prediction);
    document.notes.push_back(fmt::format("{}, gups {}: {}, {} as {}{}", found.machine, name_of(found.query.variant),
                                         counted(found.placement.nodes, "node"),
                                         counted(found.placement.ranks(), "rank"), format_shape(found.placement.shape),
                                         found.placement.nodes > 1 ? ", " + found.placement.network.spec() : ""));
    document.notes.push_back(fmt::format("{} GUPS{}, held back by: {}", gups_text(found.prediction.rate),
                                         interval.empty() ? "" : " (" + interval + ")", found.prediction.bottleneck));
    document.tables.push_back(bounds_table(found.prediction));
    if (explain) document.remarks = explanation(found);
    emit(document, output);
    return 0;
}

}  // namespace

Command predict_command() {
    return {"predict",
            "predict one run: value, interval, every bound, the bottleneck",
            {"predict gups -m bluegene-l -n 65536 --explain",
             "predict gups -m bluegene-l -n 16384 --variant routed --mode virtual-node",
             "predict gups -m xt3-pgas-nic -n 32 --mode quad --variant shmem --format json"},
            [](CLI::App& app) {
                const auto words = std::make_shared<GupsWords>();
                const auto explain = std::make_shared<bool>(false);
                add_gups_options(app, words);
                app.add_flag("--explain", *explain, "print formulas, terms, sources and validity");
                return [words, explain](Output& output) { return predict(*words, *explain, output); };
            }};
}

}  // namespace narrows
