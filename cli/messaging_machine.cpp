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
    if (low > 0 && low <= made.measure.value && high >= made.measure.value && high < most) made.interval = {low, high};
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
    for (std::size_t i = 0; i < curve.segments.size(); ++i) {
        add_segment(machine, segment_name(name, curve, i), curve.segments[i], how);
    }
    // Sections are written together, so paths come before protocols.
    std::stable_partition(machine.parameters.begin(), machine.parameters.end(),
                          [](const Parameter& one) { return one.path.starts_with("paths."); });
    return machine;
}

}  // namespace narrows
