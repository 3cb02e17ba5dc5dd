#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <string_view>

#include "cli/formats.hpp"
#include "cli/run_program.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// gnuplot reads nothing into a text between single quotes, but in one between double quotes runs what stands between
// backquotes. Only the quote itself has to be doubled.
std::string quoted(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) {
        if (c == '\'') safe += '\'';
        safe += c == '\n' ? ' ' : c;
    }
    return safe + "'";
}

std::string data_block(const Series& series, std::size_t index) {
    std::string text = fmt::format("$series{} << EOD\n", index);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (series.x[i] <= 0 || series.y[i] <= 0) continue;
        text += fmt::format("{:.9g} {:.9g}", series.x[i], series.y[i]);
        if (!series.low.empty()) text += fmt::format(" {:.9g} {:.9g}", series.low[i], series.high[i]);
        text += "\n";
    }
    return text + "EOD\n";
}

// Room around the data, so that no point lies on the frame.
std::string ranges(const Plot& plot) {
    constexpr double room = 1.5;
    double low[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    double high[2] = {0, 0};
    for (const Series& series : plot.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (series.x[i] <= 0 || series.y[i] <= 0) continue;
            const double below = series.low.empty() || series.low[i] <= 0 ? series.y[i] : series.low[i];
            const double above = series.high.empty() ? series.y[i] : series.high[i];
            low[0] = std::min(low[0], series.x[i]);
            high[0] = std::max(high[0], series.x[i]);
            low[1] = std::min(low[1], below);
            high[1] = std::max(high[1], above);
        }
    }
    if (high[0] == 0) return "";
    return fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", low[0] / room, high[0] * room,
                       low[1] / room, high[1] * room);
}

constexpr const char* byte_ticks =
    "set xtics ('1 B' 1, '8 B' 8, '64 B' 64, '512 B' 512, '4 KiB' 2**12, '32 KiB' 2**15, '256 KiB' 2**18, "
    "'2 MiB' 2**21, '16 MiB' 2**24, '128 MiB' 2**27, '1 GiB' 2**30)\n";

std::string style_of(const Series& series, std::size_t index) {
    const std::size_t colour = series.hollow ? 4 : index + 1;
    if (!series.points)
        return fmt::format("lines lw {} lc {}{}", index == 0 ? 2.5 : 2, colour, index == 0 ? "" : " dt 2");
    return fmt::format("{} pt {} ps 0.9 lc {}", series.low.empty() ? "points" : "yerrorbars", series.hollow ? 6 : 7,
                       colour);
}

// The interval of a line, where it is seen: an area of the line's colour that leaves the grid visible.
bool has_band(const Series& series) {
    return !series.points && series.low != series.high;
}

std::string band_style(std::size_t index) {
    return fmt::format("filledcurves lc {} fs transparent solid 0.2 noborder title '95 % interval'", index + 1);
}

std::string script(const Plot& plot, Picture kind) {
    std::string text = kind == Picture::svg
                           ? "set terminal svg size 800,560 dynamic font 'sans-serif,14' background '#ffffff'\n"
                           : "set terminal pngcairo size 1000,700 font 'sans-serif,13' background '#ffffff'\n";
    text += "set encoding utf8\nset termoption noenhanced\n";
    text += "set title " + quoted(plot.title) + "\nset xlabel " + quoted(plot.x_label) + "\nset ylabel " +
            quoted(plot.y_label) + "\n";
    text +=
        "set logscale x 2\nset logscale y 10\nset grid xtics ytics back lt 1 lw 0.5 lc rgb '#cccccc'\nset key left top "
        "reverse Left\n";
    text += plot.x_is_bytes ? byte_ticks : "set format x '%.0f'\nset xtics rotate by -45\n";
    text += "set format y '%g'\nset rmargin 6\n";
    text += ranges(plot);
    for (std::size_t i = 0; i < plot.series.size(); ++i) text += data_block(plot.series[i], i);
    std::string curves;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (has_band(series)) curves += fmt::format("$series{0} using 1:3:4 with {1}, ", i, band_style(i));
        curves += fmt::format("$series{} with {} title {}, ", i, style_of(series, i), quoted(series.name));
    }
    return text + "plot " + curves.substr(0, curves.size() - 2) + "\n";
}

// What gnuplot complains of: it repeats the command first, and names the line of the error then.
std::string complaint(const std::string& log) {
    constexpr std::string_view place = " line ";
    std::string first;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t text = line.find_first_not_of(" \t");
        if (text == std::string::npos) continue;
        const std::size_t at = line.find(place);
        const bool has_number =
            at != std::string::npos && std::isdigit(static_cast<unsigned char>(line[at + place.size()])) != 0;
        if (has_number) return line.substr(text);
        if (first.empty()) first = line;
    }
    return first.empty() ? "it says nothing" : first;
}

[[noreturn]] void throw_no_gnuplot() {
    throw InputError("gnuplot could not draw the picture: is it installed (apt-get install gnuplot-nox)?");
}

}  // namespace

void throw_no_plot() {
    throw InputError("this command draws no picture: use an output ending in .txt, .json, .csv, .md or .html");
}

void require_gnuplot() {
    if (!run_program({"gnuplot", "--version"}, "")) throw_no_gnuplot();
}

std::string format_plot(const Document& document, Picture kind) {
    if (!document.plot) throw_no_plot();
    const auto end = run_program({"gnuplot"}, script(*document.plot, kind));
    if (!end) throw_no_gnuplot();
    if (end->good && !end->out.empty()) return end->out;
    throw InputError(fmt::format("gnuplot could not draw the picture: {}", complaint(end->err)));
}

}  // namespace narrows
