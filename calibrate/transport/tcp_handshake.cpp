#include "calibrate/transport/tcp_handshake.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <string_view>

namespace narrows {
namespace {

using namespace std::string_view_literals;

// What travels, as this processor stores it. All sizes are fixed, so that nobody's length is believed.
constexpr std::uint64_t protocol_word = 0x3373776f7272616eU;  // "narrows3"

/// The version of a process, filled up with zeros.
using VersionText = std::array<char, 24>;

VersionText own_version() {
    VersionText text{};
    const std::string_view version = NARROWS_VERSION;
    std::memcpy(text.data(), version.data(), std::min(version.size(), text.size() - 1));
    return text;
}

std::string printed(const VersionText& version) {
    std::string text;
    for (const char letter : version) {
        if (letter == 0) break;
        text += letter >= ' ' && letter <= '~' ? letter : '?';
    }
    return text;
}

struct Challenge {
    std::uint64_t protocol = protocol_word;
    VersionText version = own_version();
    Nonce nonce{};
};
struct Claim {
    std::uint32_t from = 0, to = 0, ranks = 0, listens_at = 0, datagrams_at = 0;
    std::uint16_t udp = 0, authenticated = 0;
    VersionText version = own_version();
    ProcessHost host = ProcessHost::own();
    Nonce nonce{};
    Proof proof{};
};
enum class Verdict : std::uint32_t {
    welcome,
    other_size,
    other_version,
    other_transport,
    other_authentication,
    not_wanted
};
struct Answer {
    Verdict verdict = Verdict::welcome;
    std::uint32_t datagrams_at = 0;
    ProcessHost host = ProcessHost::own();
    Proof proof{};
};

template <class Value>
std::span<const std::byte> bytes_of(const Value& value) {
    return std::as_bytes(std::span(&value, 1));
}
template <class Value>
std::span<std::byte> space_of(Value& value) {
    return std::as_writable_bytes(std::span(&value, 1));
}
std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// All of a claim but its proof.
std::span<const std::byte> claimed(const Claim& claim) {
    return bytes_of(claim).first(offsetof(Claim, proof));
}

Proof claim_proof(const JobSecret& secret, const Challenge& challenge, const Claim& claim) {
    return secret.prove({bytes_of("narrows claim"sv), bytes_of(challenge.nonce), claimed(claim)});
}

/// All of an answer but its proof.
std::span<const std::byte> answered(const Answer& answer) {
    return bytes_of(answer).first(offsetof(Answer, proof));
}

Proof answer_proof(const JobSecret& secret, const Challenge& challenge, const Claim& claim, const Answer& answer) {
    return secret.prove({bytes_of("narrows answer"sv), bytes_of(challenge.nonce), claimed(claim), answered(answer)});
}

// Of the process that claimed, or of the other.
PeerKeys keys_of(const JobSecret& secret, const Challenge& challenge, const Claim& claim, bool claimed_it) {
    const auto key = [&](std::string_view purpose) {
        return secret.prove({bytes_of(purpose), bytes_of(challenge.nonce), claimed(claim)});
    };
    PeerKeys keys;
    const Proof session = key("narrows session");
    std::memcpy(&keys.session, session.data(), sizeof keys.session);
    keys.out = key(claimed_it ? "narrows key of the claiming" : "narrows key of the claimed");
    keys.in = key(claimed_it ? "narrows key of the claimed" : "narrows key of the claiming");
    return keys;
}

const char* name_of_way(bool udp) {
    return udp ? "udp" : "tcp";
}

// How long a connection may take at least: nobody makes room for another sooner.
constexpr double unhurried_seconds = 5;

/// A connection that has not proved itself yet.
struct Candidate {
    Socket socket;
    Deadline unhurried;
    Deadline deadline;
    Challenge challenge;
    Claim claim;
    std::size_t got = 0;
};

/// The side that is connected to.
class Reception {
  public:
    Reception(const Socket& listener, const JobPlace& me, int first, OwnPorts own, const JobSecret& secret)
        : listener_(listener), me_(me), first_(first), own_(own), secret_(secret) {
        joined_.resize(static_cast<std::size_t>(me.ranks - first));
    }

    std::vector<JoinedPeer> await_all(Deadline deadline) {
        while (missing() != 0) {
            if (std::chrono::steady_clock::now() > deadline) give_up();
            wait();
            take_connections();
            for (auto candidate = candidates_.begin(); candidate != candidates_.end();) {
                candidate = advance(*candidate) ? std::next(candidate) : candidates_.erase(candidate);
            }
        }
        return std::move(joined_);
    }

  private:
    // Enough for every rank to come at once, and a bound on what strangers can make this process hold.
    std::size_t most_candidates() const { return static_cast<std::size_t>(me_.ranks) + 64; }

    std::ptrdiff_t missing() const {
        return std::ranges::count_if(joined_, [](const JoinedPeer& peer) { return !peer.socket; });
    }

    [[noreturn]] void give_up() const {
        std::vector<int> absent;
        for (std::size_t i = 0; i < joined_.size(); ++i) {
            if (!joined_[i].socket) absent.push_back(first_ + static_cast<int>(i));
        }
        const std::string who = fmt::format("{} {}", absent.size() == 1 ? "rank" : "ranks", fmt::join(absent, ", "));
        if (me_.again) {
            throw TransportError(
                fmt::format("{} had joined before and did not reconnect: see what ended it there", who));
        }
        throw TransportError(fmt::format(
            "rank {} at {} timed out waiting for {}{}{}: start all ranks with the same options, the same secret "
            "and an address of rank 0 that all can reach",
            me_.rank, local_address(listener_).text(), who,
            refused_ == 0 ? "" : fmt::format(" ({} connections did not prove the job's secret)", refused_),
            different_.empty() ? "" : fmt::format(" ({})", different_)));
    }

    void wait() {
        std::vector<pollfd> waited{{listener_.descriptor(), has_room() ? short{POLLIN} : short{0}, 0}};
        for (const Candidate& candidate : candidates_) waited.push_back({candidate.socket.descriptor(), POLLIN, 0});
        ::poll(waited.data(), waited.size(), 50);
    }

    bool has_room() const {
        return candidates_.size() < most_candidates() ||
               std::chrono::steady_clock::now() > candidates_.front().unhurried;
    }

    // Those for whom there is no room stay in the system's queue, so that they come in their order.
    void take_connections() {
        while (has_room()) {
            Socket socket = accept_one(listener_);
            if (!socket) return;
            if (candidates_.size() >= most_candidates()) {
                candidates_.pop_front();
                ++refused_;
            }
            Candidate candidate{
                std::move(socket), seconds_from_now(unhurried_seconds), seconds_from_now(handshake_seconds), {}, {}, 0};
            candidate.challenge.nonce = fresh_nonce();
            // A new connection has room for the challenge.
            if (send_some(candidate.socket, bytes_of(candidate.challenge)).bytes == sizeof(Challenge)) {
                candidates_.push_back(std::move(candidate));
            }
        }
    }

    /// False when the candidate has become a peer, or is out.
    bool advance(Candidate& candidate) {
        const Transfer received = receive_some(candidate.socket, space_of(candidate.claim).subspan(candidate.got));
        candidate.got += received.bytes;
        if (candidate.got == sizeof(Claim)) {
            judge(candidate);
            return false;
        }
        const bool over = received.state == Transfer::State::over;
        const bool late = std::chrono::steady_clock::now() > candidate.deadline;
        if (late || (over && candidate.got != 0)) ++refused_;  // one that closed silently had no proof to fail
        return !over && !late;
    }

    void judge(Candidate& candidate) {
        const Claim& claim = candidate.claim;
        if (!secret_.proves(claim.proof,
                            {bytes_of("narrows claim"sv), bytes_of(candidate.challenge.nonce), claimed(claim)})) {
            ++refused_;
            return;
        }
        Answer answer;
        answer.verdict = verdict_on(claim);
        answer.datagrams_at = own_.datagrams_at;
        answer.proof = answer_proof(secret_, candidate.challenge, claim, answer);
        const bool told = send_some(candidate.socket, bytes_of(answer)).bytes == sizeof answer;
        if (!told || answer.verdict != Verdict::welcome) return;
        const int rank = static_cast<int>(claim.from);
        const std::string address = remote_address(candidate.socket).text();
        joined_[claim.from - static_cast<std::uint32_t>(first_)] = {
            std::move(candidate.socket),
            {rank, address},
            static_cast<std::uint16_t>(claim.listens_at),
            static_cast<std::uint16_t>(claim.datagrams_at),
            claim.host,
            keys_of(secret_, candidate.challenge, claim, false)};
    }

    Verdict verdict_on(const Claim& claim) {
        const auto first = static_cast<std::uint32_t>(first_);
        const auto ranks = static_cast<std::uint32_t>(me_.ranks);
        const auto differs = [&](Verdict verdict, const std::string& how) {
            different_ = fmt::format("rank {} came {}", claim.from, how);
            return verdict;
        };
        if (claim.version != own_version()) {
            return differs(Verdict::other_version,
                           fmt::format("with narrows {}, this is {}", printed(claim.version), NARROWS_VERSION));
        }
        if ((claim.udp != 0) != me_.wire.udp) {
            return differs(
                Verdict::other_transport,
                fmt::format("over {}, this rank over {}", name_of_way(!me_.wire.udp), name_of_way(me_.wire.udp)));
        }
        if ((claim.authenticated != 0) != me_.wire.authenticated) {
            return differs(Verdict::other_authentication, me_.wire.authenticated
                                                              ? "without authentication, this rank with it"
                                                              : "with authentication, this rank without");
        }
        if (claim.ranks != ranks) return Verdict::other_size;
        const bool wanted = claim.to == static_cast<std::uint32_t>(me_.rank) && claim.from >= first &&
                            claim.from < ranks && !joined_[claim.from - first].socket;
        return wanted ? Verdict::welcome : Verdict::not_wanted;
    }

    const Socket& listener_;
    JobPlace me_;
    int first_;
    OwnPorts own_;
    const JobSecret& secret_;
    std::list<Candidate> candidates_;
    std::vector<JoinedPeer> joined_;
    int refused_ = 0;
    std::string different_;  ///< who came last with other options, and which
};

// Why the peer did not want this process.
std::string refusal(Verdict verdict, const JobPlace& me) {
    switch (verdict) {
        case Verdict::other_size:
            return fmt::format("its job does not have {} ranks: start all with the same number of ranks", me.ranks);
        case Verdict::other_transport:
            return fmt::format("it runs over {}, this rank over {}: start all over the same transport",
                               name_of_way(!me.wire.udp), name_of_way(me.wire.udp));
        case Verdict::other_authentication:
            return fmt::format("it runs {} authentication, this rank {}: start all alike",
                               me.wire.authenticated ? "without" : "with",
                               me.wire.authenticated ? "with it" : "without");
        default:
            return fmt::format("rank {} is there already: start each rank of the job once", me.rank);
    }
}

}  // namespace

JoinedPeer claim_place(Socket socket, const JobPlace& me, const PeerName& peer, OwnPorts own, const JobSecret& secret,
                       Deadline deadline) {
    Challenge challenge;
    if (!receive_all(socket, space_of(challenge), deadline) || challenge.protocol != protocol_word) {
        throw TransportError::not_joined(peer, "what listens there is not a process of this version of narrows");
    }
    Claim claim;
    claim.from = static_cast<std::uint32_t>(me.rank);
    claim.to = static_cast<std::uint32_t>(peer.rank);
    claim.ranks = static_cast<std::uint32_t>(me.ranks);
    claim.listens_at = own.listens_at;
    claim.datagrams_at = own.datagrams_at;
    claim.udp = me.wire.udp ? 1 : 0;
    claim.authenticated = me.wire.authenticated ? 1 : 0;
    claim.nonce = fresh_nonce();
    claim.proof = claim_proof(secret, challenge, claim);
    Answer answer;
    const bool answers = send_all(socket, bytes_of(claim), deadline) && receive_all(socket, space_of(answer), deadline);
    // Said by nobody who has proved anything, but it is only told.
    if (challenge.version != own_version()) {
        throw TransportError::not_joined(peer,
                                         fmt::format("it is narrows {}, this is {}: run the same version everywhere",
                                                     printed(challenge.version), NARROWS_VERSION));
    }
    if (!answers) {
        throw TransportError::not_joined(peer, "it refused the proof: give both the same secret and options");
    }
    if (!secret.proves(answer.proof,
                       {bytes_of("narrows answer"sv), bytes_of(challenge.nonce), claimed(claim), answered(answer)})) {
        throw TransportError::not_joined(peer,
                                         "it does not prove the job's secret: give both the same secret and options");
    }
    if (answer.verdict != Verdict::welcome) throw TransportError::not_joined(peer, refusal(answer.verdict, me));
    return {std::move(socket),
            peer,
            0,
            static_cast<std::uint16_t>(answer.datagrams_at),
            answer.host,
            keys_of(secret, challenge, claim, true)};
}

std::vector<JoinedPeer> await_claims(const Socket& listener, const JobPlace& me, int first, OwnPorts own,
                                     const JobSecret& secret, Deadline deadline) {
    return Reception(listener, me, first, own, secret).await_all(deadline);
}

namespace {

// Numbers that no frame of a run reaches.
constexpr std::uint64_t proved_numbers = std::uint64_t{1} << 63;
using Tag = std::array<std::byte, FrameSeal::tag_bytes>;

}  // namespace

bool send_proved(JoinedPeer& peer, std::span<const std::byte> bytes, Deadline deadline) {
    Tag tag{};
    FrameSeal(peer.keys.out).seal(proved_numbers + peer.proved_out++, bytes, tag.data());
    return send_all(peer.socket, bytes, deadline) && send_all(peer.socket, tag, deadline);
}

bool receive_proved(JoinedPeer& peer, std::span<std::byte> space, Deadline deadline) {
    Tag tag{};
    if (!receive_all(peer.socket, space, deadline) || !receive_all(peer.socket, tag, deadline)) return false;
    if (!FrameSeal(peer.keys.in).proves(tag.data(), proved_numbers + peer.proved_in++, space)) {
        throw TransportError::not_authentic(peer.name);
    }
    return true;
}

}  // namespace narrows
