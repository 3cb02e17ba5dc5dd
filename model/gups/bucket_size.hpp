#pragma once

#include <cstdint>

namespace narrows {

/// HPCC's rule: a rank holds at most this many updates.
inline constexpr int held_updates = 1024;

/// Mean number of updates in a message of the bucketed algorithm, in closed form.
///
/// Statement: m = 1 + 2K/N for N <= 2K, 1 / (1 - K/N) for N >= 2K.
/// Symbols:   N ranks, one bucket for each (the own one included); K updates pending when the largest bucket is sent.
/// Source:    derived (mean field); garg2006 Section 5.1 simulates it.
/// Range:     N >= 2; above the simulation by at most 1.2 % for N >= 128 (1.1 % at 2048), by 3.4 % at N = 32.
/// Test:      tests/model/test_bucket_size.cpp
double mean_bucket_size(double ranks, double pending = held_updates);

/// Mean number of updates in a message of a whole run, at whose end each bucket that still holds some is a message.
///
/// Statement: m = U / ((U - h) / m_s + N (1 - (1 - 1/N)^h)), h = min(U, K).
/// Symbols:   U updates of a rank; N, K as above; m_s `mean_bucket_size`.
/// Source:    derived: h updates thrown into N buckets at random leave that many of them filled.
/// Range:     N >= 1, U > 0; between 1 and m_s.
/// Test:      tests/model/test_bucket_size.cpp
double mean_bucket_of_run(double ranks, double updates_of_rank, double pending = held_updates);

/// `mean_bucket_size` by simulation: updates fall into random buckets, the largest is emptied whenever `pending` are
/// held. Mean over `messages` messages after a warm-up of as many buckets as there are. Reproducible for a seed.
/// Source: garg2006 Section 5.1 and Table 6. Range: 1 <= ranks. Test: tests/model/test_bucket_size.cpp
double simulated_bucket_size(int ranks, int messages, std::uint64_t seed, int pending = held_updates);

}  // namespace narrows
