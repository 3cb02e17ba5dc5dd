#pragma once

#include <optional>
#include <string>

#include "model/path/protocol.hpp"

namespace narrows {

/// A protocol as LogGP sees it.
///
/// Statement: o_s, o_r what the ends are busy with a message of 8 bytes; L its time beside them; g the longest that one
///            server is busy with it, either end for itself; G = (T(2 n) - T(n)) / n at n = 64 MiB.
/// Symbols:   T as in `message_time`, by what the protocol reaches to for 8 bytes, and for n.
/// Source:    Alexandrov, Ionescu, Schauser, Scheiman 1995; o_s and o_r apart as garg2006 Section 4.3.1.
/// Range:     an idle machine, one link. Where the path is one stage of a processor nobody knows whose, and it is L.
/// Test:      tests/model/path/test_loggp.cpp
struct LogGp {
    std::optional<Time> send;
    std::optional<Time> receive;
    Time latency;
    Time gap;
    TimePerByte gap_per_byte;
};

/// InputError as `read_protocol`.
LogGp loggp_of(const Machine& machine, const std::string& protocol);

}  // namespace narrows
