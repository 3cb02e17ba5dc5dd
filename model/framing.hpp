#pragma once

#include "model/quantity.hpp"

namespace narrows {

/// How bytes of payload become bytes of a link: the one description that serves a network's packets, a host interface
/// and the headers of a protocol.
struct Framing {
    Data header;      ///< added to each packet
    Data granule;     ///< a packet is a multiple of this; zero: any size
    Data packet;      ///< largest packet, header included; zero: no limit
    Data gap;         ///< idle time between packets, expressed as bytes of the link
    double code = 1;  ///< line code and flow control: bytes on the wire for each byte of a packet

    friend bool operator==(const Framing&, const Framing&) = default;
};

/// The least multiple of `granule` that holds `value`; without one, as of zero, `value` itself.
Data rounded_up(Data value, Data granule);

/// Bytes of the link that a message of `payload` occupies.
///
/// Statement: sum over its packets of (round_up(header + part, granule) + gap) * code.
/// Symbols:   `payload` in bytes, at least 0; a message without payload is one packet.
/// Source:    garg2006 Section 4.3.1 (48 B header, multiples of 32 B, 14 B gap); underwood2008 (4), (5) (16 + n and 28
/// + n
///            bytes with codes 72/64 and 21/16).
/// Range:     payload parts fill packets in order; a packet must be larger than its header.
/// Test:      tests/model/test_framing.cpp
Data wire_bytes(const Framing& framing, Data payload);

/// The largest number of items of `item` bytes, at most `most`, that one packet holds, padded or not: where not even
/// one fits, one. Range: `most` at least 1. Test: tests/model/test_framing.cpp
int items_fitting(const Framing& framing, Data item, int most);

/// The largest number of items of `item` bytes, at most `most`, that one packet holds without padding; where no number
/// leaves a packet unpadded, the largest number that fits one packet.
///
/// Source: derived from garg2006 Table 7, whose bytes per update are those of k = 1, 5, 9, ... 29 updates a packet.
/// Range:  `most` at least 1; the packet holds at least one item. Test: tests/model/test_framing.cpp
int items_per_packet(const Framing& framing, Data item, int most);

/// The payload that the smallest packet has room for anyway, none where packets have no granule: 16 B of Blue Gene/L's
/// MPI (48 + 16 = 64 = 2 * 32), 8 B of its raw device (24 + 8 = 32). garg2006 Tables 1 and 4: what handling a message
/// costs is flat up to there. Test: tests/model/test_framing.cpp
Data free_payload(const Framing& framing);

}  // namespace narrows
