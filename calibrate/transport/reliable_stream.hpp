#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace narrows {

/// What stands before the bytes of a datagram. `number` counts all datagrams from one process to another, so that none
/// is sent twice with the same one; `sequence` counts those with bytes, which keep it when they are sent again.
struct DatagramHeader {
    /// Of this job and these two processes, so that what is left of another job is no part of it.
    std::uint32_t session = 0;
    std::uint32_t from = 0;
    std::uint64_t number = 0;
    // The low halves of counters; each is within 2^31 of what the reader expects.
    std::uint32_t sequence = 0;
    /// All before this sequence have come.
    std::uint32_t acknowledged = 0;
    /// Bit i: `acknowledged` + 1 + i has come too.
    std::uint32_t received = 0;
    /// The highest number that has come.
    std::uint32_t heard = 0;
};
static_assert(sizeof(DatagramHeader) == 32);

/// What goes over an Ethernet without being split: 1500 B less the headers of IP and UDP.
inline constexpr std::size_t most_datagram_bytes = 1472;
/// What authenticates a datagram stands behind its bytes.
inline constexpr std::size_t datagram_tag_bytes = 16;
inline constexpr std::size_t most_datagram_payload = most_datagram_bytes - sizeof(DatagramHeader) - datagram_tag_bytes;

struct DatagramCounters {
    std::uint64_t sent = 0;              ///< all of them
    std::uint64_t resent = 0;            ///< with bytes that were sent before
    std::uint64_t acknowledgements = 0;  ///< without bytes

    void add(const DatagramCounters& other) {
        sent += other.sent;
        resent += other.resent;
        acknowledgements += other.acknowledgements;
    }
};

/// A stream of bytes in both directions between two processes over datagrams that may be lost, doubled or reordered.
/// At most `window` datagrams with bytes are under way in a direction, and fewer while they queue on a slow network:
/// a few in all, as in TCP Vegas. Each acknowledgement is a credit for more.
/// Acknowledgements travel with data, or alone for half a window of datagrams, after half a round trip, and at once
/// when one is missing or the peer asks: on a slow link they take little of it. What is missing while three later ones
/// have come is sent again at once. When nothing is acknowledged for a time that follows the measured round trip and
/// doubles, a datagram without bytes asks what has come; what was sent before it and has not come is sent again. Knows
/// neither sockets nor a clock.
class ReliableStream {
  public:
    using Time = std::chrono::steady_clock::time_point;
    using Duration = std::chrono::steady_clock::duration;
    static constexpr std::uint64_t window = 16;
    static constexpr std::uint64_t least_window = 3;
    static constexpr Duration least_acknowledgement_delay = std::chrono::milliseconds(1);
    /// A round trip that takes longer queues on links, a shorter one waits for a process.
    static constexpr Duration long_trip = std::chrono::milliseconds(20);
    static constexpr Duration least_timeout = std::chrono::milliseconds(10);
    static constexpr Duration most_timeout = std::chrono::seconds(10);

    /// So many datagrams, `least_window` to `window`, may be under way on a slow network too, where there are at least
    /// `least_window`: for who has few such streams.
    void allow_at_least(std::uint64_t datagrams) { least_allowed_ = std::clamp(datagrams, least_window, window); }

    /// Whether another datagram's bytes may be pushed now.
    bool has_credit() const { return next_sequence_ - first_unacknowledged_ < allowed_; }
    /// Whether a datagram of what is pending, in bytes, is worth its header now: where bytes queue on links, a datagram
    /// that is not full waits until nothing is under way (Nagle's rule).
    bool is_worth_sending(std::size_t pending) const {
        if (pending == 0) return false;
        return pending >= most_datagram_payload || all_acknowledged() || round_trip_ < long_trip;
    }
    /// Takes the bytes of the next datagram: 1 to `most_datagram_payload`. Needs a credit.
    void push(std::span<const std::byte> bytes);
    /// From a datagram to its acknowledgement, lately; zero before the first.
    Duration round_trip() const { return round_trip_; }
    bool all_acknowledged() const { return next_sequence_ == first_unacknowledged_; }

    struct Datagram {
        DatagramHeader header;  ///< all but the session and the sender
        std::span<const std::byte> bytes;
    };
    /// What is to be sent now, if anything; to be called until there is nothing. The bytes are valid until the next
    /// call of anything else.
    std::optional<Datagram> next(Time now);

    /// Takes a datagram that came, and calls deliver(bytes) for what is next in order. False for a datagram that this
    /// stream's other end cannot have sent.
    template <class Deliver>
    bool receive(const DatagramHeader& header, std::span<const std::byte> bytes, Time now, Deliver&& deliver) {
        if (!take(header, bytes.size(), now)) return false;
        if (bytes.empty()) return true;
        const std::uint64_t sequence = widened(header.sequence, expected_);
        owe(sequence != expected_, now);
        if (sequence == expected_) {
            deliver(bytes);
            ++expected_;
        } else if (sequence > expected_) {
            keep(sequence, bytes);
        }
        for (; kept_[slot(expected_)].bytes != 0; ++expected_) {
            Kept& next = kept_[slot(expected_)];
            deliver(std::span<const std::byte>(next.payload.data(), next.bytes));
            next.bytes = 0;
        }
        return true;
    }

    const DatagramCounters& counters() const { return counters_; }

  private:
    /// In `received`: the peer is to acknowledge at once.
    static constexpr std::uint32_t asks = std::uint32_t{1} << 31;

    using Payload = std::array<std::byte, most_datagram_payload>;

    /// What has been pushed and not been acknowledged.
    struct Segment {
        Payload payload;
        std::size_t bytes = 0;
        std::uint64_t sequence = 0;
        std::uint64_t number = 0;  ///< of the datagram that brought it last
        unsigned times_sent = 0;
        bool to_be_sent = false;
        bool arrived = false;
    };
    /// When a datagram with bytes, or a question, was sent.
    struct Numbered {
        std::uint64_t number = 0;
        Time sent_at;
    };
    /// What came before its turn; no bytes: nothing.
    struct Kept {
        Payload payload;
        std::size_t bytes = 0;
    };

    static std::size_t slot(std::uint64_t sequence) { return static_cast<std::size_t>(sequence % window); }
    // The counter near `near` whose low half is `low`.
    static std::uint64_t widened(std::uint32_t low, std::uint64_t near) {
        const auto apart = static_cast<std::int32_t>(low - static_cast<std::uint32_t>(near));
        return near + static_cast<std::uint64_t>(static_cast<std::int64_t>(apart));
    }

    bool take(const DatagramHeader& header, std::size_t bytes, Time now);
    void take_acknowledgement(const DatagramHeader& header, std::uint64_t acknowledged, std::uint64_t heard, Time now);
    void arrived(Segment& segment);
    void measure(Duration round_trip);
    void adapt_window(Duration round_trip, Time now);
    void owe(bool at_once, Time now);
    void keep(std::uint64_t sequence, std::span<const std::byte> bytes);
    Segment* due();
    Datagram question(Time now);
    void note_number(Time now);
    DatagramHeader header_of(std::uint64_t sequence);
    Duration timeout() const;

    // Out.
    std::array<Segment, window> segments_;
    std::array<Numbered, 4 * window> numbers_;
    std::uint64_t first_unacknowledged_ = 0;
    std::uint64_t next_sequence_ = 0;
    std::uint64_t next_number_ = 0;
    bool any_to_be_sent_ = false;
    Time ask_at_;
    std::uint64_t asked_with_ = 0;          ///< number of the last question
    unsigned timeouts_ = 0;                 ///< since something was acknowledged
    std::uint64_t allowed_ = least_window;  ///< datagrams under way
    std::uint64_t least_allowed_ = least_window;
    Time adapted_at_;
    bool measured_ = false;
    Duration round_trip_{};
    Duration deviation_{};
    DatagramCounters counters_;
    // In.
    std::array<Kept, window> kept_;
    std::uint64_t expected_ = 0;
    std::uint64_t heard_ = 0;
    unsigned owed_ = 0;  ///< datagrams with bytes since the last acknowledgement
    bool owed_at_once_ = false;
    Time owed_by_;
};

}  // namespace narrows
