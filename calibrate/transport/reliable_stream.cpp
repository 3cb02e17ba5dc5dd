#include "calibrate/transport/reliable_stream.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace narrows {

void ReliableStream::push(std::span<const std::byte> bytes) {
    if (!has_credit() || bytes.empty() || bytes.size() > most_datagram_payload) {
        throw std::logic_error("ReliableStream::push: no credit, or no bytes of a datagram");
    }
    Segment& segment = segments_[slot(next_sequence_)];
    segment.sequence = next_sequence_++;
    std::memcpy(segment.payload.data(), bytes.data(), bytes.size());
    segment.bytes = bytes.size();
    segment.times_sent = 0;
    segment.arrived = false;
    segment.to_be_sent = any_to_be_sent_ = true;
}

std::optional<ReliableStream::Datagram> ReliableStream::next(Time now) {
    if (Segment* const segment = due()) {
        if (segment->times_sent++ != 0) ++counters_.resent;
        if (segment->sequence == first_unacknowledged_) ask_at_ = now + timeout();
        segment->to_be_sent = false;
        segment->number = next_number_;
        note_number(now);
        return Datagram{header_of(segment->sequence), {segment->payload.data(), segment->bytes}};
    }
    if (!all_acknowledged() && now >= ask_at_) return question(now);
    constexpr unsigned every = window / 2;
    if (owed_at_once_ || owed_ >= every || (owed_ != 0 && now >= owed_by_)) {
        ++counters_.acknowledgements;
        return Datagram{header_of(next_sequence_), {}};
    }
    return std::nullopt;
}

// Round trips grow from less than a millisecond to seconds when queues fill, so that what is late is rarely lost.
ReliableStream::Datagram ReliableStream::question(Time now) {
    ++timeouts_;
    ask_at_ = now + timeout();
    asked_with_ = next_number_;
    note_number(now);
    ++counters_.acknowledgements;
    DatagramHeader header = header_of(next_sequence_);
    header.received |= asks;
    return {header, {}};
}

// The oldest segment to be sent.
ReliableStream::Segment* ReliableStream::due() {
    if (!any_to_be_sent_) return nullptr;
    for (std::uint64_t sequence = first_unacknowledged_; sequence != next_sequence_; ++sequence) {
        if (segments_[slot(sequence)].to_be_sent) return &segments_[slot(sequence)];
    }
    any_to_be_sent_ = false;
    return nullptr;
}

ReliableStream::Duration ReliableStream::timeout() const {
    constexpr Duration at_first = std::chrono::milliseconds(200);  // a question costs little
    constexpr Duration least_deviation = std::chrono::milliseconds(1);
    const Duration once = measured_ ? std::clamp(round_trip_ + std::max({4 * deviation_, round_trip_, least_deviation}),
                                                 least_timeout, most_timeout)
                                    : at_first;
    return std::min(once * (1 << std::min(timeouts_, 6U)), most_timeout);
}

void ReliableStream::measure(Duration round_trip) {
    // RFC 6298.
    if (!measured_) {
        measured_ = true;
        round_trip_ = round_trip;
        deviation_ = round_trip / 2;
        return;
    }
    deviation_ = (3 * deviation_ + std::chrono::abs(round_trip_ - round_trip)) / 4;
    round_trip_ = (7 * round_trip_ + round_trip) / 8;
}

// Once a round trip, as TCP Vegas does: of the datagrams under way nearly all wait in queues once a round trip takes
// much longer than on a cluster's idle network. What is measured first is no such time, as all begin at once. Below
// `long_trip` they wait for a process, not for a link.
void ReliableStream::adapt_window(Duration round_trip, Time now) {
    if (now - adapted_at_ < round_trip) return;
    adapted_at_ = now;
    if (round_trip < long_trip) {
        allowed_ = std::min(allowed_ + 1, window);
    } else {
        allowed_ = std::max(allowed_ / 2, least_allowed_);
    }
}

// When the next datagram was sent: its acknowledgement tells the number.
void ReliableStream::note_number(Time now) {
    numbers_[next_number_ % numbers_.size()] = {next_number_, now};
}

DatagramHeader ReliableStream::header_of(std::uint64_t sequence) {
    DatagramHeader header;
    header.number = next_number_++;
    header.sequence = static_cast<std::uint32_t>(sequence);
    header.acknowledged = static_cast<std::uint32_t>(expected_);
    for (std::uint64_t i = 0; i + 1 < window; ++i) {
        if (kept_[slot(expected_ + 1 + i)].bytes != 0) header.received |= 1U << i;
    }
    header.heard = static_cast<std::uint32_t>(heard_);
    owed_ = 0;
    owed_at_once_ = false;
    ++counters_.sent;
    return header;
}

bool ReliableStream::take(const DatagramHeader& header, std::size_t bytes, Time now) {
    const std::uint64_t acknowledged = widened(header.acknowledged, first_unacknowledged_);
    // An old acknowledgement that comes late says nothing, which widening makes a number below, or from around zero.
    const bool late = acknowledged < first_unacknowledged_ || acknowledged > ~std::uint64_t{0} / 2;
    if (!late && acknowledged > next_sequence_) return false;
    const std::uint64_t heard = widened(header.heard, next_number_);
    if (heard > next_number_ || bytes > most_datagram_payload) return false;
    const std::uint64_t sequence = widened(header.sequence, expected_);
    const bool old = sequence > ~std::uint64_t{0} / 2;
    if (bytes != 0 && !old && sequence >= expected_ + window) return false;
    heard_ = std::max(heard_, header.number);
    owed_at_once_ = owed_at_once_ || (header.received & asks) != 0;
    if (!late) take_acknowledgement(header, acknowledged, heard, now);
    return true;
}

void ReliableStream::take_acknowledgement(const DatagramHeader& header, std::uint64_t acknowledged, std::uint64_t heard,
                                          Time now) {
    const std::uint64_t first = first_unacknowledged_;
    for (; first_unacknowledged_ < acknowledged; ++first_unacknowledged_) {
        arrived(segments_[slot(first_unacknowledged_)]);
    }
    for (std::uint64_t i = 0; i + 1 < window; ++i) {
        const std::uint64_t sequence = acknowledged + 1 + i;
        if ((header.received >> i & 1) != 0 && sequence < next_sequence_) {
            arrived(segments_[slot(sequence)]);
        }
    }
    constexpr std::uint64_t reordered = 3;
    for (std::uint64_t sequence = first_unacknowledged_; sequence != next_sequence_; ++sequence) {
        Segment& segment = segments_[slot(sequence)];
        const bool under_way = segment.times_sent != 0 && !segment.arrived && !segment.to_be_sent;
        const bool asked = segment.number < asked_with_ && asked_with_ <= heard;
        if (under_way && (asked || segment.number + reordered <= heard)) {
            segment.to_be_sent = any_to_be_sent_ = true;
        }
    }
    if (first_unacknowledged_ == first) return;
    // Of what was sent twice the number tells which one came. Until then a time that was too short stays doubled.
    Numbered& last = numbers_[heard % numbers_.size()];
    if (last.number == heard && last.sent_at != Time()) {
        const Duration round_trip = now - std::exchange(last.sent_at, Time());
        timeouts_ = 0;
        measure(round_trip);
        adapt_window(round_trip, now);
    }
    ask_at_ = now + timeout();
}

void ReliableStream::arrived(Segment& segment) {
    segment.arrived = true;
    segment.to_be_sent = false;
}

void ReliableStream::owe(bool at_once, Time now) {
    if (owed_++ == 0) owed_by_ = now + std::max(least_acknowledgement_delay, round_trip_ / 2);
    owed_at_once_ = owed_at_once_ || at_once;
}

void ReliableStream::keep(std::uint64_t sequence, std::span<const std::byte> bytes) {
    Kept& kept = kept_[slot(sequence)];
    if (kept.bytes != 0 || sequence >= expected_ + window) return;
    std::memcpy(kept.payload.data(), bytes.data(), bytes.size());
    kept.bytes = bytes.size();
}

}  // namespace narrows
