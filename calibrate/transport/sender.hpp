#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "calibrate/transport/mailboxes.hpp"

namespace narrows {

/// A worker's end of all rings that it fills. Used by that worker's thread alone, whichever of its ranks runs.
class Sender {
  public:
    Sender(const Mailboxes& mailboxes, int worker)
        : mailboxes_(mailboxes),
          worker_(worker),
          channels_(mailboxes.plan().channels.size()),
          slot_words_(mailboxes.plan().slot_words()),
          tails_(static_cast<std::size_t>(mailboxes.plan().layout.ranks) * channels_) {
        for (const Channel& channel : mailboxes.plan().channels) {
            slots_.push_back(static_cast<std::uint8_t>(channel.slots));
        }
    }

    /// Where the next packet to `rank` goes.
    Word* next_slot(int rank, int channel) const {
        return mailboxes_.ring(rank, channel, worker_) + tails_[index(rank, channel)] * slot_words_;
    }
    static bool is_free(Word* slot) { return std::atomic_ref<Word>(*slot).load(std::memory_order_acquire) == 0; }

    /// Where the next packet to `rank` goes, or nullptr while there is no room.
    Word* free_slot(int rank, int channel) const {
        Word* slot = next_slot(rank, channel);
        return is_free(slot) ? slot : nullptr;
    }

    /// Brings the next slot near, to be written.
    void prefetch(int rank, int channel) const { __builtin_prefetch(next_slot(rank, channel), 1); }

    /// Puts `words[0..count)` into the inbox of `rank`; false when no slot is free. `words` must be readable up to a
    /// whole number of cache lines, and zero from `count` to there. A packet that is not full has a zero as its last
    /// word as well, by which a receiver knows it without looking for the end.
    bool try_send(int rank, int channel, const Word* words, int count) {
        Word* slot = next_slot(rank, channel);
        if (!is_free(slot)) return false;
        const std::size_t used = whole_lines(static_cast<std::size_t>(count));
        std::memcpy(slot + 1, words + 1, (line_words - 1) * sizeof(Word));
        for (std::size_t line = line_words; line < used; line += line_words) {
            std::memcpy(slot + line, words + line, line_words * sizeof(Word));
        }
        if (const auto most = static_cast<std::size_t>(mailboxes_.plan().packet_words);
            count < static_cast<int>(most)) {
            if (used < slot_words_) slot[used] = 0;
            slot[most - 1] = 0;
        }
        publish(rank, channel, slot, words[0]);
        return true;
    }

    /// Marks `slot`, the next one of `rank`, full by storing its first word, and goes on to the one after.
    void publish(int rank, int channel, Word* slot, Word first) {
        std::atomic_ref<Word>(*slot).store(first, std::memory_order_release);
        std::uint8_t& tail = tails_[index(rank, channel)];
        const auto next = static_cast<std::uint8_t>(tail + 1);
        tail = next == slots_[static_cast<std::size_t>(channel)] ? std::uint8_t{0} : next;
    }

  private:
    std::size_t index(int rank, int channel) const {
        return static_cast<std::size_t>(rank) * channels_ + static_cast<std::size_t>(channel);
    }

    const Mailboxes& mailboxes_;
    int worker_;
    std::size_t channels_;
    std::size_t slot_words_;
    std::vector<std::uint8_t> slots_;
    std::vector<std::uint8_t> tails_;
};

}  // namespace narrows
