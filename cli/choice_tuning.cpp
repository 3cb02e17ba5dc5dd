#include "cli/choice_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/variable.hpp"

namespace narrows {
namespace {

OptionWords with_choice(OptionWords words, const Choices& choices, const std::vector<std::string>& chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i) words[choices.options[i]] = chosen[i];
    return words;
}

// Whether the option takes a whole number.
bool is_count(const Workload& workload, const std::string& name) {
    return std::ranges::any_of(workload.options,
                               [&name](const Option& option) { return option.name() == name && option.most > 0; });
}

nlohmann::ordered_json json_of_tried(const Workload& workload, const Choices& choices, const RankedChoice& one) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < choices.options.size(); ++i) {
        const std::string& option = choices.options[i];
        const std::string& word = choices.words[one.choice][i];
        if (word.empty()) continue;
        json[option.substr(2)] =
            is_count(workload, option) ? nlohmann::ordered_json(std::stoll(word)) : nlohmann::ordered_json(word);
    }
    json["value"] = one.outcome.value;
    add_interval(json, one.outcome.interval);
    json["bottleneck"] = one.outcome.bottleneck;
    return json;
}

// Without the options for which all choices have the same word, which `words` has from here on.
Choices without_fixed(const Choices& choices, OptionWords& words) {
    Choices left{{}, std::vector<std::vector<std::string>>(choices.words.size())};
    for (std::size_t option = 0; option < choices.options.size(); ++option) {
        const std::string& first = choices.words.front()[option];
        const bool is_fixed =
            std::ranges::all_of(choices.words, [&](const auto& chosen) { return chosen[option] == first; });
        if (is_fixed) words[choices.options[option]] = first;
        if (is_fixed) continue;
        left.options.push_back(choices.options[option]);
        for (std::size_t i = 0; i < left.words.size(); ++i) left.words[i].push_back(choices.words[i][option]);
    }
    return left;
}

// What is chosen, in words: `grid 8x8, placement round-robin`.
std::string text_of_choice(const Choices& choices, const std::vector<std::string>& chosen) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (!chosen[i].empty()) texts.push_back(fmt::format("{} {}", choices.options[i].substr(2), chosen[i]));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

[[noreturn]] void refuse_single(const OptionWords& words, const Choices& choices) {
    std::vector<std::string> given;
    for (const std::string& option : choices.options) {
        if (words.has(option)) given.push_back(fmt::format("{} {}", option, words[option]));
    }
    const bool places = std::ranges::find(choices.options, "--placement") != choices.options.end();
    throw InputError(fmt::format("{}{}there is one choice alone: {}give several{}", fmt::join(given, ", "),
                                 given.empty() ? "" : ": ", given.empty() ? "" : "leave it out, or ",
                                 places ? ", such as --placement consecutive,round-robin,random:1" : " with commas"));
}

Table table_of_tried(const Choices& choices, const std::vector<RankedChoice>& found, const Figures& figures,
                     std::size_t most_rows) {
    const Outcome& best = found.front().outcome;
    Table table;
    for (const std::string& option : choices.options) table.header.emplace_back(option.substr(2));
    table.header.emplace_back(figures.unit, std::vector<std::string>{figures.quantity + " " + figures.unit});
    table.header.emplace_back("against the best", std::vector<std::string>{"over the best"});
    if (best.interval) table.header.push_back(figures.interval_column());
    table.header.emplace_back("bottleneck");
    for (const RankedChoice& one : found) {
        if (table.rows.size() == most_rows) break;
        const Outcome& outcome = one.outcome;
        std::vector<TableCell> row;
        for (const std::string& word : choices.words[one.choice]) row.emplace_back(word.empty() ? "-" : word);
        row.push_back(figures.cell(outcome.value));
        row.push_back(error_cell(best.value > 0 ? outcome.value / best.value - 1 : 0));
        if (best.interval) row.push_back(figures.interval_cell(outcome.interval));
        row.emplace_back(outcome.bottleneck);
        table.rows.push_back(std::move(row));
    }
    return table;
}

// With the defaults of what is chosen; none where they have no prediction.
std::optional<double> value_by_default(const Workload& workload, const OptionWords& words, const Choices& choices,
                                       const Machine& machine, std::int64_t nodes) {
    const std::vector<std::string> nothing(choices.options.size());
    try {
        return workload.outcome(with_choice(words, choices, nothing), machine, nodes)(machine).value;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// On a machine with measured runs the choices that none is like: their times are the model's alone.
std::vector<std::string> unmeasured_choices(const Workload& workload, const OptionWords& words, const Choices& choices,
                                            const std::vector<RankedChoice>& found, const Machine& machine,
                                            std::int64_t nodes) {
    std::vector<std::string> unmeasured;
    if (machine.residuals.empty()) return unmeasured;
    for (const RankedChoice& one : found) {
        const std::vector<std::string>& choice = choices.words[one.choice];
        const Answer answer = workload.answer(with_choice(words, choices, choice), machine, nodes, {});
        if (answer.is_beyond_measured) unmeasured.push_back(text_of_choice(choices, choice));
    }
    return unmeasured;
}

}  // namespace

std::vector<std::string> asked_or(const OptionWords& words, const std::string& option,
                                  const std::vector<std::string>& usual) {
    return words.has(option) ? items_of(option, words[option]) : usual;
}

std::vector<std::string> placements_to_try(const OptionWords& words, std::int64_t nodes, std::int64_t ranks_per_node) {
    if (nodes == 1 || ranks_per_node == 1) return asked_or(words, "--placement", {"consecutive"});
    return asked_or(words, "--placement", {"consecutive", "round-robin", "random:1"});
}

std::vector<std::vector<std::string>> paired(const std::vector<std::string>& one,
                                             const std::vector<std::string>& other) {
    std::vector<std::vector<std::string>> pairs;
    for (const std::string& first : one) {
        for (const std::string& second : other) pairs.push_back({first, second});
    }
    return pairs;
}

void tell_doubts(Document& document, const std::vector<RankedChoice>& found,
                 const std::vector<std::string>& unmeasured) {
    const auto alike =
        std::count_if(found.begin() + 1, found.end(), [](const RankedChoice& one) { return one.like_best; });
    if (alike > 0) {
        document.remarks.push_back(fmt::format(
            "{} of the others {} within the interval of the best, or the best within theirs: which is better is not "
            "known",
            alike, alike == 1 ? "lies" : "lie"));
    }
    if (unmeasured.empty()) return;
    document.remarks.push_back(unmeasured.size() == found.size()
                                   ? "beyond what was measured: all choices"
                                   : fmt::format("beyond what was measured, so not comparable with the others: {}",
                                                 fmt::join(unmeasured, "; ")));
}

Document tuned_choices(const Workload& workload, OptionWords words, const Machine& machine, const Choices& all,
                       const ReportProgress& progress) {
    if (all.words.size() == 1) refuse_single(words, all);
    const Choices choices = without_fixed(all, words);
    const std::int64_t nodes = chosen_nodes(words, machine);
    const auto outcome = [&](std::size_t choice) {
        if (progress) progress(static_cast<double>(choice) / static_cast<double>(choices.words.size()));
        return with_interval(machine,
                             workload.outcome(with_choice(words, choices, choices.words[choice]), machine, nodes));
    };
    const auto [found, refusal] = ranked_choices(choices.words.size(), outcome, workload.is_rate);
    const std::vector<std::string>& best = choices.words[found.front().choice];
    const Answer answer = workload.answer(with_choice(words, choices, best), machine, nodes, {});
    Document document{json_of("tune")};
    for (const char* key : {"machine", "workload", "nodes", "ranks", "result"}) {
        if (answer.json.contains(key)) document.json[key] = answer.json[key];
    }
    document.json["choices"] = nlohmann::ordered_json::array();
    for (const RankedChoice& one : found) {
        document.json["choices"].push_back(json_of_tried(workload, choices, one));
        document.json["choices"].back()["like_best"] = one.like_best;
    }
    document.notes.push_back(fmt::format("{} on {}, {}: best of {} with {}", answer.subject, machine.id, answer.size,
                                         counted(static_cast<std::int64_t>(found.size()), "choice"),
                                         text_of_choice(choices, best)));
    constexpr std::size_t most_rows = 20;
    document.tables.push_back(table_of_tried(choices, found, answer.figures, most_rows));
    if (found.size() > most_rows) {
        document.csv = table_of_tried(choices, found, answer.figures, found.size());
        document.remarks.push_back(fmt::format("and {} more, which CSV and JSON have", found.size() - most_rows));
    }
    if (const auto usual = value_by_default(workload, words, choices, machine, nodes);
        usual && *usual != answer.value) {
        document.remarks.push_back(fmt::format("left to the defaults it is {} {}, {:.3g} times the best",
                                               answer.text(*usual), answer.figures.unit, *usual / answer.value));
    }
    tell_doubts(document, found, unmeasured_choices(workload, words, choices, found, machine, nodes));
    const std::size_t left_out = choices.words.size() - found.size();
    if (left_out > 0) {
        document.remarks.push_back(
            fmt::format("{} of {} choices have no prediction: {}", left_out, choices.words.size(), refusal));
    }
    return document;
}

}  // namespace narrows
