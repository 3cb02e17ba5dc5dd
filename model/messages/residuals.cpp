#include "model/messages/residuals.hpp"

#include <algorithm>
#include <array>

#include "model/demand/placement.hpp"

namespace narrows {
std::string_view name_of(MessagePhase phase) {
    static constexpr auto names =
        std::to_array<std::string_view>({"ping-pong", "halo-exchange", "allreduce", "all-to-all"});
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

std::vector<ResidualVariable> residual_variables(MessagePhase phase, const MessageQuery& query) {
    constexpr double least = 8;  // below it bytes do not count
    constexpr std::int64_t pair = 2;
    std::vector<ResidualVariable> found = {{{"bytes", true, true}, least + query.payload.si()}};
    if (phase == MessagePhase::ping_pong) return found;
    found.push_back({{"ranks", true}, static_cast<double>(std::max(pair, query.nodes * query.ranks_per_node))});
    if (phase == MessagePhase::halo_exchange) {
        found.push_back({{"neighbours", true}, static_cast<double>(query.neighbours)});
    } else if (phase == MessagePhase::allreduce) {
        for (const char* algorithm : {"tree", "ring"}) {
            found.push_back({{algorithm}, query.algorithm == algorithm ? 1.0 : 0.0});
        }
    }
    return found;
}

TimePrediction beyond_measured(TimePrediction prediction, const Machine& machine, const std::string& what) {
    const bool measured_here = !has_network(machine) && !machine.composed && !machine.residuals.empty();
    if (measured_here && prediction.time != Time()) prediction.beside.beyond.push_back(what);
    return prediction;
}

TimePrediction corrected(TimePrediction prediction, const Machine& machine, MessagePhase phase,
                         const MessageQuery& query) {
    if (has_network(machine) || machine.composed || prediction.time == Time()) return prediction;
    const ResidualSurface* const surface = residuals_named(machine, residuals_of(phase, query.protocol));
    if (surface == nullptr) {
        return beyond_measured(std::move(prediction), machine, std::string(name_of(phase)) + " by " + query.protocol);
    }
    return corrected(std::move(prediction), surface->beside(residual_variables(phase, query)));
}

}  // namespace narrows
