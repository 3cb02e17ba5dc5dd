#include "model/wavefront/residuals.hpp"

namespace narrows {

std::vector<ResidualVariable> residual_variables(const Machine& machine, const SweepQuery& query) {
    const double wide = query.grid[0];
    const double high = query.grid[1];
    const Wavefront computing = sweep_computing(machine, query);
    const Time block = computing.compute(computing.cells[0].front(), computing.cells[1].front());
    return {{{"cells of a rank along I", true}, query.cells[0] / wide},
            {{"cells of a rank along J", true}, query.cells[1] / high},
            {{"planes of a block", true}, static_cast<double>(query.planes)},
            {{"blocks of an octant", true}, static_cast<double>(query.blocks())},
            {{"angles of a block", true}, static_cast<double>(query.angle_block)},
            {{"moments", true}, static_cast<double>(query.moments)},
            {{"ranks along I", true}, wide},
            {{"ranks along J", true}, high},
            {{"flux of a processor", true, true}, flux_of_processor(query).si()},
            {{"seconds of a block", true}, block.si()}};
}

}  // namespace narrows
