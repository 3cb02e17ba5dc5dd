#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "calibrate/kernels/sweep3d/ordinates.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"

using namespace narrows;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// What the original, version 2.2b, prints for 50 x 50 x 50 cells, S6, P1, with fixups from iteration 8 on.
struct Published {
    double error;
    std::int64_t fixed;
};
constexpr std::array<Published, 12> published = {{{1.0, 0},
                                                  {1.77512975262900663, 0},
                                                  {0.659083802218004111, 0},
                                                  {0.305348671948976524, 0},
                                                  {0.141234079272600122, 0},
                                                  {0.0627896461395282685, 0},
                                                  {0.0266955948954897340, 0},
                                                  {0.0199563042302687288, 12000},
                                                  {0.00568793011796733545, 11712},
                                                  {0.00185412756334039897, 11664},
                                                  {0.000681074826574155846, 11664},
                                                  {0.000261752203210804436, 11664}}};
constexpr double published_absorption = 3.3434174648285;
constexpr double published_leakage_ij = 0.1254194196351;
constexpr double published_leakage_k = 0.1254194219157;

SweepOptions published_problem(std::array<int, 2> grid) {
    SweepOptions options;
    options.grid = grid;
    options.problem.fixups_after = 7;
    options.workers = 2;
    return options;
}

void check_published(const SweepRun& run) {
    REQUIRE(run.iterations.size() == published.size());
    for (std::size_t i = 0; i < published.size(); ++i) {
        CAPTURE(i);
        CHECK_THAT(run.iterations[i].error, WithinRel(published[i].error, 1e-10));
        CHECK(run.iterations[i].fixed == published[i].fixed);
    }
    CHECK_THAT(run.balance.source, WithinRel(4.096, 1e-14));
    CHECK_THAT(run.balance.absorption, WithinAbs(published_absorption, 1e-11));
    for (std::size_t face = 0; face < 6; ++face) {
        const double leaves = face < 4 ? published_leakage_ij : published_leakage_k;
        CHECK_THAT(run.balance.leakage[face], WithinAbs(face % 2 == 0 ? -leaves : leaves, 1e-11));
    }
    CHECK(run.errors() == 0);
}

SweepOptions small_problem(std::array<int, 2> grid) {
    SweepOptions options;
    options.grid = grid;
    options.problem.cells = {9, 8, 6};
    options.problem.iterations = 4;
    options.problem.fixups_after = 1;
    options.planes = 3;
    options.workers = 2;
    return options;
}

void check_same(const SweepRun& run, const SweepRun& other) {
    REQUIRE(run.iterations.size() == other.iterations.size());
    for (std::size_t i = 0; i < run.iterations.size(); ++i) {
        CHECK(run.iterations[i].error == other.iterations[i].error);
        CHECK(run.iterations[i].fixed == other.iterations[i].fixed);
    }
    CHECK_THAT(run.balance.absorption, WithinRel(other.balance.absorption, 1e-13));
    CHECK(run.errors() == 0);
}

}  // namespace

TEST_CASE("sweep3d: convergence, fixups and balance are those of the original", "[long]") {
    SECTION("one rank") {
        check_published(run_sweep3d(published_problem({1, 1})));
    }
    SECTION("six ranks, half the angles a block") {
        SweepOptions options = published_problem({2, 3});
        options.angle_block = 3;
        check_published(run_sweep3d(options));
    }
    SECTION("fifty ranks") {
        check_published(run_sweep3d(published_problem({5, 10})));
    }
}

TEST_CASE("sweep3d: every protocol carries it, on threads, fibers and through gateways") {
    const SweepRun alone = run_sweep3d(small_problem({1, 1}));
    CHECK(alone.iterations.back().fixed > 0);
    for (const Protocol protocol : {Protocol::active_message, Protocol::rendezvous, Protocol::buffered,
                                    Protocol::receiver_initiated, Protocol::command_queue}) {
        for (const std::array<int, 2> grid : {std::array{2, 1}, std::array{1, 3}, std::array{3, 4}, std::array{9, 8}}) {
            SweepOptions options = small_problem(grid);
            options.protocol = protocol;
            CAPTURE(std::string(name_of(protocol)), grid[0], grid[1]);
            check_same(run_sweep3d(options), alone);
        }
    }
    SweepOptions gateways = small_problem({4, 4});
    gateways.protocol = Protocol::receiver_initiated;
    gateways.domain = 4;
    check_same(run_sweep3d(gateways), alone);
}

TEST_CASE("sweep3d: processes over TCP carry it") {
    SweepOptions options = small_problem({2, 2});
    const SweepRun alone = run_sweep3d(small_problem({1, 1}));
    options.transport = Transport::tcp;
    options.workers = 0;
    const SweepRun run = run_sweep3d(options);
    check_same(run, alone);
    CHECK(run.workers == 4);
}

TEST_CASE("sweep3d: messages are those of the schedule") {
    SweepOptions options = small_problem({3, 2});
    options.angle_block = 2;
    const SweepRun run = run_sweep3d(options);
    // Inner faces of the grid, twice for each pair of octants that meet there, by blocks of planes and of angles.
    const std::uint64_t blocks = std::uint64_t{8} * 2 * 3;
    const std::uint64_t faces_i = std::uint64_t{2} * 2;
    const std::uint64_t faces_j = std::uint64_t{3} * 1;
    CHECK(run.messages == 4 * blocks * (faces_i + faces_j));
    // Cells of these faces, in all planes, with all angles of all octants.
    const std::uint64_t doubles = std::uint64_t{6} * 6 * 8 * (2 * 8 + 1 * 9);
    CHECK(run.bytes == std::uint64_t{4} * 8 * doubles);
    CHECK(run.cell_angles == std::int64_t{9} * 8 * 6 * 48);

    SweepOptions skipping = options;
    skipping.skip_compute = true;
    const SweepRun skipped = run_sweep3d(skipping);
    CHECK(skipped.messages == run.messages);
    CHECK(skipped.bytes == run.bytes);
    CHECK(skipped.iterations.back().error == 0);
}

TEST_CASE("sweep3d: one cell has the flux of its equations") {
    SweepOptions options;
    options.problem.cells = {1, 1, 1};
    options.problem.iterations = 1;
    options.planes = 1;
    for (const int angles : {3, 6}) {
        options.problem.angles = angles;
        const Ordinates all = ordinates(angles);
        double flux = 0, through_i = 0;
        for (std::size_t m = 0; m < static_cast<std::size_t>(angles); ++m) {
            const double of_angle = 1 / (1 + 20 * (all.mu[m] + all.eta[m] + all.xi[m]));
            flux += 8 * all.weight[m] * of_angle;
            through_i += 4 * all.weight[m] * all.mu[m] * 2 * of_angle * 0.01;
        }
        for (const int moments : {1, 4}) {
            options.problem.moments = moments;
            const SweepRun run = run_sweep3d(options);
            CHECK_THAT(run.balance.absorption, WithinRel(0.5 * flux * 0.001, 1e-12));
            CHECK_THAT(run.balance.leakage[1], WithinRel(through_i, 1e-12));
            CHECK(run.errors() == 0);
        }
    }
}

TEST_CASE("sweep3d: what a box absorbs and loses balances when it has converged") {
    SweepOptions options = small_problem({2, 2});
    options.problem.iterations = 60;
    const SweepRun run = run_sweep3d(options);
    double leaves = 0;
    for (std::size_t face = 0; face < 6; ++face) leaves += std::abs(run.balance.leakage[face]);
    CHECK(run.iterations.back().error < 1e-12);
    CHECK_THAT(run.balance.absorption + leaves, WithinRel(run.balance.source, 2e-8));  // the weights' digits
}

TEST_CASE("sweep3d: S4 and isotropic scattering do not depend on the grid either") {
    SweepOptions one = small_problem({1, 1});
    one.problem.angles = 3;
    one.problem.moments = 1;
    SweepOptions many = one;
    many.grid = {4, 3};
    many.planes = 2;
    check_same(run_sweep3d(many), run_sweep3d(one));
}
