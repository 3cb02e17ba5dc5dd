#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "calibrate/messaging/computing_waiter.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/ranks/run_ended.hpp"

namespace narrows {

/// The tag of messages within collectives.
inline constexpr int collective_tag = most_tag;

/// Whether the member `me` sends before it receives where all of a ring of `size` give to the one that is `distance`
/// on: sends may be synchronous, so that those who give to each other alternate. Who closes a ring need not alternate
/// with its neighbours, but one of each two others does.
inline bool sends_first(int me, int distance, int size) {
    return me / std::min(distance, size - distance) % 2 == 0;
}

/// One rank's part in collectives of all ranks over any protocol with send and receive. The order of sends and receives
/// is such that synchronous sends do not deadlock. Collectives are compiled once, whatever the protocol and however a
/// rank waits: a message costs a virtual call.
class Member {
  public:
    virtual ~Member() = default;
    int me() const { return me_; }
    int size() const { return size_; }

    virtual void send(int to, const void* data, std::size_t bytes) = 0;
    virtual void receive(int from, void* data, std::size_t bytes) = 0;
    /// Returns when `done()`, which others bring about in memory that they share with this member.
    virtual void wait_until(const std::function<bool()>& done) = 0;
    /// `work` is done from now on whenever the member waits; none if it is null.
    virtual void compute_meanwhile(Background* work) = 0;

    /// Both members of a pair give each other something.
    void exchange(int peer, const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes) {
        if (me_ < peer) send(peer, out, out_bytes);
        receive(peer, in, in_bytes);
        if (me_ > peer) send(peer, out, out_bytes);
    }
    /// The same of as many bytes both ways.
    void exchange(int peer, const void* out, void* in, std::size_t bytes) { exchange(peer, out, bytes, in, bytes); }
    /// All members give to the one that is `distance` on and take from the one as far back, on a ring of more members
    /// than that.
    void shift(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int distance = 1) {
        const int next = me_ + distance < size_ ? me_ + distance : me_ + distance - size_;
        const int before = me_ < distance ? me_ - distance + size_ : me_ - distance;
        const bool early = sends_first(me_, distance, size_);
        if (early) send(next, out, out_bytes);
        receive(before, in, in_bytes);
        if (!early) send(next, out, out_bytes);
    }

  protected:
    Member(int me, int size) : me_(me), size_(size) {}
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

  private:
    int me_;
    int size_;
};

/// A member by a protocol, which waits by a waiter.
template <class Protocol, class Waiter>
class MemberOf final : public Member {
  public:
    MemberOf(Protocol& protocol, int rank, Waiter& waiter)
        : Member(rank, protocol.ranks()), protocol_(protocol), waiter_(waiter) {}

    void send(int to, const void* data, std::size_t bytes) override {
        protocol_.send(me(), to, collective_tag, data, bytes, waiter_);
    }
    void receive(int from, void* data, std::size_t bytes) override {
        protocol_.receive(me(), from, collective_tag, data, bytes, waiter_);
    }
    void wait_until(const std::function<bool()>& done) override {
        if (done()) return;
        waiter_.progressed();  // by what the member did before it came here
        while (!done()) {
            if (!waiter_.yield(protocol_.poll())) throw RunEnded();
        }
        waiter_.progressed();
    }
    void compute_meanwhile(Background* work) override { waiter_.compute(work); }

  private:
    Protocol& protocol_;
    ComputingWaiter<Waiter> waiter_;
};

}  // namespace narrows
