#include "calibrate/transport/mpi_endpoint.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "calibrate/ranks/process_host.hpp"
#include "calibrate/transport/tcp_frames.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr int packet_tag = 0;
constexpr std::size_t slot_bytes = frame_bytes(most_packet_bytes);
// One byte more, so that a message that is too long is seen to be, not cut off.
constexpr int most_message_bytes = static_cast<int>(slot_bytes) + 1;
constexpr std::size_t slot_stride = (slot_bytes + 1 + 63) & ~std::size_t{63};

void check(int code, const char* doing) {
    if (code == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    throw TransportError(fmt::format("MPI cannot {}: {}; see the messages of the other ranks, then start the job again",
                                     doing, std::string(text.data(), static_cast<std::size_t>(length))));
}

int world_rank() {
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "tell the rank");
    return rank;
}

int world_size() {
    int ranks = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "tell the number of ranks");
    return ranks;
}

}  // namespace

MpiSession::MpiSession() {
    int running = 0;
    check(MPI_Initialized(&running), "start");
    if (running == 0) {
        // One thread of a process speaks MPI; others may exist.
        int provided = 0;
        check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "start");
        started_here_ = true;
    }
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "report errors");
    if (world_size() > most_packet_ranks) {
        throw TransportError(fmt::format("{} ranks are too many: start at most {}", world_size(), most_packet_ranks));
    }
}

MpiSession::~MpiSession() {
    int ended = 0;
    if (started_here_ && MPI_Finalized(&ended) == MPI_SUCCESS && ended == 0) MPI_Finalize();
}

int MpiSession::rank() const {
    return world_rank();
}
int MpiSession::ranks() const {
    return world_size();
}

std::string MpiSession::first_said(const std::string& own) const {
    const int speaker = own.empty() ? ranks() : rank();
    int first = 0;
    check(MPI_Allreduce(&speaker, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "find who speaks");
    if (first == ranks()) return {};
    auto length = static_cast<int>(own.size());
    check(MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD), "tell all");
    std::string said = first == rank() ? own : std::string(static_cast<std::size_t>(length), ' ');
    check(MPI_Bcast(said.data(), length, MPI_CHAR, first, MPI_COMM_WORLD), "tell all");
    return said;
}

std::vector<std::size_t> MpiSession::first_says(std::vector<std::size_t> own) const {
    auto length = static_cast<int>(own.size() * sizeof own[0]);
    check(MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD), "tell all");
    own.resize(static_cast<std::size_t>(length) / sizeof own[0]);
    check(MPI_Bcast(own.data(), length, MPI_BYTE, 0, MPI_COMM_WORLD), "tell all");
    return own;
}

bool MpiSession::crowded() const {
    const ProcessHost own = ProcessHost::own();
    std::vector<ProcessHost> all(static_cast<std::size_t>(ranks()));
    constexpr int bytes = sizeof own;
    check(MPI_Allgather(&own, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, MPI_COMM_WORLD), "count this host's ranks");
    return outnumber_processors(all, own);
}

void MpiSession::abort(int exit_code) const {
    // What MPICH's launcher has not read of the ranks' output when one aborts is lost: in 4 of 100 cases the reason.
    constexpr auto until_read = std::chrono::milliseconds(200);
    std::this_thread::sleep_for(until_read);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

struct MpiEndpoint::State {
    State(int slots, int ranks)
        : send_requests(static_cast<std::size_t>(slots), MPI_REQUEST_NULL),
          receive_requests(send_requests),
          finished_sends(send_requests.size()),
          sends(send_requests.size() * slot_stride),
          receives(receive_requests.size() * slot_stride),
          sent(static_cast<std::size_t>(ranks)) {
        for (int slot = 0; slot < slots; ++slot) free_sends.push_back(slot);
    }

    std::byte* send_slot(int slot) { return &sends[static_cast<std::size_t>(slot) * slot_stride]; }
    std::byte* receive_slot(std::size_t slot) { return &receives[slot * slot_stride]; }

    void post_receive(std::size_t slot) {
        check(MPI_Irecv(receive_slot(slot), most_message_bytes, MPI_BYTE, MPI_ANY_SOURCE, packet_tag, communicator,
                        &receive_requests[slot]),
              "receive");
    }
    /// Takes back the slots of what MPI has sent.
    void collect_sends() {
        int count = 0;
        check(MPI_Testsome(static_cast<int>(send_requests.size()), send_requests.data(), &count, finished_sends.data(),
                           MPI_STATUSES_IGNORE),
              "send");
        if (count == MPI_UNDEFINED) return;
        free_sends.insert(free_sends.end(), finished_sends.begin(), finished_sends.begin() + count);
    }
    bool all_sent() {
        collect_sends();
        return free_sends.size() == send_requests.size();
    }

    MPI_Comm communicator = MPI_COMM_NULL;
    std::vector<MPI_Request> send_requests, receive_requests;
    std::vector<int> free_sends, finished_sends;
    std::vector<std::byte> sends, receives;
    // Receives from any rank match in the order in which they were posted, so that this one is the next to be handled,
    // and packets of a rank stay in order, even when a later one is complete first.
    std::size_t next_receive = 0;
    std::vector<std::uint64_t> sent;
    std::uint64_t received = 0;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool done = false;
};

MpiEndpoint::MpiEndpoint(const MpiSession& session, int slots)
    : state_(std::make_unique<State>(slots, session.ranks())),
      rank_(session.rank()),
      ranks_(session.ranks()),
      layout_{ranks_, ranks_} {
    if (slots < 1) throw std::logic_error("an endpoint without room for packets");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &state_->communicator), "make a communicator");
    check(MPI_Comm_set_errhandler(state_->communicator, MPI_ERRORS_RETURN), "report errors");
    for (std::size_t slot = 0; slot < state_->receive_requests.size(); ++slot) state_->post_receive(slot);
}

MpiEndpoint::~MpiEndpoint() {
    // Unless it was finished, MPI may still read and write the slots: they are left to it, as the run ends now.
    if (state_->communicator != MPI_COMM_NULL) static_cast<void>(state_.release());
}

bool MpiEndpoint::try_send(PacketHeader header, const Payload& payload) {
    State& state = *state_;
    if (state.free_sends.empty()) state.collect_sends();
    if (state.free_sends.empty()) return false;
    const int slot = state.free_sends.back();
    const int process = process_of(header.to);
    const std::uint64_t word = header.word();
    std::byte* const data = state.send_slot(slot);
    std::memcpy(data, &word, sizeof word);
    payload.copy_to(data + sizeof word);
    check(MPI_Isend(data, static_cast<int>(sizeof word + header.bytes), MPI_BYTE, process, packet_tag,
                    state.communicator, &state.send_requests[static_cast<std::size_t>(slot)]),
          "send");
    state.free_sends.pop_back();
    ++state.sent[static_cast<std::size_t>(process)];
    return true;
}

bool MpiEndpoint::take(Packet& packet) {
    State& state = *state_;
    int arrived = 0;
    MPI_Status status;
    check(MPI_Test(&state.receive_requests[state.next_receive], &arrived, &status), "receive");
    if (arrived == 0) return false;
    int bytes = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &bytes), "tell the length of a message");
    const std::byte* const data = state.receive_slot(state.next_receive);
    std::uint64_t word = 0;
    if (bytes >= static_cast<int>(sizeof word)) std::memcpy(&word, data, sizeof word);
    packet = {PacketHeader::of(word), data + sizeof word};
    const PacketHeader& header = packet.header;
    const bool good = header.kind != 0 && header.bytes <= most_packet_bytes &&
                      layout_.has(status.MPI_SOURCE, header.from) && layout_.has(rank_, header.to) &&
                      static_cast<int>(sizeof word + header.bytes) == bytes;
    if (!good) {
        throw TransportError::not_a_packet({status.MPI_SOURCE, ""},
                                           fmt::format("what is no packet to rank {} ({} bytes)", rank_, bytes));
    }
    ++state.received;
    return true;
}

void MpiEndpoint::give_back() {
    State& state = *state_;
    state.post_receive(state.next_receive);
    state.next_receive = (state.next_receive + 1) % state.receive_requests.size();
}

void MpiEndpoint::drop_what_comes() {
    if (!poll([](PacketHeader, const std::byte*) {})) sched_yield();
}

void MpiEndpoint::back_off(int earlier) {
    constexpr std::chrono::microseconds least(20);
    constexpr std::chrono::microseconds most(1000);
    constexpr int most_doublings = 6;
    std::this_thread::sleep_for(std::min(most, least * (1 << std::min(earlier, most_doublings))));
}

bool MpiEndpoint::all_done() {
    State& state = *state_;
    if (!state.done) check(MPI_Ibarrier(state.communicator, &state.barrier), "wait for all");
    state.done = true;
    int all = 0;
    check(MPI_Test(&state.barrier, &all, MPI_STATUS_IGNORE), "wait for all");
    return all != 0;
}

std::vector<std::string> MpiEndpoint::gather(const std::string& own) {
    MPI_Comm communicator = state_->communicator;
    const auto wait = [&](MPI_Request request) {
        for (int done = 0; done == 0;) {
            drop_what_comes();
            check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "gather reports");
        }
    };
    const std::uint64_t bytes = own.size();
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(ranks_));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(&bytes, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, communicator, &request),
          "gather reports");
    wait(request);
    // MPI counts what all send at once as an int.
    const std::uint64_t most = (std::uint64_t{1} << 30) / sizes.size();
    std::vector<std::string> reports(rank_ == 0 ? sizes.size() : 0);
    for (std::uint64_t at = 0; at < *std::ranges::max_element(sizes); at += most) {
        std::vector<int> counts;
        for (const std::uint64_t size : sizes) {
            counts.push_back(static_cast<int>(std::min(most, size - std::min(at, size))));
        }
        std::vector<int> places(counts.size());
        std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
        std::string part(static_cast<std::size_t>(places.back() + counts.back()), ' ');
        check(MPI_Igatherv(own.data() + std::min(at, bytes), counts[static_cast<std::size_t>(rank_)], MPI_CHAR,
                           part.data(), counts.data(), places.data(), MPI_CHAR, 0, communicator, &request),
              "gather reports");
        wait(request);
        for (std::size_t i = 0; i < reports.size(); ++i) {
            reports[i].append(part, static_cast<std::size_t>(places[i]), static_cast<std::size_t>(counts[i]));
        }
    }
    return reports;
}

void MpiEndpoint::finish() {
    State& state = *state_;
    while (!state.all_sent()) drop_what_comes();
    // How many packets were sent to each rank tells it when all have come: MPI wants every message received.
    std::uint64_t coming = 0;
    MPI_Request sum = MPI_REQUEST_NULL;
    check(MPI_Ireduce_scatter_block(state.sent.data(), &coming, 1, MPI_UINT64_T, MPI_SUM, state.communicator, &sum),
          "count what was sent");
    for (int done = 0; done == 0;) {
        drop_what_comes();
        check(MPI_Test(&sum, &done, MPI_STATUS_IGNORE), "count what was sent");
    }
    while (state.received < coming) drop_what_comes();
    for (MPI_Request& request : state.receive_requests) {
        check(MPI_Cancel(&request), "end receiving");
        check(MPI_Wait(&request, MPI_STATUS_IGNORE), "end receiving");
    }
    check(MPI_Comm_free(&state.communicator), "end");
}

std::string run_mpi_rank(const MpiSession& session, const MpiBody& body,
                         const std::function<void(const std::string&)>& complain) {
    int exit_code = 1;
    try {
        MpiEndpoint endpoint(session);
        std::string result = body(endpoint, session.rank());
        endpoint.finish();
        return result;
    } catch (const InputError& error) {
        exit_code = 2;
        complain(fmt::format("rank {}: {}", session.rank(), error.what()));
    } catch (const std::exception& error) {
        complain(fmt::format("rank {}: {}", session.rank(), error.what()));
    }
    session.abort(exit_code);
}

}  // namespace narrows
