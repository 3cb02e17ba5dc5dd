#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "calibrate/messaging/active_message.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/protocol.hpp"

namespace narrows {

/// Memory of each rank that one peer writes to by put, over active messages: peers first tell each other where it is
/// (kumar2008, Section 3.2.1: "initialize and exchange opaque memory region objects").
template <class Endpoint>
class PutWindows {
  public:
    PutWindows(Endpoint& endpoint, const RankLayout& layout)
        : messages_(endpoint, layout), ranks_(static_cast<std::size_t>(layout.ranks)) {
        context_ = messages_.register_context({&PutWindows::on_window, nullptr, this}, sizeof(RemoteMemory), 0);
    }
    PutWindows(const PutWindows&) = delete;
    PutWindows& operator=(const PutWindows&) = delete;

    bool poll() { return messages_.poll(); }
    int ranks() const { return messages_.ranks(); }

    /// Both peers call it, with the same number of bytes, before they put.
    template <class Waiter>
    void open(int me, int other, std::size_t bytes, Waiter& waiter) {
        Rank& own = at(me);
        own.memory = std::make_unique<std::uint64_t[]>((bytes + 7) / 8);
        const RemoteMemory window = messages_.expose(me, own.memory.get(), bytes);
        messages_.send(me, other, context_, &window, nullptr, 0, waiter);
        messages_.wait_until(me, waiter, [&own] { return own.peer.bytes != 0; });
    }

    template <class Waiter>
    void put(int me, int other, std::size_t offset, const void* data, std::size_t bytes, Waiter& waiter) {
        messages_.put(me, other, at(me).peer, data, bytes, waiter, offset);
    }
    std::byte* memory(int me) { return reinterpret_cast<std::byte*>(at(me).memory.get()); }

    template <class Waiter, class Done>
    void wait_for(int me, Waiter& waiter, const Done& done) {
        messages_.wait_until(me, waiter, done, Endpoint::shares_memory);
    }

  private:
    struct Rank {
        std::unique_ptr<std::uint64_t[]> memory;
        RemoteMemory peer;
    };
    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    static std::byte* on_window(void* user, const Arrival& arrival) {
        auto& self = *static_cast<PutWindows*>(user);
        std::memcpy(&self.at(arrival.to).peer, arrival.info, sizeof(RemoteMemory));
        self.messages_.raise(arrival.to);
        return nullptr;
    }

    ActiveMessages<Endpoint> messages_;
    std::vector<Rank> ranks_;
    int context_ = 0;
};

/// Sends and receives are those of `eager`.
template <>
struct ProtocolOf<Protocol::active_message> : MatchedMaker {
    static constexpr ProtocolRecord record = {
        .name = "active-message", .source = "kumar2008", .puts = true, .handles = true};
    template <class Endpoint>
    using Puts = PutWindows<Endpoint>;
};

}  // namespace narrows
