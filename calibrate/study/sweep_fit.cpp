#include "calibrate/study/sweep_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/kernels/sweep3d/side_by_side.hpp"
#include "calibrate/study/made_parameter.hpp"

namespace narrows {
namespace {

constexpr double octants_swept = 8;
constexpr const char* blocks_path = "compute.sweep3d.blocks.";
constexpr std::array block_costs = {".cell", ".row", ".start", ".column"};
constexpr std::size_t row_cost = 1;
constexpr const char* near_level = "same-processor";
constexpr const char* node_level = "same-node";
constexpr const char* node_path = "paths.same-node-in-sweeps";
constexpr const char* near_path = "paths.same-processor-in-sweeps";

std::string kind_of(const SweepCase& what) {
    return kind_of_block(what.query());
}

std::string at_size(const std::string& path, Data flux) {
    return fmt::format("{}.{} KiB", path, flux.si() / 1024);
}

double blocks_of(const SweepCase& what) {
    const SweepQuery query = what.query();
    return octants_swept * query.blocks();
}

/// A measured time of an iteration and its standard deviation.
struct IterationTime {
    double seconds = 0;
    double deviation = 0;
};

class SweepFit {
  public:
    SweepFit(const std::vector<SweepCase>& cases, const std::vector<Sample>& samples, const FitOptions& options)
        : options_(options), core_distance_(core_distance_of(samples)) {
        machine_.id = "here";
        for (const SweepCase& what : cases) {
            const std::vector<double> times = times_of(samples, what.name());
            if (times.empty()) continue;
            const OrderEstimate time = quartile_estimate(times);
            const bool copies = what.role != SweepRole::between;
            const double scale = what.cell_angles() / (copies ? 1 : what.options.workers);
            const double spread = std::max(time.high - time.low, 2 * options.model_error * time.value);
            measured_[what.role].push_back({what, {scale * time.value, scale * spread / 2 / 1.96}});
            if (copies) continue;
            for (const Sample& taken : samples) {
                if (taken.name == what.name())
                    runs_between_.push_back({what, scale * taken.per_update(), taken.core_distance});
            }
        }
    }

    std::vector<Parameter> run() {
        for (const int moments : {4, 1}) fit_blocks(moments);
        fit_flux();
        if (!machine_.parameters.empty()) fit_turns();
        if (has(machine_, near_path)) fit_between();
        return machine_.parameters;
    }

  private:
    struct Case {
        SweepCase what;
        IterationTime time;
    };

    Parameter time_of(const std::string& path, const Coefficient& found) const {
        return calibrated(path, found, Dimension::time, "ns", options_.widening);
    }
    static Parameter exact(const std::string& path, double value, Dimension dimension, const char* unit) {
        return made_parameter(path, {value, dimension, unit}, "measured");
    }
    void add(Parameter parameter) { machine_.parameters.push_back(std::move(parameter)); }
    void add_time(const std::string& path, const Coefficient& found) { add(time_of(path, found)); }

    // Of one scattering, as the end of an iteration costs the same whatever the angles of a block.
    void fit_blocks(int moments) {
        std::vector<std::string> kinds;
        std::vector<const Case*> cases;
        for (const Case& each : measured_[SweepRole::block]) {
            if (each.what.options.problem.moments != moments) continue;
            cases.push_back(&each);
            const std::string kind = kind_of(each.what);
            if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
        }
        std::vector<Observation> observations;
        for (const Case* each : cases) {
            const auto kind = std::ranges::find(kinds, kind_of(each->what)) - kinds.begin();
            observations.push_back({block_factors(each->what, static_cast<std::size_t>(kind), kinds.size()),
                                    each->time.seconds, each->time.deviation});
        }
        if (observations.empty()) return;
        const LinearFit fit = least_squares(observations);
        if (!fit.determined) return;
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            const std::string path = blocks_path + kinds[k];
            const std::size_t first = k * block_costs.size();
            for (std::size_t c = 0; c < block_costs.size(); ++c) {
                add_time(path + block_costs[c], fit.coefficients[first + c]);
                if (c != row_cost) continue;
                machine_.parameters.back().correlation =
                    in_digits(fit.correlations[first][first + row_cost], correlation_digits);
                machine_.parameters.back().correlated_with = path + block_costs[0];
            }
        }
        add_time(moments == 1 ? "compute.sweep3d.end_isotropic" : "compute.sweep3d.end", fit.coefficients.back());
    }

    // How many of each cost an iteration has: those of each kind of block, and the end's cells.
    static std::vector<double> block_factors(const SweepCase& what, std::size_t kind, std::size_t kinds) {
        const auto& [i, j, k] = what.options.problem.cells;
        const double cells = static_cast<double>(i) * j * k;
        const double visits = visits_of_cell(what.query());
        std::vector<double> factors(kinds * block_costs.size() + 1);
        const auto own = factors.begin() + static_cast<std::ptrdiff_t>(kind * block_costs.size());
        std::copy_n(std::array{visits * cells, visits * j * k, blocks_of(what), visits * i * j}.begin(),
                    block_costs.size(), own);
        factors.back() = cells;
        return factors;
    }

    // The time of an iteration by what is fitted so far, of a processor that is never idle.
    double computing(const SweepCase& what) const {
        const SweepQuery query = what.query();
        const Wavefront ranks = sweep_computing(machine_, query);
        double block = 0;
        for (const int j : ranks.cells[1]) {
            for (const int i : ranks.cells[0]) block += ranks.compute(i, j).si();
        }
        return block * blocks_of(what);
    }

    bool knows(const SweepCase& what) const { return has(machine_, blocks_path + kind_of(what)); }

    void fit_flux() {
        std::vector<Parameter> points;
        std::set<std::string> begun;
        for (const Case& each : measured_[SweepRole::flux]) {
            if (!knows(each.what)) continue;
            const std::string path = blocks_path + kind_of(each.what) + ".flux";
            if (begun.insert(path).second) {
                points.push_back(exact(at_size(path, least_flux(each.what)), 0, Dimension::time, "ns"));
            }
            // Of all blocks, and of the end of the iteration.
            const double visits =
                each.what.cell_angles() / each.what.options.angle_block * (1 + 1 / visits_of_cell(each.what.query()));
            const double more = (each.time.seconds - computing(each.what)) / visits;
            const double error = 1.96 * each.time.deviation / visits;
            points.push_back(
                time_of(at_size(path, flux_of_processor(each.what.query())), {more, more - error, more + error}));
        }
        machine_.parameters.insert(machine_.parameters.end(), points.begin(), points.end());
    }

    // Of the blocks of this kind, whose costs have none beside them.
    Data least_flux(const SweepCase& what) {
        for (const Case& block : measured_[SweepRole::block]) {
            if (kind_of(block.what) == kind_of(what)) return flux_of_processor(block.what.query());
        }
        throw std::logic_error("a kind of block without a block");
    }

    void fit_turns() {
        std::vector<Observation> observations;
        for (const Case& each : measured_[SweepRole::turns]) {
            if (!knows(each.what)) continue;
            const SweepQuery query = each.what.query();
            const auto& [wide, high] = query.grid;
            const double along_i = static_cast<double>(wide - 1) * high;
            const double along_j = static_cast<double>(high - 1) * wide;
            const double surface = 8.0 * query.planes * query.angle_block;  // bytes of a message one cell across
            const double cells =
                static_cast<double>(wide - 1) * query.cells[1] + static_cast<double>(high - 1) * query.cells[0];
            const double blocks = blocks_of(each.what);
            observations.push_back({{blocks * (along_i + along_j), blocks * surface * cells, blocks * wide * high},
                                    each.time.seconds - computing(each.what),
                                    each.time.deviation});
        }
        if (observations.size() < 3) return;
        LinearFit fit = least_squares(observations);
        if (fit.determined && fit.coefficients[2].value < 0) {  // messages alone say it better
            for (Observation& one : observations) one.factors.pop_back();
            fit = least_squares(observations);
        }
        if (!fit.determined) return;
        const auto [message, low, high] = fit.coefficients[0];
        const std::string path = near_path;
        const Coefficient half = {message / 2, low / 2, high / 2};
        add_level(near_level, 1, path);
        add(exact(path + ".request.latency", 0, Dimension::time, "ns"));
        add_time(path + ".send.overhead", half);
        add(calibrated(path + ".send.per_byte", fit.coefficients[1], Dimension::time_per_byte, "ns/B",
                       options_.widening));
        add(exact(path + ".flight.times", 1, Dimension::number, ""));
        add_time(path + ".receive.overhead", half);
        if (fit.coefficients.size() > 2) add_time("compute.sweep3d.turn", fit.coefficients[2]);
    }

    /// A run between processors, at the distance of cores that was measured beside it.
    struct RunBetween {
        SweepCase what;
        double seconds = 0;  ///< of an iteration
        double distance = 0;
    };

    // What a message would have to take from end to end for an iteration to take what was measured.
    double hop_time(const RunBetween& run) const {
        Wavefront wavefront = sweep_computing(machine_, run.what.query());
        const auto time_with = [&wavefront](double taken) {
            wavefront.hop = [taken](SweepAxis, int, std::size_t) {
                HopCost cost;
                cost.receive = seconds(taken);
                cost.synchronous = true;
                return cost;
            };
            return wavefront_time(wavefront).si();
        };
        double low = 0;
        double high = run.seconds;
        constexpr int halvings = 40;
        for (int i = 0; i < halvings; ++i) {
            const double middle = (low + high) / 2;
            (time_with(middle) < run.seconds ? low : high) = middle;
        }
        return low;
    }

    // What a message takes beside its ends: so many cache lines wait for each other, and of its bytes' lines each a
    // part of that, as some are on their way at once; whatever the distance beside a run (six lines and 0.14 to 0.22 of
    // a line's bytes in eleven calibrations with cores 25 to 170 ns apart); times where distances are unknown. The
    // receiver's processor waits for them: as a flight that leaves processors free, ranks that share them would hide
    // most of it, and took twice as long as that.
    LinearFit fit_messages_between(double ends) const {
        std::vector<Observation> observations;
        for (const RunBetween& run : runs_between_) {
            if (!knows(run.what) || (core_distance_ && run.distance == 0)) continue;
            const SweepQuery query = run.what.query();
            Observation one;
            const double unit = core_distance_ ? run.distance : 1;
            one.factors = {unit, unit * 8.0 * query.planes * query.angle_block * query.cells[1]};
            one.value = hop_time(run) - ends;
            one.deviation = options_.model_error * run.seconds / blocks_of(run.what);
            observations.push_back(std::move(one));
        }
        return observations.size() < 2 ? LinearFit() : least_squares(observations);
    }

    void fit_between() {
        const std::string near = near_path;
        const double ends =
            (time_at(machine_, near + ".send.overhead") + time_at(machine_, near + ".receive.overhead")).si();
        const LinearFit fit = fit_messages_between(ends);
        if (!fit.determined) return;
        const std::string path = node_path;
        const int workers = measured_[SweepRole::between].front().what.options.workers;
        const auto add_near = [&](const std::string& call) {
            Parameter same = *find(machine_, near + call);
            same.path = path + call;
            machine_.parameters.push_back(same);
        };
        add_level(node_level, workers, path);
        add(exact(path + ".request.latency", 0, Dimension::time, "ns"));
        add_near(".send.overhead");
        add(exact(path + ".flight.times", 1, Dimension::number, ""));
        if (!core_distance_) {
            const auto& [between, low, high] = fit.coefficients[0];
            add_time(path + ".receive.overhead", {ends / 2 + between, ends / 2 + low, ends / 2 + high});
            add(calibrated(path + ".receive.per_byte", fit.coefficients[1], Dimension::time_per_byte, "ns/B",
                           options_.widening));
            return;
        }
        add_near(".receive.overhead");
        add(calibrated(path + ".receive.lines", fit.coefficients[0], Dimension::number, "", options_.widening));
        add(calibrated(path + ".receive.lines_per_byte", fit.coefficients[1], Dimension::number, "",
                       options_.widening));
        add(*core_distance_);
    }

    // Ranks on so many processors are near each other, and their messages go by this path alone.
    void add_level(const std::string& level, int processors, const std::string& path) {
        const std::string name = path.substr(path.find('.') + 1);
        add(exact(fmt::format("levels.{}.processors", level), processors, Dimension::number, ""));
        add(exact(fmt::format("levels.{}.protocol", level), 0, Dimension::number, ""));
        machine_.parameters.back().text = name;
        add(exact(fmt::format("protocols.{0}.{0}", name), 1, Dimension::number, ""));
    }

    FitOptions options_;
    Machine machine_;
    std::optional<Parameter> core_distance_;
    std::map<SweepRole, std::vector<Case>> measured_;
    std::vector<RunBetween> runs_between_;
};

}  // namespace

StudyCase study_case(const SweepCase& what) {
    return {what.name(), [what] {
                const bool between = what.role == SweepRole::between;
                const int workers = what.options.workers;
                const SweepRun run = between ? run_sweep3d(what.options) : run_side_by_side(what.options, workers);
                const auto cell_angles = static_cast<std::uint64_t>(run.cell_angles) * run.iterations.size();
                return sample_of(what.name(), run, cell_angles, workers);
            }};
}

std::vector<Parameter> fit_sweep3d(const std::vector<SweepCase>& cases, const std::vector<Sample>& samples,
                                   const FitOptions& options) {
    return SweepFit(cases, samples, options).run();
}

}  // namespace narrows
