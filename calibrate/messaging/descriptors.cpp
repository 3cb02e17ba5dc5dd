#include "calibrate/messaging/descriptors.hpp"

namespace narrows {

DescriptorMemory::DescriptorMemory(int domain, int first, int last)
    : domain_(domain),
      first_(first),
      last_(last),
      sent_row_((static_cast<std::size_t>(domain) * sizeof(std::uint32_t) + 63) / 64 * 64) {
    const auto own = static_cast<std::size_t>(last - first);
    descriptors_ = Mapping(own * static_cast<std::size_t>(domain) * sizeof(Descriptor), PageSize::large);
    completions_ = Mapping(own * static_cast<std::size_t>(domain) * sizeof(Completion), PageSize::large);
    sent_ = Mapping(own * sent_row_, PageSize::large);
}

void DescriptorMemory::use(const VirtualCosts& costs) {
    costs_ = &costs;
    times_.assign(2 * static_cast<std::size_t>(last_ - first_) * static_cast<std::size_t>(domain_), 0.0);
}

void check_descriptor(const Descriptor& descriptor, int from, int to, int tag, std::size_t bytes) {
    if (descriptor.tag != any_tag && descriptor.tag != tag) {
        throw MessagingError::tag_mismatch(from, tag, to, descriptor.tag);
    }
    if (bytes > descriptor.capacity) throw MessagingError::too_long(from, to, bytes, descriptor.capacity);
}

void check_peer(int rank, int peer, int ranks, int tag, bool sends) {
    if (!sends && peer == any_source) throw MessagingError::no_any_source(rank);
    if (peer < 0 || peer >= ranks) throw MessagingError::unknown_rank(peer, ranks);
    if (peer == rank) throw MessagingError::to_itself(rank);
    if ((tag < 0 && (sends || tag != any_tag)) || tag > most_tag) throw MessagingError::bad_tag(tag, most_tag);
}

}  // namespace narrows
