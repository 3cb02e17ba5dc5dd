#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/message_curve.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/study/message_fit.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The machine whose only path is that of a measured ping-pong: a protocol for each of the curve's segments, called
/// `name` and, further on, `name-from-BYTES`, of one stage with an overhead and a bandwidth and their intervals. `how`
/// says what was measured.
Machine messaging_machine(const std::string& name, const MessageCurve& curve, const std::string& how);

/// What a message between nodes is known to take beside its link.
struct MeasuredEnds {
    double call = 0;     ///< seconds of each end's call at most; 0: not known
    std::string source;  ///< where that is from
    bool has_interface =
        false;           ///< whether the machine has a `network_interface`, which the message passes at both ends
    double message = 0;  ///< seconds that one of these is busy with a message at least
    double byte = 0;     ///< seconds that these and the link are busy with a byte of a stream; 0: not known
};

/// Adds the protocol `name` of messages between nodes, whose idle time is the curve: calls at both ends, network
/// interfaces and a link of its own, a path for each segment. Calls get no more of a segment's time than there is. What
/// a byte takes longer than in a stream is of copies at both ends: many pairs at once have a core for each.
void add_link_curve(Machine& machine, const std::string& name, const MessageCurve& curve, const MeasuredEnds& ends,
                    const std::string& how);

/// Adds what a calibration found of messages: the protocols and paths of each curve, called as the protocol is
/// (`buffered`; over another transport than shared memory `buffered-mpi`), with the calls of both ends where they are
/// known.
void add_messaging(Machine& machine, const std::vector<FittedMessages>& fitted);

/// Adds the path of a gateway of receiver-initiated messages alone, which no protocol takes: its service time.
void add_gateway(Machine& machine, const Coefficient& service);

/// What the project's own messages inside a node do: of a rank one goes at a time, as a send may wait for its receive.
void add_turns(Machine& machine);

/// Adds what combining a byte takes in an allreduce.
void add_combining(Machine& machine, const Coefficient& per_byte);

/// Adds the measured `node.clock`, in front.
void add_clock(Machine& machine, const OrderEstimate& clock);

/// Puts sections together, as they are written: paths before protocols, and those before their reach; each in its
/// order.
void group_sections(Machine& machine);

}  // namespace narrows
