#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "calibrate/messaging/collectives.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/messaging/messaging_error.hpp"

namespace narrows {

/// The calls of MPI that the Cell Messaging Layer has (pakin2009, "Cell Messaging Layer").
enum class MpiCall {
    init,
    finalize,
    comm_rank,
    comm_size,
    comm_get_attr,
    send,
    recv,
    barrier,
    bcast,
    reduce,
    allreduce,
    wtime,
    wtick,
    abort
};

/// Stands in front of every call, as a profiling library does in front of MPI's: another class with such a function may
/// count or time calls, or change what they do. This one does nothing and costs nothing.
struct NoProfiling {
    template <class Call>
    decltype(auto) around(MpiCall, Call&& call) {
        return std::forward<Call>(call)();
    }
};

enum class Datatype { byte, int32, int64, float32, float64 };
enum class Reduction { sum, product, minimum, maximum };
enum class MpiAttribute { tag_ub, wtime_is_global, host };

/// Bytes of an element.
std::size_t bytes_of(Datatype type);
/// Combines elements of `into` with those of `with`. Throws MessagingError for bytes, which have no arithmetic.
void combine_elements(Datatype type, Reduction reduction, void* into, const void* with, std::size_t count);
/// Throws MessagingError, naming the call, unless `count` is 0 or more.
void check_count(MpiCall call, int rank, int count);
/// Throws MessagingError: `rank` calls before init, or after finalize.
[[noreturn]] void refuse_call(MpiCall call, int rank);
/// Throws MessagingError that ends the run.
[[noreturn]] void abort_run(int rank, int code);

/// MPI as a rank of the Cell Messaging Layer sees it, over a protocol with synchronous sends. Ranks are those of the
/// communicator of the call. To be kept off the stack of a fiber: it owns memory.
template <class Protocol, class Waiter, class Profiling = NoProfiling>
class Mpi {
  public:
    /// `domain`: the ranks that share memory with `rank`.
    Mpi(Protocol& protocol, int rank, const Communicator& domain, Waiter& waiter, Profiling profiling = {})
        : world{0, protocol.ranks()},
          memory_domain(domain),
          protocol_(protocol),
          rank_(rank),
          waiter_(waiter),
          profiling_(std::move(profiling)) {}

    /// MPI_COMM_WORLD, and what the Cell Messaging Layer calls MPI_COMM_MEM_DOMAIN.
    const Communicator world;
    const Communicator memory_domain;

    void init() {
        profiling_.around(MpiCall::init, [&] {
            if (state_ != State::before) refuse_call(MpiCall::init, rank_);
            state_ = State::running;
        });
    }
    /// Waits for all ranks of the world.
    void finalize() {
        call(MpiCall::finalize, [&] {
            Member member(protocol_, world, rank_, waiter_);
            narrows::barrier(member);
            state_ = State::after;
        });
    }
    int comm_rank(const Communicator& all) {
        return call(MpiCall::comm_rank, [&] { return all.member(rank_); });
    }
    int comm_size(const Communicator& all) {
        return call(MpiCall::comm_size, [&] { return all.size; });
    }
    /// Nothing for an attribute that is not set.
    std::optional<int> comm_get_attr(const Communicator&, MpiAttribute attribute) {
        return call(MpiCall::comm_get_attr, [&]() -> std::optional<int> {
            if (attribute == MpiAttribute::tag_ub) return most_tag - 1;
            if (attribute == MpiAttribute::wtime_is_global) return 0;
            return std::nullopt;
        });
    }

    /// Synchronous, as MPI_Ssend.
    void send(const void* data, int count, Datatype type, int to, int tag, const Communicator& all) {
        call(MpiCall::send, [&] {
            check(MpiCall::send, count, to, tag, all);
            protocol_.send(rank_, all.rank(to), tag, data, bytes(count, type), waiter_);
        });
    }
    /// `tag` may be any_tag; there is no any_source. `Received` has the source's rank in the communicator.
    Received recv(void* data, int count, Datatype type, int from, int tag, const Communicator& all) {
        return call(MpiCall::recv, [&] {
            if (from == any_source) throw MessagingError::no_any_source(rank_);
            check(MpiCall::recv, count, from, tag == any_tag ? 0 : tag, all);
            Received received = protocol_.receive(rank_, all.rank(from), tag, data, bytes(count, type), waiter_);
            received.source = all.member(received.source);
            return received;
        });
    }

    void barrier(const Communicator& all) {
        call(MpiCall::barrier, [&] {
            Member member(protocol_, all, rank_, waiter_);
            narrows::barrier(member);
        });
    }
    void bcast(void* data, int count, Datatype type, int root, const Communicator& all) {
        call(MpiCall::bcast, [&] {
            check(MpiCall::bcast, count, root, 0, all);
            Member member(protocol_, all, rank_, waiter_);
            broadcast(member, root, data, bytes(count, type));
        });
    }
    /// `result` is written at the root.
    void reduce(const void* data, void* result, int count, Datatype type, Reduction reduction, int root,
                const Communicator& all) {
        call(MpiCall::reduce, [&] {
            check(MpiCall::reduce, count, root, 0, all);
            Member member(protocol_, all, rank_, waiter_);
            Buffers own = buffers(data, bytes(count, type));
            narrows::reduce(member, root, own.data, own.scratch, bytes(count, type), OnElements{type, reduction});
            if (member.me() == root) std::copy_n(own.data, bytes(count, type), static_cast<std::byte*>(result));
        });
    }
    void allreduce(const void* data, void* result, int count, Datatype type, Reduction reduction,
                   const Communicator& all) {
        call(MpiCall::allreduce, [&] {
            check_count(MpiCall::allreduce, rank_, count);
            Member member(protocol_, all, rank_, waiter_);
            Buffers own = buffers(data, bytes(count, type));
            allreduce_doubling(member, own.data, own.scratch, bytes(count, type), OnElements{type, reduction});
            std::copy_n(own.data, bytes(count, type), static_cast<std::byte*>(result));
        });
    }

    /// Seconds since some moment.
    double wtime() {
        return call(MpiCall::wtime, [] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
        });
    }
    /// Seconds between ticks of `wtime`.
    double wtick() {
        return call(MpiCall::wtick, [] {
            using Period = std::chrono::steady_clock::period;
            return static_cast<double>(Period::num) / static_cast<double>(Period::den);
        });
    }
    /// Ends the run of all ranks.
    [[noreturn]] void abort(int code) {
        profiling_.around(MpiCall::abort, [&] { abort_run(rank_, code); });
        abort_run(rank_, code);
    }

    Profiling& profiling() { return profiling_; }

  private:
    enum class State { before, running, after };
    /// A reduction of elements of a type that is known only now.
    struct OnElements {
        Datatype type;
        Reduction reduction;
        void operator()(std::byte* into, const std::byte* with, std::size_t bytes) const {
            combine_elements(type, reduction, into, with, bytes / bytes_of(type));
        }
    };
    struct Buffers {
        std::byte* data;
        std::byte* scratch;
    };

    template <class Body>
    auto call(MpiCall which, Body&& body) {
        return profiling_.around(which, [&] {
            if (state_ != State::running) refuse_call(which, rank_);
            return body();
        });
    }
    void check(MpiCall which, int count, int peer, int tag, const Communicator& all) const {
        check_count(which, rank_, count);
        if (peer < 0 || peer >= all.size) throw MessagingError::unknown_rank(peer, all.size);
        if (tag < 0 || tag >= most_tag) throw MessagingError::bad_tag(tag, most_tag - 1);
    }
    static std::size_t bytes(int count, Datatype type) { return static_cast<std::size_t>(count) * bytes_of(type); }
    Buffers buffers(const void* data, std::size_t count) {
        if (buffer_.size() < 2 * count) buffer_.resize(2 * count);
        std::copy_n(static_cast<const std::byte*>(data), count, buffer_.data());
        return {buffer_.data(), buffer_.data() + count};
    }

    Protocol& protocol_;
    int rank_;
    Waiter& waiter_;
    Profiling profiling_;
    State state_ = State::before;
    std::vector<std::byte> buffer_;
};

}  // namespace narrows
