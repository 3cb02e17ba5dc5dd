#include "model/wavefront/residuals.hpp"

#include <array>
#include <cmath>

namespace narrows {

std::span<const ResidualAxis> residual_axes() {
    static constexpr std::array axes = {ResidualAxis{"cells of a rank along I", true},
                                        ResidualAxis{"cells of a rank along J", true},
                                        ResidualAxis{"planes of a block", true},
                                        ResidualAxis{"blocks of an octant", true},
                                        ResidualAxis{"angles of a block", true},
                                        ResidualAxis{"moments", true},
                                        ResidualAxis{"ranks along I", true},
                                        ResidualAxis{"ranks along J", true},
                                        ResidualAxis{"flux of a processor", true, true},
                                        ResidualAxis{"seconds of a block", true}};
    return axes;
}

std::vector<double> residual_variables(const Machine& machine, const SweepQuery& query) {
    const double wide = query.grid[0];
    const double high = query.grid[1];
    const Wavefront computing = sweep_computing(machine, query);
    return {std::log(query.cells[0] / wide),
            std::log(query.cells[1] / high),
            std::log(query.planes),
            std::log(query.blocks()),
            std::log(query.angle_block),
            std::log(query.moments),
            std::log(wide),
            std::log(high),
            std::log(flux_of_processor(query).si()),
            std::log(computing.compute(computing.cells[0].front(), computing.cells[1].front()).si())};
}

}  // namespace narrows
