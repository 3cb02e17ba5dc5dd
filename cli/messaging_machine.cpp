#include "cli/messaging_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "calibrate/measure/environment.hpp"

namespace narrows {
namespace {

/// `value` with its interval, as far as the ends are possible.
Parameter parameter(std::string path, Measure measure, double low, double high, const std::string& source) {
    Parameter made;
    made.path = std::move(path);
    made.measure = std::move(measure);
    made.source = source;
    const double most = 1e30;
    // A time may be as short as nothing; a bandwidth without an end has no interval.
    const bool is_time =
        made.measure.dimension == Dimension::time || made.measure.dimension == Dimension::time_per_byte;
    if (is_time && high > 0) low = std::max(low, 0.0);
    if ((low > 0 || (is_time && high > 0)) && low <= made.measure.value && high >= made.measure.value && high < most)
        made.interval = {low, high};
    return made;
}

void add_segment(Machine& machine, const std::string& name, const CurveSegment& segment, const std::string& how) {
    const std::string stage = "paths." + name + ".message.";
    const std::string source = fmt::format("calibrated: {} of {:.0f} to {:.0f} B", how, segment.from, segment.to);
    const Coefficient& fixed = segment.per_message;
    const Coefficient& byte = segment.per_byte;
    machine.parameters.push_back(
        parameter(stage + "overhead", {fixed.value, Dimension::time, "ns"}, fixed.low, fixed.high, source));
    if (byte.value > 0) {
        machine.parameters.push_back(parameter(stage + "bandwidth", {1 / byte.value, Dimension::bandwidth, "GB/s"},
                                               byte.high > 0 ? 1 / byte.high : 0, byte.low > 0 ? 1 / byte.low : 0,
                                               source));
    }
    machine.parameters.push_back(parameter("protocols." + name + "." + name, {1, Dimension::number, ""}, 0, 0, source));
}

void add_curve(Machine& machine, const std::string& name, const MessageCurve& curve, const std::string& how) {
    for (std::size_t i = 0; i < curve.segments.size(); ++i) {
        const std::string segment = segment_name(name, curve, i);
        add_segment(machine, segment, curve.segments[i], how);
        if (i == 0) continue;
        const double least = curve.reach(i - 1);
        const std::string source = fmt::format("calibrated: between the sizes {:.0f} and {:.0f} B of {}",
                                               curve.segments[i - 1].to, curve.segments[i].from, how);
        machine.parameters.push_back(
            parameter(fmt::format("reach.{}.{}", name, segment), {least, Dimension::data, "B"}, 0, 0, source));
    }
}

void add_layer(Machine& machine, const std::string& name, const LogGp& loggp, const std::string& how) {
    const std::string layer = "messaging." + name + ".loggp.";
    const std::string source = "calibrated: " + how;
    const auto add = [&](const char* what, const Coefficient& one, Dimension dimension, const char* unit) {
        machine.parameters.push_back(parameter(layer + what, {one.value, dimension, unit}, one.low, one.high, source));
    };
    if (loggp.latency) add("latency", *loggp.latency, Dimension::time, "ns");
    add("send", loggp.send, Dimension::time, "ns");
    add("receive", loggp.receive, Dimension::time, "ns");
    add("gap", loggp.gap, Dimension::time, "ns");
    if (loggp.gap_per_byte.value > 0) {
        add("gap_per_byte", loggp.gap_per_byte, Dimension::time_per_byte, "ns/B");
    }
}

// Sections are written together: layers come before paths, paths before protocols, and those before their reach.
void order_sections(Machine& machine) {
    const auto place = [](const Parameter& one) {
        return one.path.starts_with("reach.")       ? 4
               : one.path.starts_with("protocols.") ? 3
               : one.path.starts_with("paths.")     ? 2
               : one.path.starts_with("messaging.") ? 1
                                                    : 0;
    };
    std::stable_sort(machine.parameters.begin(), machine.parameters.end(),
                     [&](const Parameter& one, const Parameter& other) { return place(one) < place(other); });
}

}  // namespace

std::string segment_name(const std::string& name, const MessageCurve& curve, std::size_t segment) {
    return segment == 0 ? name : fmt::format("{}-from-{:.0f}", name, curve.segments[segment].from);
}

Machine messaging_machine(const std::string& name, const MessageCurve& curve, const std::string& how) {
    Machine machine;
    machine.id = name;
    machine.name = name + " here";
    machine.source = "calibrated";
    machine.environment = describe_environment();
    add_curve(machine, name, curve, how);
    order_sections(machine);
    return machine;
}

void add_messaging(Machine& machine, const std::vector<FittedMessages>& fitted) {
    for (const FittedMessages& one : fitted) {
        const std::string transport(name_of(one.transport));
        const std::string protocol(name_of(one.protocol));
        const std::string name = one.transport == Transport::shared ? protocol : protocol + "-" + transport;
        const std::string how = fmt::format("ping-pong by {} over {} of {} ranks", protocol, transport, one.ranks);
        if (one.loggp) add_layer(machine, name, *one.loggp, fmt::format("{} over {}, 8 B", protocol, transport));
        add_curve(machine, name, one.curve, how);
    }
    order_sections(machine);
}

}  // namespace narrows
