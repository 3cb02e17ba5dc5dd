#include "model/path/loggp.hpp"

#include <algorithm>

#include "model/path/exchange.hpp"

namespace narrows {

LogGp loggp_of(const Machine& machine, const std::string& protocol) {
    constexpr Data small = bytes(8), large = bytes(1 << 26);
    const Path path = message_path(machine, protocol, small);
    const Path of_long = message_path(machine, protocol, large);
    LogGp view;
    view.latency = message_time(path, small).total;
    view.gap_per_byte = (message_time(of_long, large * 2).total - message_time(of_long, large).total) / large;
    Path between = path;
    if (path.stages.size() > 1) {
        const EndTimes ends = end_times(path, small);
        view.send = ends.send + ends.other;
        view.receive = ends.receive;
        view.latency -= ends.total();
        view.gap = std::max(*view.send, *view.receive);
        std::erase_if(between.stages, [](const Stage& stage) { return stage.site == Site::processor; });
    }
    if (!between.stages.empty()) view.gap = std::max(view.gap, busiest_server(between, small).time);
    return view;
}

}  // namespace narrows
