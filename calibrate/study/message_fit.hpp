#pragma once

#include <optional>
#include <vector>

#include "calibrate/fit/message_curve.hpp"
#include "calibrate/measure/round_statistics.hpp"
#include "calibrate/study/message_case.hpp"

namespace narrows {

/// What a short message costs, apart.
///
/// Statement: T(n) = o_s + L + o_r + (n - 1) G; a rank sends one message after the other every g at most. o_s and o_r
///            are the medians of the calls at either end (`overhead`), g that of a stream, G the slope of the
///            ping-pong's last segment (if that begins below zero, what its largest size takes a byte),
///            L = T(8 B) - o_s - o_r with T half a round trip.
/// Symbols:   T, L, o, g seconds; G seconds a byte; each with an interval. That of L is as wide as if the three erred
///            together.
/// Source:    LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995); o_s and o_r apart as garg2006 Section 4.3.1.
/// Range:     T(8 B) has 7 G in L. No latency where the calls take as long as the message: what fetches its message, or
///            waits for an answer, does not return before.
/// Test:      tests/calibrate/test_message_fit.cpp
struct LogGp {
    std::optional<Coefficient> latency;
    Coefficient send;
    Coefficient receive;
    Coefficient gap;
    Coefficient gap_per_byte;
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
    std::optional<LogGp> loggp;  ///< when all four kernels were sampled
};

/// How independent the rounds of all cases were, in the order of the samples.
RoundStatistics message_rounds(const std::vector<MessageSample>& samples);

/// Fits every way that has samples of a ping-pong by itself, not for `gateway_service`; ordered by protocol.
/// Medians of the rounds; intervals are `widening` times as wide as they would be on a quiet machine.
std::vector<FittedMessages> fit_messages(const std::vector<MessageSample>& samples, double widening);

}  // namespace narrows
