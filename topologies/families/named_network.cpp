#include "topologies/families/named_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

class NamedForms final : public ClosedForms {
  public:
    explicit NamedForms(NamedNetwork network) : network_(std::move(network)) {}

    std::string family() const override { return network_.family; }
    std::string spec() const override { return network_.spec; }
    std::int64_t nodes() const override { return network_.nodes; }
    std::int64_t links() const override { return network_.links; }
    int degree() const override { return network_.degree; }
    std::optional<Distances> distances() const override { return network_.distances; }
    Bracket bisection() const override { return network_.bisection; }
    Bracket alpha() const override { return network_.alpha; }
    Bracket phi() const override { return network_.phi; }
    Bracket uniform_flow() const override { return network_.uniform_flow; }
    double phi_value() const override { return std::min(network_.phi.upper, network_.uniform_flow.upper); }
    std::vector<int> shape() const override { return network_.shape; }
    bool switched() const override { return network_.switched; }
    std::optional<std::vector<HostBlocks>> blocks() const override { return network_.blocks; }
    Network graph() const override { return network_.graph(); }
    std::shared_ptr<const ClosedForms> with_nodes(std::int64_t nodes) const override {
        if (network_.resized) return network_.resized(nodes);
        throw InputError(fmt::format("'{}' cannot be resized to {} nodes: {}", network_.spec, nodes, network_.sizing));
    }

  private:
    NamedNetwork network_;
};

constexpr double exact_limit = 9007199254740992;  // 2^53

}  // namespace

std::shared_ptr<const ClosedForms> share(NamedNetwork network) {
    return std::make_shared<NamedForms>(std::move(network));
}

Bracket between(double lower, double upper, std::string certificate) {
    return {lower, upper, "closed form", std::move(certificate)};
}

Bracket nothing_to_cut(double value) {
    return exactly(value, "closed form", "a single node: there is nothing to cut");
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
