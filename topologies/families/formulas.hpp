#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "topologies/closed_forms.hpp"
#include "topologies/input_error.hpp"
#include "topologies/spec.hpp"

namespace narrows {

/// Closed forms as topologies share them.
inline std::shared_ptr<const ClosedForms> share(ClosedForms forms) {
    return std::make_shared<const ClosedForms>(std::move(forms));
}

/// Closed forms called `spec` of a `member` that has nodes(), links() and degree() and that graph_of() writes out.
template <class Member>
ClosedForms forms_of(const Member& member, std::string spec) {
    ClosedForms forms;
    forms.spec = std::move(spec);
    forms.nodes = member.nodes();
    forms.links = member.links();
    forms.degree = static_cast<std::int64_t>(member.degree());
    forms.graph = [member] { return graph_of(member); };
    return forms;
}

/// B, α, φ and the uniform flow as `cuts` has them.
template <class Cuts>
void take_cuts(ClosedForms& forms, const Cuts& cuts) {
    forms.bisection = cuts.bisection();
    forms.alpha = cuts.alpha();
    forms.phi = cuts.phi();
    forms.uniform_flow = cuts.uniform_flow();
}

/// A network whose family has no member of every size.
struct FixedSize {
    std::string spec;
    std::int64_t nodes = 0;
    std::string sizing;  ///< how one of another size is asked for
};

/// What to say where it is to have so many nodes.
InputError no_other_size(const FixedSize& network, std::int64_t nodes);

/// The same family with `nodes` nodes. Throws InputError when there is none.
std::shared_ptr<const ClosedForms> resized(const ClosedForms& forms, std::int64_t nodes);

/// A number that a formula bounds, in words: a bracket of the method "closed form".
Bracket between(double lower, double upper, std::string certificate);

/// For numbers of a single node, where there is nothing to cut.
Bracket nothing_to_cut(double value);

/// Of a single node all numbers are such.
void fill_single_node(ClosedForms& forms);

/// Lowers the upper ends of φ, of α and, where it halves the nodes, of B to those of the cut of `what`: `links` links
/// around `part` of the nodes, which the certificate calls `nodes`. No node or all of them are no cut.
void improve_by_cut(ClosedForms& forms, const std::string& what, double links, double inside, std::string_view called);

/// Upper end of the uniform flow t by the room that it takes: N(N−1) flows of `mean` links each share both ways of all
/// links, so t ≤ 2·links/(N(N−1)·mean). Precondition: more than one node, all capacities 1.
double hop_bound(std::int64_t nodes, std::int64_t links, double mean);

/// Distances where any two of `nodes` > 1 routers are at most two of `links` links apart, and no link is doubled.
Distances distances_within_two(std::int64_t nodes, std::int64_t links);

/// Throws InputError when `nodes` is beyond `node_limit` or `links` beyond what a double counts exactly.
void require_countable(const std::string& spec, double nodes, double links);

/// Throws InputError when a network whose numbers need its graph is beyond `graph_limit`.
void require_graph(const std::string& spec, double vertices, double links);

}  // namespace narrows
