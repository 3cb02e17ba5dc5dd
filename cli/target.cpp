#include "cli/target.hpp"

#include <fmt/format.h>

#include "cli/options.hpp"
#include "model/unit.hpp"

namespace narrows {

Target target_of(const std::string& text, const Workload& workload) {
    const bool is_time = !workload.is_rate;
    const char* expected =
        is_time ? "a time with its unit, such as '100 us'" : "a rate with its unit, such as '20 GUPS'";
    double value = 0;
    try {
        value = is_time ? parse_time(text).si() : parse_rate(text).si();
    } catch (const InputError&) {
        throw InputError(fmt::format("--target {}: give {}", text, expected));
    }
    if (value > 0) return {value, is_time};
    throw InputError(fmt::format("--target {}: give a {} above zero", text, is_time ? "time" : "rate"));
}

void begin_where_predicted(const VariedPrediction& prediction, Surroundings& around) {
    constexpr int most_tried = 4096;
    const double step = around.now > around.least ? -1 : 1;
    double first = around.now;
    for (int tried = 0; around.whole && tried < most_tried; ++tried, first += step) {
        if (first < around.least || first > around.most) return;
        try {
            prediction.at(first);
            around.now = first;
            return;
        } catch (const InputError&) {
            continue;
        }
    }
}

std::string held_back_text(const Answer& answer) {
    return fmt::format("{} {}", answer.figures.bounded ? "held back by" : "most of it is", answer.bottleneck);
}

}  // namespace narrows
