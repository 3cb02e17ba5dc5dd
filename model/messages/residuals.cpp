#include "model/messages/residuals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "model/demand/placement.hpp"
#include "model/residual_surface.hpp"

namespace narrows {
namespace {

constexpr ResidualAxis payload_axis = {"bytes", true, true};
constexpr ResidualAxis all_ranks_axis = {"ranks", true};

}  // namespace

std::string_view name_of(MessagePhase phase) {
    static constexpr std::array<std::string_view, 4> names = {"ping-pong", "halo-exchange", "allreduce", "all-to-all"};
    static_assert(names.size() == static_cast<std::size_t>(MessagePhase::all_to_all) + 1);
    return names.at(static_cast<std::size_t>(phase));
}

std::optional<MessagePhase> measured_phase(std::string_view collective, std::string_view algorithm) {
    if (collective == "all-to-all" && algorithm == "pairwise") return MessagePhase::all_to_all;
    const bool measured = algorithm == "recursive-doubling" || algorithm == "tree" || algorithm == "ring";
    return collective == "allreduce" && measured ? std::optional(MessagePhase::allreduce) : std::nullopt;
}

std::string residuals_of(MessagePhase phase, const std::string& protocol) {
    return std::string(name_of(phase)) + "-" + protocol;
}

std::span<const ResidualAxis> residual_axes(MessagePhase phase) {
    static constexpr std::array of_halo = {payload_axis, all_ranks_axis, ResidualAxis{"neighbours", true}};
    static constexpr std::array of_allreduce = {payload_axis, all_ranks_axis, ResidualAxis{"tree"},
                                                ResidualAxis{"ring"}};
    static constexpr std::array of_others = {payload_axis, all_ranks_axis};
    switch (phase) {
        case MessagePhase::ping_pong:
            return std::span(of_others).first(1);
        case MessagePhase::halo_exchange:
            return of_halo;
        case MessagePhase::allreduce:
            return of_allreduce;
        case MessagePhase::all_to_all:
            return of_others;
    }
    throw std::logic_error("unknown phase");
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
            return {of_bytes, of_ranks, query.algorithm == "tree" ? 1.0 : 0.0, query.algorithm == "ring" ? 1.0 : 0.0};
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
    return corrected(std::move(prediction), surface->beside(residual_variables(phase, query), residual_axes(phase)));
}

}  // namespace narrows
