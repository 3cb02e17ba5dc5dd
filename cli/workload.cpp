#include "cli/workload.hpp"

#include <fmt/format.h>

#include <cmath>

#include "calibrate/study/state_now.hpp"
#include "cli/chosen_network.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/workload_file.hpp"
#include "topologies/infinity.hpp"

namespace narrows {
namespace {

// The workload of this name, one of a file included.
std::optional<Workload> workload_named(const Repertoire& known, const std::string& name) {
    if (const Workload* const one = known.workload(name)) return *one;
    if (is_workload_file(name)) return file_workload(name);
    return std::nullopt;
}

[[noreturn]] void throw_no_workload(const Repertoire& known, const std::string& name) {
    refuse_named("workload", name, names_with(known.workloads, &Workload::answer));
}

// What follows each `--workload` as typed.
std::vector<std::string> behind_workload(const Arguments& arguments) {
    const std::string option = "--workload";
    std::vector<std::string> names;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].starts_with(option + "=")) names.push_back(arguments[i].substr(option.size() + 1));
        if (arguments[i] == option && i + 1 < arguments.size()) names.push_back(arguments[++i]);
    }
    return names;
}

// The options that all of them have, in the order of the first.
Options common_options(const std::vector<std::pair<std::string, Workload>>& workloads) {
    Options common = workloads.front().second.options;
    const auto is_missing = [&workloads](const Option& option) {
        return std::ranges::any_of(workloads,
                                   [&option](const auto& one) { return !one.second.has_option(option.name()); });
    };
    common.erase(std::remove_if(common.begin(), common.end(), is_missing), common.end());
    return common;
}

}  // namespace

std::string Figures::text(double si) const {
    const double shown = si * scale;
    constexpr double largest_in_full = 1e15;
    return shown < 9999.5 || shown >= largest_in_full ? fmt::format("{:.4g}", shown) : fmt::format("{:.0f}", shown);
}

TableCell Figures::cell(double si) const {
    return {text(si), {si * scale}};
}

TableCell Figures::interval_cell(const std::optional<Interval>& si) const {
    if (!si) return "-";
    return {fmt::format("{} to {}", text(si->low), text(si->high)), {si->low * scale, si->high * scale}};
}

void add_interval(nlohmann::ordered_json& json, const std::optional<Interval>& interval) {
    json["low"] = nullptr;
    json["high"] = nullptr;
    if (interval) {
        json["low"] = interval->low;
        json["high"] = interval->high;
    }
}

bool is_negligible(double part, double whole) {
    constexpr double shown_as_zero = 0.0005;
    return part < shown_as_zero * whole;
}

std::string Answer::interval() const {
    return low && high ? fmt::format("{} to {}", text(*low), text(*high)) : "";
}

TableCell Answer::interval_cell() const {
    return figures.interval_cell(low && high ? std::optional(Interval{*low, *high}) : std::nullopt);
}

NumberOf value_of(const OutcomeOf& outcome) {
    return [outcome](const Machine& machine) { return outcome(machine).value; };
}

std::string counted(std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

Workload known_workload(const Repertoire& known, const std::string& name) {
    if (auto found = workload_named(known, name)) return *std::move(found);
    throw_no_workload(known, name);
}

AskedWorkload::AskedWorkload(CLI::App& app, const Arguments& arguments)
    : workload_(workload_named(arguments.known, named_in(arguments, [&](const std::string& word) {
                                   return arguments.known.workload(word) != nullptr;
                               }))) {
    const Repertoire& known = arguments.known;
    CLI::Option* const named =
        app.add_option("WORKLOAD", words_.workload,
                       fmt::format("{}, or a workload file, shipped (narrows machines lists them) or your own, such as "
                                   "./my.yaml. Its options: narrows {} WORKLOAD --help",
                                   fmt::join(names_with(known.workloads, &Workload::answer), ", "), app.get_name()));
    named->required();
    words_.add_options(app,
                       {Option{"-m,--machine", machine_help}.taking("MACHINE"),
                        Option{"--state",
                               "of a calibrated machine: now (default, where it is this machine), usual (all that its "
                               "calibration met), or how far its cores are from each other, such as '160 ns'"}
                            .taking("now|usual|TIME")});
    app.get_option("--machine")->required();
    add_set(app, words_.changes);
    if (workload_) {
        words_.add_options(app, workload_->options);
    } else {  // what is wrong, whatever follows it, --help too
        named->each([&known](const std::string& word) { throw_no_workload(known, word); });
    }
}

NamedWorkloads::NamedWorkloads(CLI::App& app, const Arguments& arguments, const std::vector<std::string>& without)
    : known_(arguments.known) {
    CLI::Option* const named =
        app.add_option("--workload", names_,
                       "a workload of 'narrows predict --help', or a workload file; its options: narrows " +
                           app.get_name() + " --workload WORKLOAD --help");
    named->type_name("WORKLOAD")->allow_extra_args(false);
    add_set(app, words_.changes);
    for (const std::string& name : behind_workload(arguments)) {
        auto found = workload_named(known_, name);
        if (!found) {
            named->each([&known = known_, name](const std::string&) { throw_no_workload(known, name); });
            return;
        }
        workloads_.emplace_back(name, std::move(*found));
    }
    words_.add_options(app, workloads_.empty() ? workload_options(without) : common_options(workloads_));
}

std::vector<std::pair<std::string, Workload>> all_workloads(const Repertoire& known) {
    std::vector<std::pair<std::string, Workload>> all;
    for (const Workload& one : known.workloads) all.emplace_back(one.name, one);
    for (const std::string& name : workload_file_names()) all.emplace_back(name, file_workload(name));
    return all;
}

namespace {

// That of --state; nothing where predictions are of all states.
std::optional<std::vector<double>> chosen_state(const OptionWords& words, const Machine& machine) {
    const std::string& state = words["--state"];
    const auto knows = [](const ResidualSurface& one) { return !one.measured().states.empty(); };
    if (state.empty() || state == "now") {
        auto now = state_now(machine);
        if (now || state.empty()) return now;
        throw InputError(
            fmt::format("--state now: machine '{}' was not calibrated on this host, was always in one state, or other "
                        "programs use its cores now: leave it out",
                        machine.id));
    }
    if (std::ranges::none_of(machine.residuals, knows)) {
        throw InputError(fmt::format("--state {}: machine '{}' has no states that a calibration met: leave it out",
                                     state, machine.id));
    }
    if (state == "usual") return std::nullopt;
    const Time distance = with_option_context("--state", [&] { return parse_time(state); });
    if (distance.si() > 0 && distance.si() < 1) return std::vector{std::log(distance.si())};
    throw InputError(
        fmt::format("--state {}: give now, usual, or a time above zero and below a second, such as '160 ns'", state));
}

// That calibration met no cores about as far from each other as these; empty where it did.
std::string beyond_measured(const Machine& machine, const std::string& cores, double logarithm) {
    double least = infinity, most = -infinity;
    for (const ResidualSurface& surface : machine.residuals) {
        for (const std::vector<double>& state : surface.measured().states) {
            least = std::min(least, state.front());
            most = std::max(most, state.front());
        }
    }
    const double alike = std::log(alike_distance);
    if (logarithm > least - alike && logarithm < most + alike) return "";
    return fmt::format("beyond what was measured: {} (measured: {} to {})", cores, print(seconds(std::exp(least))),
                       print(seconds(std::exp(most))));
}

}  // namespace

Machine unchanged_machine(const OptionWords& words) {
    Machine machine = load_machine(words["--machine"]);
    if (words.has("--network") || words.has("--hosts")) {
        if (words.has("--state")) {
            throw InputError(
                "--state: predictions on another network or a part of it have no measured states: leave "
                "it out");
        }
        return with_network(machine, words["--network"], words["--hosts"]);
    }
    const auto offers_state = [](const Option& option) { return option.name() == "--state"; };
    if (std::ranges::none_of(words.options(), offers_state)) return machine;
    const auto sets_distance = [](const std::string& change) {
        return split_change(change).first == core_distance_path;
    };
    if (std::ranges::any_of(words.changes, sets_distance)) {
        if (!words.has("--state")) return machine;
        throw InputError(fmt::format(
            "--state and --set {} both say how far cores are from each other: give one of them", core_distance_path));
    }
    const auto state = chosen_state(words, machine);
    if (!state) return machine;
    constexpr double nano = 1e-9;
    constexpr double milli = 1e-3;
    const bool is_now = state->size() > 1;
    const bool changes = is_now && state_change(machine) >= often_changed;
    const std::string cores = fmt::format("cores {:.0f} ns from each other", std::exp(state->front()) / nano);
    const std::string beyond = is_now ? "" : beyond_measured(machine, cores, state->front());
    machine = is_now ? in_state_now(std::move(machine), *state) : like_state(std::move(machine), *state);
    machine.remarks.push_back(
        fmt::format("predicted for {}; {}",
                    !is_now ? cores
                            : fmt::format("the machine as it is now: {}, a piece of work that takes {:.1f} ms", cores,
                                          std::exp(state->back()) / milli),
                    changes ? "its state changes within seconds: the interval is that of all states it was met in"
                            : "--state usual: in all states that its calibration met"));
    if (!beyond.empty()) machine.remarks.push_back(beyond);
    return machine;
}

Machine changed_machine(Machine machine, const OptionWords& words) {
    for (const std::string& change : words.changes) {
        const std::string name = change.substr(0, change.find('='));
        for (const Option& option : words.options()) {
            if (option.name() != "--" + name || find(machine, name) != nullptr) continue;
            throw InputError(fmt::format("--set {}: '{}' is an option of the workload: give --{}", change, name, name));
        }
    }
    return with_changes(std::move(machine), words.changes);
}

Machine chosen_machine(const OptionWords& words) {
    return changed_machine(unchanged_machine(words), words);
}

}  // namespace narrows
