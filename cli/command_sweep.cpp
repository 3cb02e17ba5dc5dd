#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cli/answer_plot.hpp"
#include "cli/commands.hpp"
#include "cli/heat_map.hpp"
#include "cli/prediction_report.hpp"
#include "cli/swept_grid.hpp"
#include "data/csv.hpp"
#include "data/whole_file.hpp"

namespace narrows {
namespace {

constexpr std::int64_t most_kept = 10000;    // points of a table or of JSON
constexpr std::int64_t most_drawn = 250000;  // points of a picture
constexpr std::int64_t most_lines = 8;       // of a picture

double finite(const Sweep& sweep, const GridPoint& point, double value) {
    if (std::isfinite(value)) return value;
    throw std::runtime_error(
        fmt::format("the result at {} is not finite: check for values that are far too large or too small",
                    place_of(sweep, point)));
}

/// How a row is written as text.
struct RowFormat {
    bool json = false;
    bool with_interval = false;
    std::string unit;
};

std::string text_cell(const std::string& text, bool json) {
    if (json) return nlohmann::json(text).dump();
    std::string line = csv_line({text});
    line.pop_back();
    return line;
}

void append_row(std::string& text, const Sweep& sweep, const RowFormat& format, const GridPoint& point,
                const Outcome& outcome) {
    const auto into = std::back_inserter(text);
    const auto column = [&](const char* name) {
        if (format.json) fmt::format_to(into, ",\"{}\":", name);
        if (!format.json) text += ',';
    };
    char before = '{';
    sweep.each(point, [&](const SweptAxis& axis, std::int64_t position) {
        if (format.json || before == ',') text += before;
        before = ',';
        if (format.json) fmt::format_to(into, "\"{}\":", axis.variable.name());
        if (axis.values.texts.empty()) {
            fmt::format_to(into, "{}", axis.values.number(position));
        } else {
            text += text_cell(axis.values.texts[static_cast<std::size_t>(position)], format.json);
        }
    });
    column("result");
    fmt::format_to(into, "{}", finite(sweep, point, outcome.value));
    if (format.with_interval) {
        const auto end = [&](const char* name, double Interval::*at) {
            column(name);
            if (outcome.interval) fmt::format_to(into, "{}", *outcome.interval.*at);
            if (!outcome.interval && format.json) text += "null";
        };
        end("low", &Interval::low);
        end("high", &Interval::high);
    }
    column("unit");
    text += format.json ? fmt::format("\"{}\"", format.unit) : format.unit;
    column("bottleneck");
    text += text_cell(outcome.bottleneck, format.json);
    text += format.json ? "}\n" : "\n";
}

std::vector<std::string> names_of(const Sweep& sweep) {
    std::vector<std::string> names;
    for (const SweptAxis& axis : sweep.axes) names.push_back(axis.variable.name());
    return names;
}

std::string header(const Sweep& sweep, const RowFormat& format) {
    if (format.json) return "";
    std::vector<std::string> names = names_of(sweep);
    names.emplace_back("result");
    if (format.with_interval) names.insert(names.end(), {"low", "high"});
    names.insert(names.end(), {"unit", "bottleneck"});
    return csv_line(names);
}

// Rows one after the other, as they are found.
void stream(const Sweep& sweep, const GridOptions& options, const RowFormat& format, Output& output) {
    const auto tell = [&](const GridPoint& point, const Outcome& outcome, std::string& text) {
        append_row(text, sweep, format, point, outcome);
    };
    const auto write_all = [&](const WritePiece& write) {
        std::string before = header(sweep, format);  // nothing is written where the first point has no prediction
        const auto write_rows = [&](const std::string& rows) {
            if (rows.empty()) return true;
            return (before.empty() || write(std::exchange(before, ""))) && write(rows);
        };
        predict_sweep(sweep, options, tell, write_rows, output);
    };
    if (output.file.empty()) {
        write_all([&](const std::string& text) { return static_cast<bool>(output.out << text); });
        return;
    }
    write_whole_file(output.file, write_all);
    output.remarks << "wrote " << output.file << "\n";
}

std::vector<FoundPoint> found_at_all(const Sweep& sweep, const GridOptions& options, Output& output,
                                     std::int64_t most) {
    const std::int64_t points = sweep.plans() * sweep.costs();
    if (points > most) {
        throw InputError(fmt::format("{} points are more than {} {} shows: give --format csv or jsonl, or fewer values",
                                     points, most, most == most_drawn ? "that a picture" : "that a table or JSON"));
    }
    return predicted_points(sweep, options, output);
}

Table table_of(const Sweep& sweep, const std::vector<FoundPoint>& found, const RowFormat& format,
               const Figures& figures) {
    Table table;
    for (const SweptAxis& axis : sweep.axes) table.header.emplace_back(axis.variable.name());
    table.header.emplace_back(figures.unit);
    if (format.with_interval) table.header.emplace_back("95 % interval");
    table.header.emplace_back("bottleneck");
    for (const auto& [point, outcome] : found) {
        std::vector<TableCell> row;
        sweep.each(point,
                   [&](const SweptAxis& axis, std::int64_t position) { row.emplace_back(shown(axis, position)); });
        row.push_back(figures.cell(outcome.value));
        const auto& ends = outcome.interval;
        if (format.with_interval) {
            row.emplace_back(ends ? fmt::format("{} to {}", figures.text(ends->low), figures.text(ends->high)) : "-");
        }
        row.emplace_back(outcome.bottleneck);
        table.rows.push_back(std::move(row));
    }
    return table;
}

// That of an answer names a code or an algorithm, which may be what varies.
std::string title_of(const Sweep& sweep, const Answer& first) {
    const bool words_vary =
        std::ranges::any_of(sweep.axes, [](const SweptAxis& axis) { return !axis.values.texts.empty(); });
    return words_vary ? fmt::format("{} on {}", sweep.workload.name, first.machine) : first.title;
}

// Numbers of a list's values, by rising size; of texts in their order.
std::vector<std::int64_t> sorted_positions(const Values& values) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(values.size()));
    std::iota(positions.begin(), positions.end(), 0);
    if (!values.texts.empty()) return positions;
    std::ranges::stable_sort(positions, {}, [&](std::int64_t position) { return values.number(position); });
    return positions;
}

// Lines along one axis, one a value of the other.
Plot lines(const Sweep& sweep, const std::vector<FoundPoint>& found, const Answer& first, std::size_t along) {
    const SweptAxis& x = sweep.axes[along];
    Plot plot = plot_along(x.variable, title_of(sweep, first), first.figures);
    for (const SweptAxis& axis : sweep.axes) {
        if (&axis == &x) continue;
        plot.legend = axis.variable.name();
        for (const std::int64_t one : sorted_positions(axis.values)) plot.named(shown(axis, one), Look::curve);
    }
    for (const auto& [point, outcome] : found) {
        std::string name = "predicted";
        double at = 0;
        sweep.each(point, [&](const SweptAxis& axis, std::int64_t position) {
            if (&axis == &x) at = axis.values.number(position);
            if (&axis != &x) name = shown(axis, position);
        });
        const Interval ends = outcome.interval.value_or(Interval{outcome.value, outcome.value});
        const double scale = first.figures.scale;
        plot.named(name, Look::curve).add(at, outcome.value * scale, ends.low * scale, ends.high * scale);
    }
    return plot;
}

// Of a map, whose ticks have the units.
std::string label_of(const Variable& variable) {
    return variable.is_factor() ? axis_label(variable) : variable.name();
}

// Where a factor of 1 lies between the values, by their numbers.
std::optional<double> place_of_now(const SweptAxis& axis) {
    const Values& values = axis.values;
    for (std::int64_t i = 0; axis.variable.is_factor() && i + 1 < values.size(); ++i) {
        const double before = values.number(i) - 1, after = values.number(i + 1) - 1;
        if (before * after <= 0 && before != after) return static_cast<double>(i) + before / (before - after);
    }
    return std::nullopt;
}

HeatMap heat_map(const Sweep& sweep, const std::vector<FoundPoint>& found, const Answer& first) {
    HeatMap map{title_of(sweep, first),
                label_of(sweep.axes[0].variable),
                label_of(sweep.axes[1].variable),
                first.figures.unit,
                {},
                {},
                {}};
    const auto values = [&](std::size_t axis) {
        std::vector<std::string> texts;
        for (std::int64_t i = 0; i < sweep.axes[axis].values.size(); ++i) texts.push_back(shown(sweep.axes[axis], i));
        return texts;
    };
    map.columns = values(0);
    map.rows = values(1);
    map.now_at_x = place_of_now(sweep.axes[0]);
    map.now_at_y = place_of_now(sweep.axes[1]);
    map.cells.resize(map.columns.size() * map.rows.size());
    for (const auto& [point, outcome] : found) {
        std::size_t at[2] = {};
        sweep.each(point, [&](const SweptAxis& axis, std::int64_t position) {
            at[&axis - sweep.axes.data()] = static_cast<std::size_t>(position);
        });
        map.cells[at[1] * map.columns.size() + at[0]] = {outcome.value * first.figures.scale, outcome.bottleneck};
    }
    return map;
}

// Lines where a variable has many values and the other few; a map of two with many.
void draw(const Sweep& sweep, const GridOptions& options, Output& output, Document& document) {
    require_output(output, Draws::yes);
    const auto is_numeric = [](const SweptAxis& axis) { return axis.values.texts.empty(); };
    const auto is_short = [](const SweptAxis& axis) { return axis.values.size() <= most_lines; };
    std::size_t along = 0;
    if (sweep.axes.size() == 2 &&
        (!is_numeric(sweep.axes[0]) || sweep.axes[1].values.size() > sweep.axes[0].values.size())) {
        along = 1;
    }
    const bool as_map = sweep.axes.size() == 2 && !is_short(sweep.axes[1 - along]);
    if (sweep.axes.size() > 2 || !is_numeric(sweep.axes[along]) || (as_map && !is_numeric(sweep.axes[1 - along]))) {
        throw InputError(fmt::format(
            "a picture has one number along an axis, with up to {} values of one other thing as lines, or two "
            "numbers as a map: of {} sweep less, or use an output ending in .csv",
            most_lines, fmt::join(names_of(sweep), ", ")));
    }
    const std::vector<FoundPoint> found = found_at_all(sweep, options, output, most_drawn);
    const Answer first = answer_at(sweep, found.front().point);
    if (as_map) {
        deliver(
            format_heat_map(heat_map(sweep, found, first), output.file.ends_with(".svg") ? Picture::svg : Picture::png),
            output);
        return;
    }
    document.plot = lines(sweep, found, first, along);
    emit(document, output);
}

void tell_all(const Sweep& sweep, const GridOptions& options, const RowFormat& format, Output& output,
              Document& document) {
    const std::vector<FoundPoint> found = found_at_all(sweep, options, output, most_kept);
    const Answer first = answer_at(sweep, found.front().point);
    document.json["rows"] = nlohmann::ordered_json::array();
    RowFormat as_json = format;
    as_json.json = true;
    for (const auto& [point, outcome] : found) {
        std::string row;
        append_row(row, sweep, as_json, point, outcome);
        document.json["rows"].push_back(nlohmann::ordered_json::parse(row));
    }
    document.notes.push_back(fmt::format("{} on {}: {}", first.subject, first.machine,
                                         counted(static_cast<std::int64_t>(found.size()), "point")));
    document.tables.push_back(table_of(sweep, found, format, first.figures));
    add_machine_remarks(document, sweep.machine);
    emit(document, output);
}

int run_sweep(const AskedWorkload& asked, const GridOptions& options, Output& output) {
    const Sweep sweep = sweep_of(asked);
    const auto is_uncertain = [](const Parameter& parameter) { return parameter.interval.has_value(); };
    RowFormat format;
    format.unit = sweep.workload.is_rate ? "1/s" : "s";
    format.with_interval = std::ranges::any_of(sweep.machine.parameters, is_uncertain);
    const auto ends = [&](const char* ending) { return output.file.ends_with(ending); };
    format.json = output.file.empty() ? output.format == "jsonl" : ends(".jsonl");
    if (format.json || (output.file.empty() ? output.format == "csv" : ends(".csv"))) {
        stream(sweep, options, format, output);
        return 0;
    }
    Document document{json_of("sweep")};
    document.json["machine"] = sweep.machine.id;
    document.json["workload"] = sweep.words.workload;
    if (ends(".svg") || ends(".png")) {
        draw(sweep, options, output, document);
    } else {
        tell_all(sweep, options, format, output, document);
    }
    return 0;
}

}  // namespace

Command sweep_command() {
    Command command{
        "sweep",
        "predictions over a grid of parameters and options, a row a point",
        {"sweep gups -m bluegene-l -n 32..65536*8 --set node.clock=1x,2x",
         "sweep allreduce -m cluster-400g -n 64 --bytes 8..4MiB*8 --algorithm recursive-doubling,ring --format csv",
         "sweep fft-pencils -m cluster-400g -n 16,64 --n 512,1024 --format jsonl",
         "sweep gups -m bluegene-l -n 4096 --set network.link.bandwidth='0.1 GB/s..1 GB/s:10' --set "
         "paths.mpi.send.overhead=0.5x..2x:4 --format csv"},
        [](CLI::App& app, const Arguments& arguments) {
            const auto asked = std::make_shared<AskedWorkload>(app, arguments);
            const auto options = std::make_shared<GridOptions>();
            app.get_option("--set")
                ->option_text("PATH=VALUES ...")
                ->description(
                    "vary a parameter: PATH=1x,2x,4x or a range a..b*2 (by a factor), a..b+STEP, a..b:COUNT; several "
                    "are the "
                    "grid. One VALUE changes it. Options such as -n take lists and ranges too");
            app.add_option("--threads", options->threads, "so many at once; default: all processors. Rows are the same")
                ->type_name("COUNT");
            app.add_flag("--skip-impossible", options->skip_impossible,
                         "leave out points that have no prediction, and count them");
            return [asked, options](Output& output) { return run_sweep(*asked, *options, output); };
        }};
    command.own_ending = ".jsonl";
    command.own_format = true;
    return command;
}

}  // namespace narrows
