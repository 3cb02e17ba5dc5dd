#include <fmt/format.h>

#include <cmath>

#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

struct SolveWords {
    std::string target;
    std::string vary;
};

/// A result that the workload is to reach, and whether less of it is better.
struct Target {
    double value = 0;
    bool is_time = false;
};

Target target_of(const std::string& text, const Answer& now) {
    const bool is_time = now.json["result"]["unit"] == "s";
    const double value = naming("--target", [&] { return is_time ? parse_time(text).si() : parse_rate(text).si(); });
    if (value > 0) return {value, is_time};
    throw InputError(fmt::format("--target {}: give a {} above zero", text, is_time ? "time" : "rate"));
}

// The predictions of a workload whose machine has one parameter changed by a factor.
class Varied {
  public:
    Varied(const Workload& workload, const WorkloadWords& words, Machine machine, std::string path)
        : workload_(workload), words_(words), machine_(std::move(machine)), path_(std::move(path)) {
        const Parameter* const parameter = find(machine_, path_);
        if (parameter != nullptr && parameter->text.empty() && parameter->measure.value > 0) return;
        // The path is wrong, or leads to what no factor changes: the model says so.
        naming("--vary " + path_, [&] { return with_change(machine_, path_, "2x"); });
        if (parameter == nullptr) return;
        throw InputError(
            fmt::format("--vary {}: it is 0, which no factor changes: give it a value with --set first", path_));
    }

    Machine machine(double factor) const { return with_change(machine_, path_, fmt::format("{:.17g}x", factor)); }
    Answer answer(double factor) const {
        const Machine changed = machine(factor);
        return workload_.answer(words_, changed, chosen_nodes(words_, changed));
    }
    double value(double factor) const {
        const Machine changed = machine(factor);
        return workload_.number(words_, changed, chosen_nodes(words_, changed))(changed);
    }
    /// The parameter's value for a reader; of several below the path the factor.
    std::string shown(double factor) const {
        const Machine changed = machine(factor);
        const Parameter* const found = find(changed, path_);
        return found == nullptr ? fmt::format("{:.4g}x", factor) : print(found->measure);
    }
    nlohmann::ordered_json number(double factor) const {
        const Machine changed = machine(factor);
        const Parameter* const found = find(changed, path_);
        return found == nullptr ? nlohmann::ordered_json(factor) : nlohmann::ordered_json(found->measure.value);
    }
    std::string unit() const {
        const Parameter* const found = find(machine_, path_);
        return found == nullptr ? "1" : std::string(base_unit(found->measure.dimension));
    }
    const std::string& path() const { return path_; }

  private:
    const Workload& workload_;
    const WorkloadWords& words_;
    Machine machine_;
    std::string path_;
};

bool reaches(const Target& target, double value) {
    return target.is_time ? value <= target.value : value >= target.value;
}

// The farthest factor that the machine can have, of 2^30 or 2^-30 at most: `outwards` is 2 or 1/2.
double farthest(const Varied& varied, double outwards) {
    double factor = 1;
    for (int power = 0; power < 30; ++power) {
        try {
            varied.machine(factor * outwards);
        } catch (const InputError&) {
            break;
        }
        factor *= outwards;
    }
    return factor;
}

// Between 1 and `far`, of which one reaches the target and the other does not, the factor at which it is just reached,
// to 1e-9. The prediction moves one way between them.
double crossing(const Varied& varied, const Target& target, double far) {
    double near = 1;
    const bool now = reaches(target, varied.value(near));
    while (std::abs(far / near - 1) > 1e-9) {
        const double middle = std::sqrt(near * far);
        (reaches(target, varied.value(middle)) == now ? near : far) = middle;
    }
    return now ? near : far;
}

// That no value reaches the target, or that each does.
void refuse(Document& document, const Varied& varied, const Target& target, const std::vector<double>& factors) {
    double best = 1;
    bool follows = false;
    const double now = varied.value(1);
    for (const double factor : factors) {
        const double value = varied.value(factor);
        follows = follows || std::abs(value / now - 1) > 1e-12;
        if (target.is_time ? value < varied.value(best) : value > varied.value(best)) best = factor;
    }
    const Answer answer = varied.answer(best);
    const std::string value = fmt::format("{} {}", answer.text(answer.value), answer.figures.unit);
    document.json["forbidden_by"] = {{"resource", answer.bottleneck}, {"at_most", answer.value}};
    const std::string why =
        fmt::format("{} {}", answer.figures.bounded ? "held back by" : "most of it is", answer.bottleneck);
    if (!follows) {
        document.notes.push_back(
            fmt::format("the prediction does not depend on {}: {} whatever it is, {}", varied.path(), value, why));
    } else if (reaches(target, now)) {
        document.notes.push_back(fmt::format("every {} reaches it", varied.path()));
    } else {
        document.notes.push_back(fmt::format("no {} reaches it: {} at {}, {}", varied.path(), value,
                                             target.is_time ? "least" : "most", why));
    }
}

Document solved(const Varied& varied, const Target& target, const std::string& wanted) {
    const Answer now = varied.answer(1);
    Document document;
    document.json = json_of("solve");
    document.json["machine"] = now.machine;
    document.json["workload"] = now.json["workload"];
    document.json["target"] = target.value;
    document.json["before"] = now.json;
    document.notes.push_back(fmt::format("{} on {}, {}: {} {} now, {} wanted", now.subject, now.machine, now.size,
                                         now.text(now.value), now.figures.unit, wanted));
    const std::vector<double> ends = {farthest(varied, 2), farthest(varied, 0.5)};
    for (const double end : ends) {
        if (reaches(target, varied.value(end)) == reaches(target, now.value)) continue;
        const double factor = crossing(varied, target, end);
        const Answer then = varied.answer(factor);
        document.json["solution"] = {{"path", varied.path()}, {"value", varied.number(factor)},
                                     {"unit", varied.unit()}, {"factor", factor},
                                     {"low", nullptr},        {"high", nullptr}};
        document.json["after"] = then.json;
        document.notes.push_back(fmt::format("{} = {} ({:.4g} times what it is): {} {}, {}: {}", varied.path(),
                                             varied.shown(factor), factor, then.text(then.value), then.figures.unit,
                                             then.figures.bounded ? "held back by" : "most of it", then.bottleneck));
        return document;
    }
    refuse(document, varied, target, ends);
    return document;
}

int solve(const AskedWorkload& asked, const SolveWords& words, Output& output) {
    const Workload& workload = asked.workload();
    const Machine machine = chosen_machine(asked.words());
    const Answer now = workload.answer(asked.words(), machine, chosen_nodes(asked.words(), machine));
    const Target target = target_of(words.target, now);
    Document document = solved(Varied(workload, asked.words(), machine, words.vary), target, words.target);
    const bool found = document.json.contains("solution");
    add_machine_remarks(document, machine);
    emit(document, output);
    return found ? 0 : 1;
}

}  // namespace

Command solve_command() {
    return {"solve",
            "the value of a parameter that reaches a target, or what forbids it",
            {"solve fft-pencils -m cluster-400g -n 64 --target '35 ms' --vary compute.flops"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                const auto words = std::make_shared<SolveWords>();
                app.add_option("--target", words->target, "the value to reach: a rate such as '100 GUPS', or a time")
                    ->required();
                app.add_option("--vary", words->vary, "the parameter that may change: a PATH of 'narrows show --paths'")
                    ->required();
                return [asked, words](Output& output) { return solve(*asked, *words, output); };
            }};
}

}  // namespace narrows
