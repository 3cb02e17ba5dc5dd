#pragma once

#include "calibrate/kernels/sweep3d/block_sweep.hpp"

namespace narrows {

// The sweeps by what they are compiled for. `angles` is at most `most_angles`, `moments` 1 or 4.

SweepBlock scalar_sweep(int angles, int moments, bool fixups);
SweepBlock sse2_sweep(int angles, int moments, bool fixups);
#if defined(__x86_64__)
SweepBlock avx2_sweep(int angles, int moments, bool fixups);
SweepBlock avx512_sweep(int angles, int moments, bool fixups);
#endif

}  // namespace narrows
