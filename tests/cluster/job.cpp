#include "tests/cluster/job.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <system_error>
#include <thread>

#include "cli/options.hpp"
#include "tests/cluster/namespaces.hpp"

namespace narrows::cluster {
namespace {

using Clock = std::chrono::steady_clock;

/// A rank's process and the files without names that it writes to.
struct RankProcess {
    pid_t process = 0;
    int out = -1;
    int err = -1;
    bool running = true;
};

std::string content(int file) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = pread(file, buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

std::string replaced(std::string word, const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
        for (std::size_t at = word.find(name); at != std::string::npos; at = word.find(name, at + value.size())) {
            word.replace(at, name.size(), value);
        }
    }
    return word;
}

// Of RandomAccess: 8 B each, of which a rank's own are not sent.
std::string updates_of(const Job& job) {
    constexpr double update = 8;
    const double bytes = static_cast<double>(positive_bytes("--bytes", job.bytes));
    const double sent = job.ranks > 1 ? 1 - 1.0 / job.ranks : 1;
    return fmt::format("{:.0f}", std::ceil(bytes / update / sent * job.ranks));
}

RankProcess start(const Bed& bed, const Job& job, int rank) {
    RankProcess started;
    started.out = memfd_create("out", MFD_CLOEXEC);
    started.err = memfd_create("err", MFD_CLOEXEC);
    const pid_t parent = getpid();
    started.process = fork();
    if (started.process < 0) throw std::system_error(errno, std::generic_category(), "cannot start a rank");
    if (started.process > 0) return started;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    dup2(started.out, STDOUT_FILENO);
    dup2(started.err, STDERR_FILENO);
    try {
        become_host(bed.words.name, bed.host_name(rank % bed.hosts()));
        become_program(rank_words(bed, job, rank));
    } catch (const std::exception& error) {
        fmt::print(stderr, "cluster_testbed: {}\n", error.what());
        std::fflush(stderr);
        _exit(1);
    }
}

class Ranks {
  public:
    Ranks(const Bed& bed, const Job& job) : ends_(job.ranks) {
        try {
            for (int rank = 0; rank < job.ranks; ++rank) ranks_.push_back(start(bed, job, rank));
        } catch (...) {
            end_all();
            throw;
        }
    }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    ~Ranks() { end_all(); }

    std::vector<RankEnd> wait(double seconds) {
        Clock::time_point deadline =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        constexpr std::chrono::seconds to_say_so{20};
        bool failed = false;
        bool ended = false;
        while (any_runs()) {
            if (note_ended() && !failed) {
                failed = true;
                deadline = std::min(deadline, Clock::now() + to_say_so);
            }
            if (Clock::now() > deadline && !ended) {
                ended = true;
                for (const RankProcess& rank : ranks_) {
                    if (rank.running) kill(rank.process, SIGKILL);
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return ends_;
    }

  private:
    bool any_runs() const {
        for (const RankProcess& rank : ranks_) {
            if (rank.running) return true;
        }
        return false;
    }

    /// Whether one that has ended failed.
    bool note_ended() {
        bool failed = false;
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            int ended = 0;
            if (!ranks_[i].running || waitpid(ranks_[i].process, &ended, WNOHANG) <= 0) continue;
            ranks_[i].running = false;
            constexpr int beyond_signals = 128;
            ends_[i].exit = WIFEXITED(ended) ? WEXITSTATUS(ended) : beyond_signals + WTERMSIG(ended);
            ends_[i].out = content(ranks_[i].out);
            ends_[i].err = content(ranks_[i].err);
            failed = failed || ends_[i].exit != 0;
        }
        return failed;
    }

    void end_all() {
        for (RankProcess& rank : ranks_) {
            if (rank.running) {
                kill(rank.process, SIGKILL);
                waitpid(rank.process, nullptr, 0);
            }
            close(rank.out);
            close(rank.err);
        }
        ranks_.clear();
    }

    std::vector<RankProcess> ranks_;
    std::vector<RankEnd> ends_;
};

}  // namespace

std::vector<std::string> rank_words(const Bed& bed, const Job& job, int rank) {
    std::map<std::string, std::string> values = {
        {"{rank}", std::to_string(rank)},
        {"{ranks}", std::to_string(job.ranks)},
        {"{host}", bed.host_name(rank % bed.hosts())},
        {"{address}", host_address(rank % bed.hosts())},
        {"{bytes}", job.bytes},
        {"{rendezvous}", fmt::format("{}:7000", host_address(0))},
        {"{secret}", bed_folder(bed.words.name) / "secret"},
    };
    if (!job.bytes.empty()) values["{updates}"] = updates_of(job);
    std::vector<std::string> words;
    for (const std::string& word : job.command) {
        if (word != "{job}") {
            words.push_back(replaced(word, values));
            continue;
        }
        for (const char* one :
             {"--ranks", "{ranks}", "--rank", "{rank}", "--rendezvous", "{rendezvous}", "--secret", "{secret}"}) {
            words.push_back(replaced(one, values));
        }
    }
    return words;
}

std::vector<RankEnd> run_job(const Bed& bed, const Job& job) {
    return Ranks(bed, job).wait(job.seconds);
}

void become_program(const std::vector<std::string>& command) {
    std::vector<std::string> own = command;
    std::vector<char*> words;
    for (std::string& word : own) words.push_back(word.data());
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    throw std::system_error(errno, std::generic_category(), fmt::format("cannot run {}", command.front()));
}

}  // namespace narrows::cluster
