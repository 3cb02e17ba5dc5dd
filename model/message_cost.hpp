#pragma once

#include "model/framing.hpp"

namespace narrows {

/// Processor time of handling a message on one side.
struct MessageCost {
    Time per_message;
    TimePerByte per_byte;
};

/// n0 below: the payload for which the smallest packet has room anyway.
Data free_payload(const Framing& framing);

/// Statement: t(n) = per_message + per_byte * max(0, n - n0).
/// Symbols:   n payload; n0 the payload that the smallest packet has room for anyway (0 where packets have no granule):
///            16 B for Blue Gene/L's MPI (48 + 16 = 64 = 2 * 32), 8 B for its raw device (24 + 8 = 32).
/// Source:    garg2006 Tables 1 and 4: flat up to the smallest packet, then linear. underwood2008 Section 6: n0 = 0.
/// Range:     one protocol; a switch of protocol (Table 1 beyond 512 B) needs costs of its own.
/// Test:      tests/model/test_framing.cpp
Time message_time(const MessageCost& cost, const Framing& framing, Data payload);

}  // namespace narrows
