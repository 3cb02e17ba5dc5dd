// Vectors of eight, of which six angles leave two lanes idle. Compiled for processors that have AVX-512 F, VL and DQ.
#include "calibrate/kernels/sweep3d/sweep_lanes.hpp"

#if defined(__x86_64__)
namespace narrows {

SweepBlock avx512_sweep(int angles, int moments, bool fixups) {
    if (angles <= 2) return lane_sweep<Vector2, 1>(moments, fixups);
    return angles <= 4 ? lane_sweep<Vector4, 1>(moments, fixups) : lane_sweep<Vector8, 1>(moments, fixups);
}

}  // namespace narrows
#endif
