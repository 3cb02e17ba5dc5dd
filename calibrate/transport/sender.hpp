#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "calibrate/transport/mailboxes.hpp"
#include "calibrate/transport/store_line.hpp"

namespace narrows {

/// A worker's end of all rings that it fills. Used by that worker's thread alone, whichever of its ranks runs.
class Sender {
  public:
    Sender(const Mailboxes& mailboxes, int worker)
        : mailboxes_(mailboxes),
          worker_(worker),
          channels_(mailboxes.plan().channels.size()),
          slot_words_(mailboxes.plan().slot_words()),
          first_own_(mailboxes.plan().layout.first_rank(worker)),
          last_own_(mailboxes.plan().layout.first_rank(worker + 1)),
          waiting_(static_cast<std::size_t>(mailboxes.plan().layout.ranks) * channels_),
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

    /// Brings the next slot near, to be written, unless it will be written without being read.
    void prefetch(int rank, int channel) const {
        if (rank < first_own_ || rank >= last_own_) __builtin_prefetch(next_slot(rank, channel), 1);
    }

    /// Puts `words[0..count)` into the inbox of `rank`; false when no slot is free. `words` must be readable up to a
    /// whole number of cache lines, and zero from `count` to there or to the most words of a packet. A packet that is
    /// not full has a zero as its last word as well, by which a receiver knows it without looking for the end.
    bool try_send(int rank, int channel, const Word* words, int count) {
        Word* slot = next_slot(rank, channel);
        const bool own = rank >= first_own_ && rank < last_own_;
        std::uint8_t& waiting = waiting_[index(rank, channel)];
        if (own ? waiting == slots_[static_cast<std::size_t>(channel)] : !is_free(slot)) return false;
        if (own) {
            if (slot_words_ == line_words) {
                store_line(slot, words);
            } else {
                copy(slot, words, count);
                slot[0] = words[0];
            }
            ++waiting;
        } else {
            copy(slot, words, count);
            std::atomic_ref<Word>(*slot).store(words[0], std::memory_order_release);
        }
        std::uint8_t& tail = tails_[index(rank, channel)];
        const auto next = static_cast<std::uint8_t>(tail + 1);
        tail = next == slots_[static_cast<std::size_t>(channel)] ? std::uint8_t{0} : next;
        return true;
    }

    /// The number of packets of this worker's ranks that wait in the inbox of `rank`, also one of its own: sender and
    /// receiver are then the same thread and need no flag in memory.
    std::uint8_t* waiting(int rank, int channel) { return &waiting_[index(rank, channel)]; }

  private:
    // Words between asking for a slot's line, which is another core's, and writing it.
    static constexpr std::size_t lines_ahead = 12 * line_words;

    // All but the first word.
    void copy(Word* slot, const Word* words, int count) const {
        const std::size_t used = whole_lines(static_cast<std::size_t>(count));
        std::memcpy(slot + 1, words + 1, (line_words - 1) * sizeof(Word));
        for (std::size_t line = line_words; line < used; line += line_words) {
            if (line + lines_ahead < used) __builtin_prefetch(slot + line + lines_ahead, 1);
            std::memcpy(slot + line, words + line, line_words * sizeof(Word));
        }
        const auto most = static_cast<std::size_t>(mailboxes_.plan().packet_words);
        if (count == static_cast<int>(most)) return;
        if (used < slot_words_) slot[used] = 0;
        slot[most - 1] = 0;
    }

    std::size_t index(int rank, int channel) const {
        return static_cast<std::size_t>(rank) * channels_ + static_cast<std::size_t>(channel);
    }

    const Mailboxes& mailboxes_;
    int worker_;
    std::size_t channels_;
    std::size_t slot_words_;
    int first_own_;
    int last_own_;
    std::vector<std::uint8_t> slots_;
    std::vector<std::uint8_t> waiting_;
    std::vector<std::uint8_t> tails_;
};

}  // namespace narrows
