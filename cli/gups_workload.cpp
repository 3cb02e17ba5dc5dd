#include <fmt/format.h>

#include "cli/gups_options.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// What was asked, in words and in JSON.
Answer asked(const Machine& machine, const GupsQuery& query, const Placement& placement) {
    const std::string shape = format_shape(placement.shape);
    const std::string network = placement.nodes > 1 ? placement.network.spec() : "";
    Answer answer;
    answer.machine = machine.id;
    answer.subject = fmt::format("gups {}", name_of(query.variant));
    answer.setting = fmt::format("{}, {} as {}{}", counted(placement.nodes, "node"), counted(placement.ranks(), "rank"),
                                 shape, network.empty() ? "" : ", " + network);
    answer.size = fmt::format("{} nodes", placement.nodes);
    answer.title = fmt::format("RandomAccess ({}) on {}", name_of(query.variant), machine.id);
    answer.columns.emplace_back("topology", network.empty() ? "-" : network);
    answer.json["machine"] = machine.id;
    answer.json["composed"] = !machine.network_name.empty();
    answer.json["workload"] = "gups";
    answer.json["variant"] = name_of(query.variant);
    answer.json["nodes"] = placement.nodes;
    answer.json["ranks"] = placement.ranks();
    answer.json["shape"] = shape;
    answer.json["network"] = network;
    return answer;
}

Answer answer_gups(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const GupsQuery query = chosen_query(words, machine, nodes);
    const GupsJob job = gups_job(machine, query);
    const PredictionOf predict = [&](const Machine& changed) { return predict_gups(changed, query, job); };
    Answer answer = asked(machine, query, job.placement);
    report(answer, with_interval(machine, predict));
    if (job.placement.routing && job.placement.nodes > 1 && !can_be_routed(job.placement)) {
        answer.notes.emplace_back("the network is too large to follow its routing: these bounds hold for any routing");
    }
    return answer;
}

NumberOf rate_of_gups(const WorkloadWords& words, const Machine& machine, std::int64_t nodes) {
    const GupsQuery query = chosen_query(words, machine, nodes);
    return [query, job = gups_job(machine, query)](const Machine& changed) {
        return predict_gups(changed, query, job).rate.si();
    };
}

std::vector<std::int64_t> sizes_of_gups(const WorkloadWords& words, const Machine& machine) {
    if (chosen_variant(words, machine) == GupsCode::sequential) return {1};
    return machine_sizes(machine);
}

}  // namespace

Workload gups_workload() {
    return {
        "gups",
        {"--nodes", "--ranks", "--ranks-per-node", "--mode", "--messaging", "--variant", "--shape", "--table",
         "--updates", "--bucket", "--test-interval", "--pages", "--network", "--hosts", "--placement", "--background"},
        {axis_of("-n", &WorkloadWords::nodes, "N", "nodes")},
        sizes_of_gups,
        answer_gups,
        rate_of_gups,
        true};
}

}  // namespace narrows
