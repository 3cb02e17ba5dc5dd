#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "calibrate/transport/mailboxes.hpp"

namespace narrows {

/// A rank's end of one ring of its inbox.
class Ring {
  public:
    Ring() = default;
    /// `waiting`: the sender's count of packets, when the sender is the receiver's own thread, or nullptr.
    Ring(Word* slots, int count, std::size_t slot_words, std::uint8_t* waiting)
        : slots_(slots),
          waiting_(waiting),
          slot_words_(static_cast<std::uint32_t>(slot_words)),
          count_(static_cast<std::uint16_t>(count)) {}

    /// The oldest packet, or nullptr when there is none. It stays where it is until `release`.
    Word* poll() const { return waiting_ != nullptr ? (*waiting_ > 0 ? slot(head_) : nullptr) : full(slot(head_)); }
    bool has_one_slot() const { return count_ == 1; }
    /// The packet that is `later` packets behind the oldest one, or nullptr.
    Word* poll_later(int later) const {
        if (later >= count_) return nullptr;
        Word* packet = slot(at(later));
        return waiting_ != nullptr ? (*waiting_ > later ? packet : nullptr) : full(packet);
    }
    /// Fetches the first slots to be polled, and, as they are worked off, those after them.
    void prefetch_first() const {
        const int coming = std::min<int>(ahead, waiting_ != nullptr ? *waiting_ : count_);
        for (int i = 0; i < coming; ++i) __builtin_prefetch(slot(at(i)), 1);
    }
    void prefetch_later() const {
        if (ahead < count_) __builtin_prefetch(slot(at(ahead)), 1);
    }
    /// Gives the oldest packet's slot back to the producer.
    void release() {
        if (waiting_ != nullptr) {
            --*waiting_;
        } else {
            std::atomic_ref<Word>(*slot(head_)).store(0, std::memory_order_release);
        }
        head_ = at(1);
    }

  private:
    static constexpr int ahead = 4;

    Word* slot(std::uint16_t index) const { return slots_ + static_cast<std::size_t>(index) * slot_words_; }
    // The slot `later` after the oldest packet's, for later <= count.
    std::uint16_t at(int later) const {
        const int index = head_ + later;
        return static_cast<std::uint16_t>(index >= count_ ? index - count_ : index);
    }
    static Word* full(Word* slot) {
        return std::atomic_ref<Word>(*slot).load(std::memory_order_acquire) != 0 ? slot : nullptr;
    }

    Word* slots_ = nullptr;
    std::uint8_t* waiting_ = nullptr;
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
