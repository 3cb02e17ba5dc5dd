#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace narrows {

/// Calls `work` with 0 … threads−1, each on its own thread and 0 on this one; ends when all have, by throwing what the
/// first of them threw.
template <class Work>
void run_on(int threads, const Work& work) {
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
    const auto guarded = [&](int thread) {
        try {
            work(thread);
        } catch (...) {
            failures[static_cast<std::size_t>(thread)] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int thread = 1; thread < threads; ++thread) others.emplace_back(guarded, thread);
        guarded(0);
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

}  // namespace narrows
