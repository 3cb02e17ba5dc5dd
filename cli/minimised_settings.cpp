#include "cli/minimised_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/options.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/swept_grid.hpp"
#include "cli/target.hpp"
#include "model/expense.hpp"

namespace narrows {
namespace {

constexpr std::size_t most_settings = 100000;

/// A value of a setting: for a reader, and in JSON.
struct SettingValue {
    std::string name;
    std::string text;
    nlohmann::ordered_json value;
    std::string unit;  ///< of a number; empty for a text
};

/// A setting with its prediction and what it costs.
struct PricedSetting {
    std::string network;  ///< empty where it is not varied
    GridPoint point;
    std::vector<SettingValue> values;
    Outcome outcome;
    Expense expense;
};

/// What is varied, the networks apart from all else: each makes another machine.
struct VariedSettings {
    std::vector<TypedAxis> axes;
    std::vector<std::string> networks = {""};

    /// All settings on this network.
    Sweep on(const AskedWorkload& asked, const std::string& network) const {
        return sweep_over(asked.workload(), words_on(asked, network), axes);
    }

    static OptionWords words_on(const AskedWorkload& asked, const std::string& network) {
        OptionWords words = asked.words();
        if (!network.empty()) words["--network"] = network;
        return words;
    }
};

// The value of the axis, a range of whole numbers, at which the target is just reached, with a point of the others;
// nothing where there is none, or it is tried as a doubling.
std::optional<double> just_reaching(const Sweep& others, const GridPoint& point, const TypedAxis& axis,
                                    const Target& target) try {
    const auto [words, machine] = setting_at(others, point);
    const Machine varied = with_varied(machine, others.workload, axis);
    Variable variable(others.workload, words, varied, axis);
    if (parse_stepped(variable, axis)) return std::nullopt;
    const Range ends = parse_range(variable, axis);
    if (!ends.whole) return std::nullopt;
    const VariedPrediction prediction(others.workload, words, varied, variable);
    Surroundings around{ends.from, std::min(ends.from, ends.to), std::max(ends.from, ends.to), true};
    if (!is_looked_at_one_by_one(ends)) {
        const auto searches = static_cast<double>(others.plans() * others.costs());
        around.each_up_to = 2 * predicted_in_time(prediction, ends) / searches;
    }
    begin_where_predicted(prediction, around);
    const OutcomeAt at = [&prediction](double value) { return prediction.at(value); };
    const auto solution = solved_value(at, around, target);
    const bool is_new = solution && !parse_values(variable, axis).has(*solution);
    return is_new && target.is_reached_by(at(*solution).value) ? solution : std::nullopt;
} catch (const InputError&) {
    return std::nullopt;  // a point without a prediction is told with the settings
}

// Adds to ranges of whole numbers, which are tried at doublings, where the target is just reached with each value of
// all else. Returns the names of such.
std::vector<std::string> add_just_reaching(VariedSettings& varied, const AskedWorkload& asked, const Target& target,
                                           const ReportProgress& progress) {
    constexpr std::int64_t most_searches = 1000;
    std::vector<std::string> names;
    for (TypedAxis& axis : varied.axes) {
        if (axis.values.find(',') != std::string::npos || !is_varied(axis.values)) continue;
        VariedSettings others = varied;
        std::erase_if(others.axes, [&axis](const TypedAxis& one) { return one.name == axis.name; });
        std::set<double> found;
        for (const std::string& network : varied.networks) {
            try {
                const Sweep beside = others.on(asked, network);
                const std::int64_t points = beside.plans() * beside.costs();
                for (std::int64_t i = 0; points <= most_searches && i < points; ++i) {
                    progress(static_cast<double>(i) / static_cast<double>(points));
                    const auto one = just_reaching(beside, {i / beside.costs(), i % beside.costs()}, axis, target);
                    if (one) found.insert(*one);
                }
            } catch (const InputError&) {
                continue;  // told with the settings
            }
        }
        if (!found.empty()) names.push_back(axis.name);
        for (const double one : found) axis.values += fmt::format(",{}", one);
    }
    return names;
}

VariedSettings varied_of(const Workload& workload, const std::vector<std::string>& vary) {
    VariedSettings varied;
    for (const std::string& one : vary) {
        TypedAxis axis = typed_vary(workload, one);
        if (axis.values.empty()) {
            throw InputError(
                fmt::format("{}: give the values to choose from, such as nodes=64..4096 or network='torus "
                            "8x8x8','fat-tree ports=36 levels=3'",
                            axis.asked));
        }
        if (axis.name == "network" && workload.has_option("--network")) {
            varied.networks = items_of(axis.asked, axis.values);
        } else {
            varied.axes.push_back(std::move(axis));
        }
    }
    return varied;
}

std::vector<SettingValue> setting_values(const Sweep& sweep, const GridPoint& point) {
    std::vector<SettingValue> values;
    sweep.each(point, [&](const SweptAxis& axis, std::int64_t position) {
        const bool is_number = axis.values.texts.empty();
        values.push_back({axis.variable.name(), shown(axis, position),
                          is_number ? nlohmann::ordered_json(axis.values.number(position))
                                    : nlohmann::ordered_json(shown(axis, position)),
                          is_number ? axis.variable.unit() : ""});
    });
    return values;
}

std::string setting_text(const PricedSetting& setting) {
    std::vector<std::string> texts;
    for (const SettingValue& one : setting.values) texts.push_back(fmt::format("{} = {}", one.name, one.text));
    return fmt::format("{}", fmt::join(texts, ", "));
}

void add_settings(std::vector<PricedSetting>& settings, const Sweep& sweep, const std::string& network, Spent spent,
                  std::vector<std::string>& left_out, const Output& output) {
    expense_of(sweep.machine, spent, 1);  // says which prices are missing
    GridOptions options;
    options.skip_impossible = true;
    std::vector<std::string> without_network;  // predictions for a part of a larger one
    const std::size_t before = settings.size();
    for (FoundPoint& found : predicted_points(sweep, options, output)) {
        const auto [words, machine] = setting_at(sweep, found.point);
        PricedSetting setting{network, found.point, setting_values(sweep, found.point), std::move(found.outcome), {}};
        if (!network.empty()) setting.values.insert(setting.values.begin(), {"network", network, network, ""});
        try {
            setting.expense = expense_of(machine, spent, chosen_nodes(words, machine));
        } catch (const InputError& error) {
            without_network.push_back(fmt::format("{}: {}", setting_text(setting), error.what()));
            continue;
        }
        settings.push_back(std::move(setting));
    }
    if (without_network.empty()) return;
    if (settings.size() == before) throw InputError(without_network.front());
    left_out.push_back(fmt::format("{} whose network cannot be counted; {}",
                                   counted(static_cast<std::int64_t>(without_network.size()), "setting"),
                                   without_network.front()));
}

std::vector<PricedSetting> settings_of(const AskedWorkload& asked, const VariedSettings& varied, Spent spent,
                                       std::vector<std::string>& left_out, const Output& output) {
    std::vector<PricedSetting> settings;
    for (const std::string& network : varied.networks) {
        const std::string named = "--vary network=" + network;
        const auto whole = [&] { return varied.on(asked, network); };
        const Sweep sweep = network.empty() ? whole() : with_option_context(named, whole);
        if (settings.size() + static_cast<std::size_t>(sweep.plans() * sweep.costs()) > most_settings) {
            throw InputError(fmt::format("--vary: these are more than {} settings: give fewer values", most_settings));
        }
        try {
            add_settings(settings, sweep, network, spent, left_out, output);
        } catch (const InputError& error) {  // such as sizes that this network cannot have
            if (network.empty()) throw;
            left_out.push_back(fmt::format("{}: {}", named, error.what()));
        }
    }
    if (settings.empty()) throw InputError(left_out.front());
    for (const PricedSetting& setting : settings) {
        if (setting.expense.unit == settings.front().expense.unit) continue;
        throw InputError(fmt::format("prices are in {} and {}, and none is converted into another: give all in one",
                                     settings.front().expense.unit, setting.expense.unit));
    }
    return settings;
}

// `1200`, in full beyond four digits.
std::string spent_text(double spent) {
    return Figures().text(spent);
}

// `64 nodes at 1200 USD, 128 links at 100 USD; nothing is said of ports`
std::string bill_of(const Expense& expense) {
    std::vector<std::string> paid, free;
    for (const Expense::Item& item : expense.items) {
        const std::string thing(item.thing);
        if (!item.each) free.push_back(thing + "s");
        if (!item.each) continue;
        paid.push_back(fmt::format("{} at {}", counted(item.count, thing.c_str()), print(*item.each)));
    }
    return fmt::format("{}{}{}", fmt::join(paid, ", "), free.empty() ? "" : "; nothing is said of ",
                       fmt::join(free, " and "));
}

nlohmann::ordered_json json_of_setting(const PricedSetting& setting, const Target& target) {
    const Outcome& outcome = setting.outcome;
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();
    for (const SettingValue& one : setting.values) settings[one.name] = one.value;
    nlohmann::ordered_json json = {{"settings", settings},
                                   {"spent", {{"value", setting.expense.sum}, {"unit", setting.expense.unit}}},
                                   {"value", outcome.value},
                                   {"unit", target.is_time ? "s" : "1/s"}};
    add_interval(json, outcome.interval);
    json["bottleneck"] = outcome.bottleneck;
    json["reaches"] = target.is_reached_by(outcome.value);
    return json;
}

Table frontier_table(const std::vector<const PricedSetting*>& settings, const std::string& spent, const Target& target,
                     const Figures& figures) {
    const std::string column = fmt::format("{} {}", spent, settings.front()->expense.unit);
    const bool with_interval =
        std::ranges::any_of(settings, [](const auto* one) { return one->outcome.interval.has_value(); });
    Table table;
    for (const SettingValue& one : settings.front()->values) table.header.emplace_back(one.name);
    table.header.emplace_back(column);
    table.header.emplace_back(figures.unit);
    if (with_interval) table.header.push_back(figures.interval_column());
    table.header.insert(table.header.end(), {"bottleneck", "reaches it"});
    for (const PricedSetting* setting : settings) {
        const Outcome& outcome = setting->outcome;
        std::vector<TableCell> row;
        for (const SettingValue& one : setting->values) row.push_back({one.text, {one.value}});
        row.push_back({spent_text(setting->expense.sum), {setting->expense.sum}});
        row.push_back(figures.cell(outcome.value));
        if (with_interval) row.push_back(figures.interval_cell(outcome.interval));
        row.emplace_back(outcome.bottleneck);
        row.emplace_back(target.is_reached_by(outcome.value) ? "yes" : "no");
        table.rows.push_back(std::move(row));
    }
    return table;
}

void tell_cheapest(Document& document, const PricedSetting& setting, const Answer& then, const Target& target,
                   const std::string& spent) {
    document.json["cheapest"] = json_of_setting(setting, target);
    const SettingValue& only = setting.values.front();
    if (setting.values.size() == 1 && only.value.is_number()) {
        document.json["solution"] = {{"path", only.name}, {"value", only.value}, {"unit", only.unit},
                                     {"factor", nullptr}, {"low", nullptr},      {"high", nullptr}};
    }
    document.json["after"] = then.json;
    document.notes.push_back(fmt::format("least {} that reaches it: {}: {}: {}", spent, setting_text(setting),
                                         fmt::format("{} {}", spent_text(setting.expense.sum), setting.expense.unit),
                                         headline(then)));
    document.notes.push_back(fmt::format("{}: {}", spent, bill_of(setting.expense)));
    const auto& interval = setting.outcome.interval;
    if (interval && !target.is_reached_by(target.is_time ? interval->high : interval->low)) {
        document.remarks.emplace_back("the worse end of its interval does not reach the target");
    }
}

}  // namespace

Document minimised_settings(const AskedWorkload& asked, const SolveWords& words, bool& found, const Output& output) {
    const Spent spent = with_option_context("--minimise", [&] { return spent_named(words.minimise); });
    const Target target = target_of(words.target, asked.workload());
    VariedSettings varied = varied_of(asked.workload(), words.vary);
    Progress lines(output.progress, "solve");
    const std::vector<std::string> refined =
        add_just_reaching(varied, asked, target, [&lines](double fraction) { lines.at_least(fraction / 2); });
    std::vector<std::string> left_out;
    const std::vector<PricedSetting> settings = settings_of(asked, varied, spent, left_out, output);
    std::vector<Offer> offers;
    for (const PricedSetting& one : settings) offers.push_back({one.expense.sum, one.outcome.value});
    std::vector<const PricedSetting*> best;
    for (const std::size_t one : frontier(offers, target.is_time)) best.push_back(&settings[one]);
    const auto reaches = [&](const PricedSetting* one) { return target.is_reached_by(one->outcome.value); };
    const auto cheapest = std::ranges::find_if(best, reaches);
    found = cheapest != best.end();
    const PricedSetting& shown = found ? **cheapest : *best.back();
    const Sweep sweep = varied.on(asked, shown.network);
    const Answer answer = answer_at(sweep, shown.point);
    require_alone(answer);
    Document document{json_of("solve")};
    document.json["machine"] = answer.machine;
    document.json["workload"] = answer.json["workload"];
    document.json["target"] = target.value;
    document.json["minimised"] = words.minimise;
    document.notes.push_back(fmt::format("{} on {}: {} wanted, of {}", answer.subject, answer.machine, words.target,
                                         counted(static_cast<std::int64_t>(settings.size()), "setting")));
    if (found) {
        tell_cheapest(document, shown, answer, target, words.minimise);
    } else {
        document.json["forbidden_by"] = {{"resource", answer.bottleneck}, {"at_most", answer.value}};
        document.notes.push_back(fmt::format("no setting reaches it: {} {} at {}, {}", answer.text(answer.value),
                                             answer.figures.unit, target.is_time ? "least" : "most",
                                             held_back_text(answer)));
    }
    document.json["frontier"] = nlohmann::ordered_json::array();
    for (const PricedSetting* one : best) document.json["frontier"].push_back(json_of_setting(*one, target));
    document.tables.push_back(frontier_table(best, words.minimise, target, answer.figures));
    document.remarks.insert(
        document.remarks.begin(),
        fmt::format("no setting of as low a {} or a lower one is better than these", words.minimise));
    for (const std::string& one : left_out) {
        document.remarks.push_back("left out " + one);
        document.json["remarks"].push_back(document.remarks.back());
    }
    if (!refined.empty()) {
        document.remarks.push_back(fmt::format("of {} doublings were tried, and where the target is just reached",
                                               fmt::join(refined, " and ")));
    }
    add_machine_remarks(document, sweep.machine);
    return document;
}

}  // namespace narrows
