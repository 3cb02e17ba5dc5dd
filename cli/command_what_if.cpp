#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"

namespace narrows {
namespace {

Table comparison(const Answer& before, const Answer& after) {
    Table table{"", {"", "before", "after", "ratio"}, {}};
    const auto row = [&](const std::string& name, Rate a, Rate b) {
        table.rows.push_back({name, gups_text(a), gups_text(b), fmt::format("{:.4g}", b / a)});
    };
    row("predicted", before.prediction.rate, after.prediction.rate);
    for (const Bound& bound : before.prediction.bounds) {
        for (const Bound& changed : after.prediction.bounds) {
            if (changed.resource == bound.resource)
                row(std::string(bound.resource) + " bound", bound.limit, changed.limit);
        }
    }
    return table;
}

int what_if(const GupsWords& words, Output& output) {
    if (words.changes.empty())
        throw InputError("what-if needs a change: --set PATH=VALUE, such as --set node.clock=2x");
    const Machine machine = chosen_machine(words, false);
    const Machine changed = chosen_machine(words, true);
    const std::int64_t nodes = chosen_nodes(words, machine);
    const Answer before = answer(machine, chosen_query(words, machine, nodes));
    const Answer after = answer(changed, chosen_query(words, changed, nodes));
    const double ratio = after.prediction.rate / before.prediction.rate;
    Document document;
    document.json = json_of("what-if");
    document.json["changes"] = words.changes;
    document.json["before"] = json_of(before);
    document.json["after"] = json_of(after);
    document.json["ratio"] = ratio;
    document.notes.push_back(fmt::format("gups {} on {}, {} nodes, in GUPS", name_of(before.query.variant), machine.id,
                                         before.placement.nodes));
    document.tables.push_back(comparison(before, after));
    const auto was = before.prediction.bottleneck;
    const auto is = after.prediction.bottleneck;
    document.remarks.push_back(
        was == is ? fmt::format("{:.4g} times as fast; the {} remains the bottleneck", ratio, is)
                  : fmt::format("{:.4g} times as fast; the bottleneck moves from the {} to the {}", ratio, was, is));
    emit(document, output);
    return 0;
}

}  // namespace

Command what_if_command() {
    return {"what-if",
            "change parameters and see how the prediction and its bottleneck move",
            {"what-if gups -m bluegene-l -n 65536 --set node.clock=2x",
             "what-if gups -m bluegene-l -n 65536 --messaging raw --set network.topology='torus 32x64x32' --set "
             "network.link.bandwidth='2.8 Gbit/s'"},
            [](CLI::App& app) {
                const auto words = std::make_shared<GupsWords>();
                add_gups_options(app, words);
                return [words](Output& output) { return what_if(*words, output); };
            }};
}

}  // namespace narrows
