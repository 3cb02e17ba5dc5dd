#pragma once

#include <string>
#include <vector>

#include "model/path/path.hpp"

namespace narrows {

/// Messages at the fullest server of each kind that a message passes, itself included: what it may have to wait for.
struct Crowd {
    double rank = 1;     ///< at its rank's processors
    double node = 1;     ///< at the other servers of its node
    double leaving = 1;  ///< at the interfaces of its node, and its router
    double link = 1;     ///< on the fullest link of its way
};

/// Time until a message that goes at once with others like it has arrived, the last of them.
///
/// Statement: T = sum_i (o_i + l_i) + sum_legs D + max(0, max_r ((q_r - 1) * s_r - idle_r)),
///            D = max over servers of the leg of d_r + sum over the leg's other stages of f_i.
/// Symbols:   q_r = ceil(k_r / n_r) turns of k_r messages at server r, n_r of its kind (k_r / n_r of means and of what
///            messages share evenly), at least 1; o_i time of stage i for an empty message, l_i its
///            latency; d_i what the payload adds, f_i what its first piece adds; d_r, s_r sums over the stages of
///            server r: of d_i, and of o_i + d_i. A leg is a run of stages that take pieces, which follow each other; a
///            stage that takes whole messages is a leg of its own. idle_r: what the legs of r leave beside d_r and f_i
///            elsewhere.
/// Source:    flow shop of identical jobs (sum of the stages + (k - 1) * the slowest), with pieces served in the order
///            in which they come; kumar2008 Section 4, Figures 5 and 6 (neighbour exchange), derived.
/// Range:     both directions alike, each with servers of its own, unless two stages name the same one; one server is
///            slowest all along: up to 6 % too short where two are about equally busy.
/// Terms:     a term a stage, named after its server; what the slowest server makes the others wait for is its own.
/// Test:      tests/model/path/test_exchange.cpp (hand values, limits, a simulation of queues)
class Exchange {
  public:
    Exchange(const Path& path, Data payload);

    /// The servers of the stages, in order.
    const std::vector<std::string>& servers() const { return servers_; }
    /// Time that the stages of processors take of a message.
    Time processors() const { return processors_; }
    /// A time a stage. O(stages^2), without allocations once `times` has room.
    void times(const Crowd& crowd, std::vector<Time>& times) const;
    Breakdown time(const Crowd& crowd) const;

  private:
    /// What a message takes while one server makes it wait, in seconds.
    struct Queue {
        Site site = Site::processor;
        bool router = false;
        double servers = 1;
        bool fair = false;
        Time service;
        Time idle;
        std::vector<Time> shares;     ///< of each stage, without waiting
        std::vector<double> waiting;  ///< share of the waiting that is each stage's
    };

    std::vector<std::string> servers_;
    std::vector<Time> alone_;
    std::vector<Queue> queues_;
    Time processors_;
};

/// What the payload adds to the time of one message: the sum over legs of D.
Time data_time(const Path& path, Data payload);

/// Time of one message whose stages pass on pieces where they take pieces: an exchange without others. Never more
/// than `path_time`, and the same where all stages take whole messages.
Breakdown message_time(const Path& path, Data payload);

}  // namespace narrows
