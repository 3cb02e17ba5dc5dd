#include "topologies/routes/host_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// Takes hosts into groups, each only once.
class Grouping {
  public:
    Grouping(const Adjacency& arcs, int hosts, int size)
        : arcs_(arcs), hosts_(hosts), size_(size), taken_(hosts), seen_(arcs.vertices(), -1) {}

    /// The next group: the first host left and those nearest to it, then, where the search becomes wide, the next ones
    /// in their order. Empty when none is left.
    std::vector<int> next() {
        std::vector<int> group;
        skip_taken();
        if (next_ == hosts_) return group;
        const int seed = next_;
        search(seed, group);
        for (skip_taken(); static_cast<int>(group.size()) < size_ && next_ < hosts_; skip_taken()) take(next_, group);
        return group;
    }

  private:
    void skip_taken() {
        while (next_ < hosts_ && taken_[next_]) ++next_;
    }

    void take(int host, std::vector<int>& group) {
        taken_[host] = true;
        group.push_back(host);
    }

    void search(int seed, std::vector<int>& group) {
        constexpr std::size_t widest = 512;
        std::vector<int> order{seed};
        seen_[seed] = seed;
        for (std::size_t i = 0; i < order.size() && order.size() < widest; ++i) {
            const int v = order[i];
            if (v < hosts_ && !taken_[v]) take(v, group);
            if (static_cast<int>(group.size()) == size_) return;
            for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
                const int to = arcs_.target[arc];
                if (seen_[to] != seed) order.push_back(to);
                seen_[to] = seed;
            }
        }
    }

    const Adjacency& arcs_;
    int hosts_;
    int size_;
    int next_ = 0;
    std::vector<bool> taken_;
    std::vector<int> seen_;
};

}  // namespace

std::vector<std::vector<int>> host_groups(const Adjacency& arcs, int hosts, int size) {
    std::vector<std::vector<int>> groups;
    Grouping grouping(arcs, hosts, size);
    for (auto group = grouping.next(); !group.empty(); group = grouping.next()) groups.push_back(std::move(group));
    return groups;
}

std::vector<int> components(const Adjacency& arcs) {
    std::vector<int> component(arcs.vertices(), -1);
    std::vector<int> waiting;
    for (int start = 0; start < arcs.vertices(); ++start) {
        if (component[start] >= 0) continue;
        component[start] = start;
        waiting.push_back(start);
        while (!waiting.empty()) {
            const int v = waiting.back();
            waiting.pop_back();
            for (int arc = arcs.first[v]; arc < arcs.first[v + 1]; ++arc) {
                int& found = component[arcs.target[arc]];
                if (found < 0) waiting.push_back(arcs.target[arc]);
                found = start;
            }
        }
    }
    return component;
}

void require_connected_hosts(const Adjacency& arcs, int hosts) {
    const std::vector<int> component = components(arcs);
    const auto apart =
        std::find_if(component.begin(), component.begin() + hosts, [&](int each) { return each != component[0]; });
    if (apart == component.begin() + hosts) return;
    throw InputError(fmt::format("host 0 cannot reach host {}: the network is in parts, give only one of them",
                                 apart - component.begin()));
}

}  // namespace narrows
