#pragma once

namespace narrows {

/// Processor time of this thread so far, in seconds.
double thread_seconds();

}  // namespace narrows
