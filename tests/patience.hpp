#pragma once

namespace narrows {

/// How long, in seconds, a test waits for what is to come at once. Only code that is wrong makes it wait that long: a
/// machine may be slow, shared or both, and a test must not fail for that.
inline constexpr double patience = 600;

}  // namespace narrows
