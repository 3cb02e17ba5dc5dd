#include "calibrate/study/computing_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "calibrate/kernels/program/program_ranks.hpp"
#include "calibrate/study/case_words.hpp"
#include "calibrate/study/message_space.hpp"

namespace narrows {
namespace {

constexpr std::uint64_t kibi = 1024;

// Two ranks at least, as messages have.
int most_ranks(int workers) {
    return std::max(2, workers);
}

}  // namespace

std::string ComputingCase::name() const {
    return fmt::format("computing flops={} memory={} ranks={}", flops, memory, ranks);
}

PhaseWork ComputingCase::phase() const {
    PhaseWork phase;
    phase.name = "computing";
    phase.compute = {0, static_cast<double>(flops), static_cast<double>(memory)};
    return phase;
}

std::optional<ComputingCase> computing_case_named(const std::string& name) {
    const CaseWords words(name);
    const ComputingCase found{words.number<std::uint64_t>("flops="), words.number<std::uint64_t>("memory="),
                              words.number("ranks=")};
    return found.name() == name ? std::optional(found) : std::nullopt;
}

std::vector<ComputingCase> computing_cases(int workers) {
    constexpr std::uint64_t operations = 100'000'000;
    const int ranks = most_ranks(workers);
    std::vector<ComputingCase> cases = {{operations, 0, ranks}};
    for (const std::uint64_t size : {16, 256, 2048, 8192, 16384, 32768, 65536}) {  // KiB that a rank computes on
        cases.push_back({0, 2 * kibi * size, ranks});
    }
    for (const std::uint64_t size : {256, 32768}) {
        for (const std::uint64_t operations_a_byte : {2, 4}) {
            cases.push_back({operations_a_byte * 2 * kibi * size, 2 * kibi * size, ranks});
        }
    }
    return cases;
}

ComputingCase computing_case_at(const UnitNumbers& next, const CaseLimits& limits) {
    constexpr double least_memory = 8.0 * kibi, most_memory = 512.0 * kibi * kibi;  // read and written
    constexpr double least_flops = 1e4, most_flops = 3e8;
    constexpr double least_intensity = 1.0 / 8, most_intensity = 64;
    constexpr double one_of_four = 0.25;
    const double kind = next(), size = next(), intensity = next(), ranks = next();
    ComputingCase made;
    made.ranks = log_uniform<int>(ranks, 2, most_ranks(limits.workers));
    if (kind < one_of_four) {
        made.flops = log_uniform<std::uint64_t>(size, least_flops, most_flops);
        return made;
    }
    const double fits = static_cast<double>(limits.memory) / 2 / made.ranks;
    made.memory = log_uniform<std::uint64_t>(size, least_memory, std::clamp(fits, least_memory, most_memory));
    if (kind >= 2 * one_of_four) {
        const auto memory = static_cast<double>(made.memory);
        made.flops = log_uniform<std::uint64_t>(intensity, least_intensity * memory, most_intensity * memory);
    }
    return made;
}

StudyCase study_case(const ComputingCase& what, double expected, double seconds) {
    constexpr int samples = 3;
    constexpr double most = 1e7;
    MessageOptions options;
    options.kernel = MessageKernel::program;
    options.ranks = what.ranks;
    options.program = program_ranks({what.phase()}, what.ranks);
    options.sizes = {0};
    options.repeats = samples;
    options.messages = static_cast<int>(std::clamp(seconds / samples / expected, 1.0, most));
    return study_case(what.name(), options);
}

}  // namespace narrows
