#include "calibrate/kernels/sweep3d/ordinates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

struct Direction {
    double mu;
    double eta;
    double eight_weights;
};

constexpr std::array<Direction, 6> s6 = {{{0.23009194, 0.94557676, 0.16944656},
                                          {0.68813432, 0.68813432, 0.16388677},
                                          {0.23009194, 0.68813432, 0.16388677},
                                          {0.94557676, 0.23009194, 0.16944656},
                                          {0.68813432, 0.23009194, 0.16388677},
                                          {0.23009194, 0.23009194, 0.16944656}}};
constexpr std::array<Direction, 3> s4 = {
    {{0.30163878, 0.90444905, 1.0 / 3}, {0.90444905, 0.30163878, 1.0 / 3}, {0.30163878, 0.30163878, 1.0 / 3}}};

template <std::size_t n>
Ordinates from(const std::array<Direction, n>& directions) {
    Ordinates made;
    for (std::size_t m = 0; m < n; ++m) {
        const auto& [mu, eta, eight_weights] = directions[m];
        made.mu[m] = mu;
        made.eta[m] = eta;
        made.xi[m] = std::sqrt(1 - mu * mu - eta * eta);
        made.weight[m] = eight_weights / 8;
    }
    return made;
}

}  // namespace

Ordinates ordinates(int angles) {
    if (angles == 6) return from(s6);
    if (angles == 3) return from(s4);
    throw InputError(fmt::format("{} angles an octant: there are quadratures of 3 (S4) and 6 (S6) angles: give {}",
                                 angles, angles < 5 ? 3 : 6));
}

}  // namespace narrows
