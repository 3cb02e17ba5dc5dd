#include "topologies/families/formulas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/infinity.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double exact_limit = 9007199254740992;  // 2^53

}  // namespace

InputError no_other_size(const FixedSize& network, std::int64_t nodes) {
    return InputError(fmt::format("'{}' cannot be resized to {} nodes: {}{}", network.spec, nodes, network.sizing,
                                  nodes < network.nodes ? ", or take a part of its hosts" : ""));
}

std::shared_ptr<const ClosedForms> resized(const ClosedForms& forms, std::int64_t nodes) {
    if (forms.resized) return forms.resized(nodes);
    throw no_other_size({forms.spec, forms.nodes, forms.sizing}, nodes);
}

Bracket between(double lower, double upper, std::string certificate) {
    return {lower, upper, "closed form", std::move(certificate)};
}

Bracket nothing_to_cut(double value) {
    return exactly(value, "closed form", "a single node: there is nothing to cut");
}

void fill_single_node(ClosedForms& forms) {
    forms.bisection = nothing_to_cut(0);
    forms.alpha = forms.phi = forms.uniform_flow = nothing_to_cut(infinity);
}

void improve_by_cut(ClosedForms& forms, const std::string& what, double links, double inside, std::string_view called) {
    const double others = static_cast<double>(forms.nodes) - inside;
    if (inside <= 0 || others <= 0) return;
    const std::string text =
        fmt::format("cut of {}: {} links between {} and {} {}", what, links, inside, others, called);
    const auto lower_to = [&](Bracket& bracket, double upper) {
        if (upper < bracket.upper) bracket = between(0, upper, text);
    };
    lower_to(forms.phi, links / (inside * others));
    lower_to(forms.alpha, links / std::min(inside, others));
    if (inside == others) lower_to(forms.bisection, links);
}

double hop_bound(std::int64_t nodes, std::int64_t links, double mean) {
    const auto n = static_cast<double>(nodes);
    return 2 * static_cast<double>(links) / (n * (n - 1) * mean);
}

Distances distances_within_two(std::int64_t nodes, std::int64_t links) {
    const auto n = static_cast<double>(nodes);
    const double linked = 2 * static_cast<double>(links) / (n * (n - 1));
    return {linked == 1 ? 1 : 2, 2 - linked};
}

void require_countable(const std::string& spec, double nodes, double links) {
    if (nodes > static_cast<double>(node_limit)) {
        throw InputError(fmt::format("'{}' has more than {} nodes: give smaller numbers", spec, node_limit));
    }
    if (links > exact_limit) {
        throw InputError(fmt::format("'{}' has more than {} links: give smaller numbers", spec, exact_limit));
    }
}

void require_graph(const std::string& spec, double vertices, double links) {
    const double most = std::max(vertices, links);
    if (most > static_cast<double>(graph_limit)) {
        throw InputError(
            fmt::format("'{}' has {:.0f} {}, but one that has to be written out may have {}: give smaller "
                        "numbers",
                        spec, most, vertices > links ? "vertices" : "links", graph_limit));
    }
}

}  // namespace narrows
