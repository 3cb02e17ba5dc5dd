#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace narrows {

/// Calls `work` with 0 … threads−1, each on its own thread and 0 on this one; ends when all have.
template <class Work>
void run_on(int threads, const Work& work) {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(std::cref(work), thread);
    work(0);
}

}  // namespace narrows
