// The measuring program alone: raw samples of messages to the standard output, for `narrows calibrate --from`
// elsewhere.
//
//   narrows-kernels [SECONDS] > samples.jsonl                          in shared memory
//   mpirun -n RANKS narrows-kernels mpi [SECONDS] > samples.jsonl      between the ranks of a launcher
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/study/message_line.hpp"
#include "calibrate/study/message_sampling.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

constexpr int misuse = 2;

MessageSamplingLimits limits_of(const std::string& text) {
    MessageSamplingLimits limits;
    constexpr double most_seconds = 1e6;
    limits.seconds = 40;
    limits.most = 31;
    if (text.empty()) return limits;
    char* end = nullptr;
    limits.seconds = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !(limits.seconds > 0 && limits.seconds < most_seconds)) {
        throw InputError("'" + text + "' is not a time: give seconds above zero, such as 40");
    }
    return limits;
}

MessageSamplingHooks printing(bool prints) {
    MessageSamplingHooks hooks;
    if (prints) hooks.sink = [](const MessageSample& sample) { std::cout << line_of(sample) << std::flush; };
    return hooks;
}

void sample_shared(const MessageSamplingLimits& limits) {
    sample_messages(message_cases(Transport::shared, 2, limits.seconds), limits, printing(true));
}

void sample_mpi(const MessageSamplingLimits& limits) {
    const MpiJob job;
    MessageSamplingHooks hooks = printing(job.rank() == 0);
    hooks.launch = job.launch([](const std::string& what) { std::cerr << "narrows-kernels: " << what << "\n"; });
    sample_messages(message_cases(Transport::mpi, job.ranks(), limits.seconds), limits, hooks);
}

int run(std::vector<std::string> words) {
    const bool over_mpi = !words.empty() && words.front() == "mpi";
    if (over_mpi) words.erase(words.begin());
    if (words.size() > 1) throw InputError("too many words: narrows-kernels [mpi] [SECONDS] > samples.jsonl");
    const MessageSamplingLimits limits = limits_of(words.empty() ? "" : words.front());
    if (over_mpi) {
        sample_mpi(limits);
    } else {
        sample_shared(limits);
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run({words + 1, words + count});
    } catch (const InputError& error) {
        std::cerr << "narrows-kernels: " << error.what() << "\n";
        return misuse;
    } catch (const std::exception& error) {
        std::cerr << "narrows-kernels: " << error.what() << "\n";
        return 1;
    }
}
