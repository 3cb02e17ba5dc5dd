#pragma once

#include <array>

namespace narrows {

/// Most angles that an octant has here.
inline constexpr int most_angles = 6;

/// The discrete directions of one octant: cosines to the three axes and weights, which over all octants sum to one.
struct Ordinates {
    std::array<double, most_angles> mu{};
    std::array<double, most_angles> eta{};
    std::array<double, most_angles> xi{};
    std::array<double, most_angles> weight{};
};

/// S6 for 6 angles an octant, S4 for 3, in the order of Sweep3D 2.2b. InputError for any other number.
Ordinates ordinates(int angles);

/// Which way an octant's directions point along each axis.
struct Octant {
    bool i_up;
    bool j_up;
    bool k_up;
};

/// In the order in which Sweep3D sweeps them: within a corner of the plane first down, then up.
inline constexpr std::array<Octant, 8> octants = {{{false, false, false},
                                                   {false, false, true},
                                                   {false, true, false},
                                                   {false, true, true},
                                                   {true, false, false},
                                                   {true, false, true},
                                                   {true, true, false},
                                                   {true, true, true}}};

}  // namespace narrows
