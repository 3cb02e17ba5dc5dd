#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "calibrate/transport/packet.hpp"

namespace narrows {

/// Counts messages whose data have not left yet. One counter may serve a single message or many. Whenever none is
/// left `done(user)` is called, if it is given: a plain function, which may `post_from_handler` but not wait.
struct InjectionCounter {
    int rank = 0;
    std::uint32_t pending = 0;
    void (*done)(void* user) = nullptr;
    void* user = nullptr;

    /// One of its messages has gone.
    void count_down() {
        if (--pending == 0 && done != nullptr) done(user);
    }
};

/// What a message may expect of those before and after it (kumar2008, Section 1: "different consistency levels").
enum class Consistency {
    /// It may be overtaken, and overtake: what finds no room holds up nobody else's messages (as Charm++ wants it).
    relaxed,
    /// Messages of a rank to another arrive in the order in which they were given (as MPI wants it).
    ordered,
    /// Ordered, and handled at its destination before the rank goes on to anything else (ARMCI's blocking operations).
    sequential,
};

/// A message that waits to be put on the network.
struct Injection {
    static constexpr std::size_t most_info = 64;
    /// Payload that goes in one packet, with its info.
    static constexpr std::size_t most_short = most_packet_bytes - most_info;

    bool is_long() const { return bytes > most_short; }
    bool under_way() const { return begun && at < bytes; }

    int from, to, context;
    std::array<std::byte, most_info> info;
    const std::byte* data;
    std::size_t bytes, at;
    bool begun;
    InjectionCounter* counter;
};

/// The messages of a process that found the network full, and are replayed: ordered ones in their order, of relaxed
/// ones whichever finds room. Long messages from a rank to another go one after the other in any case, since their
/// parts do not say which message they are of.
class Injections {
  public:
    std::size_t size() const { return ordered_.size() + relaxed_.size(); }
    bool empty() const { return ordered_.empty() && relaxed_.empty(); }
    /// Whether messages wait that no later ordered one may overtake.
    bool holds_ordered() const { return !ordered_.empty(); }

    Injection& add(const Injection& message, bool relaxed) {
        auto& queue = relaxed ? relaxed_ : ordered_;
        queue.push_back(message);
        return queue.back();
    }

    /// Puts what it can on the network: `inject(message)` says whether all of it has gone, and `gone(message)` is
    /// called when it has. Whether anything has, be it a part of a message: who says that nothing has while its peer
    /// has got some is taken to wait, and both of them for a deadlock.
    template <class Inject, class Gone>
    bool advance(const Inject& inject, const Gone& gone) {
        bool any = false;
        const auto goes = [&inject, &any](Injection& message) {
            const bool begun = message.begun;
            const std::size_t at = message.at;
            const bool whole = inject(message);
            any = any || whole || message.begun != begun || message.at != at;
            return whole;
        };
        while (!ordered_.empty() && may_go(ordered_.front()) && goes(ordered_.front())) {
            gone(ordered_.front());
            ordered_.pop_front();
        }
        std::size_t looked = 0;
        for (std::size_t i = 0; i < relaxed_.size() && looked < most_looked_at; ++looked) {
            if (may_go(relaxed_[i]) && goes(relaxed_[i])) {
                gone(relaxed_[i]);
                relaxed_.erase(relaxed_.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
        return any;
    }

  private:
    // A long queue that finds no room is not looked through each time. Only these first ones can be under way.
    static constexpr std::size_t most_looked_at = 16;

    bool may_go(const Injection& message) const {
        if (!message.is_long() || message.begun) return true;
        const auto in_the_way = [&message](const Injection& other) {
            return other.from == message.from && other.to == message.to && other.under_way();
        };
        const auto end = relaxed_.begin() + static_cast<std::ptrdiff_t>(std::min(relaxed_.size(), most_looked_at));
        return (ordered_.empty() || !in_the_way(ordered_.front())) && std::none_of(relaxed_.begin(), end, in_the_way);
    }

    std::deque<Injection> ordered_;
    std::deque<Injection> relaxed_;
};

}  // namespace narrows
