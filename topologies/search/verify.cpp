#include "topologies/search/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "topologies/components.hpp"
#include "topologies/cut/sparse_spectral_bound.hpp"
#include "topologies/cut/spectral_bound.hpp"
#include "topologies/flow/explicit_flow.hpp"
#include "topologies/flow/hub_flow.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"
#include "topologies/search/exact_search.hpp"

namespace narrows {
namespace {

constexpr double sharp = 1e-9;

void require_length(std::size_t length, std::size_t wanted, const char* what) {
    if (length == wanted) return;
    throw InputError(fmt::format("the certificate's {} has {} entries instead of {}: it is not of this network", what,
                                 length, wanted));
}

struct CountedCut {
    double capacity = 0;
    double inside = 0;
};

CountedCut count(const Network& network, const Cut& cut) {
    require_length(cut.side.size(), static_cast<std::size_t>(network.vertices()), "cut");
    CountedCut counted;
    for (std::size_t e = network.edges.size(); e-- > 0;) {
        const Edge& edge = network.edges[e];
        if ((cut.side[edge.u] != 0) != (cut.side[edge.v] != 0)) counted.capacity += edge.capacity;
    }
    for (int host = 0; host < network.hosts; ++host) counted.inside += cut.side[host] != 0 ? 1 : 0;
    return counted;
}

class Verifier {
  public:
    Verifier(const Certificate& certificate, Stop stop)
        : network_(certificate.network),
          claims_(certificate.claims),
          proofs_(certificate.proofs),
          stop_(std::move(stop)),
          hosts_(certificate.network.hosts),
          half_(std::floor(hosts_ / 2)) {}

    std::vector<CheckedClaim> run() {
        read_symmetries();
        check_cuts();
        check_flow();
        check_lower_ends();
        require_lower_below_upper();
        return std::move(checked_);
    }

  private:
    void at_most(const std::string& name, double claimed, double proven, const std::string& how) {
        checked_.push_back({name + " ≤", claimed, proven, proven <= claimed * (1 + sharp), how});
    }
    void at_least(const std::string& name, double claimed, double proven, const std::string& how) {
        checked_.push_back({name + " ≥", claimed, proven, proven >= claimed * (1 - sharp), how});
    }

    /// What the search for least cuts gives, or why there is nothing: each 0 as a lower end, which proves nothing.
    struct Searched {
        bool done = false;
        double bisection = 0, expansion = 0, sparsity = 0;
        std::string how = "not searched again: there is no time or memory for it";
    };

    void read_symmetries();
    const Searched& searched_again();
    double check_cut(const std::string& name, double claimed, const Cut& cut, double counted,
                     double Searched::*searched);
    void check_cuts();
    void check_flow();
    void check_flow_by_hubs();
    /// What proves the upper end of φ, which is one of t.
    const char* of_sparsest() const {
        return proofs_.cuts && !proofs_.cuts->phi.side.empty() ? "the cut of φ, counted" : "the sparsest cut, searched";
    }
    const Orbits* orbits() const { return orbits_ ? &*orbits_ : nullptr; }
    bool same_in_orbits(const std::vector<double>& length) const;
    void check_lower_ends();
    void check_lower_ends_by_sizes();
    void require_lower_below_upper();

    const Network& network_;
    const NetworkNumbers& claims_;
    const NetworkProofs& proofs_;
    Stop stop_;
    double hosts_;
    double half_;
    std::optional<Orbits> orbits_;
    double flow_ = 0;
    double sparsity_ = infinity;
    std::optional<Searched> searched_;
    std::vector<CheckedClaim> checked_;
};

void Verifier::read_symmetries() {
    if (proofs_.automorphisms.empty()) return;
    orbits_ = orbits_of(network_, proofs_.automorphisms);
    if (!orbits_) throw InputError("a symmetry of the certificate is none of its network");
}

/// Least cuts have no proof that is shorter than their search.
const Verifier::Searched& Verifier::searched_again() {
    if (searched_) return *searched_;
    searched_.emplace(Searched{});
    require_length(proofs_.least.size(), static_cast<std::size_t>(half_), "list of least cuts");
    SweepLimits limits;
    limits.stop = stop_;
    limits.host_transitive = orbits_ && orbits_->host_transitive();
    const auto search = exact_search(network_, limits, infinity);
    const auto least = search ? search->run(network_, limits) : std::nullopt;
    if (!least) return *searched_;
    const int expanding = size_of_least(*least, network_.hosts, expansion_of);
    const int sparse = size_of_least(*least, network_.hosts, sparsity_of);
    searched_ = {true, least->back(), expansion_of((*least)[expanding - 1], expanding, hosts_),
                 sparsity_of((*least)[sparse - 1], sparse, hosts_),
                 "no proof, the same search again: " + search->method(limits)};
    return *searched_;
}

/// The proven upper end: that of the cut, or where there is none, of the search that knows the least without it.
double Verifier::check_cut(const std::string& name, double claimed, const Cut& cut, double counted,
                           double Searched::*searched) {
    if (cut.side.empty() && !proofs_.least.empty()) {
        const Searched& again = searched_again();
        at_most(name, claimed, again.done ? again.*searched : infinity, again.how);
    } else {
        at_most(name, claimed, counted, counted < infinity ? "its cut, counted" : "it has no such cut");
    }
    return checked_.back().proven;
}

void Verifier::check_cuts() {
    const BestCuts cuts = proofs_.cuts.value_or(BestCuts{});
    const auto counted = [&](const Cut& cut) {
        return cut.side.empty() ? CountedCut{infinity, 1} : count(network_, cut);
    };
    const auto [halving, half] = counted(cuts.bisection);
    const bool halves = half == half_ || half == hosts_ - half_;
    check_cut("B", claims_.bisection.upper, cuts.bisection, halves ? halving : infinity, &Searched::bisection);
    const auto [alpha, expanding] = counted(cuts.alpha);
    const double expansion = alpha / std::min(expanding, hosts_ - expanding);
    check_cut("α", claims_.alpha.upper, cuts.alpha, expansion, &Searched::expansion);
    const auto [phi, sparse] = counted(cuts.phi);
    const double sparsity = phi / (sparse * (hosts_ - sparse));
    sparsity_ = check_cut("φ", claims_.phi.upper, cuts.phi, sparsity, &Searched::sparsity);
}

/// Whether links of an orbit have the same length, without which one sender's distances say nothing of another's.
bool Verifier::same_in_orbits(const std::vector<double>& length) const {
    if (!orbits_ || length.empty()) return true;
    std::vector<double> of_orbit(orbits_->edge_orbits);
    for (std::size_t e = 0; e < length.size(); ++e) of_orbit[orbits_->of_edge[e]] = length[e];
    for (std::size_t e = 0; e < length.size(); ++e) {
        if (of_orbit[orbits_->of_edge[e]] != length[e]) return false;
    }
    return true;
}

void Verifier::check_flow_by_hubs() {
    Orbits hubs;  // each by itself
    for (const int hub : proofs_.hubs) {
        if (hub < 0 || hub >= network_.hosts) throw InputError("a hub of the certificate is not a host of its network");
        hubs.host.push_back(hub);
        hubs.hosts.push_back(1);
    }
    hubs.of_edge.resize(network_.edges.size());
    std::iota(hubs.of_edge.begin(), hubs.of_edge.end(), 0);
    hubs.edge_orbits = static_cast<int>(hubs.of_edge.size());
    const auto sent = Spreader(network_, 1, &hubs).send({{}, {}, true}, stop_);
    if (sent && sent->complete) {
        LoadsOfSome some{no_loads(network_), proofs_.hubs};
        for (std::size_t e = 0; e < sent->load.size(); ++e) some.loads.forward[e] = sent->load[e] / (hosts_ - 1);
        flow_ = hub_flow(network_, some);
    }
    at_least("t", claims_.uniform_flow.lower, flow_, "its flow by way of given nodes, sent again");
    at_most("t", claims_.uniform_flow.upper, sparsity_, of_sparsest());
}

void Verifier::check_flow() {
    if (!proofs_.hubs.empty()) return check_flow_by_hubs();
    const bool rounds = proofs_.flow.has_value();
    const std::vector<SpreadPart> parts = rounds ? proofs_.flow->parts : std::vector<SpreadPart>{{1, {{}, {}, true}}};
    const std::vector<double> length = rounds ? proofs_.flow->length : std::vector<double>{};
    const std::size_t links = network_.edges.size();
    double shares = 0;
    for (const auto& [share, spread] : parts) {
        if (!spread.length.empty()) require_length(spread.length.size(), links, "list of lengths");
        if (!spread.weight.empty()) require_length(spread.weight.size(), links, "list of weights");
        shares += share;
    }
    if (!length.empty()) require_length(length.size(), links, "list of lengths");
    // Shares so small that loads vanish by rounding would prove anything.
    constexpr double least_shares = 0.5;
    if (shares >= least_shares) flow_ = flow_of(network_, parts, 1, orbits(), stop_).value_or(0);
    if (rounds && !proofs_.flow->arcs.empty()) flow_ = std::max(flow_, proven_flow(network_, proofs_.flow->arcs));
    const bool few = same_in_orbits(length);
    const double dual = dual_of(network_, length, 1, few ? orbits() : nullptr, stop_).value_or(infinity);
    const std::string by =
        orbits_ ? fmt::format(", from {} of {} nodes by symmetries that hold", orbits_->host.size(), network_.hosts)
                : "";
    const bool by_links = rounds && !proofs_.flow->arcs.empty();
    at_least("t", claims_.uniform_flow.lower, flow_,
             by_links ? "its flow, balanced at every vertex" : "its flow, sent again" + by);
    at_most("t", claims_.uniform_flow.upper, std::min(dual, sparsity_),
            dual < sparsity_ ? "capacity over distance by its lengths" + (few ? by : "") : of_sparsest());
}

void Verifier::check_lower_ends_by_sizes() {
    const auto& [done, bisection, expansion, sparsity, how] = searched_again();
    at_least("B", claims_.bisection.lower, bisection, how);
    at_least("α", claims_.alpha.lower, expansion, how);
    at_least("φ", claims_.phi.lower, sparsity, how);
}

/// A proof of a lower end above a proven upper end is none.
void Verifier::require_lower_below_upper() {
    for (CheckedClaim& low : checked_) {
        for (const CheckedClaim& high : checked_) {
            const bool same_number = low.claim != high.claim && low.claim.substr(0, low.claim.find(' ')) ==
                                                                    high.claim.substr(0, high.claim.find(' '));
            if (!same_number || !low.claim.ends_with("≥") || low.proven <= high.proven * (1 + sharp)) continue;
            low.holds = false;
            low.how += ", which contradicts the upper end";
        }
    }
}

void Verifier::check_lower_ends() {
    if (!proofs_.least.empty()) return check_lower_ends_by_sizes();
    double phi = flow_;
    std::string how = "the flow t";
    const double spectral = proofs_.spectral * (1 - sharp);
    const auto proven = [&] {
        constexpr double most_work = 3e11;
        if (proofs_.spectral_order.empty()) return !stop_() && proves_sparsity(network_, spectral);
        return proves_sparsity(network_, {spectral, proofs_.spectral_order}, {most_work, stop_});
    };
    if (spectral > phi && proven()) {
        phi = spectral;
        how = "the quadratic form, factorised";
    }
    const double unit = capacity_unit(network_).value_or(0);
    double expansion = infinity, sparsity = infinity;
    for (double size = 1; size <= half_; ++size) {
        const double pairs = size * (hosts_ - size);
        const double least = unit > 0 ? std::ceil(phi * pairs / unit * (1 - sharp)) * unit : phi * pairs;
        expansion = std::min(expansion, least / size);
        sparsity = std::min(sparsity, least / pairs);
    }
    const double pairs = half_ * (hosts_ - half_);
    at_least("B", claims_.bisection.lower, unit > 0 ? std::ceil(phi * pairs / unit * (1 - sharp)) * unit : phi * pairs,
             how);
    at_least("α", claims_.alpha.lower, expansion, how);
    at_least("φ", claims_.phi.lower, sparsity, how);
}

}  // namespace

std::vector<CheckedClaim> verify(const Certificate& certificate, const Stop& stop) {
    require_valid(certificate.network);
    if (certificate.network.hosts < 2) throw InputError("the certificate's network has fewer than two hosts");
    if (component_count(certificate.network) == 1) return Verifier(certificate, stop).run();
    Certificate joined = certificate;  // as it was searched
    joined.network = with_idle_switches_joined(std::move(joined.network));
    return Verifier(joined, stop).run();
}

}  // namespace narrows
