#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/value_list.hpp"
#include "cli/workload.hpp"
#include "model/explore/changes.hpp"
#include "model/explore/target.hpp"
#include "model/explore/varied_parameters.hpp"

namespace narrows {

/// A variable's name and its values, as typed.
struct TypedAxis {
    std::string name;
    std::string values;  ///< empty where only the name was given
    std::string asked;   ///< for errors: `--set node.clock`
};

/// That of --vary NAME=VALUES or NAME.
TypedAxis typed_vary(const Workload& workload, const std::string& vary);

/// The machine with the parameter that is varied, at the first of the values, where its file leaves it out.
Machine with_varied(Machine machine, const Workload& workload, const TypedAxis& axis);

/// Something that is varied: an option of the workload, or the machine's parameters at or below a path. Its values are
/// numbers in SI units, or factors of what the machine has.
class Variable {
  public:
    /// `nodes` (or `n`, unless the workload has an option of that name), `bytes`, `network.link.bandwidth`. InputError
    /// with the nearest names where there is nothing of this one.
    Variable(const Workload& workload, const OptionWords& words, const Machine& machine, std::string name);
    /// The same; errors name how it was asked for.
    Variable(const Workload& workload, const OptionWords& words, const Machine& machine, const TypedAxis& axis);

    /// As columns have it.
    const std::string& name() const { return name_; }
    bool is_option() const { return !option_.empty(); }
    /// Whether each value needs a plan of its own.
    bool needs_plan() const;
    /// Whether only whole numbers are counted as values: of counts, and of an option whose value is written so, unless
    /// it takes a share or a fraction.
    bool is_whole() const { return whole_; }
    /// Whether it has whole numbers alone, of nodes or bytes: steps are to the nearest.
    bool counts() const { return counts_ && !factor_; }
    /// Whether a range by doubling has its end, wherever that is.
    bool includes_end() const { return includes_end_; }
    bool is_text() const { return is_text_; }
    bool is_factor() const { return factor_; }

    /// The number that a text is, as all others of this variable. InputError where a parameter cannot have it, or
    /// others were of another dimension; nothing for the text of an option that is no number.
    std::optional<double> number(const std::string& text);
    /// What it is now, as `answer` has it; nothing for an option that it does not tell. Values are numbers like that
    /// from here on.
    std::optional<double> now(const OptionWords& words, const Answer& answer);

    /// Numbers are of the kind that those of another variable of this name are.
    void write_like(const Variable& other);

    void put(double value, OptionWords& words, Machine& machine) const;
    void put(const std::string& text, OptionWords& words, Machine& machine) const;
    /// The same of a parameter.
    void put(double value, Machine& machine) const;
    /// `put`, InputError where the machine cannot have the value.
    void put_checked(double value, OptionWords& words, Machine& machine) const;

    /// A value for a reader, and the base unit of all; `1` of numbers and factors.
    std::string shown(double value) const;
    std::string unit() const;

  private:
    std::string name_;
    std::string option_;           // `--bytes`; empty: parameters are varied
    VariedParameters parameters_;  // none of an option
    Measure like_;                 // how values are written
    bool read_ = false;            // whether any was
    bool factor_ = false;
    bool whole_ = false;
    bool counts_ = false;
    bool includes_end_ = false;
    bool fraction_ = false;  // an option that may be between two whole numbers, however its values are written
    bool is_text_ = false;
};

/// The options of a workload that are words, by their names without dashes.
std::vector<std::string> word_options(const Workload& workload);

/// What `values_of` reads; whole numbers where the variable counts. InputError names how it was asked for.
Values parse_values(Variable& variable, const TypedAxis& axis);

/// The same of one range with steps; nothing for another text.
std::optional<Values> parse_stepped(Variable& variable, const TypedAxis& axis);

/// The ends of `a..b`. InputError names how it was asked for.
Range parse_range(Variable& variable, const TypedAxis& axis);

/// The predictions of a workload with one variable, all else as chosen.
class VariedPrediction {
  public:
    VariedPrediction(const Workload& workload, OptionWords words, Machine machine, Variable variable);

    /// InputError for a value at which there is no prediction.
    Outcome at(double value) const;
    Outcome with_interval_at(double value) const;
    Answer answer_at(double value) const;
    /// The same with another variable that has this value.
    VariedPrediction with(const Variable& other, double value) const;

    Variable& variable() { return variable_; }
    const Variable& variable() const { return variable_; }

  private:
    struct Asked {
        Machine machine;
        OutcomeOf outcome;
    };
    Asked asked_at(double value) const;

    const Workload& workload_;
    OptionWords words_;
    Machine machine_;
    Variable variable_;
    OutcomeOf of_costs_;  // where values are costs
};

/// How many values can be predicted in ten seconds of processor time, by the time that a few between these ends take;
/// 1024 at least.
double predicted_in_time(const VariedPrediction& prediction, const Range& ends);

/// That there is no prediction at a value, and why.
std::string no_prediction_at(const Variable& variable, double value, const InputError& error);

/// The same; nothing where there is one.
std::optional<std::string> refusal_at(const Variable& variable, double value, const OutcomeAt& outcome);

/// Says that of whole numbers only samples were looked at, where not all were.
void tell_samples(Document& document, const std::string& name, const Range& range);

}  // namespace narrows
