#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "calibrate/study/message_residuals.hpp"
#include "calibrate/study/message_space.hpp"

namespace narrows {
namespace {

UnitNumbers chance_of(std::uint64_t seed) {
    return [random = std::mt19937_64(seed)]() mutable { return static_cast<double>(random() >> 11) * 0x1p-53; };
}

CaseLimits limits_for(int workers) {
    CaseLimits limits{.workers = workers, .memory = std::size_t{4} << 30};
    return limits;
}

Parameter parameter_at(const std::string& path, const Measure& measure) {
    Parameter made;
    made.path = path;
    made.measure = measure;
    return made;
}

// Every message takes 1 us and 1 ns a byte.
Machine machine_of_messages() {
    Machine machine;
    machine.id = "here";
    for (const KnownProtocol& each : protocols()) {
        const std::string stage = fmt::format("paths.{}.core.", each.name);
        machine.parameters.push_back(parameter_at(stage + "overhead", {1e-6, Dimension::time, "ns"}));
        machine.parameters.push_back(parameter_at(stage + "per_byte", {1e-9, Dimension::time_per_byte, "ns/B"}));
    }
    for (const KnownProtocol& each : protocols()) {
        const std::string passage = fmt::format("protocols.{0}.{0}", each.name);
        machine.parameters.push_back(parameter_at(passage, {1, Dimension::number, ""}));
    }
    return machine;
}

Sample sample_of(const MessageStudyCase& what, double seconds) {
    Sample sample;
    sample.name = what.name();
    sample.updates = 100;
    sample.seconds = 100 * seconds;
    sample.workers = 2;
    return sample;
}

TEST_CASE("every case of messages that is drawn can be run, and has a name that says all of it", "[long]") {
    const int workers = GENERATE(2, 8);
    const UnitNumbers next = chance_of(1);
    std::set<std::string> kinds;
    std::set<int> neighbours;
    int no_powers = 0;
    for (int i = 0; i < 600; ++i) {
        const MessageStudyCase drawn = message_case_at(next, limits_for(workers));
        INFO(drawn.name());
        CHECK_NOTHROW(check_messages(drawn.options()));
        CHECK(drawn.ranks >= 2);
        CHECK(drawn.ranks <= workers);
        CHECK(drawn.bytes >= 8);
        CHECK(drawn.bytes <= std::size_t{16} << 20);
        const auto again = message_case_named(drawn.name());
        REQUIRE(again);
        CHECK(again->name() == drawn.name());
        kinds.insert(residuals_of(drawn.phase, std::string(name_of(drawn.protocol))) + " " + drawn.algorithm);
        neighbours.insert(drawn.neighbours);
        no_powers += (drawn.bytes & (drawn.bytes - 1)) != 0 ? 1 : 0;
    }
    CHECK(kinds.size() == 36U);
    CHECK(neighbours.size() == (workers == 2 ? 2 : 6));
    CHECK(no_powers > 500);
}

TEST_CASE("messages take no more than half of the memory") {
    const UnitNumbers next = chance_of(4);
    CaseLimits limits = limits_for(2);
    limits.memory = std::size_t{1} << 20;
    for (int i = 0; i < 200; ++i) {
        const MessageStudyCase drawn = message_case_at(next, limits);
        CHECK(static_cast<double>(buffer_bytes(drawn.options(), drawn.bytes)) * drawn.ranks <= (1 << 19));
    }
}

TEST_CASE("cases of one phase are of it alone, and of every protocol") {
    const UnitNumbers next = chance_of(2);
    std::set<Protocol> seen;
    for (int i = 0; i < 100; ++i) {
        const MessageStudyCase drawn = message_case_at(next, limits_for(2), MessagePhase::halo_exchange);
        CHECK(drawn.phase == MessagePhase::halo_exchange);
        seen.insert(drawn.protocol);
    }
    CHECK(seen.size() == protocols().size());
}

TEST_CASE("words that are no case of messages are none") {
    for (const char* words :
         {"", "ping-pong", "ping-pong protocol=eager", "route ranks=4 shape=2x2 bucket=3 table=64 updates=1 workers=1",
          "ping-pong protocol=carrier algorithm=ring neighbours=1 ranks=2 bytes=8",
          "ping-pong protocol=eager algorithm=ring neighbours=1 ranks=2 bytes=8 more"}) {
        CHECK_FALSE(message_case_named(words));
    }
}

TEST_CASE("a run of a case of messages says what one of them took") {
    MessageStudyCase what;
    what.phase = GENERATE(MessagePhase::ping_pong, MessagePhase::halo_exchange, MessagePhase::allreduce,
                          MessagePhase::all_to_all);
    what.protocol = Protocol::eager;
    what.bytes = 64;
    const Sample sample = study_case(what, 1e-6, {1e-3, 3}).run();
    CHECK(sample.name == what.name());
    CHECK(sample.updates >= 600U);  // of about 333 messages each, if they took as long as expected
    CHECK(sample.updates <= 1200U);
    CHECK(sample.workers >= 1);
    CHECK(sample.per_update() > 0);
    CHECK(sample.processor_share() > 0);
}

TEST_CASE("every round of the design has all phases and protocols, and rounds have other sizes") {
    const auto design = message_design(limits_for(2), 4);
    std::set<std::size_t> sizes;
    std::size_t cases = 0;
    std::map<std::string, std::set<std::string>> points;
    for (const auto& round : design) {
        std::set<std::string> surfaces;
        for (const MessageStudyCase& what : round) {
            const std::string surface = residuals_of(what.phase, std::string(name_of(what.protocol)));
            surfaces.insert(surface);
            points[surface].insert(what.name());
            sizes.insert(what.bytes);
            ++cases;
        }
        CHECK(surfaces.size() == 24);
    }
    CHECK(cases == 240);
    for (const auto& [surface, names] : points) CHECK(names.size() >= 8);  // fewer make no surface
    CHECK(sizes.size() > 150);
}

TEST_CASE("phases are sampled a little at a time, go on where others left off, and stop when they are told to",
          "[long]") {
    CaseLimits limits = limits_for(2);
    limits.memory = std::size_t{16} << 20;
    std::size_t told = 0;
    const auto count = [&told](const Sample&) { ++told; };
    PhaseSampling phases(machine_of_messages(), limits, 600, {}, count, [] { return false; });
    phases.go_on(0);
    CHECK(phases.samples().empty());
    while (phases.samples().size() < 20) phases.go_on(0.05);
    CHECK(told == phases.samples().size());
    CHECK(phases.left() < 600);
    std::map<std::string, int> visits;
    for (const Sample& taken : phases.samples()) ++visits[taken.name];
    CHECK(visits.size() > 5);

    // Cases that were visited are not begun again: they are due for a second visit later.
    std::vector<std::string> began;
    PhaseSampling more(
        machine_of_messages(), limits, 600, phases.samples(), [&](const Sample& taken) { began.push_back(taken.name); },
        [&] { return began.size() >= 10; });
    CHECK(more.samples().size() == phases.samples().size());
    more.finish(TimeLimit(0));  // ends as it is stopped
    REQUIRE(began.size() == 10);
    CHECK(std::ranges::none_of(began, [&](const auto& name) { return visits.contains(name); }));
}

TEST_CASE("phases go on for longer where cores are at a rare distance, and keep half of their time for another") {
    CHECK(times_as_long(0, 0, 30) == 1);
    CHECK(times_as_long(5, 5, 30) == 1);  // at the only distance so far
    CHECK(times_as_long(4, 10, 30) == 4);
    CHECK(times_as_long(6, 10, 30) == 1);
    CHECK(times_as_long(15, 16, 30) == 0);
    CHECK(times_as_long(1, 16, 30) == 4);
}

TEST_CASE("phases take all of their seconds in the end and no more", "[long]") {
    CaseLimits limits = limits_for(2);
    limits.memory = std::size_t{1} << 20;
    PhaseSampling phases(
        machine_of_messages(), limits, 0.4, {}, [](const Sample&) {}, [] { return false; });
    for (int slice = 0; slice < 100; ++slice) phases.go_on(0.02);
    CHECK(phases.left() < 0.2 + 1e-9);  // half of them at one distance, at several more
    phases.finish(TimeLimit(0));
    CHECK(phases.left() == 0);
    const std::size_t all = phases.samples().size();
    phases.go_on(1);
    CHECK(phases.samples().size() == all);
    CHECK(TimeLimit(10).before(4).left() < 6.1);
    CHECK(TimeLimit(10).before(40).left() <= 0.001);
    CHECK(TimeLimit(0).before(4).left() == 0);  // no end
}

TEST_CASE("what an allreduce combines a byte in is what its trees take more than their messages") {
    const Machine machine = machine_of_messages();
    std::vector<Sample> samples;
    for (const auto& round : message_design(limits_for(2), 8)) {
        for (const MessageStudyCase& what : round) {
            const double combining = what.phase == MessagePhase::allreduce ? 3e-9 * static_cast<double>(what.bytes) : 0;
            samples.push_back(sample_of(what, prediction_of(machine, what).time.si() + combining));
        }
    }
    const auto found = combining_of(machine, samples);
    REQUIRE(found);
    CHECK(found->value == Approx(3e-9));
    CHECK_FALSE(combining_of(machine, {}));
}

TEST_CASE("residuals of messages: a surface a phase and protocol, which corrects predictions between its points") {
    Machine machine = machine_of_messages();
    const auto truth = [&machine](const MessageStudyCase& what) {
        const double slow = what.protocol == Protocol::eager ? 1.5 : 0.8;
        const double large = 1 + 0.1 * std::log10(static_cast<double>(what.bytes));
        return prediction_of(machine, what).time.si() * slow * large;
    };
    std::vector<Sample> samples;
    for (const auto& round : message_design(limits_for(2), 10)) {
        for (const MessageStudyCase& what : round) samples.push_back(sample_of(what, truth(what)));
    }
    Sample other;
    other.name = "no case of messages";
    samples.push_back(other);
    Machine corrected = machine;
    corrected.residuals = fit_residuals({message_space()}, machine, samples);
    REQUIRE(corrected.residuals.size() == 24);
    Machine without = corrected;
    std::erase_if(without.residuals,
                  [](const ResidualSurface& one) { return one.measured().name == "ping-pong-eager"; });
    for (const auto& [protocol, beyond] : {std::pair(Protocol::eager, true), {Protocol::buffered, false}}) {
        const MessageStudyCase what = message_case_at(chance_of(4), limits_for(2), MessagePhase::ping_pong, protocol);
        const MeasuredBeside beside = prediction_of(without, what).beside;
        CHECK((beside.sessions == 0) == beyond);
        if (beyond) CHECK(beside.beyond == std::vector<std::string>{"ping-pong by eager"});
    }
    const UnitNumbers next = chance_of(3);
    for (int i = 0; i < 100; ++i) {
        const MessageStudyCase what = message_case_at(next, limits_for(2));
        INFO(what.name());
        const TimePrediction prediction = prediction_of(corrected, what);
        CHECK(prediction.time.si() == Approx(truth(what)).epsilon(0.03));
        CHECK(prediction.beside.above > 0);
    }
}

}  // namespace
}  // namespace narrows
