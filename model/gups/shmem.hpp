#pragma once

#include <string>

#include "model/framing.hpp"
#include "model/gups/bounds.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A network interface that takes puts from the processors of its socket.
struct PutInterface {
    double cores = 1;
    Time per_message;          ///< processor time of a put beyond its data
    TimePerByte per_byte;      ///< processor time of a byte of data: one store a word
    Data alignment;            ///< data is padded to a multiple of this in the command queue
    Framing host_framing;      ///< command header and code of the host interface
    Framing link_framing;      ///< header and code of the network's link
    Bandwidth host_interface;  ///< each way
    Bandwidth link;            ///< each way
};

/// The interface that the machine's `host_interface`, `network.link` and the path that the protocol's puts take
/// describe; of the link this share is taken by others. InputError names what the machine lacks. `cores` is left at 1.
PutInterface read_put_interface(const Machine& machine, const std::string& protocol, double background = 0);

/// Messages of `size` that the host interface takes; times `size` its data bandwidth.
///
/// Statement: 2.3 GB/s / ((n + 16) * 72/64), n padded to the queue's alignment.
/// Symbols:   n message size; 16 B command; 72/64 the interface's packet overhead; 2.3 GB/s its bandwidth.
/// Source:    underwood2008 (4), times n (1), with the alignment of Section 6; (3) with an 8-byte address as header.
/// Range:     commands leave in full write-combined packets.
/// Test:      tests/model/test_shmem.cpp
Rate host_interface_rate(const PutInterface& interface, Data size);

/// Statement: 4.8 GB/s / ((n + 28) * 72/64 * 21/16).
/// Symbols:   as above; 21/16 flow control of the link.
/// Source:    underwood2008 (5), times n (2).
/// Range:     one socket a link.
/// Test:      as above
Rate link_rate(const PutInterface& interface, Data size);

/// Statement: cores * 2 GHz / (N + n/4) cycles.
/// Symbols:   N cycles of a message, one more for each 4 bytes of data.
/// Source:    underwood2008 (6) with the stores of Section 6.
/// Test:      as above
Rate issue_rate(const PutInterface& interface, Data size);

/// RandomAccess by puts into the receiver's buffers (underwood2008 Figure 14): phases of puts between barriers.
struct ShmemGups {
    PutInterface interface;
    double sockets = 1;
    double leaving = 1;  ///< share of the puts that leave their socket
    Time update;         ///< processor time of generating and applying beside the put
    Data update_size = bytes(8);
    Data on_link;                    ///< bytes of a put on a link, all passes together
    double updates_per_phase = 512;  ///< puts of a core between barriers
    int barriers = 2;                ///< a phase
    Time barrier;
    NetworkShare network;
    std::vector<Bound> servers;  ///< of all else that puts pass
};

/// Statement: rate = S c u / (u c / f + barriers * t_barrier), f the least of the socket's bounds, the network's cut
/// and
///            the other servers' bounds, over the sockets.
/// Symbols:   S sockets, c cores, u updates a core and phase; the socket's bounds are `issue_rate` with t_update added,
///            `host_interface_rate` and `link_rate`.
/// Source:    underwood2008 Section 7 and Figure 14 with the 2 us barrier of Section 4. Derived.
/// Range:     no overlap across a barrier.
/// Test:      tests/model/test_shmem.cpp (+23 % from two to four cores)
Prediction shmem_gups(const ShmemGups& inputs);

}  // namespace narrows
