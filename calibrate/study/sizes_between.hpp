#pragma once

#include <cstddef>
#include <vector>

#include "calibrate/fit/judgement.hpp"
#include "calibrate/fit/message_curve.hpp"
#include "calibrate/kernels/messages/measure.hpp"

namespace narrows {

/// Sizes of messages that lie between those asked for.
struct SizesBetween {
    std::vector<std::size_t> fitted;   ///< a quarter and three quarters of the way: they tell where a protocol changes
    std::vector<std::size_t> judging;  ///< half of the way: kept from the fit, to judge it

    bool judges(std::size_t bytes) const;
};

/// Between neighbours of the sizes `asked` for, in increasing order, as whole multiples of 8. None where fewer than
/// eight are asked for, which is too little for a curve.
SizesBetween sizes_between(const std::vector<std::size_t>& asked);

/// How well a curve does on the sizes that are kept from it.
FitJudgement judgement_of(const MessageCurve& curve, const std::vector<MessagePoint>& points,
                          const SizesBetween& between);

}  // namespace narrows
