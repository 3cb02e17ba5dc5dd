#pragma once

#include <stdexcept>
#include <string>

namespace narrows {

/// A process of the job as people are told of it.
struct PeerName {
    int rank = 0;
    /// HOST:PORT, or another word for the place; may be empty.
    std::string address;

    /// `rank 3 at 10.0.0.7:40112`
    std::string text() const;
};

/// What went wrong between the processes of a job. The text names the rank, its address and what to do.
class TransportError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;

    /// `peer` can no longer be reached; `how` says what was seen of it.
    static TransportError gone(const PeerName& peer, const std::string& how);
    /// `peer` sent bytes that are no packet for this process; `what` describes them.
    static TransportError not_a_packet(const PeerName& peer, const std::string& what);
    /// What came in `peer`'s name was not sent by it.
    static TransportError not_authentic(const PeerName& peer);
    /// `peer` could not be joined, or did not want this process.
    static TransportError not_joined(const PeerName& peer, const std::string& why);
    /// A call of the operating system failed: `doing` with the reason that `error_number` stands for.
    static TransportError system(const std::string& doing, int error_number);
};

}  // namespace narrows
