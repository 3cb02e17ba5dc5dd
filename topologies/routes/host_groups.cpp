#include "topologies/routes/host_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/components.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// Takes hosts into groups, each only once. A group grows by the host with the most walks of one or two links to its
/// members, one link counting as three walks of two: on a grid that makes cubes, around a leaf switch its hosts.
class Grouping {
  public:
    Grouping(const Adjacency& arcs, int hosts, int size)
        : arcs_(arcs), hosts_(hosts), size_(size), taken_(hosts), walks_(arcs.vertices()), begin_(arcs.first) {}

    /// The next group, which begins with the first host left; empty when none is left.
    std::vector<int> next() {
        std::vector<int> group;
        for (int host = closest(); host < hosts_; host = closest()) {
            taken_[host] = true;
            group.push_back(host);
            if (static_cast<int>(group.size()) == size_) break;
            count_walks(host);
        }
        for (const int v : reached_) walks_[v] = 0;
        reached_.clear();
        return group;
    }

  private:
    /// The host with the most walks, the first of equals; the first left when none has any.
    int closest() {
        while (next_ < hosts_ && taken_[next_]) ++next_;
        int best = next_;
        int most = 0;
        for (const int v : reached_) {
            if (v >= hosts_ || taken_[v] || walks_[v] < most) continue;
            if (walks_[v] == most && v > best) continue;
            most = walks_[v];
            best = v;
        }
        return best;
    }

    void count_walks(int from) {
        for (int arc = arcs_.first[from]; arc < arcs_.first[from + 1]; ++arc) {
            const int middle = arcs_.target[arc];
            add_walks(middle, 3);
            count_walks_on(middle);
        }
    }

    // To the first hosts left around the middle vertex, more than a group has: those before them are taken for good.
    void count_walks_on(int middle) {
        const auto is_left = [this](int v) { return v < hosts_ && !taken_[v]; };
        int& begin = begin_[middle];
        const int end = arcs_.first[middle + 1];
        while (begin < end && !is_left(arcs_.target[begin])) ++begin;
        int left = most_around_ * size_;
        for (int on = begin; on < end && left > 0; ++on) {
            if (!is_left(arcs_.target[on])) continue;
            add_walks(arcs_.target[on], 1);
            --left;
        }
    }

    void add_walks(int v, int walks) {
        if (walks_[v] == 0) reached_.push_back(v);
        walks_[v] += walks;
    }

    static constexpr int most_around_ = 16;  // groups

    const Adjacency& arcs_;
    int hosts_;
    int size_;
    int next_ = 0;
    std::vector<bool> taken_;
    std::vector<int> walks_;
    std::vector<int> begin_;  // of each vertex, its first arc to a host that may be left
    std::vector<int> reached_;
};

}  // namespace

std::vector<std::vector<int>> host_groups(const Adjacency& arcs, int hosts, int size) {
    std::vector<std::vector<int>> groups;
    Grouping grouping(arcs, hosts, size);
    for (auto group = grouping.next(); !group.empty(); group = grouping.next()) groups.push_back(std::move(group));
    return groups;
}

void require_connected_hosts(const Network& network) {
    const std::vector<int> component = components_of(network);
    const auto end = component.begin() + network.hosts;
    const auto apart = std::find_if(component.begin(), end, [&](int each) { return each != component[0]; });
    if (apart == end) return;
    throw InputError(fmt::format("host 0 cannot reach host {}: the network is not connected, give one of its parts",
                                 apart - component.begin()));
}

}  // namespace narrows
