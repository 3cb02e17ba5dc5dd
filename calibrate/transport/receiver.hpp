#pragma once

#include <atomic>
#include <cstdint>

#include "calibrate/transport/mailboxes.hpp"

namespace narrows {

/// A rank's end of one ring of its inbox.
class Ring {
  public:
    Ring() = default;
    Ring(Word* slots, int count, std::size_t slot_words)
        : slots_(slots),
          slot_words_(static_cast<std::uint32_t>(slot_words)),
          count_(static_cast<std::uint16_t>(count)) {}

    /// The oldest packet, or nullptr when there is none. It stays where it is until `release`.
    Word* poll() const { return full(slot(head_)); }
    /// The packet after the oldest one, or nullptr.
    Word* poll_next() const { return full(slot(after(head_))); }
    /// Gives the oldest packet's slot back to the producer.
    void release() {
        std::atomic_ref<Word>(*slot(head_)).store(0, std::memory_order_release);
        head_ = after(head_);
    }

  private:
    Word* slot(std::uint16_t index) const { return slots_ + static_cast<std::size_t>(index) * slot_words_; }
    std::uint16_t after(std::uint16_t index) const {
        return static_cast<std::uint16_t>(index + 1 == count_ ? 0 : index + 1);
    }
    static Word* full(Word* slot) {
        return std::atomic_ref<Word>(*slot).load(std::memory_order_acquire) != 0 ? slot : nullptr;
    }

    Word* slots_ = nullptr;
    std::uint32_t slot_words_ = 0;
    std::uint16_t count_ = 0;
    std::uint16_t head_ = 0;
};

/// Number of words of the packet in `slot`, which has room for `packet_words`.
inline int packet_length(const Word* slot, int packet_words) {
    if (slot[packet_words - 1] != 0) return packet_words;
    int length = 1;
    while (slot[length] != 0) ++length;
    return length;
}

}  // namespace narrows
