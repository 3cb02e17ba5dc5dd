#include "cli/swept_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "model/path/protocol.hpp"
#include "model/schema.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double most_points = 1e8;

void put(const SweptAxis& axis, std::int64_t position, OptionWords& words, Machine& machine) {
    if (axis.values.texts.empty()) {
        axis.variable.put_checked(axis.values.number(position), words, machine);
    } else {
        axis.variable.put(axis.values.texts[static_cast<std::size_t>(position)], words, machine);
    }
}

void require_few(const Sweep& sweep) {
    double points = 1;
    for (const SweptAxis& axis : sweep.axes) points *= static_cast<double>(axis.values.size());
    if (points <= most_points) return;
    throw InputError(fmt::format("{:.0f} points are more than {:.0f}: give fewer values", points, most_points));
}

// InputError when nothing is left.
void tell_left_out(const Sweep& sweep, const LeftOut& left_out, std::ostream& err) {
    if (left_out.count() == 0) return;
    const std::int64_t all = sweep.plans() * sweep.costs();
    const std::string place = place_of(sweep, left_out.first());
    const std::string first = place.empty() ? left_out.why() : fmt::format("{}: {}", place, left_out.why());
    if (left_out.count() == all) throw InputError(fmt::format("no point has a prediction; {}", first));
    err << fmt::format("left out {} of {} points; {}\n", left_out.count(), all, first);
}

Grid grid_of(const Sweep& sweep, const GridOptions& options, LeftOut& left_out) {
    Grid grid;
    grid.plans = sweep.plans();
    grid.costs = sweep.costs();
    grid.plan = [&](std::int64_t number) {
        OptionWords words = sweep.words;
        Plan plan{sweep.machine, {}};
        sweep.each(0, sweep.planned, number,
                   [&](const SweptAxis& axis, std::int64_t position) { put(axis, position, words, plan.machine); });
        plan.outcome = sweep.workload.outcome(words, plan.machine, chosen_nodes(words, plan.machine));
        return plan;
    };
    grid.put = [&sweep](Machine& machine, std::int64_t number) {
        sweep.each(sweep.planned, sweep.axes.size(), number, [&](const SweptAxis& axis, std::int64_t position) {
            axis.variable.put(axis.values.number(position), machine);
        });
    };
    grid.tell_error = [&sweep, &left_out, skip = options.skip_impossible](const GridPoint& point,
                                                                          const InputError& error, std::string&) {
        if (skip) return left_out.note(point, error);
        throw InputError(
            fmt::format("{}: {}; --skip-impossible leaves such points out", place_of(sweep, point), error.what()));
    };
    return grid;
}

int threads_of(const GridOptions& options) {
    constexpr int most = 1024;
    if (!options.threads.empty()) return static_cast<int>(parse_count(options.threads, "--threads", 1, most));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Sweep sweep_of(const AskedWorkload& asked) {
    OptionWords words = asked.words();
    const std::vector<std::string> options = word_options(asked.workload());
    std::vector<TypedAxis> axes;
    for (const std::string& name : options) {
        const std::string& word = words["--" + name];
        if (!is_varied(word) || name == "hosts") continue;
        if (name == "network") {
            throw InputError(
                fmt::format("--network {}: sweep takes one: 'narrows compare' and 'narrows solve "
                            "--minimise' take several",
                            word));
        }
        axes.push_back({name, word, "--" + name});
    }
    std::erase_if(words.changes, [&](const std::string& change) {
        const auto [path, value] = split_change(change);
        if (!is_varied(value)) return false;
        if (std::ranges::find(options, path) != options.end()) {
            throw InputError(fmt::format("--set {}: that is an option, which is swept by --{} {}", path, path, value));
        }
        if (std::ranges::find(axes, path, &TypedAxis::name) != axes.end())
            throw InputError(fmt::format("--set {}: it is swept already: give all its values in one list", path));
        axes.push_back({path, value, "--set " + path});
        return true;
    });
    if (axes.empty()) {
        throw InputError(
            "sweep needs something to vary: --set PATH=1x..8x*2, or a list or range of an option such as "
            "-n 32..1024");
    }
    return sweep_over(asked.workload(), std::move(words), axes);
}

Sweep sweep_over(const Workload& workload, OptionWords words, const std::vector<TypedAxis>& axes) {
    Sweep sweep{workload, std::move(words), {}, {}, 0};
    const std::vector<std::string> options = word_options(workload);
    const auto is_option = [&options](const std::string& name) {
        return std::ranges::find(options, name) != options.end();
    };
    for (const TypedAxis& axis : axes) {
        if (is_option(axis.name)) sweep.words["--" + axis.name].clear();
    }
    sweep.machine = chosen_machine(sweep.words);
    for (const TypedAxis& axis : axes) {
        sweep.machine = with_varied(std::move(sweep.machine), workload, axis);
        Variable variable(workload, sweep.words, sweep.machine, axis);
        Values values = parse_values(variable, axis);
        sweep.axes.push_back({std::move(variable), std::move(values)});
    }
    require_few(sweep);
    const auto costs = std::stable_partition(sweep.axes.begin(), sweep.axes.end(),
                                             [](const SweptAxis& axis) { return axis.variable.needs_plan(); });
    sweep.planned = static_cast<std::size_t>(costs - sweep.axes.begin());
    sweep.machine = with_protocols_found(std::move(sweep.machine));
    // Values that no machine has are wrong from the first row on; between the ends of a range there are no others.
    for (std::size_t i = sweep.planned; i < sweep.axes.size(); ++i) {
        for (const std::int64_t end : {std::int64_t{0}, sweep.axes[i].values.size() - 1}) {
            Machine machine = sweep.machine;
            with_option_context("--set " + sweep.axes[i].variable.name(), [&] {
                put(sweep.axes[i], end, sweep.words, machine);
                return 0;
            });
        }
    }
    return sweep;
}

std::string shown(const SweptAxis& axis, std::int64_t position) {
    return axis.values.texts.empty() ? axis.variable.shown(axis.values.number(position))
                                     : axis.values.texts[static_cast<std::size_t>(position)];
}

std::string place_of(const Sweep& sweep, const GridPoint& point) {
    std::vector<std::string> places;
    sweep.each(point, [&](const SweptAxis& axis, std::int64_t position) {
        places.push_back(fmt::format("{} = {}", axis.variable.name(), shown(axis, position)));
    });
    return fmt::format("{}", fmt::join(places, ", "));
}

std::pair<OptionWords, Machine> setting_at(const Sweep& sweep, const GridPoint& point) {
    std::pair<OptionWords, Machine> setting{sweep.words, sweep.machine};
    sweep.each(point, [&](const SweptAxis& axis, std::int64_t position) {
        put(axis, position, setting.first, setting.second);
    });
    return setting;
}

Answer answer_at(const Sweep& sweep, const GridPoint& point) {
    const auto [words, machine] = setting_at(sweep, point);
    return sweep.workload.answer(words, machine, chosen_nodes(words, machine), {});
}

void predict_sweep(const Sweep& sweep, const GridOptions& options, const decltype(Grid::tell)& tell,
                   const decltype(Grid::write)& write, const Output& output) {
    LeftOut left_out;
    Grid grid = grid_of(sweep, options, left_out);
    Progress progress(output.progress, "sweep");
    std::atomic<std::int64_t> reached = 0;
    grid.tell = [&](const GridPoint& point, const Outcome& outcome, std::string& text) {
        tell(point, outcome, text);
        reached.fetch_add(1, std::memory_order_relaxed);
    };
    grid.write = [&, all = static_cast<double>(sweep.plans() * sweep.costs())](const std::string& text) {
        progress.at(static_cast<double>(reached) / all);
        return write(text);
    };
    predict_grid(grid, threads_of(options));
    tell_left_out(sweep, left_out, output.remarks);
}

std::vector<FoundPoint> predicted_points(const Sweep& sweep, const GridOptions& options, const Output& output) {
    KeptPoints kept(sweep.plans(), sweep.costs());
    const auto keep = [&kept](const GridPoint& point, const Outcome& outcome, std::string&) {
        kept.keep(point, outcome);
    };
    predict_sweep(
        sweep, options, keep, [](const std::string&) { return true; }, output);
    return kept.in_order();
}

}  // namespace narrows
