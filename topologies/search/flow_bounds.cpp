#include "topologies/search/flow_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "topologies/flow/hub_flow.hpp"
#include "topologies/infinity.hpp"
#include "topologies/routes/uniform_loads.hpp"
#include "topologies/search/flow_program.hpp"

namespace narrows {
namespace {

/// Senders · links up to which the flow is evened out round after round.
constexpr double small_flow = 2e9;

/// Where evening out ends when a linear program follows: it takes over from about there at less expense.
constexpr double ratio_before_program = 1.02;

/// Replaces either end of `flow` by that of `other` where it is sharper.
void take_sharper(std::optional<UniformFlow>& flow, UniformFlow other) {
    if (!flow) {
        flow = std::move(other);
        return;
    }
    if (other.lower > flow->lower) {
        flow->lower = other.lower;
        flow->parts = std::move(other.parts);
        flow->arcs = std::move(other.arcs);
    }
    if (other.upper < flow->upper) {
        flow->upper = other.upper;
        flow->length = std::move(other.length);
    }
}

double work_of_round(const Network& network, const Orbits* orbits) {
    const double senders = orbits != nullptr ? static_cast<double>(orbits->host.size()) : network.hosts;
    return senders * static_cast<double>(network.edges.size());
}

void note_flow(NetworkAnalysis& found, double lower, double upper, const std::string& method, const std::string& dual) {
    Bracket& number = found.numbers.uniform_flow;
    const Bracket& phi = found.numbers.phi;
    const bool by_cut = phi.upper <= upper;
    const Bracket bracket{lower,  std::min(upper, phi.upper),
                          method, by_cut ? "at most " + phi.certificate : dual,
                          method, by_cut ? phi.method_of_upper() : "capacity over distance"};
    number = sharper(number, bracket);
}

class FlowBounds {
  public:
    FlowBounds(const Network& network, const AnalysisOptions& options, const Orbits* orbits, NetworkAnalysis& found)
        : network_(network), options_(options), orbits_(orbits), found_(found) {}

    /// What is left to say when there was no time for more.
    void settle() {
        if (!found_.proofs.flow) {
            bound_by_one_round();
            return;
        }
        note_flow(found_, found_.proofs.flow->lower, found_.proofs.flow->upper, "flow over shortest paths",
                  "no flow exceeds capacity over distance, in hops");
    }

    bool run() {
        if (work_of_round(network_, orbits_) <= small_flow) {
            options_.progress("evening out flows");
            return bound_by_rounds();
        }
        options_.progress("sending all pairs' flow over shortest paths");
        return bound_by_one_round();
    }

  private:
    bool bound_by_rounds() {
        UniformFlowGoal goal;
        goal.ratio = options_.flow_ratio;
        goal.threads = options_.threads;
        goal.stop = options_.stop;
        goal.upper = std::min(found_.numbers.phi.upper, found_.numbers.uniform_flow.upper);
        goal.orbits = orbits_;
        auto& flow = found_.proofs.flow;
        const bool small = flow_program_variables(network_) <= FlowProgramLimits{}.variables;
        if (!small || !bound_by_program(goal)) {
            auto found = uniform_flow(network_, goal);
            if (found) take_sharper(flow, std::move(*found));
        }
        if (!flow) return bound_by_one_round();  // a budget ended the first one
        std::string method = !flow->arcs.empty()       ? "linear program, re-checked"
                             : flow->parts.size() == 1 ? "flow over shortest paths, evened out"
                                                       : "flow by repeated descent";
        if (orbits_ != nullptr && flow->arcs.empty()) method += by_symmetry();
        note_flow(found_, flow->lower, flow->upper, method,
                  flow->length.empty() ? "no flow exceeds capacity over distance, in hops"
                                       : "no flow exceeds capacity over distance, by given lengths");
        return !options_.stop();
    }

    std::string by_symmetry() const {
        const std::size_t senders = orbits_->host.size();
        return fmt::format(", from {} by symmetry",
                           senders == 1 ? "one node" : fmt::format("{} of {} nodes", senders, network_.hosts));
    }

    /// Whether a few rounds and the linear program, or either, came to an end; else what they found is kept all the
    /// same.
    bool bound_by_program(UniformFlowGoal goal) {
        constexpr double close = 1 + 1e-7;
        goal.ratio = std::max(goal.ratio, ratio_before_program);
        auto& flow = found_.proofs.flow;
        if (auto rounds = uniform_flow(network_, goal)) take_sharper(flow, std::move(*rounds));
        if (!flow || options_.stop()) return true;
        if (std::min(flow->upper, goal.upper) <= flow->lower * close) return true;
        options_.progress("solving a linear program for the flow");
        FlowProgramLimits limits;
        limits.length = flow->length;
        limits.threads = options_.threads;
        limits.stop = options_.stop;
        auto program = flow_program(network_, limits);
        if (!program) return false;
        take_sharper(flow, std::move(program->flow));
        return program->complete;
    }

    bool bound_by_one_round() {
        const LoadsOfSome some = uniform_loads_until(network_, Split::by_hop, options_.threads, options_.stop);
        const double hosts = network_.hosts;
        if (static_cast<double>(some.sources.size()) < hosts) {
            found_.proofs.hubs = some.sources;
            note_flow(found_, hub_flow(network_, some), infinity,
                      fmt::format("flow by way of {} nodes, all that the budget allowed", some.sources.size()), "");
            return false;
        }
        const double links = static_cast<double>(network_.edges.size());
        const double off = rounding(network_);
        double capacity = 0;
        for (const auto& edge : network_.edges) capacity += 2 * edge.capacity;
        const double lower = allowed_rate(network_, some.loads) / (hosts - 1) * (1 - off);
        const double upper = capacity / (2 * links * mean_load(some.loads) * (hosts - 1)) * (1 + off);
        note_flow(found_, lower, upper, "flow over all shortest paths",
                  "no flow exceeds capacity over distance, in hops");
        return true;
    }

    const Network& network_;
    const AnalysisOptions& options_;
    const Orbits* orbits_;
    NetworkAnalysis& found_;
};

}  // namespace

bool bound_flow(const Network& network, const AnalysisOptions& options, const Orbits* orbits, NetworkAnalysis& found) {
    return FlowBounds(network, options, orbits, found).run();
}

void begin_flow(const Network& network, const AnalysisOptions& options, const Orbits* orbits, NetworkAnalysis& found) {
    constexpr double a_second = 1e8;
    if (work_of_round(network, orbits) > a_second) return;
    UniformFlowGoal goal;
    goal.ratio = infinity;  // one round
    goal.threads = options.threads;
    goal.orbits = orbits;
    goal.stop = options.stop;
    found.proofs.flow = uniform_flow(network, goal);
}

void settle_for_begun_flow(const Network& network, const AnalysisOptions& options, NetworkAnalysis& found) {
    if (!found.numbers.uniform_flow.exact()) FlowBounds(network, options, nullptr, found).settle();
}

}  // namespace narrows
