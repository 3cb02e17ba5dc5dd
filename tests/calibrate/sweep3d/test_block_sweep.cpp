#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "calibrate/kernels/sweep3d/sweep_plan.hpp"

using namespace narrows;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// A block of its own with random inflows, some of them so large that fixups are needed.
struct RandomBlock {
    RandomBlock(int angles, int moments, unsigned seed) : angles_(angles), moments_(moments) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> value(0, 1);
        const auto fill = [&](std::vector<double>& all, std::size_t doubles) {
            all.resize(doubles + angle_lanes);
            for (double& one : all) one = value(random) < 0.2 ? 30 * value(random) : value(random);
        };
        fill(before, cells * static_cast<std::size_t>(moments));
        flux.assign(before.size(), 0.0);
        fill(in_i, std::size_t{nj} * nk * static_cast<std::size_t>(angles));
        fill(in_j, std::size_t{ni} * nk * static_cast<std::size_t>(angles));
        fill(k_faces, std::size_t{ni} * nj * angle_lanes);
        out_i = in_i;
        out_j = in_j;
    }

    std::int64_t sweep(SweepVectors vectors, bool fixups) {
        SweepOptions options;
        options.angle_block = angles_;
        options.problem.moments = moments_;
        const SweepPlan plan(options);
        std::vector<double> row(std::size_t{ni} * angle_lanes);
        BlockSweep block;
        block.ni = ni;
        block.nj = nj;
        block.nk = nk;
        block.step_i = -1;  // of the octant (-, +, +)
        block.step_j = ni;
        block.step_k = static_cast<std::ptrdiff_t>(ni) * nj;
        block.before = before.data() + static_cast<std::ptrdiff_t>(ni - 1) * moments_;
        block.flux = flux.data() + static_cast<std::ptrdiff_t>(ni - 1) * moments_;
        block.source_i = {1, 4};
        block.source_j = {0, 2};
        block.source_k = {-1, 2};
        block.in_i = in_i.data();
        block.in_j = in_j.data();
        block.out_i = out_i.data();
        block.out_j = out_j.data();
        block.k_faces = k_faces.data();
        block.row = row.data();
        block.terms = &plan.terms(3, 0);
        block.angles = angles_;
        return sweep_block(vectors, angles_, moments_, fixups)(block);
    }

    static constexpr int ni = 5, nj = 3, nk = 4;
    static constexpr std::size_t cells = std::size_t{ni} * nj * nk;
    std::vector<double> before, flux, in_i, in_j, out_i, out_j, k_faces;

  private:
    int angles_;
    int moments_;
};

void check_same(const std::vector<double>& a, const std::vector<double>& b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        REQUIRE_THAT(a[i], WithinRel(b[i], 1e-12) || WithinAbs(b[i], 1e-12));
    }
}

}  // namespace

TEST_CASE("block sweep: all vectors give the answers of the plain loop") {
    const int angles = GENERATE(1, 2, 3, 6);
    const int moments = GENERATE(1, 4);
    const bool fixups = GENERATE(false, true);
    for (const SweepVectors vectors : available_vectors()) {
        RandomBlock plain(angles, moments, 7);
        RandomBlock wide(angles, moments, 7);
        const std::int64_t fixed = plain.sweep(SweepVectors::scalar, fixups);
        CAPTURE(angles, moments, fixups, std::string(name_of(vectors)));
        CHECK(wide.sweep(vectors, fixups) == fixed);
        CHECK((fixed > 0) == fixups);
        check_same(wide.flux, plain.flux, RandomBlock::cells * static_cast<std::size_t>(moments));
        check_same(wide.out_i, plain.out_i, wide.out_i.size() - angle_lanes);
        check_same(wide.out_j, plain.out_j, wide.out_j.size() - angle_lanes);
        for (std::size_t cell = 0; cell < RandomBlock::cells / RandomBlock::nk; ++cell) {
            for (std::size_t m = 0; m < static_cast<std::size_t>(angles); ++m) {
                const std::size_t at = cell * angle_lanes + m;
                REQUIRE_THAT(wide.k_faces[at], WithinRel(plain.k_faces[at], 1e-12) || WithinAbs(0, 1e-12));
            }
        }
    }
}

TEST_CASE("block sweep: with fixups no outflow is negative and without some are") {
    RandomBlock fixing(6, 4, 11);
    fixing.sweep(available_vectors().back(), true);
    RandomBlock plain(6, 4, 11);
    plain.sweep(available_vectors().back(), false);
    const auto least = [](const std::vector<double>& face) {
        return *std::min_element(face.begin(), face.end() - angle_lanes);
    };
    CHECK(least(fixing.out_i) >= 0);
    CHECK(least(fixing.out_j) >= 0);
    CHECK(std::min(least(plain.out_i), least(plain.out_j)) < 0);
}

TEST_CASE("ordinates: directions have length one and weights of all octants sum to one") {
    for (const int angles : {3, 6}) {
        const Ordinates all = ordinates(angles);
        double weights = 0;
        for (std::size_t m = 0; m < static_cast<std::size_t>(angles); ++m) {
            weights += 8 * all.weight[m];
            const double length = all.mu[m] * all.mu[m] + all.eta[m] * all.eta[m] + all.xi[m] * all.xi[m];
            CHECK_THAT(length, WithinRel(1.0, 1e-14));
            CHECK(std::min({all.mu[m], all.eta[m], all.xi[m]}) > 0);
        }
        CHECK_THAT(weights, WithinRel(1.0, 2e-8));  // the digits that they are given with
    }
}

TEST_CASE("sweep plan: the source is the middle third and parts of it are seen from either side") {
    const auto range = [](int cells) {
        const SourceRange whole = source_range(cells);
        return std::pair(whole.from, whole.to);
    };
    CHECK(range(1) == std::pair(0, 1));
    CHECK(range(2) == std::pair(0, 2));
    CHECK(range(3) == std::pair(1, 2));
    CHECK(range(5) == std::pair(2, 3));
    CHECK(range(50) == std::pair(17, 33));
    const SourceRange up = source_in_sweep({17, 33}, {10, 10}, true);
    CHECK(std::pair(up.from, up.to) == std::pair(7, 10));
    const SourceRange down = source_in_sweep({17, 33}, {10, 10}, false);
    CHECK(std::pair(down.from, down.to) == std::pair(0, 3));
    const SourceRange outside = source_in_sweep({17, 33}, {40, 10}, true);
    CHECK(outside.from == outside.to);
}

TEST_CASE("sweep plan: parts of an axis are contiguous and differ by one cell at most") {
    for (const int parts : {1, 2, 3, 7, 50}) {
        int next = 0;
        for (int index = 0; index < parts; ++index) {
            const CellSpan span = cell_span(50, parts, index);
            CHECK(span.first == next);
            CHECK((span.count == 50 / parts || span.count == 50 / parts + 1));
            next += span.count;
        }
        CHECK(next == 50);
    }
}
