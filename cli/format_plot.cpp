#include <fmt/format.h>

#include <cctype>
#include <sstream>
#include <string_view>

#include "cli/formats.hpp"
#include "cli/plot_script.hpp"
#include "cli/run_program.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

// Both have the same letters at the same width of a page.
std::string gnuplot_terminal(Picture kind) {
    return kind == Picture::svg ? "set terminal svg size 720,460 dynamic font 'sans-serif,14' background '#ffffff'\n"
                                : "set terminal pngcairo size 1080,690 fontscale 1.5 lw 1.5 pointscale 1.5 font "
                                  "'sans-serif,10.5' background '#ffffff'\n";
}

namespace {

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

std::string drawn_by_gnuplot(const std::string& script) {
    const auto end = run_program({"gnuplot", "-d"}, script);
    if (!end) throw_no_gnuplot();
    if (end->good && !end->out.empty()) return end->out;
    throw InputError(fmt::format("gnuplot could not draw the picture: {}", complaint(end->err)));
}

std::string format_plot(const Document& document, Picture kind) {
    if (!document.plot) throw_no_plot();
    return drawn_by_gnuplot(gnuplot_terminal(kind) + plot_script(*document.plot));
}

}  // namespace narrows
