#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/sensitivity_report.hpp"
#include "cli/size_table.hpp"
#include "cli/workload.hpp"
#include "model/demand/placement.hpp"

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

/// A workload that the machine can predict: as asked, and by sizes.
struct ReportedAnswer {
    OptionWords words;
    Answer answer;
    const Axis* axis = nullptr;
    std::vector<SizeRow> rows{};
};

// The words of a workload that wants to be told of ranks on a machine without a network: all processors of one node.
// Nothing where that is not what is missing.
std::optional<OptionWords> whole_node(OptionWords words, const Workload& workload, const Machine& machine) {
    const bool takes_ranks = workload.has_option("--ranks-per-node");
    if (!takes_ranks || has_network(machine) || words.has("--nodes") || find(machine, "node.processors") == nullptr)
        return {};
    words["--nodes"] = "1";
    words["--ranks-per-node"] = fmt::format("{:.0f}", number_at(machine, "node.processors"));
    return words;
}

// The usual sizes of the axis that the machine can predict.
std::vector<SizeRow> usual_rows(const Workload& workload, const Axis& axis, OptionWords words, const Machine& machine) {
    axis.word(words).clear();
    std::vector<SizeRow> rows;
    try {
        for (const std::int64_t size : workload.sizes(words, machine)) {
            try {
                rows.push_back(size_row(workload, axis, words, machine, size));
            } catch (const InputError&) {
                continue;
            }
        }
    } catch (const InputError&) {
        return {};  // it has no sizes of its own
    }
    return rows;
}

// The prediction that was asked for, or the last of a list; without a size the machine's, else the largest of the usual
// ones that can be predicted. InputError where nothing can.
ReportedAnswer reported(const Workload& workload, const OptionWords& words, const Machine& machine) {
    ReportedAnswer found{words, {}, &chosen_axis(workload, words)};
    const Axis& axis = *found.axis;
    std::string& size = axis.word(found.words);
    const bool is_given = !size.empty();
    const auto sizes = is_given ? axis.values(size, axis.option) : std::vector<std::int64_t>();
    if (sizes.size() > 1) {
        for (const std::int64_t one : sizes) found.rows.push_back(size_row(workload, axis, words, machine, one));
        size = std::to_string(sizes.back());
    } else {
        found.rows = usual_rows(workload, axis, words, machine);
    }
    try {
        found.answer = workload.answer(found.words, machine, chosen_nodes(found.words, machine), {});
    } catch (const InputError&) {
        if (is_given || found.rows.empty()) throw;
        size = std::to_string(found.rows.back().size);
        found.answer = found.rows.back().answer;
    }
    return found;
}

// The same, where nothing was said of ranks and something has to be.
ReportedAnswer reported_here(const Workload& workload, const OptionWords& words, const Machine& machine) {
    try {
        return reported(workload, words, machine);
    } catch (const InputError&) {
        const auto of_node = whole_node(words, workload, machine);
        if (!of_node) throw;
        try {
            return reported(workload, *of_node, machine);
        } catch (const InputError&) {
        }
        throw;  // what was wrong with what was asked
    }
}

Document size_section(const ReportedAnswer& found) {
    Document section;
    section.title = fmt::format("By {}, in {}", found.axis->unit, found.answer.figures.unit);
    section.plot = parts_plot(*found.axis, found.rows);
    section.tables = {bottleneck_table(*found.axis, found.rows)};
    section.notes = bottleneck_changes(*found.axis, found.rows);
    return section;
}

Document formula_section(const Answer& answer) {
    Document section;
    section.title = "Formula, terms and where it holds";
    section.remarks = answer.explanation;
    return section;
}

// The section of a workload; its JSON besides.
Document workload_section(const Workload& workload, const ReportedAnswer& found, const Machine& machine) {
    const Answer& answer = found.answer;
    Document section;
    section.title = answer.subject;
    section.notes = {answer.setting, headline(answer)};
    for (const auto* lines : {&answer.notes, &answer.doubts})
        section.notes.insert(section.notes.end(), lines->begin(), lines->end());
    section.json["prediction"] = answer.json;
    section.json["rows"] = Json::array();
    for (const SizeRow& row : found.rows) section.json["rows"].push_back(row.answer.json);
    if (found.rows.size() > 1) section.sections.push_back(size_section(found));
    if (answer.value == 0) return section;
    section.sections.push_back(formula_section(answer));
    Document follows;
    follows.title = "What to buy, and what to measure better";
    follows.notes = {sensitivity_title(answer)};
    const std::int64_t nodes = chosen_nodes(found.words, machine);
    add_sensitivities(follows, machine, nodes, answer, value_of(workload.outcome(found.words, machine, nodes)));
    section.json["elasticities"] = follows.json["elasticities"];
    section.sections.push_back(std::move(follows));
    return section;
}

/// Everything that is told of a machine.
class MachineReport {
  public:
    MachineReport(const Machine& machine, const Output& output)
        : machine_(machine), output_(output), seen_(machine.parameters.size()) {
        document_.json["machine"] = machine.id;
        document_.json["name"] = machine.name;
        document_.json["source"] = machine.source;
        document_.json["workloads"] = Json::array();
        document_.json["not_predicted"] = Json::array();
        document_.title = fmt::format("{} ({})", machine.name, machine.id);
        document_.csv = Table{"", {"workload", "setting", "predicted", "unit", "low", "high", "bottleneck"}, {}};
    }

    void add(const Workload& workload, const OptionWords& words) {
        Machine watched = machine_;
        watched.seen = std::make_shared<std::vector<char>>(seen_.size());
        const ReportedAnswer found = reported_here(workload, words, watched);
        Document section = workload_section(workload, found, watched);
        for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] = std::max(seen_[i], watched.seen->at(i));
        document_.notes.push_back(
            fmt::format("{}, {}: {}", found.answer.subject, found.answer.size, headline(found.answer)));
        document_.json["workloads"].push_back(std::move(section.json));
        document_.csv->rows.push_back(summary(found.answer));
        for (const std::string& doubt : found.answer.doubts) unknown_.push_back(found.answer.subject + ": " + doubt);
        document_.sections.push_back(std::move(section));
    }
    void add_refusal(const std::string& workload, const std::string& reason) {
        document_.json["not_predicted"].push_back({{"workload", workload}, {"reason", reason}});
        refused_.rows.push_back({workload, reason});
    }
    const Document& whole() {
        Document remarks;
        add_machine_remarks(remarks, machine_);
        if (!output_.changes.empty())
            document_.notes.push_back(fmt::format("changed: {}", fmt::join(output_.changes, ", ")));
        for (auto* lines : {&document_.notes, &unknown_})
            lines->insert(lines->end(), remarks.remarks.begin(), remarks.remarks.end());
        if (!remarks.remarks.empty()) document_.json["remarks"] = remarks.remarks;
        document_.sections.push_back(origins());
        document_.sections.push_back(assumptions());
        document_.sections.push_back(unknowns());
        return document_;
    }

  private:
    static std::vector<TableCell> summary(const Answer& answer) {
        const auto end = [](const std::optional<double>& si) { return si ? TableCell("", {*si}) : TableCell("", {}); };
        return {answer.subject,
                answer.setting,
                TableCell("", {answer.value}),
                answer.json["result"]["unit"].get<std::string>(),
                end(answer.low),
                end(answer.high),
                answer.bottleneck};
    }

    Document origins() {
        Document section;
        section.title = "Where every number comes from";
        section.notes = {"source, unless a parameter has its own: " + machine_.source,
                         std::string("computed by narrows ") + NARROWS_VERSION};
        Table parameters = parameter_table(machine_);
        Table unread{"parameters that no prediction of this page looked at", parameters.header, {}};
        parameters.title = "parameters that predictions of this page looked at";
        std::vector<std::vector<TableCell>> all = std::exchange(parameters.rows, {});
        document_.json["parameters"] = Json::array();
        for (std::size_t i = 0; i < all.size(); ++i) {
            (seen_[i] != 0 ? parameters : unread).rows.push_back(std::move(all[i]));
            document_.json["parameters"].push_back(json_of_parameter(machine_.parameters[i]));
        }
        for (Table* const table : {&parameters, &unread}) {
            if (!table->rows.empty()) section.tables.push_back(std::move(*table));
        }
        Table environment{"where it was calibrated", {"what", "value"}, {}};
        for (const auto& [key, value] : machine_.environment) environment.rows.push_back({key, value});
        if (!environment.rows.empty()) section.tables.push_back(environment);
        Table files{"files that were read", {"file", "SHA-256"}, {}};
        for (const Input& input : output_.inputs->inputs()) files.rows.push_back({input.file, input.sha256});
        if (!files.rows.empty()) section.tables.push_back(files);
        return section;
    }
    Document assumptions() {
        Document section;
        section.title = "What was assumed";
        section.notes = assumption_lines(machine_);
        document_.json["assumed"] = section.notes;
        section.notes.insert(section.notes.begin(), "where each prediction holds stands beside its formula");
        return section;
    }
    Document unknowns() {
        Document section;
        section.title = "What it could not know";
        section.notes = unknown_;
        if (!refused_.rows.empty()) section.tables.push_back(refused_);
        Table unset{"parameters that the machine's file does not have; a prediction that needs one says so",
                    {"parameter", "meaning"},
                    {}};
        document_.json["unset"] = Json::array();
        for (const std::string& path : unset_paths(machine_)) {
            if (path.starts_with("paths.")) continue;  // what its stages do not need
            document_.json["unset"].push_back(path);
            unset.rows.push_back({path, meaning_of(path)});
        }
        if (!unset.rows.empty()) section.tables.push_back(unset);
        return section;
    }

    const Machine& machine_;
    const Output& output_;
    std::vector<char> seen_;  // by parameter, whether a prediction looked at it
    Document document_{json_of("report")};
    std::vector<std::string> unknown_{};
    Table refused_{"workloads that it cannot predict", {"workload", "what is missing"}, {}};
};

int report(const NamedWorkloads& named, OptionWords words, Output& output) {
    require_output(output, Draws::in_pages);
    const Machine machine = chosen_machine(words);
    MachineReport report(machine, output);
    const bool is_of_all = named.workloads().empty();
    const auto workloads = is_of_all ? all_workloads(named.known()) : named.workloads();
    Progress progress(output.progress, "report");
    double reached = 0;
    for (const auto& [name, workload] : workloads) {
        words.workload = name;
        try {
            report.add(workload, words);
        } catch (const InputError& error) {
            if (!is_of_all) throw;
            report.add_refusal(name, error.what());
        }
        progress.at(++reached / static_cast<double>(workloads.size()));
    }
    return emit(report.whole(), output);
}

}  // namespace

Command report_command() {
    return {"report",
            "all about a machine in one page: predictions, pictures, formulas, sources, what is assumed and unknown",
            {"report bluegene-p --workload allreduce -n 512 -o report.html",
             "report cluster-400g --workload gups --workload fft-pencils -n 64 --format markdown", "report cell-blade"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto machine = std::make_shared<std::string>();
                app.add_option("MACHINE", *machine, machine_help)->required();
                const auto named = std::make_shared<NamedWorkloads>(
                    app, arguments,
                    std::vector<std::string>{"--nodes", "--network", "--hosts", "--placement", "--background"});
                return [machine, named](Output& output) {
                    OptionWords words = named->words();
                    words["--machine"] = *machine;
                    return report(*named, std::move(words), output);
                };
            }};
}

}  // namespace narrows
