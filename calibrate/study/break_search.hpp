#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "calibrate/fit/message_curve.hpp"
#include "calibrate/kernels/messages/launch.hpp"
#include "calibrate/study/message_case.hpp"

namespace narrows {

/// The curve through the points of all sizes but those `kept` from it, in increasing order.
MessageCurve fit_points(const std::vector<MessagePoint>& points, const std::vector<std::size_t>& kept);

/// Measures more sizes where the curve of `run` breaks: in the middle, on the scale of sizes, of what lies between the
/// last size before a break and the first one behind it, and so on with the curve through all, in few rounds. Puts
/// get multiples of 8, and no size is one of those `kept`. Rank 0, whose run it is, says which sizes are next. The
/// last size before each break is measured again beside it: when that takes another time than before, by more
/// than a tenth, the machine is in another state, and what was found in it is left out. What all take is added up. It
/// ends when `in_time` of rank 0, if there is one, says that what would be measured next is too much.
MessageRun find_breaks(MessageRun run, const MessageOptions& options, const std::vector<std::size_t>& kept,
                       const Launch& launch, const std::function<bool(const MessageOptions& next)>& in_time = {});

/// Sizes to be measured next where the curve of the samples of `what` breaks, as `find_breaks` chooses them.
std::vector<std::size_t> sizes_at_breaks(const std::vector<MessageSample>& samples, const MessageOptions& what);

}  // namespace narrows
