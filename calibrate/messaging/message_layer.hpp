#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "calibrate/messaging/exposed_memory.hpp"
#include "calibrate/messaging/messaging_error.hpp"
#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/transport/packet.hpp"

namespace narrows {

/// Memory that a peer may read or write: an address where all share memory, else the token under which its owner knows
/// it. Travels in packets as it is.
struct RemoteMemory {
    std::uint64_t place = 0;
    std::uint64_t bytes = 0;
};

/// What all protocols stand on: packets out, with a queue for those that find no room; packets in; the memory of
/// others; waiting. One object for each process, which serves all of its ranks; `Protocol` derives from it and has
///
///   void on_packet(PacketHeader header, const std::byte* payload)      for kinds below `first_own_kind`
///   bool advance()      optional: goes on with what the protocol has under way; whether anything was done
///
/// which is called while any rank of the process waits or sends, must not wait itself, and answers with `reply` or
/// `tell`.
template <class Endpoint, class Protocol>
class MessageLayer {
  public:
    MessageLayer(Endpoint& endpoint, const RankLayout& layout)
        : endpoint_(endpoint),
          layout_(layout),
          queued_(static_cast<std::size_t>(endpoint.processes())),
          arrivals_(static_cast<std::size_t>(layout.ranks)) {}

    int ranks() const { return layout_.ranks; }

    /// Takes in what has come and sends what was queued; whether there was anything.
    bool poll() {
        bool sent = queued_count_ != 0 && send_queued();
        sent = (!streams_.empty() && send_streams()) || sent;
        if constexpr (requires(Protocol & protocol) { protocol.advance(); }) {
            sent = static_cast<Protocol*>(this)->advance() || sent;
        }
        const bool received = endpoint_.poll([this](PacketHeader header, const std::byte* payload) {
            if (Endpoint::shares_memory || header.kind < first_own_kind) {
                static_cast<Protocol*>(this)->on_packet(header, payload);
            } else {
                on_own_packet(header, payload);
            }
        });
        endpoint_.flush();
        return received || sent;
    }

  protected:
    static constexpr PacketKind first_own_kind = 250;

    Endpoint& endpoint() { return endpoint_; }

    /// Sends from a rank: waits while there is no room.
    template <class Waiter>
    [[gnu::always_inline]] void send(PacketHeader header, const Payload& payload, Waiter& waiter) {
        if (!try_send(header, payload)) wait_and_send(header, payload, waiter);
    }

    /// Sends if nothing waits before it and there is room.
    [[gnu::always_inline]] bool try_send(PacketHeader header, const Payload& payload) {
        return queued_count_ == 0 && endpoint_.try_send(header, payload);
    }

    /// Sends without waiting, so from `on_packet` too: what finds no room is queued and keeps its order.
    void reply(PacketHeader header, const Payload& payload) {
        const bool first = queue_to(header.to).empty();
        if (!first || !endpoint_.try_send(header, payload)) put_off(header, payload);
    }

    /// The same for what is no answer, such as an acknowledgement: where there is room for it at once, a stream's
    /// receiver goes on resting.
    void tell(PacketHeader header, const Payload& payload) {
        if constexpr (requires { endpoint_.try_tell(header, payload); }) {
            const bool first = queue_to(header.to).empty();
            if (!first || !endpoint_.try_tell(header, payload)) put_off(header, payload);
        } else {
            reply(header, payload);
        }
    }

    /// Lets others read or write memory of `rank` until `withdraw`.
    RemoteMemory expose(int rank, const void* data, std::size_t bytes) {
        auto* address = const_cast<void*>(data);
        if constexpr (Endpoint::shares_memory) return {reinterpret_cast<std::uintptr_t>(address), bytes};
        return {exposed_.add(rank, address, bytes), bytes};
    }
    void withdraw(const RemoteMemory& memory) {
        if constexpr (!Endpoint::shares_memory) exposed_.remove(memory.place);
    }

    /// Copies what `owner` exposed to `to`, in memory of `me`. `done` becomes true, and `me` is raised, when all is
    /// there.
    void get(int me, int owner, const RemoteMemory& from, void* to, bool& done) {
        if constexpr (Endpoint::shares_memory) {
            std::memcpy(to, reinterpret_cast<const void*>(from.place), from.bytes);
            done = true;
        } else if (from.bytes == 0) {
            done = true;
        } else {
            const std::uint64_t token = exposed_.add(me, to, from.bytes);
            exposed_.find(token)->done = &done;
            const GetRequest request{from.place, from.bytes, token};
            reply({get_kind, me, owner, sizeof request}, {&request, sizeof request});
        }
    }

    /// Writes `data` over what `owner` exposed, from `offset` on; beyond it is an error. Returns when `data` may be
    /// changed. In shared memory a word is written whole, after what was put before; elsewhere the owner's `written`
    /// grows, and `owner` is raised, as data arrive.
    template <class Waiter>
    void put(int me, int owner, const RemoteMemory& to, const void* data, std::size_t bytes, Waiter& waiter,
             std::size_t offset = 0) {
        if (offset > to.bytes || bytes > to.bytes - offset) [[unlikely]] {
            throw MessagingError::outside(owner, offset, bytes, to.bytes);
        }
        if constexpr (Endpoint::shares_memory) {
            store_bytes(reinterpret_cast<std::byte*>(to.place) + offset, data, bytes);
        } else {
            for (Stream stream{me, owner, static_cast<const std::byte*>(data), bytes, 0, to.place, offset};
                 !stream.sent();) {
                const Segment segment = stream.segment();
                send(stream.header(), stream.payload(segment), waiter);
                stream.at += stream.next();
            }
        }
    }
    /// Bytes that others have put to memory exposed here. Only without shared memory, where puts are packets.
    std::size_t written(const RemoteMemory& memory) { return exposed_.find(memory.place)->written; }

    /// Something has happened to `rank`, one of this process: if it waits, it looks again.
    void raise(int rank) {
        Flag& flag = arrivals_[static_cast<std::size_t>(rank)];
        flag.store(flag.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

    /// Waits until `done()`, which changes only with a `raise` of `rank`, or also by what others write to shared memory
    /// if `watches_memory`.
    template <class Waiter, class Done>
    void wait_until(int rank, Waiter& waiter, const Done& done, bool watches_memory = false) {
        if (done()) return;
        waiter.progressed();  // by what the rank did before it came here
        const Flag& flag = arrivals_[static_cast<std::size_t>(rank)];
        for (unsigned spins = 1; !done(); ++spins) {
            const std::uint32_t seen = flag.load(std::memory_order_relaxed);
            if (poll()) {
                waiter.progressed();
                continue;
            }
            if (done()) break;
            bool running = true;
            if constexpr (Waiter::shares_worker) {
                running = watches_memory ? waiter.yield(false) : waiter.wait(flag, seen);
            } else if (spins % looks_before_yield<Waiter>() == 0) {
                running = waiter.yield(false);
            }
            if (!running) throw RunEnded();
        }
        waiter.progressed();
    }

  private:
    static constexpr PacketKind get_kind = first_own_kind;
    static constexpr PacketKind segment_kind = first_own_kind + 1;

    struct Queued {
        PacketHeader header;
        std::vector<std::byte> payload;
    };
    struct GetRequest {
        std::uint64_t from, bytes, to;
    };
    struct Segment {
        std::uint64_t token, offset;
    };
    /// Data that goes to a peer's exposed memory segment by segment.
    struct Stream {
        int from, to;
        const std::byte* data;
        std::size_t bytes, at;
        std::uint64_t token;
        std::size_t offset;  // where the first byte goes

        Segment segment() const { return {token, offset + at}; }
        bool sent() const { return at == bytes; }
        std::size_t next() const { return std::min(bytes - at, most_packet_bytes - sizeof(Segment)); }
        PacketHeader header() const {
            return {segment_kind, from, to, static_cast<std::uint32_t>(sizeof(Segment) + next())};
        }
        Payload payload(const Segment& segment) const {
            return {&segment, sizeof segment, data + at, static_cast<std::uint32_t>(next())};
        }
    };

    std::deque<Queued>& queue_to(int rank) { return queued_[static_cast<std::size_t>(endpoint_.process_of(rank))]; }

    void put_off(PacketHeader header, const Payload& payload) {
        auto& queue = queue_to(header.to);
        queue.push_back({header, std::vector<std::byte>(header.bytes)});
        payload.copy_to(queue.back().payload.data());
        ++queued_count_;
    }

    // Both by value: what is only here given by address would be kept in memory by those who need not wait, too.
    template <class Waiter>
    [[gnu::noinline]] void wait_and_send(PacketHeader header, Payload payload, Waiter& waiter) {
        waiter.progressed();
        do {
            if (!waiter.yield(poll())) throw RunEnded();
        } while (!try_send(header, payload));
    }

    bool send_queued() {
        bool any = false;
        for (auto& queue : queued_) {
            while (!queue.empty()) {
                const Queued& first = queue.front();
                if (!endpoint_.try_send(first.header, {first.payload.data(), first.header.bytes})) break;
                queue.pop_front();
                --queued_count_;
                any = true;
            }
        }
        return any;
    }

    bool send_streams() {
        bool any = false;
        for (Stream& stream : streams_) {
            while (!stream.sent()) {
                const Segment segment = stream.segment();
                if (!endpoint_.try_send(stream.header(), stream.payload(segment))) break;
                stream.at += stream.next();
                any = true;
            }
        }
        std::erase_if(streams_, [](const Stream& stream) { return stream.sent(); });
        return any;
    }

    void on_own_packet(PacketHeader header, const std::byte* payload) {
        if (header.kind == get_kind && header.bytes == sizeof(GetRequest)) {
            GetRequest request;
            std::memcpy(&request, payload, sizeof request);
            const ExposedMemory::Region* region = exposed_.find(request.from);
            if (region == nullptr || region->rank != header.to || request.bytes > region->bytes) {
                throw MessagingError::not_exposed(header.from, header.to);
            }
            streams_.push_back({header.to, header.from, region->data, request.bytes, 0, request.to, 0});
        } else if (header.kind == segment_kind && header.bytes >= sizeof(Segment)) {
            Segment segment;
            std::memcpy(&segment, payload, sizeof segment);
            write(header, segment, payload + sizeof segment, header.bytes - sizeof segment);
        } else {
            throw MessagingError::malformed(header.from, header.to);
        }
    }

    void write(PacketHeader header, const Segment& segment, const std::byte* data, std::size_t bytes) {
        ExposedMemory::Region* region = exposed_.find(segment.token);
        if (region == nullptr || region->rank != header.to || segment.offset > region->bytes ||
            bytes > region->bytes - segment.offset || (region->done != nullptr && segment.offset != region->written)) {
            throw MessagingError::not_exposed(header.from, header.to);
        }
        std::memcpy(region->data + segment.offset, data, bytes);
        region->written += bytes;
        if (region->done != nullptr && region->written == region->bytes) {
            *region->done = true;
            exposed_.remove(segment.token);
        }
        raise(header.to);
    }

    Endpoint& endpoint_;
    RankLayout layout_;
    std::vector<std::deque<Queued>> queued_;
    std::size_t queued_count_ = 0;
    std::vector<Stream> streams_;
    ExposedMemory exposed_;
    std::vector<Flag> arrivals_;
};

}  // namespace narrows
