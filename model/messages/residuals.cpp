#include "model/messages/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/demand/placement.hpp"
#include "model/residual_surface.hpp"

namespace narrows {

std::string_view name_of(MessagePhase phase) {
    switch (phase) {
        case MessagePhase::ping_pong:
            return "ping-pong";
        case MessagePhase::halo_exchange:
            return "halo-exchange";
        case MessagePhase::allreduce:
            return "allreduce";
        case MessagePhase::all_to_all:
            return "all-to-all";
    }
    throw std::logic_error("unknown phase");
}

std::string residuals_of(MessagePhase phase, const std::string& protocol) {
    return std::string(name_of(phase)) + "-" + protocol;
}

std::vector<double> residual_variables(MessagePhase phase, const MessageQuery& query) {
    constexpr double least = 8;  // below it bytes do not count
    constexpr std::int64_t pair = 2;
    const double of_bytes = std::log(least + query.payload.si());
    const double of_ranks = std::log(static_cast<double>(std::max(pair, query.nodes * query.ranks_per_node)));
    switch (phase) {
        case MessagePhase::ping_pong:
            return {of_bytes};
        case MessagePhase::halo_exchange:
            return {of_bytes, of_ranks, std::log(static_cast<double>(query.neighbours))};
        case MessagePhase::allreduce:
            return {of_bytes, of_ranks, query.algorithm == AllreduceAlgorithm::tree ? 1.0 : 0.0,
                    query.algorithm == AllreduceAlgorithm::ring ? 1.0 : 0.0};
        case MessagePhase::all_to_all:
            return {of_bytes, of_ranks};
    }
    throw std::logic_error("unknown phase");
}

TimePrediction corrected(TimePrediction prediction, const Machine& machine, MessagePhase phase,
                         const MessageQuery& query) {
    if (has_network(machine) || machine.composed || prediction.time == Time()) return prediction;
    const ResidualSurface* const surface = residuals_named(machine, residuals_of(phase, query.protocol));
    if (surface == nullptr) return prediction;
    const Residual beside = surface->at(residual_variables(phase, query));
    return corrected(std::move(prediction), std::exp(beside.value), surface->measured().quantile * beside.deviation);
}

}  // namespace narrows
