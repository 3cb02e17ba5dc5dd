#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "data/machine_file.hpp"
#include "data/older_words.hpp"
#include "data/source_text.hpp"
#include "data/whole_file.hpp"
#include "data/yaml_tree.hpp"
#include "model/schema.hpp"
#include "topologies/input_error.hpp"
#include "topologies/number_text.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

constexpr std::size_t largest_file = std::size_t{4} << 20;
constexpr std::size_t most_parameters = 10000;

// What a map says about everything below it.
struct Provenance {
    std::string source;
    std::string note;
};

std::string joined(const std::string& path, const std::string& word) {
    return path.empty() ? word : path + "." + word;
}

bool is_name(const std::string& word) {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return word.find_first_not_of(allowed) == std::string::npos;
}

std::string quoted_list(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", word);
    return list;
}

// Where in the schema a misplaced word belongs: `clock` below 'node', if it can where another is called as its parent.
std::string home_of(const std::string& parent, const std::string& word) {
    for (const std::string& ending : {fmt::format(".{}.{}", parent.substr(parent.rfind('.') + 1), word), "." + word}) {
        for (const SchemaRow& row : schema()) {
            if (row.path.ends_with(ending))
                return fmt::format(": it belongs below '{}'", row.path.substr(0, row.path.size() - word.size() - 1));
        }
    }
    return "";
}

class MachineReader {
  public:
    explicit MachineReader(const SourceText& source) : source_(source) {}

    Machine read(const YamlNode& root) {
        if (root.form == YamlNode::Form::nothing) {
            source_.fail({}, "the file is empty: a machine needs at least a 'name: ...'");
        }
        if (const YamlEntry* phases = root.find("phases")) {
            source_.fail(phases->place, "'phases' are of a workload's file: name it first, as in 'predict FILE'");
        }
        refuse_lists(root);
        if (!root.is_map()) source_.fail(root.place, "a machine file is a map: start with 'name: ...'");
        for (const YamlEntry& entry : root.entries) read_top(entry);
        if (machine_.name.empty()) source_.fail(root.place, "the machine has no name: add 'name: ...'");
        if (const auto found = contradiction_in(machine_)) source_.fail(places_.at(found->path), found->message);
        check_partners();
        check_stages();
        return with_paths(std::move(machine_));
    }

  private:
    void refuse_lists(const YamlNode& node) const {
        if (node.is_list()) {
            source_.fail(node.place, "a list has no place in a machine file: write a map of 'key: value'");
        }
        for (const YamlEntry& entry : node.entries) refuse_lists(entry.value);
    }

    // What some values need beside them in the file.
    void check_partners() const {
        for (const Parameter& parameter : machine_.parameters) {
            const std::string& other = parameter.correlated_with;
            if (!other.empty() && find(machine_, other) == nullptr) {
                source_.fail(
                    places_.at(parameter.path),
                    fmt::format("'{}' is correlated with '{}', which this file does not have", parameter.path, other));
            }
            if (parameter.path.starts_with("network.cut.") && find(machine_, "network.topology") == nullptr) {
                source_.fail(places_.at(parameter.path),
                             fmt::format("'{}' is what a search found of a network, which has to stand beside it: add "
                                         "'network.topology'",
                                         parameter.path));
            }
        }
    }

    // A stage whose name is a server's but for a slip would be time of a processor, and nobody would know. Slips leave
    // the first and last letter: `route` or `sink` are names of their own.
    void check_stages() const {
        std::vector<std::string> servers = {"memory", "host_interface", "network_interface", "link",
                                            "router", "flight",         "gateway",           "request"};
        for (const char* const place : {"node.links", "other_networks"}) {
            const std::vector<std::string> own = names_below(machine_, place);
            servers.insert(servers.end(), own.begin(), own.end());
        }
        for (const std::string& path : names_below(machine_, "paths")) {
            for (const std::string& stage : names_below(machine_, "paths." + path)) {
                const std::string far = stage.starts_with("far-") ? "far-" : "";
                const std::string name = stage.substr(far.size());
                if (name.empty() || std::ranges::find(servers, name) != servers.end()) continue;
                const std::string small = lower_case(name);
                const auto near = std::ranges::find_if(servers, [&small](const auto& server) {
                    return small.front() == server.front() && small.back() == server.back() &&
                           edit_distance(small, server) <= static_cast<int>(server.size()) / 4;
                });
                if (near == servers.end()) continue;
                source_.fail(places_.at(fmt::format("paths.{}.{}", path, stage)),
                             fmt::format("stage '{}' is none of the servers, and would be time of a processor: write "
                                         "'{}{}', or a name less like it",
                                         stage, far, *near));
            }
        }
    }

    void read_top(const YamlEntry& entry) {
        if (entry.key == "name") {
            machine_.name = text_of(entry);
        } else if (entry.key == "source") {
            machine_.source = text_of(entry);
        } else if (entry.key == "environment") {
            require_map(entry, "a map of texts such as 'compiler: g++ 12.2'");
            for (const YamlEntry& fact : entry.value.entries) {
                machine_.environment.emplace_back(fact.key, text_of(fact));
            }
        } else if (entry.key == "residuals") {
            require_map(entry, "a map of what was measured beside models, as calibrate writes it");
            for (const YamlEntry& surface : entry.value.entries) read_residuals(surface);
        } else {
            read_entry(entry, "", {});
        }
    }

    void read_residuals(const YamlEntry& entry) {
        require_map(entry, "a map of scales, mean, spread, noise, quantile and points, as calibrate writes it");
        MeasuredResiduals measured;
        measured.name = entry.key;
        double sessions = 1;
        for (const YamlEntry& part : entry.value.entries) {
            if (part.key == "scales") {
                measured.scales = numbers_of(part);
            } else if (part.key == "states") {
                measured.states = lines_of(part);
            } else if (part.key == "points") {
                for (std::vector<double>& numbers : lines_of(part)) {
                    const double residual = numbers.back();
                    numbers.pop_back();
                    measured.points.push_back({std::move(numbers), residual});
                }
            } else {
                double* const number = part.key == "mean"             ? &measured.mean
                                       : part.key == "by_distance"    ? &measured.by_distance
                                       : part.key == "spread"         ? &measured.spread
                                       : part.key == "shared_spread"  ? &measured.shared_spread
                                       : part.key == "trend"          ? &measured.trend
                                       : part.key == "noise"          ? &measured.noise
                                       : part.key == "quantile"       ? &measured.quantile
                                       : part.key == "sessions"       ? &sessions
                                       : part.key == "session_spread" ? &measured.session_spread
                                                                      : nullptr;
                if (number == nullptr) {
                    // Nobody writes these by hand: another program did.
                    source_.fail(part.place,
                                 fmt::format("unknown key '{}' in '{}': calibrate anew, or leave out 'residuals'",
                                             part.key, entry.key));
                }
                *number = numbers_of(part).front();
            }
        }
        if (sessions < 1 || sessions != std::floor(sessions) || sessions > 1e6) {
            source_.fail(entry.place, fmt::format("'sessions' of '{}' counts calibrations: 1 or more", entry.key));
        }
        measured.sessions = static_cast<int>(sessions);
        source_.origin(entry.place).located([&] { machine_.residuals.emplace_back(std::move(measured)); });
    }

    // Numbers, a line each; an earlier program wrote a map of lines.
    std::vector<std::vector<double>> lines_of(const YamlEntry& entry) {
        std::vector<std::vector<double>> lines;
        if (entry.value.form != YamlNode::Form::scalar) {
            require_map(entry, "a text of numbers, a line each");
            for (const YamlEntry& line : entry.value.entries) lines.push_back(numbers_of(line));
            return lines;
        }
        Place place = {entry.value.place.line, 1};  // of a block's header
        for (const std::string_view line : split(entry.value.scalar, '\n')) {
            ++place.line;
            if (!line.empty()) lines.push_back(numbers_in(line, entry.key, place));
        }
        return lines;
    }

    std::vector<double> numbers_of(const YamlEntry& entry) {
        return numbers_in(text_of(entry), entry.key, entry.value.place);
    }

    // The finite numbers of a text at a place, one at least.
    std::vector<double> numbers_in(std::string_view text, const std::string& key, Place place) {
        std::vector<double> numbers;
        for (const std::string_view word : split(text, ' ')) {
            if (word.empty()) continue;
            const std::optional<double> number = to_number(word);
            if (!number) {
                source_.fail(place, fmt::format("'{}' is not a number: calibrate wrote numbers here", word));
            }
            numbers.push_back(*number);
        }
        if (numbers.empty()) source_.fail(place, fmt::format("a line of '{}' has no numbers", key));
        return numbers;
    }

    void read_entry(const YamlEntry& entry, const std::string& parent, const Provenance& inherited) {
        const std::string path = joined(parent, entry.key);
        require_known(entry, parent);
        if (const SchemaRow* row = schema_row(path)) {
            read_row(entry, *row, path, inherited);
        } else {
            read_section(entry, path, inherited);
        }
    }

    void read_section(const YamlEntry& entry, const std::string& path, const Provenance& inherited) {
        if (!entry.value.is_map()) {
            const WordsBelow& below = below_of(path);
            require_map(
                entry, fmt::format("a map of {}", below.any_name ? "names that you choose" : quoted_list(below.words)));
        }
        places_.emplace(path, entry.place);
        const Provenance own = provenance(entry.value, inherited);
        bool is_empty = true;
        for (const YamlEntry& below : entry.value.entries) {
            if (below.key == "source" || below.key == "note") continue;
            read_entry(below, path, own);
            is_empty = false;
        }
        const SchemaRow* passes = is_empty ? schema_row(path + ".times") : nullptr;
        if (passes != nullptr && passes->path == "paths.*.*.times") add_plain_stage(entry, path, own);
    }

    // A stage that says nothing, as its server's place says it all, is still passed once.
    void add_plain_stage(const YamlEntry& entry, const std::string& path, const Provenance& provenance) {
        Parameter parameter;
        parameter.path = path + ".times";
        parameter.measure = {1, Dimension::number, ""};
        parameter.source = provenance.source;
        parameter.note = provenance.note;
        places_.emplace(parameter.path, entry.place);
        machine_.parameters.push_back(std::move(parameter));
    }

    void read_row(const YamlEntry& entry, const SchemaRow& row, const std::string& path, const Provenance& inherited) {
        const YamlNode& node = entry.value;
        const bool is_leaf = !node.is_map() || node.find("value") || node.find("low") || node.find("high");
        if (row.kind != Kind::curve || is_leaf) return read_leaf(entry, row, path, inherited);
        const Provenance own = provenance(node, inherited);
        int points = 0;
        for (const YamlEntry& point : node.entries) {
            if (point.key == "source" || point.key == "note") continue;
            const std::string point_path = joined(path, point.key);
            source_.origin(point.place).located([&] { curve_size(row, point_path); });
            read_leaf(point, row, point_path, own);
            ++points;
        }
        if (points == 0) fail_without_value(entry, row);
    }

    void read_leaf(const YamlEntry& entry, const SchemaRow& row, const std::string& path, const Provenance& inherited) {
        const YamlNode& node = entry.value;
        const YamlEntry* value = node.is_map() ? node.find("value") : &entry;
        if (node.is_map()) require_leaf_keys(entry, row);
        if (value == nullptr || value->value.form == YamlNode::Form::nothing) fail_without_value(entry, row);
        const Provenance own = node.is_map() ? provenance(node, inherited) : inherited;
        Parameter parameter;
        parameter.path = path;
        parameter.source = own.source;
        parameter.note = own.note;
        const Place place = value->value.place;
        if (is_text(row.kind)) {
            parameter.text = text_of(*value);
            if (row.kind == Kind::topology && parameter.text.find_first_of("./") < parameter.text.find(' ')) {
                source_.fail(place,
                             fmt::format("a file of a network has no place here: leave it out, and give commands "
                                         "'--network {}'",
                                         parameter.text));
            }
            source_.origin(place).located([&] { check_text(row, path, parameter.text); });
        } else {
            parameter.measure = measure_of(*value, row);
            parameter.interval = interval_of(node, row, parameter.measure);
            if (node.is_map()) read_correlation(node, parameter);
        }
        if (machine_.parameters.size() == most_parameters) {
            source_.fail(entry.place, fmt::format("more than {} values: no machine needs that", most_parameters));
        }
        places_.emplace(path, place);
        machine_.parameters.push_back(std::move(parameter));
    }

    // `-0.93 with PATH`: two costs of one fit, whose errors make up for each other.
    void read_correlation(const YamlNode& node, Parameter& parameter) {
        const YamlEntry* entry = node.find("correlated");
        if (entry == nullptr) return;
        const std::string text = text_of(*entry);
        const auto with = text.find(" with ");
        source_.origin(entry->value.place).located([&] {
            const Measure number =
                with == std::string::npos ? Measure{2, Dimension::number, ""} : parse_measure(text.substr(0, with));
            if (number.dimension != Dimension::number || number.value < -1 || number.value > 1) {
                throw InputError(
                    fmt::format("'{}' is not a correlation: write a number from -1 to 1 and a path, such as "
                                "'-0.9 with compute.gups.update'",
                                text));
            }
            parameter.correlation = number.value;
            parameter.correlated_with = text.substr(with + 6);
        });
    }

    std::optional<Interval> interval_of(const YamlNode& node, const SchemaRow& row, const Measure& value) {
        const YamlEntry* low = node.is_map() ? node.find("low") : nullptr;
        const YamlEntry* high = node.is_map() ? node.find("high") : nullptr;
        if (low == nullptr && high == nullptr) return std::nullopt;
        if (low == nullptr) source_.fail(high->place, "'high' stands alone: give 'low' too");
        if (high == nullptr) source_.fail(low->place, "'low' stands alone: give 'high' too");
        const Interval interval{end_of(*low, row, value).value, end_of(*high, row, value).value};
        const std::string text = print(value, true);
        if (interval.low > value.value) {
            source_.fail(low->value.place, fmt::format("low '{}' is above the value '{}'", low->value.scalar, text));
        }
        if (interval.high < value.value) {
            source_.fail(high->value.place, fmt::format("high '{}' is below the value '{}'", high->value.scalar, text));
        }
        return interval;
    }

    Measure end_of(const YamlEntry& entry, const SchemaRow& row, const Measure& value) {
        Measure end = measure_of(entry, row);
        if (end.dimension != value.dimension) {
            source_.fail(entry.value.place,
                         fmt::format("'{}' is {}, but the value is {}: write all three alike", entry.value.scalar,
                                     describe(end.dimension), describe(value.dimension)));
        }
        return end;
    }

    Measure measure_of(const YamlEntry& entry, const SchemaRow& row) {
        if (entry.value.is_map()) {
            source_.fail(entry.value.place,
                         fmt::format("'{}' is a map here, expected {}", entry.key, expectation(row.kind)));
        }
        const std::string text = text_of(entry);
        return source_.origin(entry.value.place).located([&] { return parse_value(row, text); });
    }

    void require_leaf_keys(const YamlEntry& entry, const SchemaRow& row) {
        std::vector<std::string> words = {"value", "source", "note"};
        if (!is_text(row.kind)) words.insert(words.begin() + 1, {"low", "high", "correlated"});
        for (const YamlEntry& part : entry.value.entries) {
            if (std::ranges::find(words, part.key) != words.end()) continue;
            std::string near = did_you_mean(part.key, words);
            if (part.value.form == YamlNode::Form::nothing) near = ": a text with a comma needs quotes here";
            source_.fail(part.place, fmt::format("unknown key '{}' in '{}'{}", part.key, entry.key,
                                                 near.empty() ? ": a value takes " + quoted_list(words) : near));
        }
    }

    // What may follow a section, looked up once for all of its keys.
    const WordsBelow& below_of(const std::string& section) {
        const auto known = below_.find(section);
        return known != below_.end() ? known->second : below_.emplace(section, words_below(section)).first->second;
    }

    void require_known(const YamlEntry& entry, const std::string& parent) {
        const auto& [known, free] = below_of(parent);
        const bool listed = std::ranges::find(known, entry.key) != known.end();
        if (listed || (free && is_name(entry.key))) return;
        const std::string place = parent.empty() ? "" : fmt::format(" in '{}'", parent);
        if (free) {
            source_.fail(entry.place,
                         fmt::format("'{}' cannot be a name{}: use letters, digits, '-' and '_'", entry.key, place));
        }
        const std::string home = home_of(parent, entry.key);
        std::vector<std::string> words = known;
        if (parent.empty())
            words.insert(words.begin(), {"name", "source", "environment", "residuals"});
        else
            words.insert(words.end(), {"source", "note"});
        std::string remedy = home.empty() ? did_you_mean(entry.key, words) : home;
        if (remedy.empty()) remedy = ": expected " + quoted_list(words);
        source_.fail(entry.place, fmt::format("unknown key '{}'{}{}", entry.key, place, remedy));
    }

    Provenance provenance(const YamlNode& node, Provenance inherited) {
        if (const YamlEntry* source = node.find("source")) inherited.source = text_of(*source);
        if (const YamlEntry* note = node.find("note")) inherited.note = text_of(*note);
        return inherited;
    }

    std::string text_of(const YamlEntry& entry) {
        if (entry.value.is_map()) source_.fail(entry.value.place, fmt::format("'{}' is a text, not a map", entry.key));
        if (entry.value.form == YamlNode::Form::nothing) {
            source_.fail(entry.place, fmt::format("'{}' has no value: give one or delete the key", entry.key));
        }
        if (entry.value.scalar.size() > SourceText::longest_line) {
            source_.fail(entry.value.place, fmt::format("a text of {} bytes: write at most {}",
                                                        entry.value.scalar.size(), SourceText::longest_line));
        }
        return entry.value.scalar;
    }

    void require_map(const YamlEntry& entry, const std::string& expected) {
        if (entry.value.form == YamlNode::Form::nothing) {
            source_.fail(entry.place,
                         fmt::format("'{}' has no value: give {}, or delete the key", entry.key, expected));
        }
        if (!entry.value.is_map()) {
            source_.fail(entry.value.place, fmt::format("'{}' is {}", entry.key, expected));
        }
    }

    [[noreturn]] void fail_without_value(const YamlEntry& entry, const SchemaRow& row) {
        source_.fail(entry.place, fmt::format("'{}' has no value, expected {}", entry.key, expectation(row.kind)));
    }

    const SourceText& source_;
    Machine machine_;
    std::map<std::string, Place> places_;      // of the values, and of the maps that hold them
    std::map<std::string, WordsBelow> below_;  // of sections
};

}  // namespace

Machine parse_machine(const std::string& text, const std::string& file, const std::string& id) {
    if (text.size() > largest_file) {
        throw InputError(
            fmt::format("{} has {} bytes: a machine file of more than 4 MiB is not read", file, text.size()));
    }
    const SourceText source(file, text);
    Machine machine = MachineReader(source).read(parse_yaml(source));
    machine.id = id;
    return machine;
}

Machine read_machine(const std::filesystem::path& path) {
    return parse_machine(read_whole_file(path, largest_file), path.string(), path.stem().string());
}

}  // namespace narrows
