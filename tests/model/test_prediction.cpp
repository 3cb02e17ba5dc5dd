#include "model/prediction.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <stdexcept>

#include "predictions.hpp"

namespace narrows {
namespace {

double queued_number(double processor, double link, int places) {
    return queued_rate(Rate(processor), Rate(link), places).si();
}

// Two servers in a ring with `places` customers, each served for an exponential time: completions a second of the
// processor, over many of them. Nothing here knows the formula.
double simulated_rate(double processor, double link, int places, std::uint64_t seed) {
    constexpr int warm_up = 1000;
    constexpr int completions = 400000;
    const double never = std::numeric_limits<double>::infinity();
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> processing(processor);
    std::exponential_distribution<double> sending(link);
    int at_processor = places;
    double now = 0;
    double processor_done = processing(random);
    double link_done = never;
    double started = 0;
    for (int done = -warm_up; done < completions;) {
        now = std::min(processor_done, link_done);
        if (processor_done <= link_done) {
            --at_processor;
            if (++done == 0) started = now;
            if (places - at_processor == 1) link_done = now + sending(random);
            processor_done = at_processor > 0 ? now + processing(random) : never;
        } else {
            ++at_processor;
            if (at_processor == 1) processor_done = now + processing(random);
            link_done = at_processor < places ? now + sending(random) : never;
        }
    }
    return completions / (now - started);
}

}  // namespace

TEST_CASE("queue of a processor and a link: hand values") {
    CHECK(queued_number(1, 1, 1) == Approx(0.5));
    CHECK(queued_number(1, 1, 3) == Approx(0.75));
    CHECK(queued_number(1, 2, 1) == Approx(2.0 / 3));    // no overlap: 1 / (1 + 1/2)
    CHECK(queued_number(1, 2, 3) == Approx(14.0 / 15));  // (1 - 1/8) / (1 - 1/16)
    CHECK(queued_number(10, 40, 2) == Approx(10 * 20.0 / 21));
}

TEST_CASE("one place is no overlap, many places are the bare minimum") {
    for (const double link : {0.1, 0.7, 1.0, 1.3, 20.0}) {
        CAPTURE(link);
        CHECK(queued_number(1, link, 1) == Approx(1 / (1 + 1 / link)));
        CHECK(queued_number(1, link, 100000) == Approx(std::min(1.0, link)).epsilon(2e-5));
    }
}

TEST_CASE("the queue is symmetric, below both servers, and grows with each of them and with the places") {
    for (double processor = 0.05; processor < 30; processor *= 1.37) {
        for (double link = 0.05; link < 30; link *= 1.37) {
            for (int places = 1; places < 6; ++places) {
                CAPTURE(processor, link, places);
                const double rate = queued_number(processor, link, places);
                CHECK(rate == Approx(queued_number(link, processor, places)).epsilon(1e-12));
                CHECK(rate < std::min(processor, link));
                CHECK(rate < queued_number(processor, link, places + 1));
                CHECK(rate < queued_number(processor * 1.01, link, places));
                CHECK(rate < queued_number(processor, link * 1.01, places));
            }
        }
    }
}

TEST_CASE("the queue is continuous where both servers are equally fast") {
    for (const double near : {-2e-6, -1e-6, -1e-9, 1e-9, 1e-6, 2e-6}) {
        CAPTURE(near);
        CHECK(queued_number(1, 1 + near, 3) == Approx(0.75).epsilon(2e-6));
    }
}

TEST_CASE("extreme ratios give the slower server, not infinity") {
    CHECK(queued_number(1e300, 1, 300) == Approx(1));
    CHECK(queued_number(1, 1e300, 300) == Approx(1));
    CHECK_THROWS_AS(queued_rate(Rate(1), Rate(1), 0), std::logic_error);
}

TEST_CASE("the closed form is what a simulation of the queue gives") {
    struct Case {
        double processor;
        double link;
        int places;
    };
    for (const Case c : {Case{1, 1, 1}, {1, 1, 3}, {1, 2, 3}, {3, 1, 3}, {1, 1.2, 2}, {54.2, 91.9, 3}, {5, 1, 6}}) {
        CAPTURE(c.processor, c.link, c.places);
        CHECK(queued_number(c.processor, c.link, c.places) ==
              Approx(simulated_rate(c.processor, c.link, c.places, 7)).epsilon(0.01));
    }
}

TEST_CASE("an overlapped prediction meets its tightest bound and waits for the rest") {
    const std::vector<Term> terms = {{"compute", seconds(2)}, {"send", seconds(1)}, {"nothing", seconds(0)}};
    Prediction at_processor =
        overlapped(terms, 12, {{Resource::processor, Rate(4), "", ""}, {Resource::network, Rate(5), "", ""}});
    at_processor.assumptions = "of the test";
    check_consistent(at_processor);
    CHECK(at_processor.rate == Rate(4));
    CHECK(at_processor.terms.size() == 2);
    Prediction at_network =
        overlapped(terms, 12, {{Resource::processor, Rate(4), "", ""}, {Resource::network, Rate(3), "", ""}});
    at_network.assumptions = "of the test";
    check_consistent(at_network);
    CHECK(at_network.bottleneck == "network");
    CHECK(term_of(at_network, "wait").si() == Approx(1));
}

TEST_CASE("a queued prediction couples the processor with the tightest other bound") {
    const std::vector<Term> terms = {{"compute", seconds(3)}};
    Prediction both = queued(terms, 12,
                             {{Resource::processor, Rate(4), "", ""},
                              {Resource::network, Rate(9), "", ""},
                              {Resource::injection, Rate(8), "", ""}},
                             3);
    both.assumptions = "of the test";
    check_consistent(both);
    CHECK(both.bottleneck == "processor");
    CHECK(both.rate == queued_rate(Rate(4), Rate(8), 3));
    const Prediction alone = queued(terms, 12, {{Resource::processor, Rate(4), "", ""}}, 3);
    CHECK(alone.rate == Rate(4));
    CHECK(term_of(alone, "wait") == seconds(0));
}

TEST_CASE("the tightest bound is the first among equals, and there must be one") {
    const std::vector<Bound> bounds = {
        {Resource::memory, Rate(2), "", ""}, {Resource::link, Rate(1), "", ""}, {Resource::network, Rate(1), "", ""}};
    CHECK(tightest(bounds).resource == Resource::link);
    const std::vector<Bound> rounded = {{Resource::network, Rate(0.1 + 0.2), "", ""},
                                        {Resource::uplinks, Rate(0.3), "", ""}};
    CHECK(tightest(rounded).resource == Resource::network);
    CHECK(overlapped({}, 1, rounded).rate == Rate(0.3));
    CHECK_THROWS_AS(tightest(std::vector<Bound>{}), std::logic_error);
}

}  // namespace narrows
