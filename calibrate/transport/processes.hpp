#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace narrows {

/// How a process that was forked for a rank ended.
struct ProcessOutcome {
    /// The nearest to the cause of a failure first.
    enum class End {
        killed,       ///< by `signal`, or it ended without a message
        failed,       ///< its body threw anything other than the next two; `text` says what
        misused,      ///< its body threw InputError; `text` says what
        cut_off,      ///< its body threw because of another process (TransportError, RunEnded); `text` says what
        given_up_on,  ///< ended here, seconds after another had failed
        returned,     ///< `text` is what its body returned
    };
    End end = End::killed;
    std::string text;
    int signal = 0;
    pid_t process = 0;
};

/// How long the others may go on after the first process has failed.
inline constexpr double usual_grace_seconds = 6;

/// What runs in a process, for one rank; its result travels to the parent. What it writes elsewhere it must flush, and
/// what the parent holds in buffers when it forks is not its to flush.
using ProcessBody = std::function<std::string(int rank)>;

/// Runs `body` in `ranks` processes of this machine, forked here, each on a core of its own when there are enough, and
/// waits for all. They end with this process, and none is left over. Must be called before this process has threads, as
/// a fork copies only the calling one; throws std::logic_error if it has, std::system_error if a process cannot be
/// started.
std::vector<ProcessOutcome> run_processes(int ranks, const ProcessBody& body,
                                          double grace_seconds = usual_grace_seconds);

/// What rank 0 returned. If any process failed, throws the failure nearest to the cause: a death, then an error of a
/// rank's own (InputError as such), then one that speaks of another rank; all but InputError are TransportError.
std::string result_of(const std::vector<ProcessOutcome>& outcomes);

}  // namespace narrows
