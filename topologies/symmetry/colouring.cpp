#include "topologies/symmetry/colouring.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "topologies/adjacency.hpp"

namespace narrows {

std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

Refiner::Refiner(const Network& network, Stop stop) : stop_(std::move(stop)) {
    const Adjacency all(network);
    first_ = all.first;
    for (std::size_t arc = 0; arc < all.target.size(); ++arc) {
        arcs_.push_back({all.target[arc], mixed(std::bit_cast<std::uint64_t>(network.edges[all.edge[arc]].capacity))});
    }
}

int Refiner::count_different(const std::vector<std::uint64_t>& colour) {
    seen_.assign(std::bit_ceil(2 * colour.size()), 0);
    const std::size_t last = seen_.size() - 1;
    int count = 0;
    for (const std::uint64_t each : colour) {
        std::size_t place = each & last;
        while (seen_[place] != 0 && seen_[place] != each) place = (place + 1) & last;
        if (seen_[place] == 0) ++count;
        seen_[place] = each;
    }
    return count;
}

Colouring Refiner::refine(std::vector<std::uint64_t> colour) {
    Colouring found;
    std::vector<std::uint64_t> next(colour.size());
    for (int round = 0;; ++round) {
        const int count = count_different(colour);
        constexpr double of_counting = 3;
        work_ += static_cast<double>(arcs_.size()) + of_counting * static_cast<double>(colour.size());
        if (round > 0 && (count == found.count || stop_())) break;
        found.count = count;
        found.fingerprint = mixed(found.fingerprint + static_cast<std::uint64_t>(count));
        for (int v = 0; v < vertices(); ++v) {
            std::uint64_t around = 0;
            for (int arc = first_[v]; arc < first_[v + 1]; ++arc) {
                around += mixed(colour[arcs_[arc].target] ^ arcs_[arc].label);
            }
            next[v] = mixed(colour[v] + mixed(around));
        }
        colour.swap(next);
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t each : colour) sum += mixed(each);
    found.fingerprint = mixed(found.fingerprint ^ sum);
    found.colour = std::move(colour);
    return found;
}

Colouring Refiner::single_out(const Colouring& colouring, int vertex) {
    std::vector<std::uint64_t> colour = colouring.colour;
    colour[vertex] = mixed(~colour[vertex]);
    return refine(std::move(colour));
}

bool Refiner::keeps_links(const std::vector<int>& image) const {
    std::vector<std::pair<int, std::uint64_t>> here, there;
    for (int v = 0; v < vertices(); ++v) {
        here.clear();
        there.clear();
        for (int arc = first_[v]; arc < first_[v + 1]; ++arc) {
            here.emplace_back(image[arcs_[arc].target], arcs_[arc].label);
        }
        for (int arc = first_[image[v]]; arc < first_[image[v] + 1]; ++arc) {
            there.emplace_back(arcs_[arc].target, arcs_[arc].label);
        }
        std::ranges::sort(here);
        std::ranges::sort(there);
        if (here != there) return false;
    }
    return true;
}

}  // namespace narrows
