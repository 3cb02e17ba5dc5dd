// Vectors of two, which every x86-64 processor has and the compiler makes of scalars elsewhere.
#include "calibrate/kernels/sweep3d/sweep_lanes.hpp"

namespace narrows {

SweepBlock sse2_sweep(int angles, int moments, bool fixups) {
    if (angles <= 2) return lane_sweep<Vector2, 1>(moments, fixups);
    return angles <= 4 ? lane_sweep<Vector2, 2>(moments, fixups) : lane_sweep<Vector2, 3>(moments, fixups);
}

}  // namespace narrows
