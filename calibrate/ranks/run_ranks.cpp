#include "calibrate/ranks/run_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>

#include "calibrate/measure/elapsed.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/processor.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

namespace {

using Clock = std::chrono::steady_clock;

// Idle passes before a deadlock is suspected. Suspicion costs little and is confirmed separately, so this only keeps
// short waits free of it.
constexpr std::uint64_t thread_patience = 4096;
constexpr std::uint64_t fiber_patience = 16;

/// A moment as one worker sees it.
struct Moment {
    Clock::time_point wall;
    std::uint64_t ticks = 0;
    double cpu_seconds = 0;
    long involuntary_switches = 0;

    static Moment now() {
        Moment moment;
        moment.involuntary_switches = thread_switches();
        moment.cpu_seconds = thread_seconds();
        moment.ticks = time_stamp();
        moment.wall = Clock::now();
        return moment;
    }
};

/// Everything that one worker thread leaves behind.
struct WorkerResult {
    Moment begin;
    Moment end;
    std::exception_ptr error;
    bool pinned = false;
};

/// The state that the workers of a run share.
struct Run {
    const RankOptions& options;
    const WorkerProgram& program;
    /// Workers outnumber the cores.
    bool crowded;
    ProgressMonitor monitor;
    std::barrier<> ready;
    std::unique_ptr<FiberStacks> stacks;
    std::vector<WorkerResult> results;
};

// Passes on reports of work done, at most ten a second, of worker 0 alone.
std::function<void(std::uint64_t)> report_of(const Run& run, int worker) {
    if (worker != 0 || !run.options.report) return {};
    return [&report = run.options.report, last = Clock::now()](std::uint64_t work) mutable {
        const Clock::time_point now = Clock::now();
        if (now - last < std::chrono::milliseconds(100)) return;
        last = now;
        report(work);
    };
}

void run_timed(Run& run, int worker, FiberWorker* fibers) {
    WorkerResult& result = run.results[static_cast<std::size_t>(worker)];
    result.begin = Moment::now();
    if (fibers != nullptr) {
        fibers->run();
    } else {
        const std::function<void(std::uint64_t)> report = report_of(run, worker);
        ThreadWaiter waiter(run.monitor, worker, run.crowded, report);
        run.program.run_thread(run.options.layout.first_rank(worker), waiter);
    }
    result.end = Moment::now();
}

void run_worker(Run& run, int worker) {
    WorkerResult& result = run.results[static_cast<std::size_t>(worker)];
    const RankLayout& layout = run.options.layout;
    bool arrived = false;
    try {
        if (run.program.set_up) run.program.set_up(worker);
        std::unique_ptr<FiberWorker> fibers;
        if (run.stacks) {
            FiberProgram program = run.program.fibers;
            program.report = report_of(run, worker);
            program.crowded = run.crowded;
            fibers = std::make_unique<FiberWorker>(worker, layout.first_rank(worker), layout.first_rank(worker + 1),
                                                   *run.stacks, run.monitor, std::move(program));
        }
        arrived = true;
        run.ready.arrive_and_wait();
        if (!run.monitor.stopped()) run_timed(run, worker, fibers.get());
    } catch (...) {
        result.error = std::current_exception();
        run.monitor.stop();
        if (!arrived) run.ready.arrive_and_wait();
    }
    run.monitor.finish(worker);
}

RankTimes times_of(const Run& run) {
    RankTimes times;
    Moment first = run.results.front().begin;
    Moment last = run.results.front().end;
    times.pinned = true;
    for (const WorkerResult& result : run.results) {
        if (result.error) std::rethrow_exception(result.error);
        if (result.begin.wall < first.wall) first = result.begin;
        if (result.end.wall > last.wall) last = result.end;
        times.cpu_seconds += result.end.cpu_seconds - result.begin.cpu_seconds;
        times.involuntary_switches += result.end.involuntary_switches - result.begin.involuntary_switches;
        times.pinned = times.pinned && result.pinned;
    }
    times.seconds = elapsed(std::chrono::duration<double>(last.wall - first.wall).count());
    times.ticks = last.ticks - first.ticks;
    times.deadlocked = run.monitor.deadlocked();
    return times;
}

}  // namespace

int core_of_worker(int worker, int workers, int cores) {
    if (workers <= cores) return worker;
    // Rounded up, so that the first block is the shorter one.
    return static_cast<int>((static_cast<std::int64_t>(worker) * cores + cores - 1) / workers);
}

RankTimes run_workers(const RankOptions& options, const WorkerProgram& program) {
    const RankLayout& layout = options.layout;
    const Cores cores;
    Run run{options,
            program,
            layout.workers > cores.count(),
            ProgressMonitor(layout.workers, layout.threads() ? thread_patience : fiber_patience),
            std::barrier<>(layout.workers),
            nullptr,
            std::vector<WorkerResult>(static_cast<std::size_t>(layout.workers))};
    if (!layout.threads()) run.stacks = std::make_unique<FiberStacks>(layout.ranks, options.stack_bytes, options.pages);

    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(layout.workers));
    try {
        for (int worker = 0; worker < layout.workers; ++worker) {
            const int core = worker < std::ssize(options.cores) ? options.cores[static_cast<std::size_t>(worker)]
                                                                : core_of_worker(worker, layout.workers, cores.count());
            threads.emplace_back([&run, &cores, worker, core] {
                run.results[static_cast<std::size_t>(worker)].pinned = cores.pin_this_thread(core) && !run.crowded;
                run_worker(run, worker);
            });
        }
    } catch (const std::system_error&) {
        run.monitor.stop();
        const auto started = static_cast<int>(threads.size());
        for (int worker = started; worker < layout.workers; ++worker) run.ready.arrive_and_drop();
        threads.clear();
        throw InputError(fmt::format("{} threads cannot run here: the system starts {} at most; give fewer workers",
                                     layout.workers, started))
            .of_setting("workers");
    }
    threads.clear();
    return times_of(run);
}

}  // namespace narrows
