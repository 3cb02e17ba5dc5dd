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
    if (descriptor.tag != tag) {
        throw MessagingError::tag_mismatch(from, tag, to, descriptor.tag);
    }
    if (bytes > descriptor.capacity) throw MessagingError::too_long(from, to, bytes, descriptor.capacity);
}

}  // namespace narrows
