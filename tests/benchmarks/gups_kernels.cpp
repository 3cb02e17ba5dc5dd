// How much of what two cores reach without any exchange two routed ranks reach, measured in alternation so that a
// neighbour's load falls on both alike. Usage: gups_kernels [LOG2_TABLE_WORDS [REPETITIONS]]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "calibrate/kernels/gups/gups.hpp"

namespace {

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

double rate(narrows::GupsVariant variant, int log2_words) {
    narrows::GupsOptions options;
    options.variant = variant;
    options.ranks = 2;
    options.table_words = std::uint64_t{1} << log2_words;
    options.verify = false;
    return narrows::run_gups(options).rate();
}

}  // namespace

int main(int argc, char** argv) {
    const int log2_words = argc > 1 ? std::atoi(argv[1]) : 22;
    const int repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 15;
    std::vector<double> local;
    std::vector<double> routed;
    std::vector<double> ratio;
    for (int i = 0; i < repetitions; ++i) {
        local.push_back(rate(narrows::GupsVariant::local, log2_words));
        routed.push_back(rate(narrows::GupsVariant::routed, log2_words));
        ratio.push_back(routed.back() / local.back());
    }
    fmt::print("table 2^{} words, medians of {}: local {:.3f} GUPS, routed {:.3f} GUPS, ratio {:.3f}\n", log2_words,
               repetitions, median(local) / 1e9, median(routed) / 1e9, median(ratio));
}
