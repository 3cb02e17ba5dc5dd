#include "calibrate/study/message_line.hpp"

#include <fmt/format.h>

namespace narrows {

std::string line_of(const MessageSample& sample) {
    const auto& [kernel, way, bytes] = sample.what;
    const std::string through =
        way.workers == 0 ? "" : fmt::format(",\"domain\":{},\"workers\":{}", way.domain, way.workers);
    const std::string distance = way.distance.empty() ? "" : fmt::format(",\"distance\":\"{}\"", way.distance);
    return fmt::format(
        "{{\"message\":\"{}\",\"protocol\":\"{}\",\"transport\":\"{}\",\"ranks\":{},\"bytes\":{},\"messages\":{},"
        "\"seconds\":{}{}{}}}\n",
        name_of(kernel), name_of(way.protocol), name_of(way.transport), way.ranks, bytes, sample.messages,
        sample.seconds, through, distance);
}

}  // namespace narrows
