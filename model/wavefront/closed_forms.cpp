#include "model/wavefront/closed_forms.hpp"

#include <stdexcept>

namespace narrows {
namespace {

constexpr int octants_of_sweep = 8;

void check(const SweepGrid& grid) {
    if (grid.wide < 1 || grid.high < 1 || grid.blocks < 1) throw std::logic_error("a sweep needs a rank and a block");
}

// When the rank so many places from the corner of a sweep starts its first block.
Time start(int places_i, int places_j, const SweepCost& cost) {
    return (cost.compute + cost.i.total + cost.j.receive) * places_i +
           (cost.compute + cost.i.send + cost.j.total) * places_j;
}

}  // namespace

double sweep_steps(const SweepGrid& grid) {
    check(grid);
    return static_cast<double>(octants_of_sweep) * grid.blocks + 2.0 * (grid.wide - 1) + 4.0 * (grid.high - 1);
}

Time hoisie_time(const SweepGrid& grid, const SweepCost& cost) {
    const double steps = sweep_steps(grid);
    const double blocks = static_cast<double>(octants_of_sweep) * grid.blocks;
    const Time message = (cost.i.total + cost.j.total) / 2;
    return cost.compute * steps + message * (2 * (steps - blocks) + 4 * (blocks - 1));
}

Time sundaram_stukel_time(const SweepGrid& grid, const SweepCost& cost, Time handshake) {
    check(grid);
    const int before_last = grid.wide > 1 ? grid.wide - 2 : 0;
    const double blocks = 2.0 * grid.blocks;
    const Time block = cost.compute + cost.i.send + cost.j.receive + handshake * (grid.high - 1);
    const Time pair = start(0, grid.high - 1, cost) + block * blocks;
    const Time far_pair =
        start(before_last, grid.high - 1, cost) + (block + cost.i.receive + handshake * before_last) * blocks;
    return (pair + far_pair) * 2;
}

Time plug_and_play_time(const SweepGrid& grid, const SweepCost& cost) {
    check(grid);
    const Time block = cost.i.receive + cost.j.receive + cost.compute + cost.i.send + cost.j.send;
    return start(0, grid.high - 1, cost) * 2 + start(grid.wide - 1, grid.high - 1, cost) * 2 +
           block * (static_cast<double>(octants_of_sweep) * grid.blocks);
}

std::vector<Formula> closed_forms(const SweepGrid& grid, const SweepCost& cost) {
    const Symbol wide("Px", "ranks along I", grid.wide), high("Py", "ranks along J", grid.high);
    const Symbol blocks("B", "blocks of an octant", grid.blocks), compute("c", "computing a block", cost.compute);
    const std::vector<Symbol> all = {wide,
                                     high,
                                     blocks,
                                     compute,
                                     {"s_I", "sending a message along I", cost.i.send},
                                     {"r_I", "receiving it", cost.i.receive},
                                     {"t_I", "from sending to having received it", cost.i.total},
                                     {"r_J", "receiving a message along J", cost.j.receive},
                                     {"t_J", "from sending to having received it", cost.j.total},
                                     {"s_J", "sending a message along J", cost.j.send}};
    const Time mean = (cost.i.total + cost.j.total) / 2;
    return {{"hoisie",
             "N * c + (2 * (N - 8 * B) + 4 * (8 * B - 1)) * t",
             "Hoisie, Lubeck and Wasserman 2000",
             hoisie_time(grid, cost).si(),
             Dimension::time,
             {{"N", "steps of an iteration, 8 B + 2 (Px - 1) + 4 (Py - 1)", sweep_steps(grid)},
              blocks,
              compute,
              {"t", "a message from sending to having received it, the mean of both axes", mean}}},
            {"sundaram-stukel",
             "2 * (2 * (Py - 1) * (c + s_I + t_J) + max(Px - 2, 0) * (c + t_I + r_J) + 2 * B * (2 * (c + s_I + r_J) + "
             "r_I))",
             "Sundaram-Stukel and Vernon 1999",
             sundaram_stukel_time(grid, cost, Time()).si(),
             Dimension::time,
             {all.begin(), all.end() - 1}},
            {"plug-and-play",
             "4 * (Py - 1) * (c + s_I + t_J) + 2 * (Px - 1) * (c + t_I + r_J) + 8 * B * (r_I + r_J + c + s_I + s_J)",
             "Mudalige, Vernon and Jarvis 2008", plug_and_play_time(grid, cost).si(), Dimension::time, all}};
}

}  // namespace narrows
