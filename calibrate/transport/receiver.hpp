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
    /// The packet after the oldest one, or nullptr.
    Word* poll_next() const {
        Word* next = slot(after(head_));
        return waiting_ != nullptr ? (*waiting_ > 1 ? next : nullptr) : full(next);
    }
    /// Fetches the first slots to be polled, and, as they are worked off, those after them.
    void prefetch_first() const {
        for (std::uint16_t i = 0, at = head_;
             i < std::min<std::uint16_t>(ahead, waiting_ != nullptr ? *waiting_ : count_); ++i, at = after(at))
            __builtin_prefetch(slot(at));
    }
    void prefetch_later() const {
        if (count_ <= ahead) return;
        const int at = head_ + ahead;
        __builtin_prefetch(slot(static_cast<std::uint16_t>(at >= count_ ? at - count_ : at)));
    }
    /// Gives the oldest packet's slot back to the producer.
    void release() {
        if (waiting_ != nullptr) {
            --*waiting_;
        } else {
            std::atomic_ref<Word>(*slot(head_)).store(0, std::memory_order_release);
        }
        head_ = after(head_);
    }

  private:
    static constexpr std::uint16_t ahead = 8;

    Word* slot(std::uint16_t index) const { return slots_ + static_cast<std::size_t>(index) * slot_words_; }
    std::uint16_t after(std::uint16_t index) const {
        return static_cast<std::uint16_t>(index + 1 == count_ ? 0 : index + 1);
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
