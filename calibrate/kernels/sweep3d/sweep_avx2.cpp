// Vectors of four with fused multiply-add. Compiled for processors that have AVX2 and FMA.
#include "calibrate/kernels/sweep3d/sweep_lanes.hpp"

#if defined(__x86_64__)
namespace narrows {

SweepBlock avx2_sweep(int angles, int moments, bool fixups) {
    if (angles <= 2) return lane_sweep<Vector2, 1>(moments, fixups);
    return angles <= 4 ? lane_sweep<Vector4, 1>(moments, fixups) : lane_sweep<Vector4, 2>(moments, fixups);
}

}  // namespace narrows
#endif
