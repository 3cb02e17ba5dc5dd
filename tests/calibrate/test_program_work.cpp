#include <catch2/catch.hpp>

#include "calibrate/kernels/program/program_work.hpp"
#include "calibrate/messaging/computing_waiter.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {
namespace {

// Of 1024 passes over one block of 32 numbers.
constexpr std::uint64_t step_flops = 65536;

RankPhase computing(double seconds, std::uint64_t flops, std::uint64_t memory) {
    RankPhase phase;
    phase.seconds = seconds;
    phase.flops = flops;
    phase.memory = memory;
    return phase;
}

int steps_of(ProgramWork& work) {
    int steps = 0;
    while (work.step()) ++steps;
    return steps;
}

/// Others, who raise a flag after so many turns.
struct CountingWaiter {
    static constexpr bool shares_worker = true;
    Flag& flag;
    int raised_after;
    int turns = 0, unsuccessful = 0, waits = 0;

    bool yield(bool progressed) {
        unsuccessful += progressed ? 0 : 1;
        if (++turns == raised_after) flag.store(1);
        return true;
    }
    bool wait(const Flag& /*flag*/, std::uint32_t /*seen*/) {
        ++waits;
        return true;
    }
    void progressed() {}
    void advance(std::uint64_t /*units*/) {}
};

/// A thread of its own, which looks three times before it yields.
struct ThreadOfItsOwn {
    static constexpr bool shares_worker = false;
    static constexpr int looks_before_yield = 3;
    int yields = 0, unsuccessful = 0;

    bool yield(bool progressed) {
        ++yields;
        unsuccessful += progressed ? 0 : 1;
        return true;
    }
    bool wait(const Flag& /*flag*/, std::uint32_t /*seen*/) { return true; }
    void progressed() {}
    void advance(std::uint64_t /*units*/) {}
};

}  // namespace

TEST_CASE("program work: it is done in steps, all of it once") {
    ProgramWork work(1 << 20);
    CHECK_FALSE(work.step());
    work.add(computing(0, 10 * step_flops, 0));  // ten steps
    CHECK(steps_of(work) == 10);
    work.add(computing(0, 0, 512000));  // blocks that take as long as four passes each
    CHECK(steps_of(work) == 4);
    work.add(computing(0, 1, 0));
    CHECK(steps_of(work) == 1);
    work.add(computing(0, 0, 0));
    CHECK(steps_of(work) == 0);
    const double start = wall_seconds();
    work.add(computing(20e-6, 0, 0));
    CHECK(steps_of(work) >= 4);
    CHECK(wall_seconds() - start >= 20e-6);
}

TEST_CASE("program work: repetitions are done one after the other, in the memory of one") {
    ProgramWork work(0);
    work.add(computing(0, 2 * step_flops, 0), 3);
    CHECK(steps_of(work) == 6);
    work.add(computing(0, 0, 0), 1000000000000);
    CHECK(steps_of(work) == 0);
    work.add(computing(0, 2 * step_flops, 0), 3);
    CHECK(work.step());
    work.compute(computing(0, 5 * step_flops, 0));
    CHECK(steps_of(work) == 5);
}

TEST_CASE("program work: computing at once leaves what there was to do") {
    ProgramWork work(0);
    work.add(computing(0, 5 * step_flops, 0));
    work.compute(computing(0, 100 * step_flops, 0));
    CHECK(steps_of(work) == 5);
    work.add(computing(0, 5 * step_flops, 0));
    work.finish();
    CHECK(steps_of(work) == 0);
}

TEST_CASE("computing waiter: it computes while it waits, and then waits as others do") {
    Flag flag{0};
    ProgramWork work(0);
    CountingWaiter outer{flag, 3};
    ComputingWaiter waiter(outer);
    waiter.compute(&work);
    work.add(computing(0, 5 * step_flops, 0));
    CHECK(waiter.wait(flag, 0));  // three steps, a turn of others after each
    CHECK(outer.turns == 3);
    CHECK(outer.waits == 0);
    CHECK(waiter.yield(false));
    CHECK(waiter.yield(true));  // the rank has done something itself: no step
    CHECK(steps_of(work) == 1);
    CHECK(outer.unsuccessful == 0);
    CHECK(waiter.yield(false));
    CHECK(outer.unsuccessful == 1);
    flag.store(0);
    CHECK(waiter.wait(flag, 0));
    CHECK(outer.waits == 1);
}

TEST_CASE("computing waiter: without work it looks as often before it yields as its thread does") {
    ThreadOfItsOwn outer;
    ComputingWaiter waiter(outer);
    const auto look = [&waiter](int times) {
        for (int time = 0; time < times; ++time) CHECK(waiter.yield(false));
    };
    look(2);
    CHECK(outer.yields == 0);
    look(1);
    CHECK(outer.unsuccessful == 1);
    look(2);
    waiter.progressed();
    look(2);
    CHECK(outer.yields == 1);
    CHECK(waiter.yield(true));
    CHECK(outer.yields == 2);
    ProgramWork work(0);
    waiter.compute(&work);
    work.add(computing(0, 2 * step_flops, 0));
    look(2);  // a step each: others have their turn
    CHECK(outer.yields == 4);
    CHECK(outer.unsuccessful == 1);
}

}  // namespace narrows
