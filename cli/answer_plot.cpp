#include "cli/answer_plot.hpp"

#include <algorithm>

namespace narrows {
namespace {

Series& series_named(Plot& plot, const std::string& name, Look look) {
    const auto found = std::find_if(plot.series.begin(), plot.series.end(),
                                    [&name](const Series& series) { return series.name == name; });
    return found != plot.series.end() ? *found : plot.series.emplace_back(Series{name, look});
}

}  // namespace

Plot plot_of_answers(const Answer& first, const std::string& x_label, std::vector<std::string> x_names) {
    Plot plot{first.title, x_label, first.figures.quantity, first.figures.unit};
    plot.x_names = std::move(x_names);
    return plot;
}

void add_to_plot(Plot& plot, double x, const Answer& answer) {
    const Figures& figures = answer.figures;
    const auto add = [&](const std::string& name, Look look, double value) -> Series& {
        Series& series = series_named(plot, name, look);
        series.x.push_back(x);
        series.y.push_back(value * figures.scale);
        return series;
    };
    Series& predicted = add("predicted", Look::curve, answer.value);
    predicted.low.push_back(answer.low.value_or(answer.value) * figures.scale);
    predicted.high.push_back(answer.high.value_or(answer.value) * figures.scale);
    for (const Part& part : answer.parts) {
        add(part.name + (figures.bounded ? " bound" : ""), figures.bounded ? Look::bound : Look::term, part.value);
    }
}

}  // namespace narrows
