#include "topologies/search/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "topologies/components.hpp"
#include "topologies/cut/least_cuts.hpp"
#include "topologies/cut/sparse_spectral_bound.hpp"
#include "topologies/cut/spectral_bound.hpp"
#include "topologies/flow/hub_flow.hpp"
#include "topologies/infinity.hpp"
#include "topologies/routes/uniform_loads.hpp"
#include "topologies/search/exact_search.hpp"
#include "topologies/search/flow_program.hpp"
#include "topologies/search/product_numbers.hpp"
#include "topologies/symmetry/find_automorphisms.hpp"

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

constexpr const char* dual_by_hops = "no flow exceeds capacity over distance, in hops";

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
        if (found_.components == 1 && !(cuts_known() && found_.numbers.uniform_flow.exact())) find_symmetry();
        if (!cuts_known()) search_cuts();
        if (!found_.numbers.phi.exact()) bound_by_spectrum();  // first: it takes a second, not the whole budget
        if (!found_.numbers.uniform_flow.exact()) begin_flow();
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
    void find_symmetry();
    void search_cuts();
    void bound_cuts_exactly();
    void bound_by_spectrum();
    const Orbits* orbits() const { return orbits_ ? &*orbits_ : nullptr; }
    double work_of_round() const;
    UniformFlowGoal flow_goal() const;
    void begin_flow();
    void bound_by_flow();
    bool bound_by_rounds();
    bool bound_by_program(UniformFlowGoal goal);
    bool bound_by_one_round();
    void note_flow(double lower, double upper, const std::string& method, const std::string& dual);
    void sharpen_cuts();
    void require_consistent() const;
    void note_upper_ends();

    const Network& network_;
    const AnalysisOptions& options_;
    double hosts_;
    NetworkAnalysis found_;
    std::optional<Orbits> orbits_;  ///< absent unless some hosts can take the place of others
};

/// With no way between some hosts nothing can be sent between all: a component is the sparsest cut.
void Analysis::split_hosts() {
    const std::vector<int> component = components_of(network_);
    const bool hosts_split = std::any_of(component.begin(), component.begin() + network_.hosts,
                                         [&](int one) { return one != component.front(); });
    if (!hosts_split) return;
    const std::string why = "some nodes cannot reach others";
    found_.numbers.alpha = exactly(0, "disconnected", why);
    found_.numbers.phi = exactly(0, "disconnected", why);
    found_.numbers.uniform_flow = exactly(0, "disconnected", why);
    const auto cut_around = [&](const std::vector<char>& chosen) {
        std::vector<char> side;
        for (const int one : component) side.push_back(chosen[one]);
        return cut_of(network_, std::move(side));
    };
    std::vector<char> chosen(network_.vertices());
    chosen[component.front()] = 1;
    const Cut of_first = cut_around(chosen);
    found_.proofs.cuts = BestCuts{{}, of_first, of_first};
    std::vector<int> size(network_.vertices());
    for (int host = 0; host < network_.hosts; ++host) ++size[component[host]];
    constexpr int none = -1;
    std::vector<int> last(network_.hosts + 1, none);  // of components that have so many hosts together, if any do
    for (int one = 0; one < network_.vertices(); ++one) {
        for (int sum = network_.hosts; size[one] > 0 && sum >= size[one]; --sum)
            if (last[sum] == none && (sum == size[one] || last[sum - size[one]] != none)) last[sum] = one;
    }
    const int half = network_.hosts / 2;
    if (last[half] == none) return;
    found_.numbers.bisection = exactly(0, "disconnected", "whole components make up half of the nodes");
    chosen.assign(chosen.size(), 0);
    for (int sum = half; sum > 0; sum -= size[last[sum]]) chosen[last[sum]] = 1;
    found_.proofs.cuts->bisection = cut_around(chosen);
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

void Analysis::find_symmetry() {
    constexpr double most_links = 1e6;
    constexpr int few_hosts = 16;
    if (!options_.symmetry || network_.hosts < few_hosts || stopped()) return;
    if (static_cast<double>(network_.edges.size()) > most_links) return;
    options_.progress("looking for symmetries");
    SymmetryLimits limits;
    limits.stop = options_.stop;
    found_.proofs.automorphisms = find_automorphisms(network_, limits);
    if (!found_.proofs.automorphisms.empty() && !stopped()) orbits_ = orbits_of(network_, found_.proofs.automorphisms);
    if (orbits_ && std::ssize(orbits_->host) < network_.hosts) return;
    orbits_.reset();
    found_.proofs.automorphisms.clear();
}

void Analysis::search_cuts() {
    options_.progress("looking for small cuts");
    CutEffort effort;
    constexpr double links_a_round = 4e5;
    effort.rounds = static_cast<int>(
        std::clamp(links_a_round / std::max(1.0, static_cast<double>(network_.edges.size())), 2.0, 40.0));
    effort.seed = options_.seed;
    effort.stop = options_.stop;
    effort.left = options_.left;
    BestCuts found = best_cuts(network_, effort);
    if (found_.proofs.cuts) {  // between components, which no search improves
        found.alpha = std::move(found_.proofs.cuts->alpha);
        found.phi = std::move(found_.proofs.cuts->phi);
    }
    found_.proofs.cuts = std::move(found);
    note_upper_ends();
}

void Analysis::note_upper_ends() {
    const auto& [bisection, alpha, phi] = *found_.proofs.cuts;
    const auto note = [&](Bracket& number, const Cut& cut, double value) {
        if (std::isfinite(value)) {
            number =
                sharper(number, {number.lower, value, "cut search", describe_cut(cut, network_.hosts, options_.names)});
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
    limits.host_transitive = orbits_ && orbits_->host_transitive();
    const std::optional<ExactSearch> search = exact_search(network_, limits, options_.exact_work);
    if (!search) return;
    options_.progress(search->gray ? "trying all divisions" : "trying all divisions of the sweep's frontier");
    const auto least = search->run(network_, limits);
    if (!least) {
        found_.complete = false;
        return;
    }
    found_.proofs.least = *least;
    CutEffort effort;
    effort.rounds = 4000;
    effort.seed = options_.seed;
    effort.stop = options_.stop;
    effort.left = options_.left;
    meet(network_, *least, effort, *found_.proofs.cuts);
    const std::string method = search->method(limits);
    // Sums of capacities without a common unit are rounded on the way.
    const double rounding_of_sums = capacity_unit(network_) ? 0 : 1e-9;
    const auto settle = [&](Bracket& number, double value, double of_cut, const Cut& cut) {
        const bool met = of_cut <= value * (1 + std::max(rounding_of_sums, 1e-12));
        number = {value * (1 - rounding_of_sums), value * (1 + rounding_of_sums), method,
                  met ? describe_cut(cut, network_.hosts, options_.names) : "the least of all cuts"};
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
    if (stopped()) return;
    options_.progress("bounding cuts by the spectrum");
    constexpr int always_dense = 1000;
    if (network_.vertices() > always_dense) {
        if (auto sparse = sparse_spectral_bound(network_, {options_.factor_work, options_.stop})) {
            found_.proofs.spectral = sparse->phi;
            found_.proofs.spectral_order = std::move(sparse->order);
            return;
        }
    }
    const auto n = static_cast<std::size_t>(network_.vertices());
    if (stopped() || network_.vertices() > spectral_vertex_limit || n * n * sizeof(double) > options_.memory) return;
    found_.proofs.spectral = spectral_bound(network_, options_.stop).value_or(0);
}

double Analysis::work_of_round() const {
    const double senders = orbits_ ? static_cast<double>(orbits_->host.size()) : hosts_;
    return senders * static_cast<double>(network_.edges.size());
}

UniformFlowGoal Analysis::flow_goal() const {
    UniformFlowGoal goal;
    goal.threads = options_.threads;
    goal.stop = options_.stop;
    goal.orbits = orbits();
    return goal;
}

/// One round of shortest paths, if that takes no more than a second or so: a search of cuts may use up the budget
/// before there is more.
void Analysis::begin_flow() {
    constexpr double a_second = 1e8;
    if (work_of_round() > a_second) return;
    UniformFlowGoal goal = flow_goal();
    goal.ratio = infinity;  // one round
    found_.proofs.flow = uniform_flow(network_, goal);
}

/// Brackets t by rounds of shortest paths and a linear program, both from one host of each orbit, or for large networks
/// by one round from all hosts. What a budget ends is kept: hosts whose round was done serve as hubs of all traffic
/// (`hub_flow`). When there is no time for more, by what `begin_flow` found, or by way of a few hubs, the work of a
/// moment.
void Analysis::bound_by_flow() {
    if (stopped()) {
        const auto& begun = found_.proofs.flow;
        if (begun) {
            note_flow(begun->lower, begun->upper, "flow over shortest paths", dual_by_hops);
        } else {
            bound_by_one_round();
        }
        return;
    }
    const bool small = work_of_round() <= small_flow;
    options_.progress(small ? "evening out flows" : "sending all pairs' flow over shortest paths");
    if (!(small ? bound_by_rounds() : bound_by_one_round())) found_.complete = false;
}

bool Analysis::bound_by_rounds() {
    UniformFlowGoal goal = flow_goal();
    goal.ratio = options_.flow_ratio;
    goal.upper = std::min(found_.numbers.phi.upper, found_.numbers.uniform_flow.upper);
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
    if (orbits_ && flow->arcs.empty()) {
        const std::size_t senders = orbits_->host.size();
        method += fmt::format(", from {} by symmetry",
                              senders == 1 ? "one node" : fmt::format("{} of {} nodes", senders, network_.hosts));
    }
    note_flow(flow->lower, flow->upper, method,
              flow->length.empty() ? dual_by_hops : "no flow exceeds capacity over distance, by given lengths");
    return !options_.stop();
}

/// Whether a few rounds and the linear program, or either, came to an end; else what they found is kept all the
/// same.
bool Analysis::bound_by_program(UniformFlowGoal goal) {
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

bool Analysis::bound_by_one_round() {
    const LoadsOfSome some = uniform_loads_until(network_, Split::by_hop, options_.threads, options_.stop);
    if (static_cast<double>(some.sources.size()) < hosts_) {
        found_.proofs.hubs = some.sources;
        note_flow(hub_flow(network_, some), infinity,
                  fmt::format("flow by way of {} nodes, all that the budget allowed", some.sources.size()), "");
        return false;
    }
    const double links = static_cast<double>(network_.edges.size());
    const double off = rounding(network_);
    double capacity = 0;
    for (const auto& edge : network_.edges) capacity += 2 * edge.capacity;
    const double lower = allowed_rate(network_, some.loads) / (hosts_ - 1) * (1 - off);
    const double upper = capacity / (2 * links * mean_load(some.loads) * (hosts_ - 1)) * (1 + off);
    note_flow(lower, upper, "flow over all shortest paths", dual_by_hops);
    return true;
}

void Analysis::note_flow(double lower, double upper, const std::string& method, const std::string& dual) {
    Bracket& number = found_.numbers.uniform_flow;
    const Bracket& phi = found_.numbers.phi;
    const bool by_cut = phi.upper <= upper;
    const Bracket bracket{lower,  std::min(upper, phi.upper),
                          method, by_cut ? "at most " + phi.certificate : dual,
                          method, by_cut ? phi.method_of_upper() : "capacity over distance"};
    number = sharper(number, bracket);
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
    raise_lower_end(found_.numbers.bisection, cut_floor(phi, std::floor(hosts_ / 2), hosts_, unit), by);
    raise_lower_end(found_.numbers.alpha, expansion, by);
    raise_lower_end(found_.numbers.phi, sparsest, by);
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

NetworkAnalysis analyse(const Network& network, const NetworkNumbers& known, const AnalysisOptions& options) {
    require_valid(network);
    if (network.hosts < 2) throw std::logic_error("analyse: fewer than two hosts");
    if (component_count(network) == 1) return Analysis(network, known, options).run();
    const Network joined = with_idle_switches_joined(network);
    return Analysis(joined, known, options).run();
}

}  // namespace narrows
