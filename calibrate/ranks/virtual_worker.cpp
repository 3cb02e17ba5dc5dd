#include "calibrate/ranks/virtual_worker.hpp"

#include <algorithm>

namespace narrows {
namespace {
constexpr std::uint64_t switches_between_reports = 4096;
}

VirtualWorker::VirtualWorker(int ranks, FiberStacks& stacks, VirtualProgram program)
    : stacks_(stacks),
      program_(std::move(program)),
      switch_(stacks, this, run_rank),
      ranks_(static_cast<std::size_t>(ranks)),
      unfinished_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
        Rank& fiber = ranks_[static_cast<std::size_t>(rank)];
        fiber.rank = rank;
        switch_.start(fiber);
        ready_.push_back(rank);
    }
}

VirtualWorker::~VirtualWorker() {
    for (Rank& rank : ranks_) rank.stack.destroy();
}

void VirtualWorker::run_rank(void* self, int rank) {
    auto& worker = *static_cast<VirtualWorker*>(self);
    VirtualWaiter waiter(worker, rank);
    worker.program_.run(worker.program_.program, rank, waiter);
}

void VirtualWorker::resume(Rank& rank) {
    rank.waits = false;
    if (switch_.resume(rank)) {
        rank.stack.destroy();
        --unfinished_;
    }
    program_.deliver(program_.program);
    if (++switches_ % switches_between_reports == 0 && program_.report) program_.report(work_);
}

void VirtualWorker::find_turns() {
    for (const int id : woken_servers_) {
        Rank& server = ranks_[static_cast<std::size_t>(id)];
        server.woken = false;
        const double turn = std::max(server.clock, program_.first_item(program_.program, id));
        if (turn == server.turn) continue;
        server.turn = turn;
        if (turn != never) turns_.emplace(turn, id);
    }
    woken_servers_.clear();
}

// The server whose turn is first, or nullptr. Entries that are not its turn any more are left over from earlier.
VirtualWorker::Rank* VirtualWorker::next_server() {
    find_turns();
    while (!turns_.empty()) {
        const auto [time, id] = turns_.top();
        turns_.pop();
        Rank& server = ranks_[static_cast<std::size_t>(id)];
        if (server.turn != time || !server.waits) continue;
        server.turn = never;
        return &server;
    }
    return nullptr;
}

bool VirtualWorker::run() {
    switch_.adopt_current();
    while (unfinished_ > 0) {
        if (!ready_.empty()) {
            Rank& rank = ranks_[static_cast<std::size_t>(ready_.front())];
            ready_.pop_front();
            resume(rank);
        } else if (Rank* server = next_server()) {
            resume(*server);
        } else {
            return false;
        }
    }
    return true;
}

void VirtualWorker::wake(int id) {
    Rank& rank = ranks_[static_cast<std::size_t>(id)];
    if (id >= program_.first_server) {
        if (!rank.woken) woken_servers_.push_back(id);
        rank.woken = true;
    } else if (rank.waits) {
        rank.waits = false;
        ready_.push_back(id);
    }
}

bool VirtualWaiter::yield(bool /*progressed*/) {
    worker_.ready_.push_back(rank_);
    worker_.switch_.leave();
    return true;
}

bool VirtualWaiter::wait(const Flag& flag, std::uint32_t seen) {
    while (flag.load(std::memory_order_relaxed) == seen) {
        rank().waits = true;
        worker_.switch_.leave();
    }
    return true;
}

void VirtualWaiter::await_turn() {
    rank().waits = true;
    worker_.wake(rank_);
    worker_.switch_.leave();
}

}  // namespace narrows
