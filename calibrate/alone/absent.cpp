// In place of what needs Boost.Context and libsodium.
#include "calibrate/ranks/fiber_worker.hpp"
#include "calibrate/ranks/virtual_worker.hpp"
#include "calibrate/transport/tcp_job.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

FiberWorker::FiberWorker(int worker, int first, int last, FiberStacks& stacks, ProgressMonitor& monitor,
                         FiberProgram program)
    : monitor_(monitor), stacks_(stacks), program_(std::move(program)), worker_(worker) {
    throw InputError("built without fibers, ranks are threads: two ranks need two processors (these are " +
                     std::to_string(last - first) + " on one)");
}

FiberWorker::~FiberWorker() = default;

void FiberWorker::run() {}

bool FiberWaiter::yield(bool) {
    return false;
}

bool FiberWaiter::wait(const Flag&, std::uint32_t) {
    return false;
}

// No rank runs on a virtual clock, so none needs waking.
void VirtualWorker::wake(int) {}

std::vector<ProcessOutcome> run_tcp_processes(int, const TcpBody&, const TcpOptions&) {
    throw InputError("built without TCP");
}

// Nobody sends over TCP: nothing is sealed.
void FrameSeal::seal(std::uint64_t, std::span<const std::byte>, std::byte*) const {}

bool FrameSeal::proves(const std::byte*, std::uint64_t, std::span<const std::byte>) const {
    return false;
}

}  // namespace narrows
