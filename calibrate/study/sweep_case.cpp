#include "calibrate/study/sweep_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "calibrate/kernels/messages/named_value.hpp"
#include "calibrate/study/case_words.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double octants_of_iteration = 8;

constexpr NamesInOrder<4> roles = {"block", "flux", "turns", "between"};

constexpr int usual_angles = 6;

/// Cells along I, J and K, and planes of a block.
struct Shape {
    std::array<int, 3> cells;
    int planes;
};

// Of one processor. 256 KiB of flux or less, which the nearest caches hold: many cells a row, few cells a row, few
// rows a block, few cells a column.
constexpr std::array shapes = {Shape{{16, 16, 16}, 16}, Shape{{4, 32, 32}, 32}, Shape{{4, 8, 128}, 1},
                               Shape{{2, 4, 256}, 4}, Shape{{16, 16, 2}, 2}};
// Of four moments, each with more flux than caches nearer to the core hold: 1 MiB, 8 MiB, 32 MiB, 128 MiB; a quarter
// of it with one moment.
constexpr std::array large_shapes = {Shape{{32, 32, 16}, 16}, Shape{{32, 64, 64}, 16}, Shape{{64, 64, 128}, 16},
                                     Shape{{64, 128, 256}, 16}};

SweepCase made_case(SweepRole role, const Shape& shape, std::array<int, 2> grid, int workers, double effort) {
    SweepCase made;
    made.role = role;
    made.options.problem.cells = shape.cells;
    made.options.planes = shape.planes;
    made.options.angle_block = made.options.problem.angles;
    made.options.grid = grid;
    made.options.protocol = Protocol::receiver_initiated;
    made.options.workers = workers;
    made.options.problem.iterations = std::clamp(static_cast<int>(effort / made.cell_angles()), 2, 1000);
    return made;
}

}  // namespace

std::string SweepCase::name() const {
    const auto& [i, j, k] = options.problem.cells;
    const int octant = options.problem.angles;
    return fmt::format("sweep3d {} cells={} grid={} planes={} angles={}{} moments={} iterations={} workers={}",
                       name_in(roles, role), format_shape({i, j, k}), format_shape({options.grid[0], options.grid[1]}),
                       options.planes, options.angle_block, octant == usual_angles ? "" : fmt::format(" of {}", octant),
                       options.problem.moments, options.problem.iterations, options.workers);
}

std::optional<SweepCase> sweep_case_named(const std::string& name) {
    const CaseWords words(name);
    const std::optional<SweepRole> role = value_in<SweepRole>(roles, words.value("sweep3d "));
    if (!role) return std::nullopt;
    SweepCase found;
    found.role = *role;
    SweepOptions& options = found.options;
    SweepProblem& problem = options.problem;
    const std::vector<int> cells = words.sizes("cells=", 3), grid = words.sizes("grid=", 2);
    problem.cells = {cells[0], cells[1], cells[2]};
    options.grid = {grid[0], grid[1]};
    options.planes = words.number("planes=");
    options.angle_block = words.number("angles=");
    problem.angles = words.value("of ").empty() ? usual_angles : words.number("of ");
    problem.moments = words.number("moments=");
    problem.iterations = words.number("iterations=");
    options.protocol = Protocol::receiver_initiated;
    options.workers = words.number("workers=");
    if (found.name() != name) return std::nullopt;
    return found;
}

double SweepCase::cell_angles() const {
    const auto& cells = options.problem.cells;
    return octants_of_iteration * options.problem.angles * cells[0] * cells[1] * cells[2];
}

SweepQuery SweepCase::query() const {
    const SweepProblem& problem = options.problem;
    SweepQuery query{
        problem.cells, options.grid, problem.angles, options.planes, options.angle_block, problem.moments, ""};
    query.processors = role == SweepRole::between ? options.workers : 1;
    query.ranks_per_node = std::max(query.ranks(), query.processors);
    return query;
}

std::vector<SweepCase> sweep_cases(Effort effort, int workers) {
    const bool full = effort == Effort::full;
    const double cell_angles = full ? 2e7 : 7e6;  // about 30 ms, or 10
    std::vector<SweepCase> cases;
    for (const int moments : {4, 1}) {
        for (const int angles : {6, 3, 2, 1}) {
            if (!full && moments == 1 && angles < 3) continue;
            const auto add = [&](SweepRole role, const Shape& shape, int octant = 6) {
                SweepCase made = made_case(role, shape, {1, 1}, workers, cell_angles);
                made.options.problem.angles = octant;
                made.options.angle_block = angles;
                made.options.problem.moments = moments;
                cases.push_back(made);
            };
            for (const Shape& shape : shapes) {
                add(SweepRole::block, shape);
                if (angles != 3 && angles != 1) continue;
                // The same blocks of S4, which has half of the visits for each end of an iteration.
                const bool first_or_last = &shape == &shapes.front() || &shape == &shapes.back();
                if (first_or_last) add(SweepRole::block, shape, 3);
            }
            for (const Shape& shape : large_shapes) {
                if (&shape == &large_shapes.back() && (!full || (moments == 1 && angles < 3))) continue;
                add(SweepRole::flux, shape);
            }
        }
    }
    using Grid = std::array<int, 2>;
    for (const auto& [shape, grid] : {std::pair(Shape{{32, 32, 40}, 10}, Grid{4, 4}),
                                      {Shape{{32, 32, 32}, 4}, Grid{8, 8}},
                                      {Shape{{32, 32, 32}, 1}, Grid{8, 8}},
                                      {Shape{{48, 48, 24}, 12}, Grid{12, 12}},
                                      {Shape{{48, 24, 24}, 3}, Grid{16, 8}},
                                      {Shape{{16, 12, 32}, 1}, Grid{1, 12}},
                                      {Shape{{24, 8, 32}, 1}, Grid{12, 4}}}) {
        cases.push_back(made_case(SweepRole::turns, shape, grid, workers, cell_angles));
    }
    if (workers == 1) return cases;
    for (const Shape& shape : {Shape{{8, 8, 128}, 1}, Shape{{8, 4, 128}, 2}, Shape{{8, 16, 96}, 4},
                               Shape{{16, 16, 64}, 8}, Shape{{16, 32, 48}, 16}}) {
        Shape all = shape;
        all.cells[0] *= workers;
        cases.push_back(made_case(SweepRole::between, all, {workers, 1}, workers, cell_angles));
    }
    return cases;
}

std::vector<SweepCase> sweep_validation_cases(int workers, int most_ranks) {
    std::vector<SweepCase> cases;
    using Grid = std::array<int, 2>;
    for (const Grid& grid : {Grid{2, 1}, {1, 2}, {2, 2}, {4, 2}, {4, 4}, {8, 4}, {8, 8}, {16, 8}, {16, 16}}) {
        if (grid[0] * grid[1] > most_ranks) continue;
        for (const bool benchmark : {true, false}) {
            const Shape shape = benchmark ? Shape{{50, 50, 50}, 10} : Shape{{64, 48, 60}, 5};
            const int used = std::min(workers, grid[0] * grid[1]);
            cases.push_back(made_case(SweepRole::between, shape, grid, used, 6e7));
            if (!benchmark) cases.back().options.angle_block = 3;
        }
    }
    return cases;
}

}  // namespace narrows
