#pragma once

namespace narrows {
namespace {  // compiled for several instruction sets, which must not share one copy

/// One angle in one cell.
struct CellAngle {
    double flux = 0;
    double out_x = 0, out_y = 0, out_z = 0;
    bool fixed = false;
};

struct Inflows {
    double x = 0, y = 0, z = 0;
};

/// Diamond difference with set-to-zero fixups: an outflow below zero is set to zero and the cell solved again with that
/// direction out of the denominator and half its inflow out of the numerator, in the order x, y, z, starting over after
/// y and z, until no outflow is negative. `source` and `denominator` are those of the cell without fixups.
inline CellAngle fixed_angle(double source, double a, double b, double c, double denominator, const Inflows& in) {
    CellAngle cell;
    double above = source + a * in.x + b * in.y + c * in.z;
    double below = denominator;
    bool free_x = true, free_y = true, free_z = true;
    const auto renew = [&] {
        cell.flux = above / below;
        cell.out_x = free_x ? 2 * cell.flux - in.x : 0;
        cell.out_y = free_y ? 2 * cell.flux - in.y : 0;
        cell.out_z = free_z ? 2 * cell.flux - in.z : 0;
    };
    const auto take_out = [&](bool& free, double coefficient, double inflow) {
        free = false;
        below -= coefficient;
        above -= 0.5 * coefficient * inflow;
        cell.fixed = true;
        renew();
    };
    renew();
    while (true) {
        if (cell.out_x < 0) take_out(free_x, a, in.x);
        if (cell.out_y < 0) {
            take_out(free_y, b, in.y);
        } else if (cell.out_z < 0) {
            take_out(free_z, c, in.z);
        } else {
            return cell;
        }
    }
}

}  // namespace
}  // namespace narrows
