#include "topologies/search/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "topologies/components.hpp"
#include "topologies/cut/gray_cuts.hpp"
#include "topologies/cut/least_cuts.hpp"
#include "topologies/cut/spectral_bound.hpp"
#include "topologies/infinity.hpp"
#include "topologies/routes/uniform_loads.hpp"
#include "topologies/search/flow_program.hpp"
#include "topologies/search/product_numbers.hpp"

namespace narrows {
namespace {

/// Relative difference beyond which a lower end above an upper end is no rounding.
constexpr double contradiction = 1e-9;

/// Hosts · links up to which the flow is evened out round after round.
constexpr double small_flow = 2e9;

/// Where evening out ends when a linear program follows: it takes over from about there at less expense.
constexpr double ratio_before_program = 1.02;

std::string describe(const Cut& cut, int hosts, const std::vector<std::string>& names) {
    constexpr int listed_hosts = 16;
    const bool smaller_is_inside = 2 * cut.inside <= hosts;
    const int smaller = std::min(cut.inside, hosts - cut.inside);
    if (smaller > listed_hosts) {
        return fmt::format("cut of capacity {:.6g} between {} and {} nodes", cut.capacity, smaller, hosts - smaller);
    }
    std::vector<std::string> listed;
    for (int host = 0; host < hosts; ++host) {
        if ((cut.side[host] != 0) != smaller_is_inside) continue;
        listed.push_back(names.empty() ? std::to_string(host) : names[host]);
    }
    return fmt::format("cut of capacity {:.6g} parts nodes {{{}}} from the other {}", cut.capacity,
                       fmt::join(listed, ", "), hosts - smaller);
}

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

class Analysis {
  public:
    Analysis(const Network& network, const NetworkNumbers& known, const AnalysisOptions& options)
        : network_(network), options_(options), hosts_(network.hosts) {
        found_.numbers = known;
    }

    NetworkAnalysis run() {
        found_.components = component_count(network_);
        if (found_.components > 1) split_hosts();
        if (found_.components == 1 && options_.recognise) recognise();
        if (!cuts_known()) search_cuts();
        if (!found_.numbers.phi.exact()) bound_by_spectrum();  // first: it takes a second, not the whole budget
        if (!cuts_known()) bound_cuts_exactly();
        if (!found_.numbers.uniform_flow.exact()) bound_by_flow();
        sharpen_cuts();
        require_consistent();
        return std::move(found_);
    }

  private:
    bool cuts_known() const {
        const auto& [bisection, alpha, phi, flow] = found_.numbers;
        return bisection.exact() && alpha.exact() && phi.exact();
    }
    bool stopped() {
        if (options_.stop()) found_.complete = false;
        return !found_.complete;
    }

    void split_hosts();
    void recognise();
    void search_cuts();
    void bound_cuts_exactly();
    void bound_by_spectrum();
    void bound_by_flow();
    void bound_by_rounds();
    bool bound_by_program(UniformFlowGoal goal);
    void bound_by_one_round();
    void sharpen_cuts();
    void require_consistent() const;
    void note_upper_ends();
    void note_flow(double lower, double upper, const std::string& method, const std::string& dual);

    const Network& network_;
    const AnalysisOptions& options_;
    double hosts_;
    NetworkAnalysis found_;
    std::string lower_method_;
};

/// With no way between some hosts nothing can be sent between all: a component is the sparsest cut.
void Analysis::split_hosts() {
    const std::vector<int> component = components_of(network_);
    const bool hosts_split = std::any_of(component.begin(), component.begin() + network_.hosts,
                                         [&](int one) { return one != component.front(); });
    if (!hosts_split) return;
    const std::string why = "some nodes have no way to others";
    found_.numbers.alpha = exactly(0, "disconnected", why);
    found_.numbers.phi = exactly(0, "disconnected", why);
    found_.numbers.uniform_flow = exactly(0, "disconnected", why);
    std::vector<char> possible(network_.hosts + 1);  // numbers of hosts that whole components make up
    std::vector<int> size(network_.vertices());
    for (int host = 0; host < network_.hosts; ++host) ++size[component[host]];
    possible[0] = 1;
    for (const int count : size) {
        for (int sum = network_.hosts; count > 0 && sum >= count; --sum)
            if (possible[sum - count] != 0) possible[sum] = 1;
    }
    if (possible[network_.hosts / 2] != 0) {
        found_.numbers.bisection = exactly(0, "disconnected", "whole components make up half of the nodes");
    }
}

void Analysis::recognise() {
    const auto product = product_numbers(network_, options_);
    if (!product) return;
    found_.recognised = product->grid;
    auto& [bisection, alpha, phi, flow] = found_.numbers;
    bisection = sharper(bisection, product->numbers.bisection);
    alpha = sharper(alpha, product->numbers.alpha);
    phi = sharper(phi, product->numbers.phi);
    flow = sharper(flow, product->numbers.uniform_flow);
}

void Analysis::search_cuts() {
    options_.progress("looking for small cuts");
    CutEffort effort;
    constexpr double links_a_round = 4e5;
    effort.rounds = static_cast<int>(
        std::clamp(links_a_round / std::max(1.0, static_cast<double>(network_.edges.size())), 2.0, 40.0));
    effort.seed = options_.seed;
    effort.stop = options_.stop;
    found_.proofs.cuts = best_cuts(network_, effort);
    note_upper_ends();
}

void Analysis::note_upper_ends() {
    const auto& [bisection, alpha, phi] = *found_.proofs.cuts;
    const auto note = [&](Bracket& number, const Cut& cut, double value) {
        if (std::isfinite(value)) {
            number =
                sharper(number, {number.lower, value, "cut search", describe(cut, network_.hosts, options_.names)});
        }
    };
    note(found_.numbers.bisection, bisection, bisection.capacity);
    note(found_.numbers.alpha, alpha, expansion_of(alpha.capacity, alpha.inside, hosts_));
    note(found_.numbers.phi, phi, sparsity_of(phi.capacity, phi.inside, hosts_));
}

void Analysis::bound_cuts_exactly() {
    if (stopped()) return;
    SweepLimits limits;
    limits.threads = options_.threads;
    limits.memory = options_.memory;
    limits.stop = options_.stop;
    constexpr int most_vertices = 2000;
    const bool few = network_.vertices() <= gray_vertex_limit && network_.vertices() > 6;
    const double by_gray = few ? gray_work(network_) : infinity;
    if (network_.vertices() > most_vertices || network_.hosts < 2) return;
    const SweepPlan plan = plan_sweep(network_, limits);
    if (std::min(plan.work, by_gray) > options_.exact_work || (by_gray > plan.work && !can_sweep(plan))) return;
    const bool gray = by_gray < plan.work;
    options_.progress(gray ? "trying all divisions" : "trying all divisions of the sweep's frontier");
    const auto least = gray ? gray_cuts(network_, limits) : least_cuts(network_, plan, limits);
    if (!least) {
        found_.complete = false;
        return;
    }
    found_.proofs.least = *least;
    CutEffort effort;
    effort.rounds = 4000;
    effort.seed = options_.seed;
    effort.stop = options_.stop;
    meet(network_, *least, effort, *found_.proofs.cuts);
    const std::string method =
        gray ? "exhaustive search in Gray code order"
             : fmt::format("dynamic programming over a path decomposition, width {}", plan.order.widest);
    // Sums of capacities without a common unit are rounded on the way.
    const double rounding_of_sums = capacity_unit(network_) ? 0 : 1e-9;
    const auto settle = [&](Bracket& number, double value, double of_cut, const Cut& cut) {
        const bool met = of_cut <= value * (1 + std::max(rounding_of_sums, 1e-12));
        number = {value * (1 - rounding_of_sums), value * (1 + rounding_of_sums), method,
                  met ? describe(cut, network_.hosts, options_.names) : "the least of all cuts"};
    };
    const auto& [bisection, alpha, phi] = *found_.proofs.cuts;
    const int expanding = size_of_least(*least, network_.hosts, expansion_of);
    const int sparse = size_of_least(*least, network_.hosts, sparsity_of);
    settle(found_.numbers.bisection, least->back(), bisection.capacity, bisection);
    settle(found_.numbers.alpha, expansion_of((*least)[expanding - 1], expanding, hosts_),
           expansion_of(alpha.capacity, alpha.inside, hosts_), alpha);
    settle(found_.numbers.phi, sparsity_of((*least)[sparse - 1], sparse, hosts_),
           sparsity_of(phi.capacity, phi.inside, hosts_), phi);
}

void Analysis::bound_by_spectrum() {
    if (stopped() || network_.vertices() > spectral_vertex_limit) return;
    options_.progress("bounding cuts by the spectrum");
    found_.proofs.spectral = spectral_bound(network_).value_or(0);
}

void Analysis::bound_by_flow() {
    if (stopped()) return;
    const double work = hosts_ * static_cast<double>(network_.edges.size());
    if (work <= small_flow) {
        options_.progress("evening out flows");
        bound_by_rounds();
    } else {
        options_.progress("sending all pairs' flow over shortest paths");
        bound_by_one_round();
    }
}

void Analysis::note_flow(double lower, double upper, const std::string& method, const std::string& dual) {
    Bracket& number = found_.numbers.uniform_flow;
    const Bracket& phi = found_.numbers.phi;
    const bool by_cut = phi.upper <= upper;
    number = sharper(number, {lower, std::min(upper, phi.upper), method, by_cut ? "at most " + phi.certificate : dual});
}

void Analysis::bound_by_rounds() {
    UniformFlowGoal goal;
    goal.ratio = options_.flow_ratio;
    goal.threads = options_.threads;
    goal.stop = options_.stop;
    goal.upper = std::min(found_.numbers.phi.upper, found_.numbers.uniform_flow.upper);
    const bool small = flow_program_variables(network_) <= FlowProgramLimits{}.variables;
    if (!small || !bound_by_program(goal)) {
        auto flow = uniform_flow(network_, goal);
        if (flow) take_sharper(found_.proofs.flow, std::move(*flow));
    }
    stopped();
    if (!found_.proofs.flow) return;
    const UniformFlow& flow = *found_.proofs.flow;
    const std::string method = !flow.arcs.empty()       ? "linear program, re-checked"
                               : flow.parts.size() == 1 ? "flow over shortest paths, evened out"
                                                        : "flow by repeated descent";
    note_flow(flow.lower, flow.upper, method,
              flow.length.empty() ? "no flow exceeds capacity over distance, in hops"
                                  : "no flow exceeds capacity over distance, by given lengths");
}

/// Whether a few rounds and the linear program, or either, came to an end; else what they found is kept all the same.
bool Analysis::bound_by_program(UniformFlowGoal goal) {
    constexpr double close = 1 + 1e-7;
    goal.ratio = std::max(goal.ratio, ratio_before_program);
    auto& flow = found_.proofs.flow;
    flow = uniform_flow(network_, goal);
    if (!flow || stopped()) return true;
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

void Analysis::bound_by_one_round() {
    const auto loads = uniform_shortest_loads(network_, Split::by_hop, options_.threads, options_.stop);
    if (!loads) {
        found_.complete = false;
        return;
    }
    const double links = static_cast<double>(network_.edges.size());
    const double off = rounding(network_);
    double capacity = 0;
    for (const auto& edge : network_.edges) capacity += 2 * edge.capacity;
    found_.proofs.shortest_paths = allowed_rate(network_, *loads) / (hosts_ - 1) * (1 - off);
    found_.proofs.hops = capacity / (2 * links * mean_load(*loads) * (hosts_ - 1)) * (1 + off);
    note_flow(found_.proofs.shortest_paths, found_.proofs.hops, "flow over all shortest paths",
              "no flow exceeds capacity over distance, in hops");
}

/// Every lower end of φ bounds every cut, and so B and α.
void Analysis::sharpen_cuts() {
    if (cuts_known() || found_.components > 1) return;
    const double flow = found_.numbers.uniform_flow.lower;
    const double phi = std::max({found_.proofs.spectral, flow, found_.numbers.phi.lower});
    const std::string by = phi == found_.proofs.spectral ? "spectrum" : (phi == flow ? "flow" : "formula");
    const double unit = capacity_unit(network_).value_or(0);
    double sparsest = infinity, expansion = infinity;
    for (double size = 1; size <= std::floor(hosts_ / 2); ++size) {
        const double least = cut_floor(phi, size, hosts_, unit);
        sparsest = std::min(sparsest, sparsity_of(least, size, hosts_));
        expansion = std::min(expansion, expansion_of(least, size, hosts_));
    }
    const auto raise = [&by](Bracket& number, double lower) {
        if (number.exact() || lower <= number.lower) return;
        number.lower = lower <= number.upper * (1 + contradiction) ? std::min(lower, number.upper) : lower;
        number.method += fmt::format(", bounded by {}", by);
    };
    raise(found_.numbers.bisection, cut_floor(phi, std::floor(hosts_ / 2), hosts_, unit));
    raise(found_.numbers.alpha, expansion);
    raise(found_.numbers.phi, sparsest);
    const Bracket& sparsest_cut = found_.numbers.phi;
    found_.numbers.uniform_flow = sharper(found_.numbers.uniform_flow, {0, sparsest_cut.upper, sparsest_cut.method,
                                                                        "at most " + sparsest_cut.certificate});
}

/// Both ends are proven, so that a lower end above its upper end is an error of this program.
void Analysis::require_consistent() const {
    const auto& [bisection, alpha, phi, flow] = found_.numbers;
    for (const Bracket* number : {&bisection, &alpha, &phi, &flow}) {
        if (number->lower <= number->upper * (1 + contradiction)) continue;
        throw std::logic_error(fmt::format("two proofs contradict each other: at least {} ({}), at most {} ({})",
                                           number->lower, number->method, number->upper, number->certificate));
    }
}

}  // namespace

double cut_floor(double phi, double inside, double hosts, double unit) {
    constexpr double below = 1 - 1e-12;  // so that rounding of this line does not carry over a whole multiple
    const double least = phi * inside * (hosts - inside) * below;
    return unit > 0 ? unit * std::ceil(least / unit) : least;
}

Bracket sharper(const Bracket& known, const Bracket& found) {
    Bracket both = known;
    if (found.upper < known.upper) {
        both.upper = found.upper;
        both.certificate = found.certificate;
        both.method = found.method;
    }
    if (found.lower > known.lower) {
        both.lower = found.lower;
        both.method = found.method;
        if (both.certificate.empty()) both.certificate = found.certificate;
    }
    return both;
}

NetworkAnalysis analyse(const Network& network, const NetworkNumbers& known, const AnalysisOptions& options) {
    require_valid(network);
    if (network.hosts < 2) throw std::logic_error("analyse: fewer than two hosts");
    return Analysis(network, known, options).run();
}

}  // namespace narrows
