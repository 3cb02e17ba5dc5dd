#pragma once

#include "model/gups/bounds.hpp"

namespace narrows {

/// RandomAccess that sends each remote update in a message of its own.
struct NaiveGups {
    double ranks = 1;
    double workers = 1;  ///< processors that work at once: ranks, unless several ranks share one
    Time update;         ///< t_g + t_u + t_o^s
    Time send;           ///< t_s, the mean of all messages to other ranks, as the next two
    Time receive;        ///< t_r
    Time other;          ///< t_o^p
    Data bytes;          ///< b: an update on the wire, framing included
    NetworkShare network;
    std::vector<Bound> servers;  ///< of all else that messages pass
};

/// Statement: GUPS <= min(W / (t_u + ((P-1)/P)(t_s + t_r + t_o)), N^2 phi C / b, servers).
/// Symbols:   as in NaiveGups; P ranks, W workers.
/// Source:    garg2006 (1) and (2). Range: asynchronous messages, so that processor and network overlap fully.
/// Test:      tests/model/test_gups.cpp (all rows of Tables 3 and 5)
Prediction naive_gups(const NaiveGups& inputs);

}  // namespace narrows
