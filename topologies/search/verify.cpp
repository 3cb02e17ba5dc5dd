#include "topologies/search/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "topologies/cut/least_cuts.hpp"
#include "topologies/cut/spectral_bound.hpp"
#include "topologies/infinity.hpp"
#include "topologies/input_error.hpp"
#include "topologies/search/explicit_flow.hpp"
#include "topologies/search/verify_flow.hpp"
#include "topologies/search/verify_form.hpp"
#include "topologies/search/verify_least.hpp"
#include "topologies/search/verify_orbits.hpp"

namespace narrows {
namespace {

constexpr double sharp = 1e-9;

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

Senders all_senders(int hosts) {
    Senders all;
    for (int host = 0; host < hosts; ++host) all.emplace_back(host, 1);
    return all;
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

    void check_cuts();
    void check_flow();
    void check_flow_by_hubs();
    void choose_senders();
    double fullest(std::vector<double> load) const;
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
    Senders senders_;
    double flow_ = 0;
    double sparsity_ = infinity;
    std::vector<CheckedClaim> checked_;
};

void Verifier::check_cuts() {
    double bisection = infinity, expansion = infinity;
    if (proofs_.cuts) {
        if (!proofs_.cuts->bisection.side.empty()) {
            const auto [capacity, inside] = count(network_, proofs_.cuts->bisection);
            if (inside == half_ || inside == hosts_ - half_) bisection = capacity;
        }
        const auto [alpha_capacity, alpha_inside] = count(network_, proofs_.cuts->alpha);
        expansion = alpha_capacity / std::min(alpha_inside, hosts_ - alpha_inside);
        const auto [phi_capacity, phi_inside] = count(network_, proofs_.cuts->phi);
        sparsity_ = phi_capacity / (phi_inside * (hosts_ - phi_inside));
    }
    at_most("B", claims_.bisection.upper, bisection, "its cut, counted");
    at_most("α", claims_.alpha.upper, expansion, "its cut, counted");
    at_most("φ", claims_.phi.upper, sparsity_, "its cut, counted");
}

/// All hosts, or one of each orbit under the certificate's symmetries.
void Verifier::choose_senders() {
    if (!proofs_.automorphisms.empty()) orbits_ = checked_orbits(network_, proofs_.automorphisms);
    if (!orbits_) senders_ = all_senders(network_.hosts);
    for (std::size_t i = 0; orbits_ && i < orbits_->host.size(); ++i) {
        senders_.emplace_back(orbits_->host[i], orbits_->hosts[i]);
    }
}

/// The largest load over capacity; infinite when some load is not finite. Loads of senders chosen by symmetry are
/// averaged over the links of an orbit: so is the flow over its images.
double Verifier::fullest(std::vector<double> load) const {
    if (orbits_) {
        std::vector<std::pair<double, double>> orbit(orbits_->edge_orbits);  // sum, links
        for (std::size_t e = load.size(); e-- > 0;) {
            orbit[orbits_->of_edge[e]].first += load[e];
            ++orbit[orbits_->of_edge[e]].second;
        }
        for (std::size_t e = 0; e < load.size(); ++e) {
            load[e] = orbit[orbits_->of_edge[e]].first / orbit[orbits_->of_edge[e]].second;
        }
    }
    double most = 0;
    for (std::size_t e = 0; e < load.size(); ++e) {
        const double fullness = load[e] / network_.edges[e].capacity;
        if (!(fullness <= most)) most = std::isfinite(fullness) ? fullness : infinity;
    }
    return most;
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
    Senders hubs;
    std::vector<int> times(network_.vertices());
    for (const int hub : proofs_.hubs) {
        if (hub < 0 || hub >= network_.hosts) throw InputError("a hub of the certificate is no host of its network");
        hubs.emplace_back(hub, 1);
        ++times[hub];
    }
    const SentFlow sent = send_again(network_, {{1, {{}, {}, true}}}, hubs, stop_);
    std::vector<double> load = sent.load;
    std::vector<int> links(network_.vertices());
    for (const Edge& edge : network_.edges) {
        ++links[edge.u];
        ++links[edge.v];
    }
    for (std::size_t e = 0; e < load.size(); ++e) {  // what a hub sends on its only link needs go no farther than that
        for (const int end : {network_.edges[e].u, network_.edges[e].v}) {
            if (links[end] == 1) load[e] -= times[end] * (hosts_ - 2);
        }
    }
    const double most = fullest(std::move(load));
    if (sent.balanced && most > 0) flow_ = static_cast<double>(hubs.size()) / ((hosts_ - 1) * most);
    at_least("t", claims_.uniform_flow.lower, flow_, "its flow by way of given nodes, sent again and balanced");
    at_most("t", claims_.uniform_flow.upper, sparsity_, "the cut of φ, counted");
}

void Verifier::check_flow() {
    if (!proofs_.hubs.empty()) return check_flow_by_hubs();
    choose_senders();
    const bool rounds = proofs_.flow.has_value();
    const std::vector<SpreadPart> parts = rounds ? proofs_.flow->parts : std::vector<SpreadPart>{{1, {{}, {}, true}}};
    const std::string by =
        orbits_ ? fmt::format(", from {} of {} nodes by symmetries that hold", senders_.size(), network_.hosts) : "";
    if (!parts.empty()) {
        const SentFlow sent = send_again(network_, parts, senders_, stop_);
        double shares = 0;
        for (const auto& part : parts) shares += part.share;
        const double most = fullest(sent.load);
        // Shares so small that loads vanish by rounding would prove anything.
        constexpr double least_shares = 0.5;
        if (sent.balanced && most > 0 && shares >= least_shares) flow_ = 2 * std::min(1.0, shares) / most;
    }
    if (rounds && !proofs_.flow->arcs.empty()) flow_ = std::max(flow_, proven_flow(network_, proofs_.flow->arcs));
    const std::vector<double> length = rounds ? proofs_.flow->length : std::vector<double>{};
    double volume = 0;
    const bool few = same_in_orbits(length);
    const double total =
        send_again(network_, {{0, {length, {}, false}}}, few ? senders_ : all_senders(network_.hosts), stop_).distance;
    for (std::size_t e = 0; e < network_.edges.size(); ++e) {
        volume += 2 * network_.edges[e].capacity * (length.empty() ? 1 : length[e]);
    }
    at_least("t", claims_.uniform_flow.lower, flow_, "its flow, sent again and balanced at every vertex" + by);
    const double dual = std::isfinite(total) ? volume / total : infinity;
    at_most("t", claims_.uniform_flow.upper, std::min(dual, sparsity_),
            dual < sparsity_ ? "capacity over distance by its lengths" + (few ? by : "") : "the cut of φ, counted");
}

void Verifier::check_lower_ends_by_sizes() {
    require_length(proofs_.least.size(), static_cast<std::size_t>(half_), "list of least cuts");
    std::string how;
    double bisection = 0, expansion = 0, sparsity = 0;
    if (const auto least = least_cuts_again(network_, how, stop_)) {
        bisection = least->back();
        const int expanding = size_of_least(*least, network_.hosts, expansion_of);
        const int sparse = size_of_least(*least, network_.hosts, sparsity_of);
        expansion = expansion_of((*least)[expanding - 1], expanding, hosts_);
        sparsity = sparsity_of((*least)[sparse - 1], sparse, hosts_);
    } else {
        how = "not worked out: the search takes too long (--budget gives more)";
    }
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
    if (proofs_.spectral > phi && !proofs_.spectral_order.empty()) {
        if (sparse_form_is_positive(network_, spectral, proofs_.spectral_order, stop_)) {
            phi = spectral;
            how = "the quadratic form, factorised column by column";
        }
    } else if (proofs_.spectral > phi && network_.vertices() <= spectral_vertex_limit && !stop_() &&
               form_is_positive(network_, spectral)) {
        phi = spectral;
        how = "the quadratic form, factorised with pivoting";
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
    return Verifier(certificate, stop).run();
}

}  // namespace narrows
