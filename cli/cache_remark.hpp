#pragma once

#include <string>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/measure/environment.hpp"

namespace narrows {

/// Up to which of the sizes measured a run's buffers stay in the caches from one message to the next.
std::string cache_remark(const MessageOptions& options, const MessageRun& run, const CacheSizes& caches);

}  // namespace narrows
