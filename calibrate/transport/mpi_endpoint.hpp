#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/ranks/rank_layout.hpp"
#include "calibrate/transport/packet.hpp"
#include "calibrate/transport/transport_error.hpp"

namespace narrows {

/// MPI, from here on until the end of its life; one in a program, as MPI starts but once. Started elsewhere already, it
/// is left running.
class MpiSession {
  public:
    /// Throws TransportError when MPI does not start.
    MpiSession();
    ~MpiSession();  // NOLINT(performance-trivially-destructible): ends MPI, where it was found
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    int rank() const;
    int ranks() const;
    /// What the lowest rank that says something says, told to all; empty when none does. Called by all ranks together.
    std::string first_said(const std::string& own) const;
    /// What rank 0 says, told to all. Called by all ranks together.
    std::vector<std::size_t> first_says(std::vector<std::size_t> own) const;
    /// Whether the ranks of this host outnumber the processors that they may use together. Called by all ranks
    /// together.
    bool crowded() const;
    /// Ends the processes of all ranks, which under MPI nobody survives alone.
    [[noreturn]] void abort(int exit_code) const;

  private:
    bool started_here_ = false;
};

/// A process's endpoint of a job under MPI: see packet.hpp. A process has one rank, unless `use` says otherwise. Each
/// packet is a message on a communicator of its own, so that whatever else uses MPI does not meet it. The same source
/// serves every MPI, by its C interface; what MPI reports as an error is a TransportError.
class MpiEndpoint {
  public:
    static constexpr bool shares_memory = false;
    /// Whether packets for one process that are sent between two flushes travel together.
    static constexpr bool joins_packets = false;

    /// Made by all ranks together. `slots`: packets that MPI has not sent yet, beyond which `try_send` is false; and
    /// those that may come before they are polled without MPI having to keep them.
    explicit MpiEndpoint(const MpiSession& session, int slots = 64);
    ~MpiEndpoint();
    MpiEndpoint(const MpiEndpoint&) = delete;
    MpiEndpoint& operator=(const MpiEndpoint&) = delete;

    bool try_send(PacketHeader header, const Payload& payload);

    template <class Handler>
    bool poll(Handler&& handle) {
        constexpr int packets_a_poll = 64;
        int count = 0;
        for (Packet packet; count < packets_a_poll && take(packet); ++count) {
            handle(packet.header, packet.payload);
            give_back();
        }
        return count > 0;
    }

    /// Every packet is MPI's as soon as it is sent.
    void flush() {}

    int processes() const { return ranks_; }
    int process() const { return rank_; }
    int process_of(int rank) const { return layout_.threads() ? rank : layout_.worker_of(rank); }

    /// The ranks that processes have, in contiguous blocks; to be called by all of them before any packet is sent.
    void use(const RankLayout& layout) { layout_ = layout; }
    const RankLayout& layout() const { return layout_; }

    /// Sleeps for a moment, the longer the more often it did so before without anything having come: MPI knows no way
    /// to wait for packets that leaves the core to others.
    static void back_off(int earlier);

    /// Whether every rank has done its work; the first call tells the others that this one has. To be called until it
    /// is true, with polls in between, by which a rank that is done still serves those that are not.
    bool all_done();

    /// What all processes say, on the first of them; see packet.hpp.
    std::vector<std::string> gather(const std::string& own);

    /// The graceful end, to be called once by all ranks: waits until all have called it and everything sent has come;
    /// what comes meanwhile is dropped.
    void finish();

  private:
    struct Packet {
        PacketHeader header;
        const std::byte* payload = nullptr;
    };
    struct State;

    bool take(Packet& packet);
    void give_back();
    void drop_what_comes();

    std::unique_ptr<State> state_;
    int rank_;
    int ranks_;
    RankLayout layout_;
};

/// What a rank runs under MPI.
using MpiBody = std::function<std::string(MpiEndpoint& endpoint, int rank)>;

/// Runs `body` on this rank, waits until all ranks have finished theirs, and returns what it returned. When it throws,
/// `complain` is called with what it said and all ranks are ended: exit code 2 for InputError, else 1.
std::string run_mpi_rank(const MpiSession& session, const MpiBody& body,
                         const std::function<void(const std::string&)>& complain);

}  // namespace narrows
