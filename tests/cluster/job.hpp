#pragma once

#include <string>
#include <vector>

#include "tests/cluster/bed.hpp"

namespace narrows::cluster {

/// How a rank's process ended.
struct RankEnd {
    int exit = 0;  ///< 128 + signal when one ended it
    std::string out;
    std::string err;
};

/// A command for every host at once.
struct Job {
    /// `{rank}`, `{ranks}`, `{host}`, `{address}` in a word are this rank's, `{bytes}` is `bytes`, and `{updates}` are
    /// as many updates of all ranks together as make each rank send so many bytes of them; the word `{job}` becomes
    /// what `narrows run --transport tcp` needs: --ranks, --rank, --rendezvous and --secret.
    std::vector<std::string> command;
    std::string bytes;
    /// Rank i runs on host i mod hosts.
    int ranks = 0;
    /// After which all are ended.
    double seconds = 600;
};

/// Runs the job and waits for its end; when a rank fails, the others have 20 s to say so. The processes end with this
/// one.
std::vector<RankEnd> run_job(const Bed& bed, const Job& job);

/// The words of one rank. Throws InputError for `{updates}` where `bytes` are no amount.
std::vector<std::string> rank_words(const Bed& bed, const Job& job, int rank);

/// Becomes `command`. Throws std::runtime_error when there is no such program.
[[noreturn]] void become_program(const std::vector<std::string>& command);

}  // namespace narrows::cluster
