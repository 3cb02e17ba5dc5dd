#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/document.hpp"
#include "cli/table.hpp"
#include "cli/workload_options.hpp"
#include "model/machine.hpp"
#include "model/path/path.hpp"
#include "model/shown_unit.hpp"
#include "model/uncertainty.hpp"

namespace narrows {

/// How a workload's result is shown.
struct Figures : ShownUnit {
    /// A value for a reader: four digits or more, with an exponent above from 1e15 on.
    std::string text(double si) const;
    /// The same of a table: CSV has it in full.
    TableCell cell(double si) const;
    /// Of a 95 % interval: `0.38 to 0.41`, and CSV has both ends; `-` without one.
    TableColumn interval_column() const { return {"95 % interval", {"low " + unit, "high " + unit}}; }
    TableCell interval_cell(const std::optional<Interval>& si) const;
};

/// Puts the ends of an interval, or null, into an object: `low` and `high`.
void add_interval(nlohmann::ordered_json& json, const std::optional<Interval>& interval);

/// A bound of a rate, or a term of a time, in SI units.
struct Part {
    std::string name;
    double value = 0;
    std::string source;
};

/// Whether a part of a whole is so small that a reader would see `0.0 %`.
bool is_negligible(double part, double whole);

/// A prediction with what it was asked of, in the form in which every command prints it.
struct Answer {
    nlohmann::ordered_json json;  ///< the object of one prediction, without `schema` and `command`
    std::string machine;
    std::string subject;  ///< `gups naive`
    std::string setting;  ///< `64 nodes, 64 ranks as 4x4x4, torus 4x4x4`
    std::string size;     ///< `64 nodes`
    std::string title;    ///< of a picture
    Figures figures;
    double value = 0;
    std::optional<double> low;
    std::optional<double> high;
    bool is_of_runs = false;  ///< the interval is that of runs beside the model, not of the machine's parameters
    bool is_beyond_measured = false;
    std::vector<Part> parts;
    std::optional<Part> beside;    ///< the same on another machine, whose name it has
    std::vector<NamedTime> terms;  ///< of the time; of a rate those of one operation on one processor
    std::string bottleneck;
    std::vector<std::pair<TableColumn, TableCell>> columns;  ///< of a table, beside the row's size
    std::map<std::string, std::string> option_units;         ///< of options with one in `json["options"]`, such as `B`
    std::vector<std::string> notes;                          ///< what else is worth a line
    std::vector<std::string> doubts;                         ///< why to trust it less, line by line
    std::vector<std::string> explanation;                    ///< formula, terms, source and validity, line by line

    std::string text(double si) const { return figures.text(si); }
    TableCell cell(double si) const { return figures.cell(si); }
    /// `0.38 to 0.41`, or empty without an interval.
    std::string interval() const;
    TableCell interval_cell() const;
};

/// An option whose list of values makes the rows of a table.
struct Axis {
    std::string option;  ///< `-n`
    std::string name;    ///< `--nodes`
    std::string header;  ///< `N`
    std::string unit;    ///< `nodes`
    std::function<std::vector<std::int64_t>(const std::string& text, const std::string& option)> values = parse_sizes;

    std::string& word(OptionWords& words) const { return words[name]; }
};

/// A kind of program whose performance can be predicted: all that a command knows of it. A new one is a function that
/// returns this, listed in `repertoire()`.
struct Workload {
    std::string name;
    Options options;         ///< that it has beside those of the machine and of the command
    std::vector<Axis> axes;  ///< the first one is that of a table for which no option is a list
    /// The sizes of that table.
    std::function<std::vector<std::int64_t>(const OptionWords&, const Machine&)> sizes;
    /// The prediction for so many nodes, with its interval. InputError names the option that is wrong.
    std::function<Answer(const OptionWords&, const Machine&, std::int64_t nodes, const ReportProgress&)> answer;
    /// What it comes to as a function of the machine, all else as chosen for this one: of machines that differ from it
    /// in costs alone (`is_cost`). Without the interval that follows from the machine's.
    std::function<OutcomeOf(const OptionWords&, const Machine&, std::int64_t nodes)> outcome;
    std::vector<std::string> examples = {};  ///< commands with their words, in the help of each; a test runs them
    /// The best of what it leaves to choose, with the words of `tune`; empty: there is nothing to tune.
    std::function<Document(const Workload&, const OptionWords&, const Machine&, const ReportProgress&)> tuned = {};
    /// Codes of it that a machine has the costs of, for the list of machines; may be empty.
    std::function<std::vector<std::string>(const Machine&)> variants = {};
    /// What `demo` asks of so many nodes; empty: it does not show this one.
    std::function<OptionWords(std::int64_t nodes)> demonstrated = {};
    bool is_rate = false;  ///< its value; else a time

    /// By its name, `--nodes`.
    bool has_option(std::string_view option) const {
        return std::ranges::any_of(options, [option](const Option& one) { return one.name() == option; });
    }
};

/// The value alone.
NumberOf value_of(const OutcomeOf& outcome);

/// `1 node`, `64 nodes`, `2 processes`.
std::string counted(std::int64_t count, std::string_view what);

/// The one that a workload file describes; `name` as `load_program` takes it.
Workload file_workload(const std::string& name);

/// The workload of this name, one of a file included. InputError with a suggestion for an unknown name.
Workload known_workload(const Repertoire& known, const std::string& name);

/// What a command is asked of a workload: adds WORKLOAD, the options of machines, and those of the workload that
/// `arguments` name to `app`. InputError with a suggestion for a file that is wrong.
class AskedWorkload {
  public:
    AskedWorkload(CLI::App& app, const Arguments& arguments);

    /// Once the words are parsed, which throws InputError with a suggestion for an unknown name.
    const Workload& workload() const { return workload_.value(); }
    const OptionWords& words() const { return words_; }
    /// Whether its value is a rate, which a table compares with measurements.
    bool is_rate() const { return workload_ && workload_->is_rate; }

  private:
    OptionWords words_;
    std::optional<Workload> workload_;
};

/// What a command about machines is asked of workloads: adds `--workload`, which may be given several times, `--set`,
/// and the options that all the workloads have that `arguments` name, or those of `without` where there are none.
/// InputError with a suggestion for a file that is wrong.
class NamedWorkloads {
  public:
    NamedWorkloads(CLI::App& app, const Arguments& arguments, const std::vector<std::string>& without);

    /// By the words that name them; none where none is named. As `AskedWorkload::workload`.
    const std::vector<std::pair<std::string, Workload>>& workloads() const { return workloads_; }
    const OptionWords& words() const { return words_; }
    const Repertoire& known() const { return known_; }

  private:
    OptionWords words_;
    std::vector<std::string> names_;
    std::vector<std::pair<std::string, Workload>> workloads_;
    const Repertoire& known_;
};

/// Every workload: the known ones and the files that are shipped, by their names.
std::vector<std::pair<std::string, Workload>> all_workloads(const Repertoire& known);

/// The machine that the words name, on the network and in the state that they name.
Machine unchanged_machine(const OptionWords& words);
/// A machine with the changes that the words name.
Machine changed_machine(Machine machine, const OptionWords& words);
/// Both.
Machine chosen_machine(const OptionWords& words);

}  // namespace narrows
