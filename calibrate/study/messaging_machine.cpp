#include "calibrate/study/messaging_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "calibrate/measure/environment.hpp"
#include "calibrate/study/made_parameter.hpp"

namespace narrows {
namespace {

/// `value` with its interval, as far as the ends are possible.
Parameter parameter(std::string path, Measure measure, double low, double high, const std::string& source) {
    constexpr double most = 1e30;
    // A time may be as short as nothing; a bandwidth without an end has no interval.
    const Dimension dimension = measure.dimension;
    const bool is_time =
        dimension == Dimension::time || dimension == Dimension::cycles || dimension == Dimension::time_per_byte;
    if (is_time && high > 0) low = std::max(low, 0.0);
    const bool is_possible =
        (low > 0 || (is_time && high > 0)) && low <= measure.value && high >= measure.value && high < most;
    const std::optional<Interval> interval = is_possible ? std::optional(Interval{low, high}) : std::nullopt;
    return made_parameter(std::move(path), std::move(measure), source, interval);
}

// A time of a stage, with an interval as far as it is possible.
void add_time(Machine& machine, const std::string& path, const Coefficient& time, const std::string& source) {
    machine.parameters.push_back(parameter(path, {time.value, Dimension::time, "ns"}, time.low, time.high, source));
}

// The part of a message's time, whatever its size, that keeps neither end busy. Nothing when its ends take longer.
std::optional<Coefficient> in_flight(const Coefficient& fixed, const std::optional<CallTimes>& calls) {
    if (!calls) return std::nullopt;
    const double ends = calls->send.value + calls->receive.value;
    if (ends >= fixed.value) return std::nullopt;
    return Coefficient{fixed.value - ends, fixed.low - ends, fixed.high - ends};
}

// As a time where bytes may take none, which no bandwidth says.
void add_bandwidth(Machine& machine, const std::string& stage, const Coefficient& byte, const std::string& source) {
    if (byte.low <= 0 && byte.high > 0) {
        const Measure time{std::max(0.0, byte.value), Dimension::time_per_byte, "ns/B"};
        machine.parameters.push_back(parameter(stage + "per_byte", time, byte.low, byte.high, source));
        return;
    }
    if (byte.value <= 0) return;
    machine.parameters.push_back(parameter(stage + "bandwidth", {1 / byte.value, Dimension::bandwidth, "GB/s"},
                                           byte.high > 0 ? 1 / byte.high : 0, byte.low > 0 ? 1 / byte.low : 0, source));
}

void add_passage(Machine& machine, const std::string& protocol, const std::string& path, const std::string& source) {
    machine.parameters.push_back(
        parameter("protocols." + protocol + "." + path, {1, Dimension::number, ""}, 0, 0, source));
}

// Of a piece whose line begins below zero.
Parameter spared_bytes(std::string path, const CurveSegment& segment, const std::string& source) {
    const auto bytes = [&segment](double time) { return -time / segment.per_byte.value; };
    return parameter(std::move(path), {bytes(segment.per_message.value), Dimension::data, "B"},
                     bytes(segment.per_message.high), bytes(segment.per_message.low), source);
}

// One stage; or, where they are known, the calls of both ends and a flight between them. Calls and copies keep
// a rank's core busy, so that several messages wait for it, but not for each other's flights.
void add_segment(Machine& machine, const std::string& name, const CurveSegment& segment,
                 const std::optional<Coefficient>& flight, const std::string& calls, const std::string& how) {
    const std::string source = fmt::format("calibrated: {} of {:.0f} to {:.0f} B", how, segment.from, segment.to);
    if (flight) {
        const std::string stage = "paths." + name + ".core.";
        add_bandwidth(machine, stage, segment.per_byte, source);
        add_time(machine, stage + "latency", *flight, source + ", less the calls of both ends");
        add_passage(machine, name, calls + "-send", source);
        add_passage(machine, name, name, source);
        add_passage(machine, name, calls + "-receive", source);
    } else {
        const std::string stage = "paths." + name + ".message.";
        if (segment.per_message.value < 0) {
            machine.parameters.push_back(spared_bytes(stage + "spared", segment, source));
        } else {
            add_time(machine, stage + "overhead", segment.per_message, source);
        }
        add_bandwidth(machine, stage, segment.per_byte, source);
        add_passage(machine, name, name, source);
    }
}

// The name of the protocol that the curve's segment gets.
std::string segment_name(const std::string& name, const MessageCurve& curve, std::size_t segment) {
    return segment == 0 ? name : fmt::format("{}-from-{:.0f}", name, curve.segments[segment].from);
}

void add_reach(Machine& machine, const std::string& name, const MessageCurve& curve, std::size_t segment,
               const char* origin, const std::string& how) {
    const std::string source = fmt::format("{}: between the sizes {:.0f} and {:.0f} B of {}", origin,
                                           curve.segments[segment - 1].to, curve.segments[segment].from, how);
    machine.parameters.push_back(parameter(fmt::format("reach.{}.{}", name, segment_name(name, curve, segment)),
                                           {curve.reach(segment - 1), Dimension::data, "B"}, 0, 0, source));
}

void add_curve(Machine& machine, const std::string& name, const MessageCurve& curve,
               const std::optional<CallTimes>& calls, const std::string& how) {
    bool has_calls = false;
    for (std::size_t i = 0; i < curve.segments.size(); ++i) {
        const std::string segment = segment_name(name, curve, i);
        const std::optional<Coefficient> flight = in_flight(curve.segments[i].per_message, calls);
        if (flight && !std::exchange(has_calls, true)) {
            const std::string paths = "paths." + name;
            add_time(machine, paths + "-send.core.overhead", calls->send, "calibrated: the call that sends 8 B");
            add_time(machine, paths + "-receive.core.overhead", calls->receive, "calibrated: the call that takes 8 B");
        }
        add_segment(machine, segment, curve.segments[i], flight, name, how);
        if (i > 0) add_reach(machine, name, curve, i, "calibrated", how);
    }
}

// The path of one segment between nodes: what the ends are known to take, and on the link all the rest. Interfaces and
// link hand on each byte at once, as their bandwidths were measured together.
void add_link_segment(Machine& machine, const std::string& name, const CurveSegment& segment, const MeasuredEnds& ends,
                      const std::string& how) {
    const std::string source = fmt::format("imported: {}, {:.0f} to {:.0f} B", how, segment.from, segment.to);
    const std::string path = "paths." + name + ".";
    const auto add = [&](const std::string& place, const Measure& measure) {
        machine.parameters.push_back(parameter(path + place, measure, 0, 0, source));
    };
    constexpr double interfaces = 2;
    const double passes = interfaces * ends.message;
    const double call = std::clamp((segment.per_message.value - passes) / 2, 0.0, ends.call);
    const double taken = passes + 2 * call;
    const Coefficient fixed{segment.per_message.value - taken, segment.per_message.low - taken,
                            segment.per_message.high - taken};
    const Measure byte{1, Dimension::data, "B"};
    constexpr double clearly = 1.1;
    const bool copies = call > 0 && fixed.value >= 0 && ends.byte > 0 && segment.per_byte.value > clearly * ends.byte;
    const auto add_end = [&](const std::string& end) {
        if (call <= 0) return;
        machine.parameters.push_back(
            parameter(path + end + ".overhead", {call, Dimension::time, "ns"}, 0, 0, ends.source));
        if (!copies) return;
        const auto share = [&](double per_byte) { return (per_byte - ends.byte) / 2; };
        machine.parameters.push_back(
            parameter(path + end + ".per_byte", {share(segment.per_byte.value), Dimension::time_per_byte, "ns/B"},
                      share(segment.per_byte.low), share(segment.per_byte.high), source + ", less that of a stream"));
    };
    add_end("send");
    if (ends.has_interface) add("network_interface.piece", byte);
    if (fixed.value < 0 && segment.per_byte.value > 0) {
        add("link.spared", {-fixed.value / segment.per_byte.value, Dimension::data, "B"});
    }
    add_time(machine, path + "link.latency", {std::max(0.0, fixed.value), fixed.low, fixed.high}, source);
    if (copies) {
        add_bandwidth(machine, path + "link.", {ends.byte, 0, 0}, source + ": that of the network interface");
    } else if (segment.per_byte.value > 0) {
        add_bandwidth(machine, path + "link.", segment.per_byte, source);
    } else {
        add("link.per_byte", {0, Dimension::time_per_byte, "ns/B"});
    }
    add("link.piece", byte);
    add_end("receive");
    add_passage(machine, name, name, source);
}

}  // namespace

void group_sections(Machine& machine) {
    const auto place = [](const Parameter& one) {
        return one.path.starts_with("reach.")       ? 4
               : one.path.starts_with("protocols.") ? 3
               : one.path.starts_with("paths.")     ? 2
                                                    : 0;
    };
    std::ranges::stable_sort(machine.parameters,
                             [&](const Parameter& one, const Parameter& other) { return place(one) < place(other); });
}

Machine messaging_machine(const std::string& name, const MessageCurve& curve, const std::string& how) {
    Machine machine;
    machine.id = name;
    machine.name = name + " here";
    machine.source = "calibrated";
    machine.environment = describe_environment();
    add_curve(machine, name, curve, std::nullopt, how);
    group_sections(machine);
    return machine;
}

void add_link_curve(Machine& machine, const std::string& name, const MessageCurve& curve, const MeasuredEnds& ends,
                    const std::string& how) {
    for (std::size_t i = 0; i < curve.segments.size(); ++i) {
        add_link_segment(machine, segment_name(name, curve, i), curve.segments[i], ends, how);
        if (i > 0) add_reach(machine, name, curve, i, "imported", how);
    }
    group_sections(machine);
}

void add_messaging(Machine& machine, const std::vector<FittedMessages>& fitted) {
    for (const FittedMessages& one : fitted) {
        const std::string transport(name_of(one.way.transport));
        const std::string protocol(name_of(one.way.protocol));
        const bool shared = one.way.transport == Transport::shared, near = one.way.distance.empty();
        const std::string name = fmt::format("{}{}{}{}{}", protocol, shared ? "" : "-", shared ? "" : transport,
                                             near ? "" : "-", one.way.distance);
        const std::string apart = near ? "" : fmt::format(" on cores of one {}", one.way.distance);
        const std::string how =
            fmt::format("ping-pong by {} over {} of {} ranks{}", protocol, transport, one.way.ranks, apart);
        add_curve(machine, name, one.curve, one.calls, how);
    }
    group_sections(machine);
}

void add_gateway(Machine& machine, const Coefficient& service) {
    add_time(machine, fmt::format("paths.{}-gateway.gateway.overhead", name_of(Protocol::receiver_initiated)), service,
             "calibrated: ping-pong of 8 B on one core, through two gateways and without them");
    group_sections(machine);
}

namespace {

// Behind the last parameter whose path begins so, or before all others.
void insert_behind(Machine& machine, const std::string& beginning, Parameter made) {
    auto& all = machine.parameters;
    const auto last = std::find_if(all.rbegin(), all.rend(),
                                   [&beginning](const Parameter& one) { return one.path.starts_with(beginning); });
    all.insert(last.base(), std::move(made));
}

}  // namespace

void add_turns(Machine& machine) {
    insert_behind(machine, "node.",
                  parameter("node.messages_at_once", {1, Dimension::number, ""}, 0, 0,
                            "by construction: sends may wait for their receives, so that one message follows another"));
}

void add_combining(Machine& machine, const Coefficient& per_byte) {
    insert_behind(machine, "compute.",
                  parameter("compute.reduce.per_byte", {per_byte.value, Dimension::time_per_byte, "ns/B"}, per_byte.low,
                            per_byte.high, "calibrated: allreduce by trees of 4 KiB to 256 KiB"));
}

void add_clock(Machine& machine, const OrderEstimate& clock) {
    Parameter made = parameter("node.clock", {clock.value, Dimension::frequency, "GHz"}, clock.low, clock.high,
                               "measured: additions that wait for each other");
    machine.parameters.insert(machine.parameters.begin(), made);
}

}  // namespace narrows
