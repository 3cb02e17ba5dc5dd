#include "calibrate/kernels/messages/tcp_part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/message_program.hpp"
#include "calibrate/transport/tcp_job.hpp"

namespace narrows {
namespace {

// All that ranks must have in common to take samples in step.
std::string words_of(const MessageOptions& options) {
    return fmt::format("{}", fmt::join(shared_plan(options), " "));
}

// So that the others have told of one that is gone within five seconds.
constexpr double seconds_to_come_again = 4;

using Words = std::vector<std::uint64_t>;
constexpr std::uint64_t most_words_said = 4096;

void tell_all(TcpMesh& mesh, const Words& words, Deadline deadline) {
    const std::uint64_t count = words.size();
    for (std::size_t rank = 1; rank < mesh.peers.size(); ++rank) {
        JoinedPeer& peer = mesh.peers[rank];
        if (!send_proved(peer, std::as_bytes(std::span(&count, 1)), deadline) ||
            !send_proved(peer, std::as_bytes(std::span(words)), deadline)) {
            throw TransportError::gone(peer.name, "it ended before it was told what comes next");
        }
    }
}

Words receive_words(JoinedPeer& first, std::size_t count, Deadline deadline) {
    Words words(count);
    if (!receive_proved(first, std::as_writable_bytes(std::span(words)), deadline)) {
        throw TransportError::gone(first.name, "it ended without saying what comes next");
    }
    return words;
}

// As many as rank 0 says first, which are few.
Words receive_all_words(JoinedPeer& first, Deadline deadline) {
    const std::uint64_t count = receive_words(first, 1, deadline).front();
    if (count > most_words_said) {
        throw TransportError::not_a_packet(
            first.name, fmt::format("{} sizes to measure next, of at most {}", count, most_words_said));
    }
    return receive_words(first, count, deadline);
}

Launch::Numbers first_says(const TcpPlace& place, const JobSecret& secret, const Launch::Numbers& own) {
    TcpMesh mesh = join_mesh(place, secret.bound_to("what rank 0 says"));
    const Deadline deadline = seconds_from_now(place.join_seconds);
    if (place.job.rank == 0) {
        tell_all(mesh, {own.begin(), own.end()}, deadline);
        return own;
    }
    const Words said = receive_all_words(mesh.peers.front(), deadline);
    return {said.begin(), said.end()};
}

}  // namespace

RankPart tcp_part(const TcpPlace& place, const JobSecret& secret) {
    return [place, secret](const MessageOptions& options, const SamplePlan& plan) {
        RankRecord taken;
        const auto body = [&](TcpEndpoint& endpoint, int /*process*/) {
            return run_message_process(options, plan, endpoint, endpoint.crowded(), &taken);
        };
        try {
            return read_record(run_tcp_rank(place, secret.bound_to(words_of(options)), body));
        } catch (const TransportError& error) {
            if (place.job.rank != 0 || taken.seconds.empty()) throw;
            taken.cut_by = error.what();
            return taken;
        }
    };
}

TcpPlace met_again(TcpPlace place) {
    place.job.again = true;
    place.join_seconds = std::min(place.join_seconds, seconds_to_come_again);
    return place;
}

Launch tcp_launch(const TcpPlace& place, const JobSecret& secret) {
    const auto next = std::make_shared<TcpPlace>(place);
    const auto measure = [next, secret](const MessageOptions& options) {
        MessageRun run = measure_part(options, next->job.rank, tcp_part(*next, secret));
        *next = met_again(*next);
        return run;
    };
    const auto says = [next, secret](const Launch::Numbers& own) {
        Launch::Numbers said = first_says(*next, secret, own);
        *next = met_again(*next);
        return said;
    };
    return {place.job.rank, measure, says};
}

}  // namespace narrows
