#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/answer_plot.hpp"
#include "cli/commands.hpp"
#include "cli/contest.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "data/machine_file.hpp"

namespace narrows {
namespace {

struct CrossoverWords {
    std::string vary;
    std::string against;
};

// What is varied: by --vary, or by an option that is a range.
TypedAxis asked_range(const Workload& workload, OptionWords& words, const std::string& vary) {
    std::vector<TypedAxis> found;
    if (!vary.empty()) {
        found.push_back(typed_vary(workload, vary));
        if (found.front().values.empty()) {
            throw InputError(fmt::format("--vary {}: say between what, such as {}=a..b", vary, vary));
        }
    }
    for (const std::string& name : word_options(workload)) {
        std::string& word = words["--" + name];
        if (!is_varied(word) || word.find(',') != std::string::npos) continue;
        found.push_back({name, std::exchange(word, ""), "--" + name});
    }
    if (found.size() == 1) return found.front();
    throw InputError(found.empty()
                         ? "crossover needs a range: -n 32..65536, another option such as --bytes 8..4MiB, or "
                           "--vary PATH=a..b"
                         : fmt::format("{} and {} are both ranges: give one of them", found[0].asked, found[1].asked));
}

// The words and machines that are held against each other; one alone where nothing is.
std::vector<Contender> contenders_of(const Workload& workload, const OptionWords& words, const std::string& against) {
    std::vector<Contender> found;
    std::string compared;
    const auto compare = [&compared](const std::string& option) {
        if (!compared.empty()) {
            throw InputError(
                fmt::format("{} and {} both hold several against each other: give one of them", compared, option));
        }
        compared = option;
    };
    for (const std::string& name : word_options(workload)) {
        const std::string option = "--" + name;
        const std::vector<std::string> names = items_of(option, words[option]);
        if (names.size() < 2) continue;
        compare(option);
        OptionWords one = words;
        const bool makes_machine = option == "--network" || option == "--hosts";
        for (const std::string& each : names) {
            one[option] = each;
            // The others are of one machine in one state.
            found.push_back({each, one, found.empty() || makes_machine ? chosen_machine(one) : found.front().machine});
        }
    }
    if (!against.empty()) {
        compare("--against");
        OptionWords other = words;
        other["--machine"] = against;
        const Machine machine = chosen_machine(words);
        Machine beside = with_option_context("--against", [&] { return chosen_machine(other); });
        if (write_machine(beside) == write_machine(machine)) {
            throw InputError("--against " + against + ": it is the same machine");
        }
        const bool alike = beside.id == machine.id;  // files of one name in two folders
        found = {{alike ? words["--machine"] : machine.id, words, machine},
                 {alike ? against : beside.id, other, beside}};
    }
    if (found.empty()) found.push_back({"", words, chosen_machine(words)});
    return found;
}

nlohmann::ordered_json json_of_reign(const Reign& reign) {
    return {{"from", reign.from}, {"to", reign.to}, {"what", reign.what}, {"value", reign.value}};
}

// Where lines are drawn through: evenly along the range, and where something changes.
std::set<double> places_of(const Range& range, const std::optional<Values>& stepped, const std::vector<Reign>& reigns) {
    constexpr int most = 32;
    std::set<double> places;
    for (const Reign& reign : reigns) places.insert({reign.from, reign.to});
    for (int i = 0; i <= most; ++i) {
        const double share = static_cast<double>(i) / most;
        if (stepped) {
            places.insert(stepped->number(std::llround(share * static_cast<double>(stepped->size() - 1))));
            continue;
        }
        const double place = std::min(range.from, range.to) > 0 ? range.from * std::pow(range.to / range.from, share)
                                                                : range.from + share * (range.to - range.from);
        places.insert(range.whole ? std::round(place) : place);
    }
    return places;
}

// A line for each of several; of one alone, with what bounds it or what its time is made of. Values without a
// prediction are left out.
void draw(Plot& plot, const Workload& workload, const std::vector<Contender>& contenders, const Variable& variable,
          const std::set<double>& places) {
    for (const Contender& one : contenders) {
        const VariedPrediction prediction = prediction_of(workload, one, variable);
        for (const double place : places) {
            try {
                const Answer answer = prediction.answer_at(place);
                if (contenders.size() > 1) {
                    add_to_curve(plot, one.name, place, answer);
                } else {
                    add_to_plot(plot, place, answer, Look::bound);
                }
            } catch (const InputError&) {
                continue;
            }
        }
    }
}

// From which value on something else is the tightest, or the fastest.
void tell_changes(Document& document, const std::vector<Reign>& reigns, const Variable& variable, const char* role) {
    constexpr std::size_t most_told = 12;
    for (std::size_t i = 1; i < std::min(reigns.size(), most_told + 1); ++i) {
        document.remarks.push_back(fmt::format("at {} {}, {} becomes {} in place of {}", variable.name(),
                                               variable.shown(reigns[i].from), reigns[i].what, role,
                                               reigns[i - 1].what));
    }
    if (reigns.size() > most_told + 1) {
        const auto more = static_cast<std::int64_t>(reigns.size() - most_told - 1);
        document.remarks.push_back(fmt::format("and {}, the last at {} {}", counted(more, "more change"),
                                               variable.name(), variable.shown(reigns.back().from)));
    }
    if (reigns.size() == 1)
        document.remarks.push_back(fmt::format("no change: {} is {} throughout", reigns[0].what, role));
}

// The ends of the range that have no prediction, and how many values between them.
void tell_refusals(Document& document, const Workload& workload, const std::vector<Contender>& contenders,
                   const Variable& variable, const Range& range, std::set<double> without) {
    for (const Contender& one : contenders) {
        const VariedPrediction prediction = prediction_of(workload, one, variable);
        for (const double end : {range.from, range.to}) {
            const auto refused = refusal_at(variable, end, [&](double value) { return prediction.at(value); });
            if (refused)
                document.remarks.push_back(contenders.size() == 1 ? *refused
                                                                  : fmt::format("{}: {}", one.name, *refused));
            without.erase(end);
        }
    }
    if (without.empty()) return;
    document.remarks.push_back(fmt::format("{}, such as {}, {} no prediction: a row goes on over {}",
                                           counted(std::ssize(without), "value"), variable.shown(*without.begin()),
                                           without.size() == 1 ? "has" : "have", without.size() == 1 ? "it" : "them"));
    document.json["remarks"].push_back(document.remarks.back());
}

void add_cut_for_readers(Document& document, Table table) {
    constexpr std::size_t most_rows = 100;
    if (table.rows.size() > most_rows) {
        document.csv = table;
        document.remarks.push_back(
            fmt::format("the table has the first {} of {} rows; CSV and JSON have all", most_rows, table.rows.size()));
        table.rows.resize(most_rows);
    }
    document.tables.push_back(std::move(table));
}

Document crossovers(const AskedWorkload& asked, const CrossoverWords& given, Output& output) {
    const Workload& workload = asked.workload();
    OptionWords words = asked.words();
    const TypedAxis axis = asked_range(workload, words, given.vary);
    std::vector<Contender> contenders = contenders_of(workload, words, given.against);
    for (Contender& one : contenders) one.machine = with_varied(std::move(one.machine), workload, axis);
    const Contender& first = contenders.front();
    const bool by_bottleneck = contenders.size() == 1;
    Variable variable(workload, words, first.machine, axis);
    const auto stepped = parse_stepped(variable, axis);
    Range range =
        stepped ? Range{stepped->number(0), stepped->number(stepped->size() - 1)} : parse_range(variable, axis);
    if (range.whole && !is_looked_at_one_by_one(range)) {
        range.each_up_to = predicted_in_time(VariedPrediction(workload, first.words, first.machine, variable), range) /
                           static_cast<double>(contenders.size());
    }
    require_output(output, Draws::yes);
    Progress progress(output.progress, "crossover");
    std::set<double> without;
    const std::vector<Reign> reigns = reigns_of(
        workload, contenders, variable, range, stepped, [&progress](double fraction) { progress.at_least(fraction); },
        &without);
    const Answer answer =
        VariedPrediction(workload, first.words, first.machine, variable).answer_at(reigns.front().from);
    require_alone(answer);
    Document document{json_of("crossover")};
    document.json["machine"] = first.machine.id;
    document.json["workload"] = answer.json["workload"];
    document.json["variable"] = {
        {"name", variable.name()}, {"unit", variable.unit()}, {"from", range.from}, {"to", range.to}};
    document.json["compared"] = nlohmann::ordered_json::array();
    for (const Contender& one : contenders) {
        if (!by_bottleneck) document.json["compared"].push_back(one.name);
    }
    document.json["unit"] = answer.json["result"]["unit"];
    document.json["first"] = answer.json;
    document.json["reigns"] = nlohmann::ordered_json::array();
    const char* role = by_bottleneck ? (answer.figures.bounded ? "the bottleneck" : "the largest term") : "the fastest";
    const std::string& unit = answer.figures.unit;
    Table table{"", {variable.name() + " from", "to", role + 4, {unit, {"value " + unit}}}, {}};
    for (const Reign& reign : reigns) {
        document.json["reigns"].push_back(json_of_reign(reign));
        table.rows.push_back({TableCell(variable.shown(reign.from), {reign.from}),
                              TableCell(variable.shown(reign.to), {reign.to}), reign.what, answer.cell(reign.value)});
    }
    const auto is_on_first = [&first](const Contender& one) { return one.machine.id == first.machine.id; };
    const std::string where = std::ranges::all_of(contenders, is_on_first) ? " on " + answer.machine : "";
    const std::string title = (by_bottleneck ? answer.subject : workload.name) + where;
    document.notes.push_back(fmt::format("{}: {} by {}, {} to {}", title, role, variable.name(),
                                         variable.shown(range.from), variable.shown(range.to)));
    if (!answer.setting.empty()) document.notes.push_back("first: " + answer.setting);
    tell_changes(document, reigns, variable, role);
    tell_samples(document, variable.name(), range);
    tell_refusals(document, workload, contenders, variable, range, std::move(without));
    add_cut_for_readers(document, std::move(table));
    if (!output.file.empty()) {
        document.plot = plot_along(variable, by_bottleneck ? answer.title : title, answer.figures);
        draw(*document.plot, workload, contenders, variable, places_of(range, stepped, reigns));
    }
    for (const auto& contender : contenders) add_machine_remarks(document, contender.machine);
    return document;
}

}  // namespace

Command crossover_command() {
    return {"crossover",
            "where the bottleneck changes, or machines, codes or algorithms overtake each other",
            {"crossover halo-exchange -m bluegene-p -n 512 --neighbours 4 --bytes 8..4MiB",
             "crossover allreduce -m cluster-400g -n 64 --bytes 8..4MiB --algorithm recursive-doubling,ring",
             "crossover halo-exchange -m bluegene-p -n 512 --bytes 8..4MiB --against cluster-400g --neighbours 6",
             "crossover gups -m bluegene-l -n 1024 --vary node.clock=0.5x..8x",
             "crossover fft-slabs -m cluster-400g -n 8..256",
             "crossover gups -m bluegene-l -n 32..65536*2 --variant naive,bucketed"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                const auto words = std::make_shared<CrossoverWords>();
                app.add_option(
                       "--vary", words->vary,
                       "along what, where no option is a range: a PATH of 'narrows show --paths' or an option; with "
                       "steps, such as a..b*2, at these values alone")
                    ->option_text("NAME=a..b");
                app.add_option("--against", words->against, "another machine: where it overtakes that of -m")
                    ->option_text("MACHINE");
                return [asked, words](Output& output) { return emit(crossovers(*asked, *words, output), output); };
            }};
}

}  // namespace narrows
