#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "calibrate/kernels/program/program_ranks.hpp"
#include "calibrate/study/message_space.hpp"
#include "calibrate/study/validated_kernel.hpp"
#include "model/program/program_time.hpp"
#include "model/uncertainty.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

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
        for (const auto& [name, amount] : options) texts.push_back(fmt::format("{}={}", name, amount.value));
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
        query.grid = most_cubic_shape(ranks, program->dimensions);
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

// Between a hundredth of its usual value and all of it, on the scale of logarithms, and whole where that is.
Amount drawn_amount(const Amount& usual, double place) {
    constexpr double least_share = 1e-2;
    const bool whole = usual.value == std::floor(usual.value);
    const double least = whole ? std::max(1.0, usual.value * least_share) : usual.value * least_share;
    if (usual.value <= least) return usual;
    const double value = least * std::pow(usual.value / least, place);
    return {whole ? std::round(value) : value, usual.seconds, usual.bytes};
}

MessageOptions options_of(const ProgramCase& what) {
    MessageOptions options;
    options.kernel = MessageKernel::program;
    options.protocol = what.protocol;
    options.ranks = what.ranks;
    options.sizes = {0};
    options.repeats = 5;
    options.program = program_ranks(phases_of(*what.program, what.query().grid, what.options, what.ranks), what.ranks);
    return options;
}

// Smaller values of all options, until a run takes half a second and half of the memory at most.
ProgramCase shortened(const Machine& machine, ProgramCase what, std::size_t memory) {
    constexpr double longest = 0.5;
    constexpr double smaller = 0.75;
    const auto fits = [&] {
        if (what.predicted(machine).time.si() > longest) return false;
        return 2 * what.ranks * buffer_bytes(options_of(what), 0) <= static_cast<long double>(memory);
    };
    constexpr int most_steps = 64;
    for (int step = 0; step < most_steps && !fits(); ++step) {
        for (const ProgramOption& option : what.program->options) {
            Amount& amount = what.options.at(option.name);
            const bool whole = option.usual.value == std::floor(option.usual.value);
            const double next = amount.value * smaller;
            amount.value = whole ? std::min(amount.value, std::max(1.0, std::floor(next))) : next;
        }
    }
    if (!fits()) throw InputError("takes too long or too much memory whatever its options: give it some that matter");
    return what;
}

PlannedRun planned(const Machine& machine, const ProgramCase& drawn, const CaseLimits& limits) {
    const ProgramCase what = shortened(machine, drawn, limits.memory);
    constexpr double shortest = 1e-8;
    const double expected = std::max(shortest, what.predicted(machine).time.si());
    MessageOptions options = options_of(what);
    options.messages = std::clamp(static_cast<int>(length_of_run.usual / options.repeats / expected), 1, 1 << 20);
    PlannedRun run;
    run.expected.variant = name_of(what.protocol);
    run.expected.ranks = what.ranks;
    run.expected.shape = what.options_text();
    run.predict = [what](const Machine& of) { return figure_of(what.predicted(of), &TimePrediction::time); };
    run.what = study_case(what.name(), options);
    run.figure = [ranks = what.ranks](double time) { return time / ranks; };
    return run;
}

}  // namespace

ValidatedWorkload validated_program(const std::string& name, const std::shared_ptr<const Program>& program) {
    const auto draw = [program](const Machine& machine, const UnitNumbers& next, const CaseLimits& limits) {
        ProgramCase what;
        what.program = program;
        const int least = std::min(2, limits.workers);
        what.ranks = least + static_cast<int>(next() * (limits.workers - least + 1));
        const auto protocol = static_cast<std::size_t>(next() * static_cast<double>(protocols().size()));
        what.protocol = protocols()[protocol].protocol;
        for (const ProgramOption& option : program->options) {
            what.options.emplace(option.name, drawn_amount(option.usual, next()));
        }
        return DrawnCase{what.name(), [&machine, what, limits] { return planned(machine, what, limits); }};
    };
    return {name, program->name, {"time", "ms", 1e3, false}, "protocols", draw, {}};
}

}  // namespace narrows
