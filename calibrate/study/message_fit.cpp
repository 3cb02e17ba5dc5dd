#include "calibrate/study/message_fit.hpp"

#include <map>
#include <set>
#include <utility>

namespace narrows {
namespace {

Coefficient widened(const Coefficient& one, double factor) {
    return {one.value, one.value - factor * (one.value - one.low), one.value + factor * (one.high - one.value)};
}

/// The samples of one way.
class WayFit {
  public:
    WayFit(const std::vector<MessageSample>& samples, const MessageWay& way, double widening)
        : way_(way), widening_(widening) {
        for (const MessageSample& one : samples) {
            if (one.what.way == way) times_[one.what.kernel][one.what.bytes].push_back(one.seconds);
        }
    }

    FittedMessages run() { return {way_, curve(), calls()}; }

  private:
    MessageCurve curve() {
        MessageCurve curve = fit_message_medians(times_[MessageKernel::ping_pong]);
        for (CurveSegment& segment : curve.segments) {
            segment.per_message = widened(segment.per_message, widening_);
            segment.per_byte = widened(segment.per_byte, widening_);
        }
        return curve;
    }

    Coefficient smallest(MessageKernel kernel) {
        const OrderEstimate median = median_estimate(times_[kernel].begin()->second);
        return widened({median.value, median.low, median.high}, widening_);
    }

    std::optional<CallTimes> calls() {
        for (const MessageKernel kernel :
             {MessageKernel::ping_pong, MessageKernel::send_overhead, MessageKernel::receive_overhead}) {
            if (times_.count(kernel) == 0) return std::nullopt;
        }
        const CallTimes found{smallest(MessageKernel::send_overhead), smallest(MessageKernel::receive_overhead)};
        const double whole = smallest(MessageKernel::ping_pong).value;
        return found.send.value + found.receive.value < whole ? std::optional(found) : std::nullopt;
    }

    MessageWay way_;
    double widening_;
    std::map<MessageKernel, std::map<std::size_t, std::vector<double>>> times_;
};

}  // namespace

std::vector<FittedMessages> fit_messages(const std::vector<MessageSample>& samples, double widening) {
    std::set<MessageWay> ways;  // ordered by protocol
    for (const MessageSample& one : samples) {
        const bool of_gateways = one.what.way.workers != 0;
        if (one.what.kernel == MessageKernel::ping_pong && !of_gateways) ways.insert(one.what.way);
    }
    std::vector<FittedMessages> all;
    for (const MessageWay& way : ways) all.push_back(WayFit(samples, way, widening).run());
    return all;
}

RoundStatistics message_rounds(const std::vector<MessageSample>& samples) {
    std::map<MessageCase, std::vector<double>> cases;
    for (const MessageSample& one : samples) cases[one.what].push_back(one.seconds);
    std::vector<std::vector<double>> series;
    for (auto& [what, seconds] : cases) series.push_back(std::move(seconds));
    return round_statistics(series);
}

std::optional<Coefficient> gateway_service(const std::vector<MessageSample>& samples, double widening) {
    std::vector<double> without, through;
    for (const MessageSample& one : samples) {
        const MessageWay& way = one.what.way;
        if (way.workers == 1) (way.domain == 0 ? without : through).push_back(one.seconds);
    }
    if (without.empty() || through.empty()) return std::nullopt;
    constexpr double gateways = 2;
    const OrderEstimate direct = median_estimate(without);
    const OrderEstimate passed = median_estimate(through);
    const double service = (passed.value - direct.value) / gateways;
    if (service <= 0) return std::nullopt;
    return widened({service, (passed.low - direct.high) / gateways, (passed.high - direct.low) / gateways}, widening);
}

}  // namespace narrows
