#pragma once

#include <optional>
#include <vector>

#include "calibrate/fit/message_curve.hpp"
#include "calibrate/measure/round_statistics.hpp"
#include "calibrate/study/message_case.hpp"

namespace narrows {

/// What the ends of a short message are busy with it: LogGP's o, the sender's and the receiver's apart.
///
/// Statement: medians of the calls at either end (`overhead`), each with an interval.
/// Source:    LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995); o_s and o_r apart as garg2006 Section 4.3.1.
/// Test:      tests/calibrate/test_message_fit.cpp
struct CallTimes {
    Coefficient send;
    Coefficient receive;
};

/// What a gateway is busy with a message (pakin2009): its controller and its host together, the slots and the
/// receiver's descriptor included.
///
/// Statement: s = (T(through two gateways) - T(without)) / 2, T half a round trip of 8 bytes when all run on one core.
/// Symbols:   s, T seconds; s with an interval as if both erred together.
/// Range:     gateways that are fibers of one core; giving way to each other is part of it. Nothing when a passage
///            through gateways took no longer.
/// Test:      tests/calibrate/test_message_fit.cpp
std::optional<Coefficient> gateway_service(const std::vector<MessageSample>& samples, double widening);

/// What the samples say of a way.
struct FittedMessages {
    MessageWay way;
    MessageCurve curve;
    /// When both ends were sampled, and together take less than a short message: a call that fetches its message, or
    /// waits for an answer, does not return before.
    std::optional<CallTimes> calls;
};

/// How independent the rounds of all cases were, in the order of the samples.
RoundStatistics message_rounds(const std::vector<MessageSample>& samples);

/// Fits every way that has samples of a ping-pong by itself, not for `gateway_service`; ordered by protocol.
/// Medians of the rounds; intervals are `widening` times as wide as they would be on a quiet machine.
std::vector<FittedMessages> fit_messages(const std::vector<MessageSample>& samples, double widening);

}  // namespace narrows
