#pragma once

#include <vector>

#include "model/formula.hpp"
#include "model/quantity.hpp"

namespace narrows {

/// Ranks and blocks of a sweep, all alike.
struct SweepGrid {
    int wide = 1;    ///< ranks along I, Px
    int high = 1;    ///< ranks along J, Py
    int blocks = 1;  ///< of an octant, B
};

/// A message along an axis for the closed forms.
struct SweepMessage {
    Time send;     ///< the sender is busy
    Time receive;  ///< the receiver is busy
    Time total;    ///< from the call that sends it to the call that has received it, of an idle machine
};

/// What a block costs each rank.
struct SweepCost {
    Time compute;
    SweepMessage i;
    SweepMessage j;
};

/// Steps of an iteration with unit computing and free messages.
///
/// Statement: N = 8 B + 2 (Px - 1) + 4 (Py - 1).
/// Symbols:   B blocks of an octant, Px and Py ranks along I and J, all at least 1 (std::logic_error).
/// Source:    derived: octants that differ in K follow without a gap; a flip of J costs Py - 1 twice, the opposite
///            corner Px - 1 + Py - 1 twice. Printed by sweep3d.f 2.2b as domain parallel efficiency, 8 B / N.
/// Range:     any grid, equal ranks.
/// Test:      tests/model/wavefront/test_recurrence.cpp, test_closed_forms.cpp
double sweep_steps(const SweepGrid& grid);

/// Time of an iteration by the first model of the kind.
///
/// Statement: T = N c + (2 (N - 8 B) + 4 (8 B - 1)) t: a message in and one out for each rank that fills the pipeline,
///            two each way for each block after the first.
/// Symbols:   N steps as above, c computing a block, t the mean of both axes' `total`.
/// Source:    Hoisie, Lubeck and Wasserman, "Performance and scalability analysis of teraflop-scale parallel
///            architectures using multidimensional wavefront applications", 2000: (Px + Py - 1) + (n - 1) computations
///            and 2 (Px + Py - 2) + 4 (n - 1) messages of n sweeps; here with the fill of the benchmark's eight
///            octants. Cited without equation numbers, as the print was not at hand.
/// Range:     messages that keep both ranks busy all the way (`total` = send = receive), else above the truth; Px and
///            Py of at least 3, as `plug_and_play_time`.
/// Test:      tests/model/wavefront/test_closed_forms.cpp
Time hoisie_time(const SweepGrid& grid, const SweepCost& cost);

/// Time of an iteration by LogGP, octants in pairs.
///
/// Statement: T = 2 (T56 + T78); S(i, j) = (i - 1) (c + t_I + r_J) + (j - 1) (c + s_I + t_J);
///            T56 = S(1, Py) + 2 B (c + s_I + r_J + (Py - 1) L);
///            T78 = S(Px - 1, Py) + 2 B (c + s_I + r_I + r_J + (Py - 1) L + (Px - 2) L), where Px is at least 2.
/// Symbols:   c computing a block; s, r, t send, receive and total of a message along I or J; L the delay that a rank
///            upstream adds to a handshake of a message that waits for its receiver, zero of eager ones.
/// Source:    Sundaram-Stukel and Vernon, "Predictive analysis of a wavefront application using LogGP", 1999, in the
///            form in which later papers quote it; cited without equation numbers, as the print was not at hand.
/// Range:     messages of one size; Px and Py of at least 3.
/// Test:      tests/model/wavefront/test_closed_forms.cpp
Time sundaram_stukel_time(const SweepGrid& grid, const SweepCost& cost, Time handshake);

/// Time of an iteration by the reusable model of wavefront programs.
///
/// Statement: T = 2 S(1, Py) + 2 S(Px, Py) + 8 B (r_I + r_J + c + s_I + s_J), S as above.
/// Symbols:   as above; 2, 2 and 8 are Sweep3D's diagonal fills, full fills and sweeps.
/// Source:    Mudalige, Vernon and Jarvis, "A plug-and-play model for evaluating wavefront computations on parallel
///            architectures", 2008; cited without equation numbers, as the print was not at hand.
/// Range:     Px and Py of at least 3. On a narrower grid no rank has all four neighbours, so that none spends
///            r_I + r_J + s_I + s_J a block: the form is too long by about a message a block. Eager, equal ranks.
/// Test:      tests/model/wavefront/test_closed_forms.cpp (within 4 % of the recurrence; hand value; width 2)
Time plug_and_play_time(const SweepGrid& grid, const SweepCost& cost);

/// The three, of eager messages, with their symbols. Names: `hoisie`, `sundaram-stukel`, `plug-and-play`.
std::vector<Formula> closed_forms(const SweepGrid& grid, const SweepCost& cost);

}  // namespace narrows
