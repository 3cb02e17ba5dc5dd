#include "calibrate/study/message_fit.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace narrows {
namespace {

Coefficient widened(const Coefficient& one, double factor) {
    return {one.value, one.value - factor * (one.value - one.low), one.value + factor * (one.high - one.value)};
}

/// The samples of one protocol over one transport.
class ProtocolFit {
  public:
    ProtocolFit(const std::vector<MessageSample>& samples, const MessageSample& like, double widening)
        : like_(like), widening_(widening) {
        for (const MessageSample& one : samples) {
            if (one.protocol != like.protocol || one.transport != like.transport || one.ranks != like.ranks) continue;
            times_[one.kernel][one.bytes].push_back(one.seconds);
        }
    }

    FittedMessages run() {
        FittedMessages fitted{like_.protocol, like_.transport, like_.ranks, curve(), {}};
        const bool all = std::all_of(short_kernels.begin(), short_kernels.end(),
                                     [this](MessageKernel kernel) { return times_.count(kernel) != 0; });
        if (all) fitted.loggp = loggp(fitted.curve);
        return fitted;
    }

  private:
    static constexpr std::array short_kernels = {MessageKernel::ping_pong, MessageKernel::stream,
                                                 MessageKernel::send_overhead, MessageKernel::receive_overhead};

    MessageCurve curve() {
        std::vector<SizedTime> points;
        for (const auto& [bytes, seconds] : times_[MessageKernel::ping_pong]) {
            points.push_back(sized_time(static_cast<double>(bytes), median_estimate(seconds)));
        }
        MessageCurve curve = fit_message_curve(points);
        for (CurveSegment& segment : curve.segments) {
            segment.per_message = widened(segment.per_message, widening_);
            segment.per_byte = widened(segment.per_byte, widening_);
        }
        return curve;
    }

    Coefficient smallest(MessageKernel kernel) {
        const MedianEstimate median = median_estimate(times_[kernel].begin()->second);
        return widened({median.median, median.low, median.high}, widening_);
    }

    LogGp loggp(const MessageCurve& curve) {
        LogGp found;
        found.send = smallest(MessageKernel::send_overhead);
        found.receive = smallest(MessageKernel::receive_overhead);
        found.gap = smallest(MessageKernel::stream);
        found.gap_per_byte = curve.segments.back().per_byte;
        const Coefficient whole = smallest(MessageKernel::ping_pong);
        const double rest = whole.value - found.send.value - found.receive.value;
        if (rest > 0) {
            found.latency = {rest, std::max(0.0, whole.low - found.send.high - found.receive.high),
                             whole.high - found.send.low - found.receive.low};
        }
        return found;
    }

    MessageSample like_;
    double widening_;
    std::map<MessageKernel, std::map<std::size_t, std::vector<double>>> times_;
};

}  // namespace

std::vector<FittedMessages> fit_messages(const std::vector<MessageSample>& samples, double widening) {
    std::vector<FittedMessages> all;
    for (const MessageSample& one : samples) {
        const bool known = std::any_of(all.begin(), all.end(), [&one](const FittedMessages& other) {
            return other.protocol == one.protocol && other.transport == one.transport && other.ranks == one.ranks;
        });
        if (one.kernel == MessageKernel::ping_pong && !known) {
            all.push_back(ProtocolFit(samples, one, widening).run());
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const FittedMessages& one, const FittedMessages& other) {
        return one.protocol < other.protocol;
    });
    return all;
}

}  // namespace narrows
