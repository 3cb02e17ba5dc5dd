#include "calibrate/study/message_line.hpp"

#include <fmt/format.h>

namespace narrows {

std::string line_of(const MessageSample& sample) {
    const std::string through =
        sample.workers == 0 ? "" : fmt::format(",\"domain\":{},\"workers\":{}", sample.domain, sample.workers);
    return fmt::format(
        "{{\"message\":\"{}\",\"protocol\":\"{}\",\"transport\":\"{}\",\"ranks\":{},\"bytes\":{},\"messages\":{},"
        "\"seconds\":{}{}}}\n",
        name_of(sample.kernel), name_of(sample.protocol), name_of(sample.transport), sample.ranks, sample.bytes,
        sample.messages, sample.seconds, through);
}

}  // namespace narrows
