#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "calibrate/kernels/program/program_ranks.hpp"
#include "calibrate/study/message_space.hpp"
#include "cli/program_words.hpp"
#include "cli/validated_workload.hpp"
#include "data/workload_file.hpp"
#include "model/program/program_time.hpp"
#include "model/uncertainty.hpp"

// Validation of the program that a workload file describes.
namespace narrows {
namespace {

/// A run of the program on one node.
struct ProgramCase {
    std::shared_ptr<const Program> program;
    Protocol protocol = Protocol::eager;
    int ranks = 1;
    std::map<std::string, Amount> options;

    std::string options_text() const {
        std::vector<std::string> texts;
        for (const auto& [name, amount] : options) texts.push_back(fmt::format("{}={:g}", name, amount.value));
        return fmt::format("{}", fmt::join(texts, " "));
    }
    std::string name() const {
        return fmt::format("{} protocol={} ranks={} {}", program->name, name_of(protocol), ranks, options_text());
    }
    ProgramQuery query() const {
        ProgramQuery query;
        query.messages.protocol = name_of(protocol);
        query.messages.nodes = 1;
        query.messages.ranks_per_node = ranks;
        query.grid = program_grid(*program, "", ranks);
        query.options = options;
        return query;
    }
    TimePrediction predicted(const Machine& machine) const {
        const ProgramQuery asked = query();
        const PlacedProgram work = placed(machine, *program, asked);
        return with_interval(machine,
                             TimePredictionOf([&](const Machine& m) { return predict_program(m, asked, work).time; }));
    }
};

// Each option between a thousandth of its usual value and all of it, on the scale of logarithms, and whole where that
// is.
Amount drawn_amount(const Amount& usual, double place) {
    constexpr double least_share = 1e-3;
    const bool whole = usual.value == std::floor(usual.value);
    const double least = whole ? std::max(1.0, usual.value * least_share) : usual.value * least_share;
    if (usual.value <= least) return usual;
    const double value = least * std::pow(usual.value / least, place);
    return {whole ? std::round(value) : value, usual.seconds, usual.bytes};
}

// Smaller values of all options, until a run takes no longer than `seconds`.
ProgramCase shortened(const Machine& machine, ProgramCase what, double seconds) {
    constexpr int most_steps = 64;
    for (int step = 0; step < most_steps && what.predicted(machine).time.si() > seconds; ++step) {
        for (auto& [name, amount] : what.options) amount = drawn_amount(amount, 0.95);
    }
    return what;
}

PlannedRun planned(const Machine& machine, const ProgramCase& drawn) {
    constexpr double longest = 0.5;
    const ProgramCase what = shortened(machine, drawn, longest);
    const double expected = what.predicted(machine).time.si();
    MessageOptions options;
    options.kernel = MessageKernel::program;
    options.protocol = what.protocol;
    options.ranks = what.ranks;
    options.sizes = {0};
    options.repeats = 5;
    options.messages = std::clamp(static_cast<int>(length_of_run.usual / options.repeats / expected), 1, 1 << 20);
    options.program = program_ranks(phases_of(*what.program, what.query().grid, what.options), what.ranks);
    PlannedRun run;
    run.expected.variant = name_of(what.protocol);
    run.expected.ranks = what.ranks;
    run.expected.shape = what.options_text();
    run.predict = [what](const Machine& of) {
        const TimePrediction prediction = what.predicted(of);
        return figure_of(prediction.time, prediction.low, prediction.high);
    };
    run.what = study_case(what.name(), options);
    run.figure = [ranks = what.ranks](double time) { return time / ranks; };
    return run;
}

}  // namespace

ValidatedWorkload validated_program(const std::string& name) {
    const auto program = std::make_shared<const Program>(load_program(name));
    const auto draw = [program](const Machine& machine, const UnitNumbers& next, const CaseLimits& limits) {
        ProgramCase what;
        what.program = program;
        constexpr int least = 2;  // that a program runs on
        what.ranks = least + static_cast<int>(next() * std::max(1, limits.workers - least + 1));
        const auto protocol = static_cast<std::size_t>(next() * static_cast<double>(protocols().size()));
        what.protocol = protocols()[protocol].protocol;
        for (const ProgramOption& option : program->options) {
            what.options.emplace(option.name, drawn_amount(option.usual, next()));
        }
        return DrawnCase{what.name(), [&machine, what] { return planned(machine, what); }};
    };
    return {name, program->name, {"time", "ms", 1e3, false}, "protocols", draw, {}};
}

}  // namespace narrows
