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
//   bool wait(const Flag&, uint32_t seen) of one that shares its worker: returns when the flag differs from `seen`.
//   void progressed()                     says the same without letting others run.
//   void advance(uint64_t n)              counts n units of work towards the run's progress report.
//   static constexpr bool shares_worker   whether other ranks run on its thread: then what it waits for may be theirs.
//   void await_rank(int rank)             optional: the rank is about to yield and waits for that one, which runs next.
//   static constexpr int looks_before_yield     optional: how often who has a thread to itself looks before it yields.
//
// `yield` and `wait` return false when the run is over (a deadlock, an error elsewhere): the program must then return.

/// How often a rank that has its thread to itself looks for what it waits for before it calls `yield`. A pause of the
/// processor is as long as half a message takes, so that a thread looks a few times before it pauses.
template <class Waiter>
constexpr int looks_before_yield() {
    if constexpr (requires { Waiter::looks_before_yield; }) {
        return Waiter::looks_before_yield;
    } else {
        return 64;
    }
}

}  // namespace narrows
