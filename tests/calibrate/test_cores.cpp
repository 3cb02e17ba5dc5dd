#include <sched.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/study/message_sampling.hpp"

using namespace narrows;

namespace {

std::vector<std::string> distances(const std::vector<CorePair>& pairs) {
    std::vector<std::string> all;
    for (const CorePair& pair : pairs) all.push_back(pair.distance);
    return all;
}

}  // namespace

TEST_CASE("cores: a pair for each distance, the nearest first") {
    const Cores cores("pack:2 l3:2 l2:2 core:2 pu:2");
    CHECK(cores.count() == 16);
    const std::vector<CorePair> pairs = cores.pairs();
    CHECK(distances(pairs) == std::vector<std::string>{"l2", "l3", "package", "machine"});
    const std::vector<int> seconds = {1, 2, 4, 8};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CHECK(pairs[i].first == 0);
        CHECK(pairs[i].second == seconds[i]);
    }
    CHECK(Cores("core:1 pu:2").pairs().empty());
    CHECK(Cores("core:4 pu:1").pairs().size() == 1);
    CHECK_THROWS_WITH(Cores("cabbages:4"), "hwloc cannot read this machine");
}

TEST_CASE("distant cases: every protocol by every kernel for each distance but that of cores 0 and 1") {
    const std::size_t near = message_cases(Transport::shared, 2, 1).size();
    CHECK(distant_cases(Cores("core:4 pu:1").pairs(), 1).empty());
    const auto cases = distant_cases(Cores("pack:2 l3:1 core:2 pu:1").pairs(), 1);
    REQUIRE(cases.size() == near);
    for (const MessageOptions& what : cases) {
        CHECK(case_of(what, 8).way.distance == "machine");
        CHECK(what.between->second == 2);
    }
}

TEST_CASE("ranks: workers run on the cores that they are given") {
    if (Cores().count() < 2) return;
    struct Program {
        std::array<int, 2> processors{};
        void run(int rank, ThreadWaiter&) { processors[static_cast<std::size_t>(rank)] = sched_getcpu(); }
        void run(int, FiberWaiter&) {}
    };
    const auto processors_of = [](std::vector<int> cores) {
        Program program;
        RankOptions options;
        options.layout = {2, 2};
        options.cores = std::move(cores);
        CHECK(run_ranks(options, program).pinned);
        return program.processors;
    };
    const auto usual = processors_of({});
    CHECK(usual[0] != usual[1]);
    CHECK(processors_of({0, 1}) == usual);
    CHECK(processors_of({1, 0}) == std::array<int, 2>{usual[1], usual[0]});
}

TEST_CASE("measured pairs: two threads on the cores that they are given") {
    MessageOptions options;
    options.workers = 2;
    options.between = CorePair{"machine", 1, 0};
    options.messages = 100;
    options.repeats = 2;
    const MessageRun run = measure_messages(options);
    CHECK(run.errors == 0);
    CHECK(run.verified == true);
    CHECK(run.points.size() == 1);
}
