#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "topologies/importers/simgrid_parts.hpp"
#include "topologies/plural.hpp"
#include "topologies/union_find.hpp"

namespace narrows::simgrid {
namespace {

constexpr int unknown = -1;

/// Finds where links begin and end. Vertices are those that are named and, after them, joints: places where two links
/// of a route meet. Joints are merged with each other and with named vertices as routes tell.
class RouteSolver {
  public:
    RouteSolver(const Xml& xml, const std::vector<Link>& links, const std::vector<Route>& routes, int named)
        : xml_(xml),
          links_(links),
          routes_(routes),
          named_(named),
          joined_(named),
          ends_(links.size(), {unknown, unknown}),
          used_(links.size(), {false, false}) {
        for (const Route& route : routes) {
            stops_.emplace_back(route.links.size() + 1, unknown);
            stops_.back().front() = route.from;
            stops_.back().back() = route.to;
        }
    }

    void solve() {
        constexpr int most_passes = 64;
        // Routes over one link first: what they say is certain.
        for (std::size_t i = 0; i < routes_.size(); ++i) {
            if (routes_[i].links.size() == 1) visit(i);
        }
        for (int pass = 0; changed_ || pass == 0; ++pass) {
            changed_ = false;
            open_ = nullptr;
            for (std::size_t i = 0; i < routes_.size(); ++i) visit(i);
            if (pass == most_passes) break;
        }
        if (open_ != nullptr) refuse(*open_, "the routes do not say which way it is passed here");
        for (std::size_t i = 0; i < routes_.size(); ++i) note_directions(i);
    }

    bool is_used(std::size_t link) const { return ends_[link][0] != unknown; }
    /// The two vertices of a link.
    std::array<int, 2> ends(std::size_t link) { return {root(ends_[link][0]), root(ends_[link][1])}; }
    /// Whether it is passed from its first to its second end, and the other way.
    std::array<bool, 2> directions(std::size_t link) const { return used_[link]; }

  private:
    /// A link at its place in a route.
    struct Passage {
        const Route* route;
        int link;
    };

    [[noreturn]] void refuse(const Passage& passage, std::string_view why) const {
        throw xml_.error(
            passage.route->node,
            fmt::format("link {} of this route cannot be placed between two vertices, since {}: routes over "
                        "one link each, between neighbours, are read always",
                        quoted(links_[passage.link].id), why));
    }

    int root(int vertex) { return joined_.find(vertex); }

    int joint() {
        changed_ = true;
        return joined_.add();
    }

    bool can_be_same(int a, int b) { return root(a) == root(b) || root(a) >= named_ || root(b) >= named_; }

    /// Makes `stop`, which may be unknown, the same vertex as `vertex`; the named one of two stays.
    void merge(int& stop, int vertex, const Passage& passage) {
        if (stop == unknown) {
            stop = root(vertex);
            changed_ = true;
            return;
        }
        const int low = std::min(root(stop), root(vertex));
        const int high = std::max(root(stop), root(vertex));
        if (low == high) return;
        if (high < named_) refuse(passage, "it would join more than two");
        joined_.join(high, low);
        changed_ = true;
    }

    void visit(std::size_t number) {
        const Route& route = routes_[number];
        for (std::size_t i = 0; i < route.links.size(); ++i) {
            pass({&route, route.links[i]}, stops_[number][i], stops_[number][i + 1]);
        }
    }

    void pass(const Passage& passage, int& from, int& to) {
        std::array<int, 2>& link = ends_[passage.link];
        if (link[0] == unknown) {
            if (from == unknown) from = joint();
            if (to == unknown) to = joint();
            link = {from, to};
            changed_ = true;
            return;
        }
        const auto fits = [&](int a, int b) {
            return (from == unknown || can_be_same(from, a)) && (to == unknown || can_be_same(to, b));
        };
        const auto same = [&](int stop, int vertex) { return stop != unknown && root(stop) == root(vertex); };
        const bool forward = fits(link[0], link[1]);
        const bool backward = fits(link[1], link[0]);
        if (!forward && !backward) refuse(passage, "it would join more than two");
        if (!backward || (forward && (same(from, link[0]) || same(to, link[1])))) {
            merge(from, link[0], passage);
            merge(to, link[1], passage);
        } else if (!forward || same(from, link[1]) || same(to, link[0])) {
            merge(from, link[1], passage);
            merge(to, link[0], passage);
        } else {
            open_ = &(last_open_ = passage);
        }
    }

    void note_directions(std::size_t number) {
        const Route& route = routes_[number];
        for (std::size_t i = 0; i < route.links.size(); ++i) {
            const int link = route.links[i];
            const bool forward = root(stops_[number][i]) == root(ends_[link][0]);
            if (root(ends_[link][0]) == root(ends_[link][1])) {
                refuse({&route, link}, "all routes share it, as a backbone");
            }
            used_[link][forward ? 0 : 1] = true;
            if (!route.one_way) used_[link] = {true, true};
        }
    }

    const Xml& xml_;
    const std::vector<Link>& links_;
    const std::vector<Route>& routes_;
    int named_;
    UnionFind joined_;
    std::vector<std::array<int, 2>> ends_;
    std::vector<std::array<bool, 2>> used_;
    std::vector<std::vector<int>> stops_;
    Passage last_open_{};
    const Passage* open_ = nullptr;
    bool changed_ = false;
};

/// The vertex of the network for one of the solver, a new switch for a joint.
int network_vertex(int solved, int named, std::map<int, int>& switches, NetworkBuilder& builder) {
    if (solved < named) return solved;
    const auto [found, added] = switches.try_emplace(solved, 0);
    if (added) found->second = builder.add_switch(fmt::format("switch {}", switches.size()));
    return found->second;
}

void warn_of_links(const std::vector<Link>& links, std::int64_t unused, NetworkBuilder& builder) {
    if (unused > 0)
        builder.warn(plural(unused, "link is in no route and is left out", "links are in no route and are left out"));
    const auto half = std::ranges::count_if(links, [](const Link& link) { return link.half_duplex; });
    if (half > 0) {
        builder.warn(plural(
            half,
            "link is shared by both directions (sharing_policy SHARED, the default), and counts here with its "
            "whole bandwidth each way",
            "links are shared by both directions (sharing_policy SHARED, the default), and count here with their "
            "whole bandwidth each way"));
    }
}

}  // namespace

void add_routes(const Source& /*source*/, const Xml& xml, const std::vector<Link>& links,
                const std::vector<Route>& routes, NetworkBuilder& builder) {
    const int named = builder.vertices();
    RouteSolver solver(xml, links, routes, named);
    solver.solve();
    std::map<int, int> switches;
    std::int64_t unused = 0;
    bool one_way = false;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (solver.is_used(i) && solver.directions(i) != std::array{true, true}) one_way = true;
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (!solver.is_used(i)) {
            ++unused;
            continue;
        }
        const std::array<int, 2> ends = solver.ends(i);
        const int u = network_vertex(ends[0], named, switches, builder);
        const int v = network_vertex(ends[1], named, switches, builder);
        const auto [there, back] = solver.directions(i);
        if (!one_way || there) builder.connect(u, v, links[i].rate, xml.place(links[i].node));
        if (one_way && back) builder.connect(v, u, links[i].rate, xml.place(links[i].node));
    }
    if (one_way) builder.set_directed();
    warn_of_links(links, unused, builder);
}

}  // namespace narrows::simgrid
