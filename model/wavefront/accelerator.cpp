#include "model/wavefront/accelerator.hpp"

#include <stdexcept>

namespace narrows {

Breakdown pushed_sweep_time(const PushedSweep& sweep) {
    if (sweep.accelerators < 1 || sweep.bandwidth.si() <= 0) {
        throw std::logic_error("work is pushed to at least one accelerator, through a memory");
    }
    const Time computing = sweep.grind * (sweep.cell_angles / sweep.accelerators);
    const Time transfers = sweep.volume * (2 * sweep.cell_angles) / sweep.bandwidth;
    return {computing + transfers, {{"computing", computing}, {"transfers", transfers}}};
}

}  // namespace narrows
