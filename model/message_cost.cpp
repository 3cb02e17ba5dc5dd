#include "model/message_cost.hpp"

#include <algorithm>
#include <cmath>

namespace narrows {

Data free_payload(const Framing& framing) {
    if (framing.granule.si() <= 0) return Data();
    const double granules = std::floor(framing.header / framing.granule) + 1;
    return framing.granule * granules - framing.header;
}

Time message_time(const MessageCost& cost, const Framing& framing, Data payload) {
    return cost.per_message + cost.per_byte * std::max(Data(), payload - free_payload(framing));
}

}  // namespace narrows
