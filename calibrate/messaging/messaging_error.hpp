#pragma once

#include <cstddef>
#include <stdexcept>

namespace narrows {

/// What a rank did that its protocol does not allow, or what a peer sent that it cannot take. The text names the ranks
/// and what to do.
class MessagingError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;

    /// `from` wants to read or write memory that `to` has not exposed, or more of it than it has.
    static MessagingError not_exposed(int from, int to);
    /// A packet whose kind or length does not fit the protocol: both ends must run the same version.
    static MessagingError malformed(int from, int to);
    /// `to` was sent a message longer than the buffer it receives into.
    static MessagingError too_long(int from, int to, std::size_t bytes, std::size_t capacity);
    /// `from` sends `to` a message longer than those of its context may be.
    static MessagingError beyond_context(int from, int to, std::size_t bytes, std::size_t most);
    static MessagingError unknown_rank(int rank, int ranks);
    static MessagingError bad_tag(int tag, int most);
    /// `from` sends with a tag that is not the one that `to` waits for.
    static MessagingError tag_mismatch(int from, int tag, int to, int awaited);
    /// `rank` sends to, or receives from, itself.
    static MessagingError to_itself(int rank);
    /// A put beyond the memory that `to` has for it.
    static MessagingError outside(int to, std::size_t offset, std::size_t bytes, std::size_t capacity);
};

}  // namespace narrows
