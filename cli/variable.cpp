#include "cli/variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/byte_sizes.hpp"
#include "cli/options.hpp"
#include "model/path/protocol.hpp"
#include "model/schema.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

// Of values as they are typed.
ReadNumber reader_of(Variable& variable) {
    return [&variable](const std::string& text) {
        const auto number = variable.number(text);
        if (number && variable.counts() && *number != std::floor(*number))
            throw InputError(fmt::format("'{}' is no whole number, as all of {} are", text, variable.name()));
        return number;
    };
}

}  // namespace

std::vector<std::string> word_options(const Workload& workload) {
    std::vector<std::string> found;
    for (const Option& option : workload.options) {
        if (!option.is_flag) found.push_back(option.name().substr(2));
    }
    return found;
}

TypedAxis typed_vary(const Workload& workload, const std::string& vary) {
    const auto equals = vary.find('=');
    std::string name = vary.substr(0, equals);
    if (name == "n" && !workload.has_option("--n")) name = "nodes";
    return {name, equals == std::string::npos ? "" : vary.substr(equals + 1), "--vary " + name};
}

Machine with_varied(Machine machine, const Workload& workload, const TypedAxis& axis) {
    const std::vector<std::string> options = word_options(workload);
    const bool is_option = std::ranges::find(options, axis.name) != options.end();
    const bool is_missing =
        !is_option && schema_row(axis.name) != nullptr && !newer_place(axis.name) && !has(machine, axis.name);
    if (!is_missing || axis.values.empty()) return machine;
    const std::string first = axis.values.substr(0, std::min(axis.values.find(','), axis.values.find("..")));
    return with_option_context(axis.asked, [&] { return with_change(std::move(machine), axis.name, first); });
}

Variable::Variable(const Workload& workload, const OptionWords& words, const Machine& machine, std::string name)
    : name_(std::move(name)) {
    name_.erase(0, name_.find_first_not_of('-'));
    if (name_ == "n" && !workload.has_option("--n")) name_ = "nodes";
    const std::vector<std::string> options = word_options(workload);
    if (std::ranges::find(options, name_) != options.end()) {
        option_ = "--" + name_;
        const Option& option = *std::ranges::find(workload.options, option_, &Option::name);
        fraction_ = option.is_fraction;
        counts_ = option.is_count || option.is_bytes;
        includes_end_ = option.is_bytes;
        return;
    }
    if (name_.find('.') == std::string::npos && !has(machine, name_)) {
        const std::string option = did_you_mean(name_, options);
        throw InputError(
            fmt::format("neither an option of {} nor a parameter of machine '{}' is called '{}'{} (options: "
                        "{}; 'narrows show {} --paths' lists parameters)",
                        words.workload, machine.id, name_, option.empty() ? nearest_paths(machine, name_) : option,
                        fmt::join(options, ", "), machine.id));
    }
    const SchemaRow* row = schema_row(name_);
    const bool is_of_every_machine = row != nullptr && row->path.find('*') == std::string_view::npos;
    if (is_of_every_machine && !has(machine, name_) && !newer_place(name_)) {
        throw InputError(
            fmt::format("machine '{}' does not set '{}': say between what, as {}=a..b", machine.id, name_, name_));
    }
    const auto today = newer_place(name_);
    if (!has(machine, name_) && today && has(machine, *today)) name_ = *today;
    parameters_ = VariedParameters(machine, name_);
    factor_ = parameters_.by_factor();
    whole_ = counts_ = !factor_ && schema_row(name_)->kind == Kind::count;
    is_text_ = !factor_ && !parameters_.first().text.empty();
    like_ = factor_ ? Measure{1, Dimension::number, ""} : parameters_.first().measure;
}

Variable::Variable(const Workload& workload, const OptionWords& words, const Machine& machine, const TypedAxis& axis)
    : Variable(with_option_context(axis.asked, [&] { return Variable(workload, words, machine, axis.name); })) {}

bool Variable::needs_plan() const {
    return is_option() || !parameters_.are_costs();
}

std::optional<double> Variable::number(const std::string& text) {
    if (is_text_) return std::nullopt;
    Measure measure;
    bool is_factor = false;
    if (is_option()) {
        try {
            measure = parse_measure(text);
        } catch (const InputError&) {
            return std::nullopt;
        }
        const bool is_count = measure.dimension == Dimension::number || measure.dimension == Dimension::data;
        const Dimension expected = includes_end_ ? Dimension::data : Dimension::number;
        if (counts_ && measure.dimension != Dimension::number && measure.dimension != expected) {
            throw InputError(
                fmt::format("'{}' is {}, expected {}", text, describe(measure.dimension), describe(expected)));
        }
        const bool is_written_whole = text.find('.') == std::string::npos && measure.value == std::floor(measure.value);
        whole_ = !fraction_ && (whole_ || !read_) && is_count && is_written_whole;
        // A plain number of bytes beside others with a unit.
        if (read_ && measure.dimension == Dimension::number) measure.dimension = like_.dimension;
        if (read_ && like_.dimension == Dimension::number) like_ = measure;
    } else {
        const bool is_share = is_change_by_share(text);
        is_factor = is_share || text.ends_with('x');
        if (!is_factor && parameters_.by_factor()) {
            throw InputError(
                fmt::format("'{}' leads to several values, such as '{}': change all by a factor such as '2x'", name_,
                            parameters_.first().path));
        }
        measure = is_factor ? parse_measure(text.substr(0, text.size() - 1)) : parse_value(*schema_row(name_), text);
        if (is_share) measure.value = 1 + measure.value / 100;
        if (is_factor && (measure.dimension != Dimension::number || measure.value <= 0)) {
            throw InputError(fmt::format("'{}': the factor must be positive", text));
        }
    }
    if (read_ && (is_factor != factor_ || measure.dimension != like_.dimension)) {
        throw InputError(fmt::format("'{}' is of another kind than the values before it", text));
    }
    factor_ = is_factor;
    if (is_factor) whole_ = false;
    like_ = measure;
    read_ = true;
    return measure.value;
}

std::optional<double> Variable::now(const OptionWords& words, const Answer& answer) {
    if (!is_option()) {
        const Measure& today = factor_ ? like_ : parameters_.first().measure;
        return today.dimension == like_.dimension ? std::optional(today.value) : std::nullopt;  // else cycles
    }
    if (words.has(option_)) return number(words[option_]);
    std::string key = name_;
    std::ranges::replace(key, '-', '_');
    const bool of_file = answer.json.contains("options") && answer.json["options"].contains(name_);
    const auto& json = of_file ? answer.json["options"] : answer.json;
    const std::string member = json.contains(name_) ? name_ : key;
    if (!json.contains(member) || !json[member].is_number()) return std::nullopt;
    const auto value = json[member].get<double>();
    const auto unit = answer.option_units.find(name_);
    const std::string of = unit != answer.option_units.end() ? unit->second : !of_file && name_ == "bytes" ? "B" : "";
    number(of.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, of));
    return value;
}

void Variable::put(double value, OptionWords& words, Machine& machine) const {
    if (is_option()) {
        const bool plain = like_.dimension == Dimension::number;
        words[option_] = plain ? fmt::format("{}", value) : fmt::format("{} {}", value, base_unit(like_));
    } else {
        put(value, machine);
    }
}

void Variable::put(double value, Machine& machine) const {
    if (factor_) return parameters_.scale(value, machine);
    Measure measure = like_;
    measure.value = value;
    parameters_.set(measure, machine);
}

void Variable::put(const std::string& text, OptionWords& words, Machine& machine) const {
    if (is_option()) {
        words[option_] = text;
    } else {
        machine = with_change(std::move(machine), name_, text);
    }
}

void Variable::put_checked(double value, OptionWords& words, Machine& machine) const {
    put(value, words, machine);
    if (is_option()) return;
    parameters_.check(machine);
    if (const auto found = contradiction_in(machine)) {
        throw InputError(fmt::format("'{}' cannot be {}: {}", name_, shown(value), found->message));
    }
}

void Variable::write_like(const Variable& other) {
    like_ = other.like_;
    factor_ = other.factor_;
    whole_ = other.whole_;
    read_ = other.read_;
}

std::string Variable::shown(double value) const {
    if (factor_) return fmt::format("{:.4g}x", value);
    const bool plain = like_.dimension == Dimension::number;
    if (is_option() && like_.dimension == Dimension::data) return size_text(bytes(value));
    if (whole_ || (is_option() && plain))
        return value == std::floor(value) ? fmt::format("{}", value) : fmt::format("{:.6g}", value);
    Measure measure = like_;
    measure.value = value;
    return print(measure);
}

std::string Variable::unit() const {
    return factor_ ? "1" : std::string(base_unit(like_));
}

Values parse_values(Variable& variable, const TypedAxis& axis) {
    const std::vector<std::string> items = items_of(axis.asked, axis.values);
    return with_option_context(axis.asked, [&] {
        Values values = values_of(items, reader_of(variable), variable.includes_end());
        return variable.counts() ? nearest_whole(values) : values;
    });
}

std::optional<Values> parse_stepped(Variable& variable, const TypedAxis& axis) {
    const auto range = range_in(axis.values);
    if (!range || range->by == 0) return std::nullopt;
    return parse_values(variable, axis);
}

Range parse_range(Variable& variable, const TypedAxis& axis) {
    return with_option_context(axis.asked, [&] {
        const auto range = range_in(axis.values);
        if (!range && axis.values.find(',') != std::string::npos) {
            throw InputError(
                fmt::format("'{}' is a list, which has no values between: give both ends, such as 2..4096, or ask "
                            "tune, sweep or solve --minimise",
                            axis.values));
        }
        if (!range || range->by != 0 || range->first.empty()) {
            throw InputError(
                fmt::format("'{}' is no range: give both ends, such as 2..4096 or '1 GB/s..25 GB/s'", axis.values));
        }
        const double from = required_number(reader_of(variable), range->first);
        const double to = required_number(reader_of(variable), range->last);
        if (from == to) throw InputError("both ends are the same: give a range");
        return Range{from, to, variable.is_whole()};
    });
}

VariedPrediction::VariedPrediction(const Workload& workload, OptionWords words, Machine machine, Variable variable)
    : workload_(workload),
      words_(std::move(words)),
      machine_(with_protocols_found(std::move(machine))),
      variable_(std::move(variable)) {
    if (variable_.needs_plan()) return;
    of_costs_ = workload_.outcome(words_, machine_, chosen_nodes(words_, machine_));
}

VariedPrediction::Asked VariedPrediction::asked_at(double value) const {
    OptionWords words = words_;
    Asked asked{machine_, of_costs_};
    variable_.put_checked(value, words, asked.machine);
    if (!asked.outcome) asked.outcome = workload_.outcome(words, asked.machine, chosen_nodes(words, asked.machine));
    return asked;
}

Outcome VariedPrediction::at(double value) const {
    const Asked asked = asked_at(value);
    return asked.outcome(asked.machine);
}

Outcome VariedPrediction::with_interval_at(double value) const {
    const Asked asked = asked_at(value);
    return with_interval(asked.machine, asked.outcome);
}

Answer VariedPrediction::answer_at(double value) const {
    OptionWords words = words_;
    Machine machine = machine_;
    variable_.put_checked(value, words, machine);
    return workload_.answer(words, machine, chosen_nodes(words, machine), {});
}

double predicted_in_time(const VariedPrediction& prediction, const Range& ends) {
    constexpr double least = 1024, most_seconds = 10;
    constexpr std::array places = {0.0, 0.25, 0.5, 0.75};
    const std::clock_t begin = std::clock();  // what others take is none of its time
    for (const double place : places) {
        try {
            prediction.at(std::round(ends.from + (ends.to - ends.from) * place));
        } catch (const InputError&) {
            continue;  // it took its time too
        }
    }
    const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return std::max(least, most_seconds * places.size() / std::max(1e-6, taken));
}

void tell_samples(Document& document, const std::string& name, const Range& range) {
    if (!range.whole || is_looked_at_one_by_one(range)) return;
    document.remarks.push_back(
        fmt::format("only a sample of the {:.0f} values of {} was looked at: a change between two may be missed",
                    std::abs(range.to - range.from) + 1, name));
    document.json["remarks"].push_back(document.remarks.back());
}

std::string no_prediction_at(const Variable& variable, double value, const InputError& error) {
    return fmt::format("no prediction at {} = {}: {}", variable.name(), variable.shown(value), error.what());
}

std::optional<std::string> refusal_at(const Variable& variable, double value, const OutcomeAt& outcome) {
    try {
        outcome(value);
        return std::nullopt;
    } catch (const InputError& error) {
        return no_prediction_at(variable, value, error);
    }
}

VariedPrediction VariedPrediction::with(const Variable& other, double value) const {
    OptionWords words = words_;
    Machine machine = machine_;
    other.put_checked(value, words, machine);
    return {workload_, std::move(words), std::move(machine), variable_};
}

}  // namespace narrows
