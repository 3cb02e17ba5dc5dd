#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "cli/formats.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// A folder of one's own for gnuplot's input and output, gone when this goes.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "narrows-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + name);
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

std::string quoted(const std::string& text) {
    std::string safe = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') safe += '\\';
        safe += c == '\n' ? ' ' : c;
    }
    return safe + "\"";
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

std::string script(const Plot& plot, Picture kind, const std::string& output) {
    std::string text = kind == Picture::svg
                           ? "set terminal svg size 800,560 dynamic font 'sans-serif,14' background '#ffffff'\n"
                           : "set terminal pngcairo size 1000,700 font 'sans-serif,13' background '#ffffff'\n";
    text += "set encoding utf8\nset termoption noenhanced\n";
    text += "set output " + quoted(output) + "\n";
    text += "set title " + quoted(plot.title) + "\nset xlabel " + quoted(plot.x_label) + "\nset ylabel " +
            quoted(plot.y_label) + "\n";
    text +=
        "set logscale x 2\nset logscale y 10\nset grid xtics ytics back lt 1 lw 0.5 lc rgb '#cccccc'\nset key left top "
        "reverse Left\n";
    text += plot.x_is_bytes ? byte_ticks : "set format x \"%.0f\"\nset xtics rotate by -45\n";
    text += "set format y \"%g\"\nset rmargin 6\n";
    text += ranges(plot);
    for (std::size_t i = 0; i < plot.series.size(); ++i) text += data_block(plot.series[i], i);
    text += "plot ";
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        text += fmt::format("{}$series{} with {} title {}", i == 0 ? "" : ", ", i, style_of(series, i),
                            quoted(series.name));
    }
    return text + "\n";
}

// What gnuplot complains of: it repeats the command first, and names the line of the error then.
std::string complaint(const std::string& log) {
    std::string first;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("\" line ") != std::string::npos) return line;
        if (first.empty() && line.find_first_not_of(" \t") != std::string::npos) first = line;
    }
    return first.empty() ? "it says nothing" : first;
}

}  // namespace

void throw_no_plot() {
    throw InputError("this command draws no picture: use an output ending in .txt, .json, .csv, .md or .html");
}

void require_gnuplot() {
    if (std::system("command -v gnuplot >/dev/null 2>&1") == 0) return;
    throw InputError("gnuplot could not draw the picture: is it installed (apt-get install gnuplot-nox)?");
}

std::string format_plot(const Document& document, Picture kind) {
    if (!document.plot) throw_no_plot();
    require_gnuplot();
    const ScratchFolder folder;
    const std::string picture = (folder.path() / "picture").string();
    const std::string commands = (folder.path() / "commands").string();
    write_whole_file(commands, script(*document.plot, kind, picture));
    const int status = std::system(fmt::format("gnuplot '{}' 2>'{}.log'", commands, commands).c_str());
    if (status != 0 || !std::filesystem::exists(picture)) {
        throw InputError(
            fmt::format("gnuplot could not draw the picture: {}", complaint(read_whole_file(commands + ".log"))));
    }
    return read_whole_file(picture);
}

}  // namespace narrows
