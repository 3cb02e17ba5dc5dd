#include <catch2/catch.hpp>

#include "calibrate/kernels/sweep3d/rank_sweep.hpp"
#include "tests/error_of.hpp"

using namespace narrows;

namespace {

template <class Change>
std::string error_with(Change change) {
    SweepOptions options;
    change(options);
    return error_of([&] { checked(options); });
}

}  // namespace

TEST_CASE("sweep3d: a deck that cannot be is told with the nearest that can") {
    CHECK(error_with([](auto&) {}) == "no error");
    CHECK(error_with([](auto& o) { o.planes = 7; }) == "7 planes a block do not divide 50: give 5");
    CHECK(error_with([](auto& o) { o.planes = 0; }) == "0 planes a block do not divide 50: give 1");
    CHECK(error_with([](auto& o) { o.planes = 100; }) == "100 planes a block do not divide 50: give 50");
    CHECK(error_with([](auto& o) { o.angle_block = 4; }) == "4 angles a block do not divide 6: give 3");
    CHECK(error_with([](auto& o) { o.problem.angles = 4; }) ==
          "4 angles an octant: there are quadratures of 3 (S4) and 6 (S6) angles: give 3");
    CHECK(error_with([](auto& o) { o.problem.angles = 8; }) ==
          "8 angles an octant: there are quadratures of 3 (S4) and 6 (S6) angles: give 6");
    CHECK(error_with([](auto& o) { o.problem.moments = 3; }) ==
          "3 flux moments: scattering is isotropic (1) or linear (4): give 4");
    CHECK(error_with([](auto& o) { o.problem.cells[2] = 0; }) ==
          "0 cells along an axis are not possible: give 1 to 16777216");
    CHECK(error_with([](auto& o) { o.problem.iterations = 0; }) == "0 iterations cannot run: give 1 to 100000");
    CHECK(error_with([](auto& o) { o.problem.fixups_after = -1; }) ==
          "fixups cannot begin after iteration -1: give 0 for all iterations, or more");
    CHECK(error_with([](auto& o) { o.grid = {51, 1}; }) == "51 ranks along I do not fit its 50 cells: give 1 to 50");
    CHECK(error_with([](auto& o) { o.grid = {1, 0}; }) == "0 ranks along J do not fit its 50 cells: give 1 to 50");
}

TEST_CASE("sweep3d: what a transport cannot do is told") {
    CHECK(error_with([](auto& o) {
              o.transport = Transport::tcp;
              o.workers = 2;
          }) == "over TCP, UDP and MPI workers are processes: give the ranks of one in place of the workers");
    CHECK(error_with([](auto& o) {
              o.transport = Transport::tcp;
              o.grid = {10, 10};
          }) == "100 ranks are too many: give at most 64");
    CHECK(error_with([](auto& o) { o.domain = 2; }) ==
          "gateways forward receiver-initiated messages over shared memory only: leave the domain out");
}

TEST_CASE("sweep3d: a deck larger than memory is told before anything runs") {
    CHECK_THAT(
        error_with([](auto& o) {
            o.problem.cells = {100000, 100000, 1000};
        }),
        Catch::Matches("the deck needs [0-9]+ MiB and [0-9]+ MiB of memory are free: give fewer cells, or 1 moment"));
    CHECK_THAT(error_with([](auto& o) {
                   o.problem.cells = {1000, 1000, 1};
                   o.grid = {1000, 1000};
                   o.planes = 1;
                   o.protocol = Protocol::receiver_initiated;  // a descriptor for each pair
               }),
               Catch::Matches("1000000 ranks need [0-9]+ MiB for their messages, and [0-9]+ MiB of memory are free: "
                              "give fewer ranks"));
    // Under MPI each rank may have its own host: only its part of the deck has to fit this one.
    const auto over_mpi = [](int cells) {
        return error_with([cells](auto& o) {
            o.problem.cells = {cells, cells, 1000};
            o.grid = {100, 100};
            o.transport = Transport::mpi;
        });
    };
    CHECK(over_mpi(10000) == "no error");  // 6 TB in all
    CHECK_THAT(
        over_mpi(1000000),
        Catch::Matches("a rank of the deck needs [0-9]+ MiB and [0-9]+ MiB of memory are free: give fewer cells, "
                       "or 1 moment"));
    CHECK(error_with([](auto& o) {
              o.problem.cells = {100000, 100000, 10};
              o.skip_compute = true;
              o.planes = 1;
          }) == "no error");
}

TEST_CASE("sweep3d: the grid is the most square that the cells allow") {
    using Grid = std::array<int, 2>;
    CHECK(sweep_grid(6, {50, 50, 50}) == Grid{3, 2});
    CHECK(sweep_grid(6, {50, 60, 50}) == Grid{2, 3});
    CHECK(sweep_grid(97920, {1 << 20, 1 << 20, 400}) == Grid{320, 306});
    CHECK(sweep_grid(7, {50, 50, 50}) == Grid{7, 1});
    CHECK(sweep_grid(12, {2, 50, 50}) == Grid{2, 6});
    CHECK_THROWS_WITH(
        sweep_grid(53, {50, 50, 50}),
        "53 ranks have no grid with at most 50 of them along I and 50 along J: give 52 ranks, or more cells");
    CHECK_THROWS_WITH(
        sweep_grid(2501, {50, 50, 50}),
        "2501 ranks have no grid with at most 50 of them along I and 50 along J: give 2500 ranks, or more cells");
    CHECK_THROWS_WITH(sweep_grid(0, {50, 50, 50}), "0 ranks cannot run: give 1 or more");
}

TEST_CASE("sweep3d: vectors that a processor lacks are told, and a record that was cut") {
    CHECK(parse_vectors("scalar") == SweepVectors::scalar);
    CHECK_THROWS_WITH(parse_vectors("neon"),
                      Catch::StartsWith("this processor has no vectors 'neon' (it has: scalar, sse2"));
    SweepRecord record;
    record.messages = 3;
    record.iterations = {{0.5, 7, 1e-17}};
    const std::string bytes = write_record(record);
    CHECK(read_sweep_record(bytes).iterations.front().fixed == 7);
    CHECK(read_sweep_record(bytes).messages == 3);
    CHECK_THROWS_AS(read_sweep_record(bytes.substr(1)), std::logic_error);
}
