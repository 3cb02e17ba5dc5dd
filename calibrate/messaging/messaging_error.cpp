#include "calibrate/messaging/messaging_error.hpp"

#include <fmt/format.h>

namespace narrows {

MessagingError MessagingError::not_exposed(int from, int to) {
    return MessagingError(
        fmt::format("rank {} asked for memory that rank {} has not exposed: do both run the same version?", from, to));
}

MessagingError MessagingError::malformed(int from, int to) {
    return MessagingError(
        fmt::format("rank {} cannot read a packet from rank {}: do both run the same version?", to, from));
}

MessagingError MessagingError::too_long(int from, int to, std::size_t bytes, std::size_t capacity) {
    return MessagingError(
        fmt::format("rank {} was sent {} bytes by rank {} and receives into {}: give it a larger buffer", to, bytes,
                    from, capacity));
}

MessagingError MessagingError::beyond_context(int from, int to, std::size_t bytes, std::size_t most) {
    return MessagingError(
        fmt::format("rank {} sends {} bytes to rank {} in a context for at most {}: send less, or register it for more",
                    from, bytes, to, most));
}

MessagingError MessagingError::unknown_rank(int rank, int ranks) {
    return MessagingError(fmt::format("there is no rank {}: ranks are 0 to {}", rank, ranks - 1));
}

MessagingError MessagingError::outside(int to, std::size_t offset, std::size_t bytes, std::size_t capacity) {
    return MessagingError(
        fmt::format("{} bytes put at {} do not fit the {} bytes that rank {} has for it", bytes, offset, capacity, to));
}

MessagingError MessagingError::bad_tag(int tag, int most) {
    return MessagingError(fmt::format("tag {} is out of range: tags are 0 to {}", tag, most));
}

MessagingError MessagingError::tag_mismatch(int from, int tag, int to, int awaited) {
    return MessagingError(
        fmt::format("rank {} sends tag {} to rank {}, which waits for tag {}: receive in the order of the sends", from,
                    tag, to, awaited));
}

MessagingError MessagingError::to_itself(int rank) {
    return MessagingError(fmt::format("rank {} exchanges a message with itself: copy it instead", rank));
}

}  // namespace narrows
