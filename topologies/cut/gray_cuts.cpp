#include "topologies/cut/gray_cuts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "topologies/cut/mask_sum.hpp"
#include "topologies/infinity.hpp"
#include "topologies/threads.hpp"

namespace narrows {
namespace {

/// Vertices whose sides differ from lane to lane.
constexpr int lane_vertices = 5;
constexpr int lanes = 1 << lane_vertices;

template <class Cost>
using CutLanes = std::array<Cost, lanes>;

/// All divisions of a network whose last vertex stays on side 0. Vertices 0 … 4 are the lanes', the others but the last
/// are flipped one after another.
template <class Cost>
class Walk {
  public:
    Walk(const Network& network, double unit);

    int flipped() const { return flipped_; }

    /// Lowers `least[s][lane]` over the divisions whose top `bits` flipped vertices have the sides `top`.
    bool run(std::uint64_t top, int bits, std::vector<CutLanes<Cost>>& least, const Stop& stop) const;

    /// Hosts of side 1 among the lane's vertices.
    int hosts_of_lane(int lane) const { return std::popcount(static_cast<unsigned>(lane) & lane_hosts_); }

  private:
    CutLanes<Cost> cuts_of(std::uint64_t sides) const;

    int vertices_, flipped_;
    std::uint64_t flipped_hosts_ = 0;
    unsigned lane_hosts_ = 0;
    std::vector<std::vector<Cost>> capacity_;
    /// Links of a flipped vertex to flipped ones on side 1, all its links, and by lane its links to side 1.
    std::vector<MaskSum<Cost>> to_flipped_;
    std::vector<Cost> all_;
    std::vector<CutLanes<Cost>> to_lane_;
};

template <class Cost>
Walk<Cost>::Walk(const Network& network, double unit)
    : vertices_(network.vertices()),
      flipped_(vertices_ - lane_vertices - 1),
      capacity_(vertices_, std::vector<Cost>(vertices_)) {
    for (const auto& edge : network.edges) {
        const auto capacity = static_cast<Cost>(unit > 0 ? std::round(edge.capacity / unit) : edge.capacity);
        capacity_[edge.u][edge.v] = static_cast<Cost>(capacity_[edge.u][edge.v] + capacity);
        capacity_[edge.v][edge.u] = capacity_[edge.u][edge.v];
    }
    for (int v = 0; v < lane_vertices; ++v) lane_hosts_ |= v < network.hosts ? 1U << v : 0U;
    for (int i = 0; i < flipped_; ++i) {
        const auto& row = capacity_[lane_vertices + i];
        if (lane_vertices + i < network.hosts) flipped_hosts_ |= std::uint64_t{1} << i;
        to_flipped_.emplace_back(std::vector<Cost>(row.begin() + lane_vertices, row.end() - 1));
        Cost all = 0;
        for (const Cost capacity : row) all = static_cast<Cost>(all + capacity);
        all_.push_back(all);
        const MaskSum<Cost> of_lane(std::vector<Cost>(row.begin(), row.begin() + lane_vertices));
        CutLanes<Cost> to_lane{};
        for (int lane = 0; lane < lanes; ++lane) to_lane[lane] = of_lane(static_cast<std::uint64_t>(lane));
        to_lane_.push_back(to_lane);
    }
}

template <class Cost>
CutLanes<Cost> Walk<Cost>::cuts_of(std::uint64_t sides) const {
    CutLanes<Cost> cuts{};
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint64_t all = static_cast<std::uint64_t>(lane) | sides << lane_vertices;
        for (int u = 0; u < vertices_; ++u) {
            for (int v = 0; v < u; ++v) {
                if ((all >> u & 1U) != (all >> v & 1U)) cuts[lane] = static_cast<Cost>(cuts[lane] + capacity_[u][v]);
            }
        }
    }
    return cuts;
}

template <class Cost>
bool Walk<Cost>::run(std::uint64_t top, int bits, std::vector<CutLanes<Cost>>& least, const Stop& stop) const {
    const int walked = flipped_ - bits;
    std::uint64_t sides = top << walked;
    CutLanes<Cost> cuts = cuts_of(sides);
    constexpr std::uint64_t between_polls = (std::uint64_t{1} << 16) - 1;
    for (std::uint64_t step = 1;; ++step) {
        CutLanes<Cost>& best = least[std::popcount(sides & flipped_hosts_)];
        for (int lane = 0; lane < lanes; ++lane) best[lane] = std::min(best[lane], cuts[lane]);
        if (step >> walked != 0) return true;
        if ((step & between_polls) == 0) {
            if (stop()) return false;
            cuts = cuts_of(sides);  // before the rounding of many steps adds up
        }
        const int vertex = std::countr_zero(step);
        const Cost ones = to_flipped_[vertex](sides);
        const CutLanes<Cost>& lane_ones = to_lane_[vertex];
        const Cost all = all_[vertex];
        // Going to side 1 the vertex cuts its links to side 0 and no longer those to side 1; back the other way.
        if ((sides >> vertex & 1U) == 0) {
            const Cost change = static_cast<Cost>(all - 2 * ones);
            for (int lane = 0; lane < lanes; ++lane) {
                cuts[lane] = static_cast<Cost>(cuts[lane] + change - 2 * lane_ones[lane]);
            }
        } else {
            const Cost change = static_cast<Cost>(2 * ones - all);
            for (int lane = 0; lane < lanes; ++lane) {
                cuts[lane] = static_cast<Cost>(cuts[lane] + change + 2 * lane_ones[lane]);
            }
        }
        sides ^= std::uint64_t{1} << vertex;
    }
}

template <class Cost>
std::optional<std::vector<double>> walked(const Network& network, const SweepLimits& limits, double unit) {
    const Walk<Cost> walk(network, unit);
    const int top_bits = std::min(4, walk.flipped());
    const int hosts = network.hosts;
    constexpr Cost none = std::numeric_limits<Cost>::max();
    CutLanes<Cost> nothing;
    nothing.fill(none);
    std::vector<std::vector<CutLanes<Cost>>> least(limits.threads, std::vector<CutLanes<Cost>>(hosts + 1, nothing));
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> stopped{false};
    const auto stop = [&] { return stopped || limits.stop(); };
    const auto work = [&](int thread) {
        for (std::uint64_t top = next++; top < std::uint64_t{1} << top_bits; top = next++) {
            if (!walk.run(top, top_bits, least[thread], stop)) stopped = true;
        }
    };
    run_on(limits.threads, work);
    if (stopped) return std::nullopt;
    std::vector<double> cuts(hosts / 2, std::numeric_limits<double>::infinity());
    for (const auto& by_count : least) {
        for (int count = 0; count <= hosts; ++count) {
            for (int lane = 0; lane < lanes; ++lane) {
                const int inside = count + walk.hosts_of_lane(lane);
                const int size = std::min(inside, hosts - inside);
                if (size < 1 || by_count[count][lane] == none) continue;
                const double cut = static_cast<double>(by_count[count][lane]) * (unit > 0 ? unit : 1);
                cuts[size - 1] = std::min(cuts[size - 1], cut);
            }
        }
    }
    return cuts;
}

double all_capacity(const Network& network) {
    double all = 0;
    for (const auto& edge : network.edges) all += edge.capacity;
    return all;
}

}  // namespace

double gray_work(const Network& network) {
    constexpr double work_of_step = 8;
    constexpr double most_apart = 1e5;  // adding and subtracting loses small capacities beside larger sums
    double least = infinity;
    for (const auto& edge : network.edges) least = std::min(least, edge.capacity);
    if (!capacity_unit(network) && all_capacity(network) > most_apart * least) return infinity;
    return work_of_step * std::ldexp(1.0, network.vertices() - lane_vertices - 1);
}

std::optional<std::vector<double>> gray_cuts(const Network& network, const SweepLimits& limits) {
    require_valid(network);
    if (network.vertices() > gray_vertex_limit || network.vertices() < lane_vertices + 2) {
        throw std::logic_error("gray_cuts: too many vertices, or too few");
    }
    const std::optional<double> unit = capacity_unit(network);
    // Sums are modulo 2^16, so only the result needs to fit. Whole numbers of units are exact in doubles too.
    const double units = all_capacity(network) / unit.value_or(1);
    if (unit && units < std::numeric_limits<std::uint16_t>::max()) return walked<std::uint16_t>(network, limits, *unit);
    return walked<double>(network, limits, unit.value_or(0));
}

}  // namespace narrows
