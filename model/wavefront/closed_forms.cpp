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

}  // namespace narrows
