#include "model/wavefront/shared_processors.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

/// Ranks of one node on so many processors. Level 0 is a processor, level 1 the node.
Wavefront sharing(int wide, int high, int blocks, int processors, bool synchronous) {
    Wavefront wavefront;
    wavefront.cells = {even_parts(2 * wide + 1, wide), even_parts(3 * high, high)};
    wavefront.blocks = blocks;
    wavefront.cell = seconds(0.7);
    wavefront.row = seconds(0.3);
    wavefront.start = seconds(0.2);
    wavefront.levels = {1};
    wavefront.shared = {wide * high, processors};
    wavefront.hop = [synchronous](SweepAxis axis, int cells, std::size_t level) {
        HopCost cost;
        cost.send = seconds(0.11 + 0.01 * cells);
        cost.receive = seconds(axis == SweepAxis::i ? 0.13 : 0.17);
        cost.latency = seconds(level == 0 ? 0 : 0.4);
        cost.request = seconds(level == 0 ? 0 : 0.3);
        cost.synchronous = synchronous;
        return cost;
    };
    return wavefront;
}

// The same with a processor a rank, all as far from each other as those of a node are.
Wavefront apart(Wavefront wavefront) {
    const auto hop = wavefront.hop;
    wavefront.shared = {};
    wavefront.levels.clear();
    wavefront.hop = [hop](SweepAxis axis, int cells, std::size_t) { return hop(axis, cells, 1); };
    return wavefront;
}

// Seconds that all ranks together are busy.
double work(const Wavefront& wavefront) {
    const auto& [columns, rows] = wavefront.cells;
    double sum = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            sum += wavefront.compute(columns[i], rows[j]).si();
            for (const auto& [axis, last, cells] : {std::tuple(SweepAxis::i, i + 1 == columns.size(), rows[j]),
                                                    std::tuple(SweepAxis::j, j + 1 == rows.size(), columns[i])}) {
                if (last) continue;
                const HopCost cost = wavefront.hop(axis, cells, 0);
                sum += (cost.send + cost.receive).si();
            }
        }
    }
    return 8 * wavefront.blocks * sum;
}

TEST_CASE("One processor is never idle") {
    for (const bool synchronous : {false, true}) {
        const Wavefront wavefront = sharing(3, 4, 5, 1, synchronous);
        const Breakdown time = shared_processors_breakdown(wavefront);
        CHECK_THAT(time.total.si(), WithinRel(work(wavefront), 1e-9));
        CHECK(time.terms.back().name == std::string("waiting"));
        CHECK(time.terms.back().time.si() < 1e-9 * time.total.si());
    }
}

TEST_CASE("With a processor a rank taking turns is the recurrence") {
    for (const bool synchronous : {false, true}) {
        for (const auto& [wide, high] : {std::pair(1, 1), {2, 1}, {1, 3}, {4, 3}, {3, 5}}) {
            INFO(wide << " x " << high);
            const Wavefront wavefront = sharing(wide, high, 4, wide * high, synchronous);
            CHECK_THAT(shared_processors_breakdown(wavefront).total.si(),
                       WithinRel(wavefront_time(apart(wavefront)).si(), 1e-9));
        }
    }
}

TEST_CASE("Sharing takes no less than the work and no less than the critical path, and no more than both") {
    for (int processors = 1; processors <= 12; ++processors) {
        const Wavefront wavefront = sharing(3, 4, 3, processors, processors % 2 == 0);
        const double time = shared_processors_breakdown(wavefront).total.si();
        const double path = wavefront_time(apart(wavefront)).si();
        INFO(processors << " processors");
        CHECK(time >= work(wavefront) / processors * (1 - 1e-9));
        CHECK(time <= work(wavefront) + path);
        CHECK(wavefront_time(wavefront).si() == time);
        if (processors % 2 == 0) CHECK(wavefront_ideal_time(wavefront).si() < time);  // those that wait for requests
        double sum = 0;
        for (const NamedTime& term : wavefront_breakdown(wavefront).terms) sum += term.time.si();
        CHECK_THAT(sum, WithinRel(time, 1e-9));
    }
}

TEST_CASE("Three ranks in a row on two processors by hand") {
    // Ranks 0 and 1 share a processor, rank 2 has the other; a block takes 1 s, messages are free. Four octants go
    // down: rank 2 does them in seconds 0 to 4. The shared processor has something to do from 1 on: the eight blocks of
    // its ranks, until 9. Four go up: rank 0 does its blocks until 13, as it need not wait, rank 1 until 17, and rank 2
    // its last one after that.
    Wavefront wavefront;
    wavefront.cells = {std::vector<int>{1, 1, 1}, std::vector<int>{1}};
    wavefront.cell = seconds(1);
    wavefront.levels = {1};
    wavefront.shared = {3, 2};
    const Breakdown time = shared_processors_breakdown(wavefront);
    CHECK(time.total.si() == 18);
    CHECK(time.terms[0].time.si() == 8);
    CHECK(time.terms[2].time.si() == 10);
}

TEST_CASE("Processors of several nodes have the ranks of their node") {
    const SharedProcessors shared = {5, 2};
    const std::vector<int> expected = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3};
    for (int rank = 0; rank < 10; ++rank) CHECK(shared.processor_of(rank) == expected[static_cast<std::size_t>(rank)]);
    const SharedProcessors partly = {5, 2, {5, 2}};
    for (int rank = 0; rank < 7; ++rank)
        CHECK(partly.processor_of(rank) == (rank < 6 ? expected[static_cast<std::size_t>(rank)] : 3));
}

TEST_CASE("Shared processors that cannot be are a logic error") {
    Wavefront wavefront = sharing(2, 2, 1, 2, true);
    wavefront.gateways.ranks = 2;
    CHECK_THROWS_AS(wavefront_time(wavefront), std::logic_error);
    CHECK_THROWS_AS(shared_processors_breakdown(apart(wavefront)), std::logic_error);
}

}  // namespace
}  // namespace narrows
