#pragma once

#include <atomic>
#include <cstdint>

namespace narrows {

/// What a rank may wait for: a counter that others raise.
using Flag = std::atomic<std::uint32_t>;

// The seam through which a rank waits. A rank program is a template over its waiter, so that the same code runs on a
// thread of its own and on a fiber, and waiting costs no virtual call. A waiter has
//
//   bool yield(bool progressed)           lets others run; says whether the rank did anything since its last call.
//   bool wait(const Flag&, uint32_t seen) returns when the flag differs from `seen`.
//   void progressed()                     says the same without letting others run.
//   void advance(uint64_t n)              counts n units of work towards the run's progress report.
//   static constexpr bool shares_worker   whether other ranks run on its thread: then what it waits for may be theirs.
//
// `yield` and `wait` return false when the run is over (a deadlock, an error elsewhere): the program must then return.

}  // namespace narrows
