#include "tests/cluster/gups_beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/processor_costs.hpp"
#include "tests/cluster/bed_machine.hpp"
#include "tests/cluster/core_use.hpp"
#include "tests/cluster/counters.hpp"
#include "tests/cluster/job.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

// Every host has that many words at least, so that destinations are spread evenly.
constexpr double table_bytes = 1 << 20;

Prediction predict(const Machine& machine, GupsQuery query, double updates) {
    query.updates = updates;
    return predict_gups(machine, query);
}

double least(const Prediction& prediction, bool of_processor) {
    double rate = HUGE_VAL;
    for (const Bound& bound : prediction.bounds) {
        if ((bound.resource == Resource::processor) == of_processor) rate = std::min(rate, bound.limit.si());
    }
    return rate;
}

double fullest_share(const Bed& bed, const LinkLoads& sent, double seconds) {
    double most = 0;
    for (std::size_t edge = 0; edge < sent.forward.size(); ++edge) {
        const double rate = bed.bytes_a_second_of(static_cast<int>(edge));
        most = std::max({most, sent.forward[edge] / rate, sent.backward[edge] / rate});
    }
    return most / seconds;
}

std::vector<std::string> command_of(const BedGups& gups, const std::vector<int>& shape, double updates) {
    std::vector<std::string> command = {gups.program,
                                        "run",
                                        "gups",
                                        "--variant",
                                        std::string(name_of(gups.code)),
                                        "--transport",
                                        gups.transport,
                                        "{job}",
                                        "--table",
                                        fmt::format("{:.0f}B", table_bytes),
                                        "--updates",
                                        fmt::format("{:.0f}", updates),
                                        "--processor",
                                        gups.processor,
                                        "--format",
                                        "json"};
    if (gups.bucket > 0) {
        command.emplace_back("--bucket");
        command.push_back(std::to_string(gups.bucket));
    }
    if (gups.code == GupsCode::routed) {
        command.emplace_back("--shape");
        command.push_back(fmt::format("{}", fmt::join(shape, "x")));
    }
    return command;
}

}  // namespace

GupsBeside run_beside(const Bed& bed, const BedGups& gups) {
    const ProcessorCosts costs = parse_processor_costs(gups.processor);
    const Machine machine = bed_machine(bed, costs, gups.transport == "udp");
    GupsQuery query{.variant = gups.code, .nodes = bed.hosts()};
    if (gups.bucket > 0) query.bucket = gups.bucket;

    GupsBeside beside;
    const double rate = predict(machine, query, 1e12).rate.si();
    beside.updates = std::ceil(rate * gups.length);
    const Prediction prediction = predict(machine, query, beside.updates);
    beside.predicted = prediction.rate.si();
    beside.processor = least(prediction, true);
    beside.network = least(prediction, false);

    Job job;
    job.command = command_of(gups, gups_job(machine, query).placement.shape, beside.updates);
    job.ranks = bed.hosts();
    job.seconds = 60 + 10 * gups.length;
    const LinkLoads before = link_counters(bed);
    const CoreUse cores = core_use();
    const std::vector<RankEnd> ends = run_job(bed, job);
    beside.verdict = verdict(shares_between(cores, core_use()));
    std::string failed;
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        if (ends[rank].exit != 0) failed += fmt::format("rank {}: exit {}: {}", rank, ends[rank].exit, ends[rank].err);
    }
    if (!failed.empty()) throw std::runtime_error(failed);
    const auto said = nlohmann::json::parse(ends.front().out);
    const double seconds = said.at("seconds").get<double>();
    beside.measured = beside.updates / seconds;
    beside.packets = said.at("counters").at("packets").get<double>();
    beside.errors = said.at("errors").get<double>();
    beside.link_busy = fullest_share(bed, sent_between(before, link_counters(bed)), seconds);
    const double work = beside.updates * costs.update + beside.packets * (costs.send + costs.receive);
    beside.processor_busy = work / (seconds * bed.hosts());
    return beside;
}

}  // namespace narrows::cluster
