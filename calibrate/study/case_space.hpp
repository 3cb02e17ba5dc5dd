#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>

#include "calibrate/study/gups_case.hpp"
#include "calibrate/study/sweep_case.hpp"

namespace narrows {

/// Numbers of [0, 1), each for another property of a case: by chance, or the coordinates of a point of a design.
using UnitNumbers = std::function<double()>;

/// The place of a number of [0, 1) among so many choices, from 0.
int one_of(double place, std::integral auto choices) {
    return std::min(static_cast<int>(choices) - 1, static_cast<int>(place * static_cast<double>(choices)));
}

/// A whole number from `least` to `most`, both of them possible, uniform on the scale of logarithms.
template <class Number>
Number log_uniform(double place, double least, double most) {
    return static_cast<Number>(std::min(most, std::floor(least * std::pow((most + 1) / least, place))));
}

/// What the cases may take.
struct CaseLimits {
    int workers = 1;
    int most_ranks = 65536;
    std::size_t memory = 0;  ///< bytes that are free; a case takes half of them at most
    /// As many bytes on 4 KiB pages stand for one of memory, where those take longer to be set up; 1 to 16.
    double small_page_cost = 1;
};

/// Most numbers that a case takes.
inline constexpr int case_properties = 13;

/// A case of RandomAccess anywhere in the space that both `predict` and `run` accept: routed (three of five), bucketed
/// or sequential; ranks uniform on the scale of logarithms; their usual shape, or one to six dimensions of any sizes;
/// tables from 1 MiB on; the usual buckets or smaller ones; large pages (three of four) or small. Ranks and dimensions
/// that the limits do not allow are halved until they do. The number of updates is `study_updates`.
GupsCase gups_case_at(const UnitNumbers& next, const CaseLimits& limits);

/// A case of Sweep3D, likewise: up to 16 ranks along I and J, up to 32 cells of a rank and their number uneven, S4 and
/// S6, blocks of any planes and angles, four moments or one.
SweepCase sweep_case_at(const UnitNumbers& next, const CaseLimits& limits);

}  // namespace narrows
