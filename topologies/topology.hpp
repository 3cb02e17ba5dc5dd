#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/bracket.hpp"
#include "topologies/closed_forms.hpp"
#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// A network named by its family and parameters, such as `torus 64x32x32`: a value that is cheap to copy. N is the
/// number of nodes (hosts). Capacities are in units of one link's, which carries 1 each way at once; a cut counts one
/// way. Every number but the distances costs microseconds at any size. A number that no formula gives is a bracket of
/// the method "not known by formula", from 0 to infinity where nothing better is proven. Of a single node, B is 0 and
/// α, φ and the uniform flow are infinite.
class Topology {
  public:
    /// A single node.
    Topology();
    explicit Topology(std::shared_ptr<const ClosedForms> forms);

    std::string family() const { return forms_->spec.substr(0, forms_->spec.find(' ')); }
    /// Canonical text: `parse_topology(spec())` equals this.
    std::string spec() const { return forms_->spec; }
    std::int64_t nodes() const { return forms_->nodes; }
    /// Links of the whole network, those of hosts to switches included.
    std::int64_t links() const { return forms_->links; }
    /// Most links at one host or switch.
    std::int64_t degree() const { return forms_->degree; }
    /// Links between two nodes, the most and the mean: by formula, else measured on the graph where that takes less
    /// than a third of a second and `stop` does not end it, else nothing. Call it once.
    std::optional<Distances> distances(const Stop& stop = never_stop) const;

    /// B: least capacity of a cut with ⌊N/2⌋ nodes on one side.
    Bracket bisection() const { return forms_->bisection; }
    /// α: least C(S)/|S| over sets S of at most N/2 nodes (`garg2006` Section 4.2, smallest edge expansion).
    Bracket alpha() const { return forms_->alpha; }
    /// φ: least C(S)/(|S|·|S̄|), the sparsest cut.
    Bracket phi() const { return forms_->phi; }
    /// The sharpest proven upper end of φ and of t ≤ φ, for tight loops: a bound computed from it holds. Infinite for a
    /// single node, and where no formula gives either: search then.
    double phi_value() const { return phi_; }
    /// Whether `phi_value` is the upper end of t, below that of φ.
    bool flow_limits() const;
    /// t: largest flow that every ordered pair of nodes can send at the same time; at most φ.
    Bracket uniform_flow() const { return forms_->uniform_flow; }

    /// The dimensions, first fastest in the numbering of nodes, of families that have them (grids, HyperX); else empty.
    std::vector<int> shape() const { return forms_->shape; }
    /// Whether every node is a host on one link of its own to a switch, instead of a router.
    bool switched() const { return forms_->switched; }
    /// Whether two hosts are as far apart as the `blocks` that they do not share, with a link each way, and their own
    /// links: fat tree, leaf-spine, star.
    bool tree() const { return forms_->tree; }
    /// Of a grid of nodes without switches (mesh, torus, ring, hypercube, Tofu) whether the ends of each dimension are
    /// joined, as `shape` has them; of other networks empty.
    std::vector<bool> grid_wraps() const;
    /// Groups of consecutive hosts that few links join to the rest, such as leaf switches and pods, smallest first;
    /// nothing where no formula gives them: `boundaries` of the graph then has them.
    std::optional<std::vector<HostBlocks>> blocks() const { return forms_->blocks; }
    /// The halves along each dimension of a grid or HyperX, and of one whose routers have hosts; of others none.
    const std::vector<HostHalves>& halves() const { return forms_->halves; }
    /// Written out. Throws std::logic_error beyond `graph_limit` vertices or edges.
    Network graph() const { return forms_->graph(); }
    /// The same family with `nodes` nodes: the most cubic shape of as many dimensions, a hypercube of that size, a fat
    /// tree of the same switches; this very topology when it has so many. Throws InputError, which says how to write
    /// another size, when there is none or the family cannot be resized.
    Topology with_nodes(std::int64_t nodes) const;

    friend bool operator==(const Topology& a, const Topology& b) { return a.spec() == b.spec(); }

  private:
    std::shared_ptr<const ClosedForms> forms_;
    double phi_;
};

/// The topology that `spec` names: a family of `topology_families()` with its size and parameters.
/// Throws InputError that names the wrong word and the remedy.
Topology parse_topology(std::string_view spec);

}  // namespace narrows
