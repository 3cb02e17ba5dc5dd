#pragma once

#include "model/gups/bounds.hpp"

namespace narrows {

/// RandomAccess that sends each remote update in a message of its own, or those to a rank as soon as there are k.
struct NaiveGups : MessageGups {
    double ranks = 1;
    Time send;            ///< t_s, the mean of all messages to other ranks, as the next two
    Time receive;         ///< t_r
    Time other;           ///< t_o^p
    double messages = 1;  ///< m: messages a remote update; 1/k and what is left in buckets at the end
};

/// Statement: GUPS <= min(W / (t_u + ((P-1)/P) m (t_s + t_r + t_o)), N^2 phi C / b, servers).
/// Symbols:   as in NaiveGups; P ranks, W workers, b bytes, t_u the update: t_g + t_u + t_o^s of garg2006.
/// Source:    garg2006 (1) and (2), where m = 1.
/// Range:     asynchronous messages, so that processor and network overlap fully.
/// Test:      tests/model/test_gups.cpp (all rows of Tables 3 and 5)
Prediction naive_gups(const NaiveGups& inputs);

/// Messages a remote update where each holds k.
///
/// Statement: m = 1/k + ((k-1)/(2k)) P (P-1) / U.
/// Symbols:   k updates in a full message, P ranks, U updates of all ranks together.
/// Source:    derived: at the end each rank has a bucket for each other with 0 to k-1 updates, all as likely.
/// Range:     U of at least k P^2; 1/k to 1.
/// Test:      tests/model/test_gups.cpp
double naive_messages(int k, double ranks, double updates);

}  // namespace narrows
