#pragma once

#include "model/gups/bounds.hpp"

namespace narrows {

/// HPCC's baseline code: a bucket for each rank, in a heap; the largest is sent when 1024 updates are pending.
struct BucketedGups : MessageGups {
    double ranks = 1;
    double mean_bucket = 1;    ///< m, updates a message
    Time test;                 ///< asking whether the previous send has finished
    double test_interval = 1;  ///< updates between two such tests
    Time heap_level;           ///< moving an element one level in the heap
    Time insert;               ///< putting an update into its bucket, whatever the number of buckets
    Time own;                  ///< the same for an update of the rank's own; zero: it is applied at once
    Time message;              ///< sending and receiving a message of m updates, the mean of all
    Data state;                ///< memory the code touches at random
    Data cache;                ///< first-level cache; zero: misses are not modelled
    Time miss;                 ///< a miss there that the next level serves
};

/// Statement: t = t_u + t_own/P + ((P-1)/P) [ t_test/i + t_insert + (1 + 1/m) log2(P) (t_level + f t_miss)
///                                            + t_message/m ],
///            f = max(0, 1 - cache/state).
/// Symbols:   as in BucketedGups; each update moves through the heap once, each message's bucket once more.
/// Source:    the factors that garg2006 Section 6.1 names, put into one formula here: derived. Without t_own, which is
///            of the project's own code.
/// Range:     state within the next level of cache (Table 6: N <= 8192); network and processor overlap.
/// Test:      tests/model/test_gups.cpp (Table 6 within 25 % up to 8192; 0.0515 GUPS)
Prediction bucketed_gups(const BucketedGups& inputs);

}  // namespace narrows
