#include "calibrate/measure/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <thread>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {
namespace {

constexpr int slices = 100;
constexpr int steps_per_slice = 1 << 19;  // about a millisecond

struct Spin {
    double wall = 0;
    double processor = 0;
    long switches = 0;
    std::vector<double> slice_seconds;
};

// A chain of dependent operations in registers: its speed is that of the core and of nothing else.
Spin spin() {
    Spin result;
    result.slice_seconds.reserve(slices);
    std::uint64_t state = 1;
    const double processor = thread_seconds();
    const long switches = thread_switches();
    const auto begin = std::chrono::steady_clock::now();
    auto last = begin;
    for (int slice = 0; slice < slices; ++slice) {
        for (int step = 0; step < steps_per_slice; ++step) {
            state ^= state << 13;
            asm volatile("" : "+r"(state));
        }
        const auto now = std::chrono::steady_clock::now();
        result.slice_seconds.push_back(std::chrono::duration<double>(now - last).count());
        last = now;
    }
    result.wall = std::chrono::duration<double>(last - begin).count();
    result.processor = thread_seconds() - processor;
    result.switches = thread_switches() - switches;
    return result;
}

// The spins of `workers` threads, on their cores at once or one after the other.
std::vector<Spin> spins(int workers, bool together) {
    const Cores cores;
    std::vector<Spin> results(workers);
    std::barrier start(together ? workers : 1);
    std::vector<std::thread> threads;
    for (int worker = 0; worker < workers; ++worker) {
        threads.emplace_back([&, worker] {
            cores.pin_this_thread(worker);
            start.arrive_and_wait();
            results[worker] = spin();
        });
        if (!together) threads.back().join();
    }
    if (together) {
        for (std::thread& thread : threads) thread.join();
    }
    return results;
}

double unsteadiness(const Spin& spin) {
    std::vector<double> sorted = spin.slice_seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() * 9 / 10] / sorted[sorted.size() / 10] - 1;
}

}  // namespace

CoreProbe probe_cores(int workers) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Spin> alone = spins(workers, false);
    const std::vector<Spin> together = spins(workers, true);
    CoreProbe probe;
    double fastest = alone.front().wall;
    double slowest = fastest;
    for (int worker = 0; worker < workers; ++worker) {
        fastest = std::min(fastest, alone[worker].wall);
        slowest = std::max(slowest, alone[worker].wall);
        probe.together = std::min(probe.together, alone[worker].wall / together[worker].wall);
        for (const Spin& spin : {alone[worker], together[worker]}) {
            probe.processor_share = std::min(probe.processor_share, spin.processor / spin.wall);
            probe.involuntary_switches += spin.switches;
            probe.unsteadiness = std::max(probe.unsteadiness, unsteadiness(spin));
        }
    }
    probe.slowest_alone = fastest / slowest;
    probe.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return probe;
}

std::vector<std::string> evidence_of_noise(const CoreProbe& probe) {
    constexpr double least_speed = 0.92;
    constexpr double most_unsteady = 0.25;
    std::vector<std::string> evidence;
    if (probe.together < least_speed) {
        evidence.push_back(
            fmt::format("with all cores at work a core runs at {:.0f} % of its speed alone (at least "
                        "{:.0f} % expected): something else uses them",
                        100 * probe.together, 100 * least_speed));
    }
    if (probe.slowest_alone < least_speed) {
        evidence.push_back(fmt::format("one core runs at {:.0f} % of another's speed", 100 * probe.slowest_alone));
    }
    if (probe.unsteadiness > most_unsteady) {
        evidence.push_back(fmt::format("slices of the same arithmetic differ by {:.0f} % (10th to 90th percentile)",
                                       100 * probe.unsteadiness));
    }
    const auto neighbours = evidence_of_neighbours(probe.processor_share, probe.involuntary_switches, probe.seconds);
    evidence.insert(evidence.end(), neighbours.begin(), neighbours.end());
    return evidence;
}

std::vector<std::string> evidence_of_neighbours(double processor_share, long involuntary_switches, double seconds) {
    constexpr double least_share = 0.95;
    constexpr double most_switches_a_second = 100;
    std::vector<std::string> evidence;
    if (processor_share < least_share) {
        evidence.push_back(
            fmt::format("a thread that never waits had its core for {:.0f} % of the time", 100 * processor_share));
    }
    if (static_cast<double>(involuntary_switches) > most_switches_a_second * std::max(seconds, 0.1)) {
        evidence.push_back(fmt::format("threads were preempted {} times in {:.1f} s", involuntary_switches, seconds));
    }
    return evidence;
}

CoreProbe settled_probe(int workers, int attempts) {
    CoreProbe probe = probe_cores(workers);
    for (int attempt = 1; attempt < attempts && !evidence_of_noise(probe).empty(); ++attempt) {
        probe = probe_cores(workers);
    }
    return probe;
}

}  // namespace narrows
