#include "cli/answer_plot.hpp"

#include <fmt/format.h>

namespace narrows {

std::string axis_label(const Variable& variable) {
    if (variable.is_factor()) return variable.name() + " (times what it is)";
    return variable.unit() == "1" ? variable.name() : fmt::format("{} in {}", variable.name(), variable.unit());
}

Plot plot_along(const Variable& variable, const std::string& title, const Figures& figures) {
    Plot plot{title, axis_label(variable), "predicted " + figures.quantity, figures.unit};
    plot.x_is_size = variable.is_whole();
    plot.x_is_bytes = variable.name() == "bytes";
    if (plot.x_is_bytes) plot.x_label = "message size";
    return plot;
}

Plot plot_of_answers(const Answer& first, const std::string& x_label, std::vector<std::string> x_names) {
    Plot plot{first.title, x_label, first.figures.quantity, first.figures.unit};
    plot.x_names = std::move(x_names);
    return plot;
}

void add_to_curve(Plot& plot, const std::string& name, double x, const Answer& answer) {
    const double scale = answer.figures.scale;
    plot.named(name, Look::curve)
        .add(x, answer.value * scale, answer.low.value_or(answer.value) * scale,
             answer.high.value_or(answer.value) * scale);
}

void add_to_plot(Plot& plot, double x, const Answer& answer, Look terms) {
    const Figures& figures = answer.figures;
    add_to_curve(plot, "predicted", x, answer);
    if (answer.beside)
        plot.named("on " + answer.beside->name, Look::rings).add(x, answer.beside->value * figures.scale);
    for (const Part& part : answer.parts) {
        plot.named(part.name + (figures.bounded ? " bound" : ""), figures.bounded ? Look::bound : terms)
            .add(x, part.value * figures.scale);
    }
}

}  // namespace narrows
