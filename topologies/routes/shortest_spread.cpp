#include "topologies/routes/shortest_spread.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr double most_paths = 1e300;

/// How many visits ahead memory is asked for: what a visit touches is scattered over more than the caches hold, but the
/// order of visits is known.
constexpr std::size_t ahead = 8;

}  // namespace

ShortestSpread::ShortestSpread(const Adjacency& arcs, Split split, std::vector<double> everywhere)
    : arcs_(arcs),
      split_(split),
      everywhere_(std::move(everywhere)),
      seen_(arcs.vertices()),
      here_((seen_.size() + 7) / 8 * 8),
      fresh_(arcs.vertices() + 1),
      needed_(arcs.vertices()),
      paths_(split == Split::by_paths ? arcs.vertices() : 0),
      load_(arcs.target.size()) {
    everywhere_.resize(arcs.vertices());
    for (int v = 0; v < arcs.vertices(); ++v) needed_[v] = Lanes(everywhere_[v]);
}

void ShortestSpread::send(const std::vector<int>& sources) {
    if (sources.size() > Lanes::count) throw std::logic_error("ShortestSpread: too many sources");
    search(sources);
    if (split_ == Split::by_paths) {
        count_paths();
        send_back<Split::by_paths>();
    } else {
        send_back<Split::by_hop>();
    }
}

void ShortestSpread::search(const std::vector<int>& sources) {
    std::ranges::fill(seen_, Bits{0});
    visits_.clear();
    from_.assign(1, 0);
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
        const auto bit = static_cast<Bits>(1U << lane);
        visits_.push_back({sources[lane], bit});
        seen_[sources[lane]] |= bit;
    }
    do {
        from_.push_back(visits_.size());
    } while (extend());
}

/// Lists the next level; returns whether there is one. Whether a neighbour is new is as unpredictable as a coin, so
/// nothing branches on it: every neighbour is written behind the queue, which grows only when it is new.
bool ShortestSpread::extend() {
    const int* const first = arcs_.first.data();
    const int* const target = arcs_.target.data();
    Bits* const seen = seen_.data();
    Bits* const next = here_.data();
    int* const fresh = fresh_.data();
    int found = 0;
    for (std::size_t i = from_[from_.size() - 2]; i < from_.back(); ++i) {
        const auto [v, bits] = visits_[i];
        if (i + ahead < from_.back()) __builtin_prefetch(target + first[visits_[i + ahead].vertex]);
        for (int arc = first[v], end = first[v + 1]; arc < end; ++arc) {
            const int to = target[arc];
            const Bits known = next[to];
            const auto news = static_cast<Bits>(bits & ~seen[to]);
            fresh[found] = to;
            found += known == 0 && news != 0 ? 1 : 0;
            next[to] = known | news;
        }
    }
    if (found > arcs_.vertices() / 64) sort_fresh(found);
    for (int i = 0; i < found; ++i) {
        const int v = fresh[i];
        visits_.push_back({v, next[v]});
        seen[v] |= next[v];
        next[v] = 0;
    }
    return found > 0;
}

/// Puts the `found` new vertices of a level in the order of their numbers, in which memory is read faster than in that
/// of the search, by a look at the bits of all vertices, eight at a time.
void ShortestSpread::sort_fresh(int found) {
    int* next = fresh_.data();
    const int* const end = next + found;
    for (int v = 0; next < end; v += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, here_.data() + v, sizeof eight);
        if (eight == 0) continue;
        for (int i = v; i < v + 8; ++i) {
            *next = i;
            next += here_[i] != 0 ? 1 : 0;
        }
    }
}

void ShortestSpread::mark(int level) {
    for (std::size_t i = from_[level]; i < from_[level + 1]; ++i) here_[visits_[i].vertex] |= visits_[i].bits;
}

void ShortestSpread::unmark(int level) {
    for (std::size_t i = from_[level]; i < from_[level + 1]; ++i) here_[visits_[i].vertex] = 0;
}

void ShortestSpread::count_paths() {
    for (std::size_t i = from_[0]; i < from_[1]; ++i) paths_[visits_[i].vertex].set_where(visits_[i].bits, 1);
    for (int level = 1; level + 1 < static_cast<int>(from_.size()); ++level) {
        mark(level - 1);
        for (std::size_t i = from_[level]; i < from_[level + 1]; ++i) count_paths_to(visits_[i]);
        unmark(level - 1);
    }
}

void ShortestSpread::count_paths_to(const Visit& visit) {
    const auto [v, bits] = visit;
    Lanes paths;
    for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
        const int from = arcs_.target[arc];
        Lanes before = paths_[from];
        before.keep(here_[from] & bits);
        paths += before;
    }
    if (paths.sum() > most_paths) {
        throw InputError("two hosts are joined by too many shortest paths to count: divide traffic hop by hop");
    }
    paths_[v].copy_where(bits, paths);
}

/// Asks for what `pass_on` needs of visit i and, at first, for what asking for visits takes.
void ShortestSpread::prefetch(std::size_t i) const {
    if (i + ahead >= visits_.size()) return;
    const int far = visits_[i + ahead].vertex;
    __builtin_prefetch(&arcs_.target[arcs_.first[far]]);
    __builtin_prefetch(&needed_[far]);
    __builtin_prefetch(&load_[arcs_.first[far]], 1);
    const int near = visits_[i].vertex;
    const int end = arcs_.first[near + 1];
    for (int arc = arcs_.first[near]; arc < end; ++arc) __builtin_prefetch(&needed_[arcs_.target[arc]], 1);
}

/// Leaves in `needed_` what every source demands of every vertex, for the next sources.
template <Split split>
void ShortestSpread::send_back() {
    for (int level = static_cast<int>(from_.size()) - 2; level > 0; --level) {
        mark(level - 1);
        for (std::size_t i = from_[level]; i < from_[level + 1]; ++i) {
            prefetch(i + ahead);
            pass_on<split>(visits_[i]);
        }
        unmark(level - 1);
    }
    for (std::size_t i = from_[0]; i < from_[1]; ++i) {
        const int source = visits_[i].vertex;
        needed_[source] = Lanes(everywhere_[source]);
    }
}

/// What each path that ends in the vertex carries (by_paths), or each link (by_hop), of the sources of the visit;
/// nothing of the others. Not inlined, or gcc 12 divides anew for every arc.
template <Split split>
[[gnu::noinline]] void ShortestSpread::find_shares(const Visit& visit, Lanes& share) const {
    const auto [v, bits] = visit;
    Lanes ways(1);
    if (split == Split::by_paths) {
        ways.copy_where(bits, paths_[v]);
    } else {
        ways.set_where(bits, 0);
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            Lanes one(1);
            one.keep(here_[arcs_.target[arc]] & bits);
            ways += one;
        }
    }
    share = needed_[v];
    share.keep(bits);
    share /= ways;
}

template <Split split>
void ShortestSpread::pass_on(const Visit& visit) {
    const auto [v, bits] = visit;
    Lanes share;
    find_shares<split>(visit, share);
    for (int arc = arcs_.first[v], end = arcs_.first[v + 1]; arc < end; ++arc) {
        const int from = arcs_.target[arc];
        const Bits shared = here_[from] & bits;
        if (shared == 0) continue;
        Lanes part = share;
        if (split == Split::by_paths) part *= paths_[from];
        part.keep(shared);
        needed_[from] += part;
        load_[arc] += part.sum();
    }
    needed_[v].set_where(bits, everywhere_[v]);
}

}  // namespace narrows
