#include "calibrate/transport/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "calibrate/transport/open_file.hpp"
#include "calibrate/transport/transport_error.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Clock = std::chrono::steady_clock;
using End = ProcessOutcome::End;

void check_single_thread() {
    // The thread sanitizer has a thread of its own.
    if constexpr (NARROWS_THREAD_SANITIZER != 0) return;
    std::error_code unknown;  // where /proc is missing
    const std::filesystem::directory_iterator tasks("/proc/self/task", unknown);
    if (unknown) return;
    if (std::distance(begin(tasks), end(tasks)) != 1) {
        throw std::logic_error("processes must be started before threads");
    }
}

/// How a body ended, as its process sees it.
ProcessOutcome outcome_of(const ProcessBody& body, int rank) {
    try {
        return {End::returned, body(rank)};
    } catch (const InputError& error) {
        return {End::misused, error.what()};
    } catch (const TransportError& error) {
        return {End::cut_off, error.what()};
    } catch (const RunEnded& error) {
        return {End::cut_off, error.what()};
    } catch (const std::exception& error) {
        return {End::failed, error.what()};
    } catch (...) {
        return {End::failed, "an unknown error"};
    }
}

/// Runs in the child: leaves without the destructors and buffers that it has in common with its parent.
[[noreturn]] void run_child(const ProcessBody& body, int rank, pid_t parent, const OpenFile& out) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    const ProcessOutcome outcome = outcome_of(body, rank);
    std::string message = static_cast<char>(outcome.end) + outcome.text;
    for (std::size_t at = 0; at < message.size();) {
        const ssize_t written = write(out.descriptor(), &message[at], message.size() - at);
        if (written < 0 && errno != EINTR) _exit(1);
        at += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    _exit(0);
}

/// A child of this process. Killed and waited for in the end, if not before.
struct Child {
    pid_t process = 0;
    OpenFile pipe;
    std::string message;
    bool given_up_on = false;
    std::optional<int> status;

    Child(pid_t id, OpenFile end) : process(id), pipe(std::move(end)) {}
    Child(Child&& other) noexcept = default;
    Child& operator=(Child&&) = delete;
    ~Child() {
        if (!pipe) return;
        kill(process, SIGKILL);
        reap();
    }

    void reap() {
        int ended = 0;
        while (waitpid(process, &ended, 0) < 0 && errno == EINTR) continue;
        status = ended;
        pipe.close();
    }
    /// Takes in what the child has written; at its end, waits for the child.
    void read_some() {
        std::array<char, 65536> buffer{};
        const ssize_t got = read(pipe.descriptor(), buffer.data(), buffer.size());
        if (got > 0) message.append(buffer.data(), static_cast<std::size_t>(got));
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) reap();
    }
    ProcessOutcome outcome() const {
        if (given_up_on) return {End::given_up_on, "", 0, process};
        if (WIFSIGNALED(*status)) return {End::killed, "", WTERMSIG(*status), process};
        if (WEXITSTATUS(*status) != 0 || message.empty()) return {End::killed, "", 0, process};
        return {static_cast<End>(message.front()), message.substr(1), 0, process};
    }
};

Child start_child(const ProcessBody& body, int rank, std::vector<Child>& earlier) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    OpenFile reading(ends[0]);
    OpenFile writing(ends[1]);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
    if (process == 0) {
        for (Child& other : earlier) other.pipe.close();
        reading.close();
        run_child(body, rank, parent, writing);
    }
    return {process, std::move(reading)};
}

bool all_ended(const std::vector<Child>& children) {
    return std::ranges::all_of(children, [](const Child& child) { return child.status.has_value(); });
}

bool any_failed(const std::vector<Child>& children) {
    return std::ranges::any_of(
        children, [](const Child& child) { return child.status.has_value() && child.outcome().end != End::returned; });
}

void read_what_comes(std::vector<Child>& children) {
    std::vector<pollfd> waited;
    waited.reserve(children.size());
    for (const Child& child : children) waited.push_back({child.pipe.descriptor(), POLLIN, 0});
    ::poll(waited.data(), waited.size(), 100);
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (waited[i].revents != 0) children[i].read_some();
    }
}

void give_up_on_rest(std::vector<Child>& children) {
    for (Child& child : children) {
        if (child.status.has_value()) continue;
        child.given_up_on = true;
        kill(child.process, SIGKILL);
        child.reap();
    }
}

std::string death_of(std::size_t rank, const ProcessOutcome& outcome) {
    if (outcome.signal == 0) return fmt::format("rank {} (process {}) ended without a message", rank, outcome.process);
    return fmt::format("rank {} (process {}) was killed by signal {} ({})", rank, outcome.process, outcome.signal,
                       strsignal(outcome.signal));
}

}  // namespace

std::vector<ProcessOutcome> run_processes(int ranks, const ProcessBody& body, double grace_seconds) {
    check_single_thread();
    const Cores cores;
    const bool pin = ranks <= cores.count();
    const ProcessBody pinned = [&](int rank) {
        if (pin) cores.pin_this_thread(rank);
        return body(rank);
    };
    std::vector<Child> children;
    children.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) children.push_back(start_child(pinned, rank, children));
    std::optional<Clock::time_point> end_of_grace;
    while (!all_ended(children)) {
        read_what_comes(children);
        if (!end_of_grace && any_failed(children)) {
            end_of_grace = Clock::now() + std::chrono::milliseconds(static_cast<long>(grace_seconds * 1000));
        }
        if (end_of_grace && Clock::now() > *end_of_grace) give_up_on_rest(children);
    }
    std::vector<ProcessOutcome> outcomes;
    outcomes.reserve(children.size());
    for (const Child& child : children) outcomes.push_back(child.outcome());
    return outcomes;
}

std::string result_of(const std::vector<ProcessOutcome>& outcomes) {
    const auto worst =
        std::ranges::min_element(outcomes, [](const auto& one, const auto& other) { return one.end < other.end; });
    const auto rank = static_cast<std::size_t>(worst - outcomes.begin());
    switch (worst->end) {
        case End::returned:
            return outcomes.front().text;
        case End::misused:
            throw InputError(worst->text);
        case End::killed:
            throw TransportError(death_of(rank, *worst));
        default:
            throw TransportError(fmt::format("rank {}: {}", rank, worst->text));
    }
}

}  // namespace narrows
