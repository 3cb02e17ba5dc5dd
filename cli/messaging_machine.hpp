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

/// Adds what a calibration found of messages: a messaging layer with the LogGP parameters of each protocol, called as
/// the protocol is (`buffered`; over another transport than shared memory `buffered-mpi`), and the protocols and paths
/// of its curve, as above. A put of the command queue is also a layer's `send.per_message`, in cycles where the machine
/// has its `node.clock`.
void add_messaging(Machine& machine, const std::vector<FittedMessages>& fitted);

/// Adds the service time of a gateway to the layer of receiver-initiated messages.
void add_gateway(Machine& machine, const Coefficient& service);

/// Adds the measured `node.clock`, in front.
void add_clock(Machine& machine, const OrderEstimate& clock);

/// The name of the protocol that the curve's segment gets.
std::string segment_name(const std::string& name, const MessageCurve& curve, std::size_t segment);

}  // namespace narrows
