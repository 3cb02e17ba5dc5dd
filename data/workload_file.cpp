#include "data/workload_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "data/library.hpp"
#include "data/rank_messages.hpp"
#include "data/source_text.hpp"
#include "data/whole_file.hpp"
#include "data/yaml_tree.hpp"
#include "model/messages/collective_rounds.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::size_t largest_workload = std::size_t{1} << 20;
constexpr std::size_t largest_messages = std::size_t{64} << 20;
constexpr int most_dimensions = 3;

bool is_identifier(const std::string& word) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    constexpr std::string_view all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return !word.empty() && letters.find(word[0]) != std::string_view::npos &&
           word.find_first_not_of(all) == std::string::npos && !word.starts_with("__");
}

class ProgramReader {
  public:
    explicit ProgramReader(const SourceText& source) : source_(source) {}

    Program read(const YamlNode& root) {
        if (root.form == YamlNode::Form::nothing) {
            source_.fail({}, "the file is empty: a workload needs a 'name: ...' and 'phases: ...'");
        }
        if (!root.is_map()) source_.fail(root.place, "a workload file is a map: start with 'name: ...'");
        for (const char* key : {"node", "network", "compute", "paths"}) {
            const YamlEntry* const part = root.find(key);
            if (part == nullptr) continue;
            source_.fail(part->place,
                         fmt::format("'{}' is of a machine file, not of a workload's: give it by -m", key));
        }
        require_keys(root, "", {"name", "source", "options", "ranks", "phases", "overlap"});
        program_.name = text_of(required(root, "name"));
        if (const YamlEntry* source = root.find("source")) program_.source = text_of(*source);
        if (const YamlEntry* ranks = root.find("ranks")) program_.dimensions = dimensions_of(*ranks);
        if (const YamlEntry* options = root.find("options")) read_options(*options);
        read_phases(required(root, "phases"));
        if (const YamlEntry* overlap = root.find("overlap")) read_overlap(*overlap);
        return std::move(program_);
    }

  private:
    const YamlEntry& required(const YamlNode& map, const char* key) const {
        if (const YamlEntry* entry = map.find(key)) return *entry;
        source_.fail(map.place, fmt::format("'{}' is missing: add '{}: ...'", key, key));
    }

    // The rest of an expression behind a comma is read as a key without a value.
    static bool is_cut(const YamlEntry& entry) {
        return entry.value.form == YamlNode::Form::nothing && entry.key.find(')') != std::string::npos;
    }
    static constexpr std::string_view of_cut = ": an expression with a comma needs quotes inside braces";

    void require_keys(const YamlNode& map, const std::string& where, const std::vector<std::string>& known) const {
        for (const YamlEntry& entry : map.entries) {
            if (std::ranges::find(known, entry.key) != known.end()) continue;
            std::string remedy = did_you_mean(entry.key, known);
            if (is_cut(entry)) remedy = of_cut;
            if (remedy.empty()) remedy = fmt::format(": expected '{}'", fmt::join(known, "', '"));
            source_.fail(entry.place, fmt::format("unknown key '{}'{}{}", entry.key,
                                                  where.empty() ? "" : fmt::format(" in {}", where), remedy));
        }
    }

    std::string text_of(const YamlEntry& entry) const {
        if (entry.value.is_scalar() && !entry.value.scalar.empty()) return entry.value.scalar;
        source_.fail(entry.value.form == YamlNode::Form::nothing ? entry.place : entry.value.place,
                     fmt::format("'{}' needs one value", entry.key));
    }

    Expression expression_of(const YamlEntry& entry) const {
        return Expression(text_of(entry), source_.origin(entry.value.place));
    }

    // `line`, or `grid 2`.
    int dimensions_of(const YamlEntry& entry) const {
        const std::string text = text_of(entry);
        if (text == "line") return 1;
        for (int dimensions = 1; dimensions <= most_dimensions; ++dimensions) {
            if (text == fmt::format("grid {}", dimensions)) return dimensions;
        }
        source_.fail(entry.value.place,
                     fmt::format("'{}' is not an arrangement of ranks: write 'line', 'grid 2' or 'grid 3'", text));
    }

    void read_options(const YamlEntry& entry) {
        if (!entry.value.is_map())
            source_.fail(entry.place, "'options' is a map such as 'n: {default: 1024, help: ...}'");
        const Amounts taken = names_of_ranks(std::vector<int>(most_dimensions, 1));
        for (const YamlEntry& one : entry.value.entries) {
            if (!is_identifier(one.key)) {
                source_.fail(one.place, fmt::format("'{}' cannot be a name: use letters, digits and '_'", one.key));
            }
            if (taken.contains(one.key)) {
                source_.fail(one.place, fmt::format("'{}' already is a name of the ranks: choose another", one.key));
            }
            if (!one.value.is_map()) {
                source_.fail(one.place,
                             fmt::format("option '{}' is a map: write '{{default: 1024, help: what it is}}'", one.key));
            }
            require_keys(one.value, fmt::format("option '{}'", one.key), {"default", "help"});
            const YamlEntry& usual = required(one.value, "default");
            ProgramOption option{one.key, {}, text_of(usual), "", source_.origin(one.place)};
            option.usual = source_.origin(usual.value.place).located([&] { return Amount::parse(option.text); });
            if (const YamlEntry* help = one.value.find("help")) option.help = text_of(*help);
            program_.options.push_back(std::move(option));
        }
    }

    void read_phases(const YamlEntry& entry) {
        if (!entry.value.is_list() || entry.value.entries.empty()) {
            source_.fail(entry.place,
                         fmt::format("'phases' is {}: write '- {{name: step, all-to-all: {{bytes: 8 KiB}}}}' "
                                     "a line",
                                     entry.value.is_list() ? "empty" : "a list"));
        }
        for (const YamlEntry& phase : entry.value.entries) read_phase(phase.value);
    }

    void read_phase(const YamlNode& node) {
        if (!node.is_map())
            source_.fail(node.place, "a phase is a map: write '{name: step, all-to-all: {bytes: 8 KiB}}'");
        ProgramPhase phase;
        phase.origin = source_.origin(node.place);
        const YamlEntry* pattern = nullptr;
        const auto cut = std::ranges::find_if(node.entries, is_cut);
        if (cut != node.entries.end()) {
            source_.fail(cut->place, fmt::format("unknown key '{}' of a phase{}", cut->key, of_cut));
        }
        for (const YamlEntry& entry : node.entries) {
            if (entry.key == "name") {
                phase.name = text_of(entry);
            } else if (entry.key == "repeat") {
                phase.repeat = checked(expression_of(entry));
            } else if (const std::string meant = did_you_mean(entry.key, std::vector<std::string>{"name", "repeat"});
                       !meant.empty()) {
                source_.fail(entry.place, fmt::format("unknown key '{}' of a phase{}", entry.key, meant));
            } else if (source_.origin(entry.place).located([&] { pattern_named(entry.key); }); pattern != nullptr) {
                source_.fail(entry.place,
                             fmt::format("a phase has one pattern: '{}' or '{}'", pattern->key, entry.key));
            } else {
                pattern = &entry;
            }
        }
        if (pattern == nullptr) {
            source_.fail(node.place, "the phase has no pattern: add 'compute: {...}' or one of messages");
        }
        source_.origin(pattern->place).located([&] { phase.pattern = &pattern_named(pattern->key); });
        if (phase.name.empty()) phase.name = pattern->key;
        const auto same = [&](const ProgramPhase& other) { return other.name == phase.name; };
        if (std::ranges::any_of(program_.phases, same)) {
            source_.fail(node.place,
                         fmt::format("there already is a phase '{}': give this one another 'name'", phase.name));
        }
        read_pattern(*pattern, phase);
        program_.phases.push_back(std::move(phase));
    }

    void read_pattern(const YamlEntry& entry, ProgramPhase& phase) {
        const Pattern& pattern = *phase.pattern;
        if (!entry.value.is_map() && entry.value.form != YamlNode::Form::nothing) {
            source_.fail(entry.value.place, fmt::format("'{}' is a map of what it takes", entry.key));
        }
        std::vector<PatternNumber> numbers = pattern.numbers;
        if (pattern.computes) {
            numbers.insert(numbers.end(), numbers_of_computing().begin(), numbers_of_computing().end());
        }
        std::vector<std::string> known;
        for (const PatternNumber& number : numbers) known.emplace_back(number.name);
        if (pattern.has_messages && pattern.has_groups) known.emplace_back("along");
        if (pattern.has_algorithms) known.emplace_back("algorithm");
        if (pattern.file != PatternFile::none) known.emplace_back("file");
        require_keys(entry.value, fmt::format("'{}'", entry.key), known);
        for (const YamlEntry& one : entry.value.entries) {
            if (one.key == "along") {
                phase.along = along_of(one);
            } else if (one.key == "algorithm") {
                phase.algorithm = text_of(one);
                source_.origin(one.value.place).located([&] { collective_algorithm(pattern.name, phase.algorithm); });
            } else if (one.key == "file") {
                phase.messages = messages_of(one, pattern.file);
            } else {
                phase.numbers.emplace(one.key, checked(expression_of(one)));
            }
        }
        for (const PatternNumber& number : numbers) {
            if (!number.usual.empty() || phase.numbers.contains(number.name)) continue;
            source_.fail(entry.place, fmt::format("'{}' needs '{}': {}", entry.key, number.name, number.help));
        }
        if (!pattern.has_messages && phase.numbers.empty()) {
            source_.fail(entry.place, fmt::format("'{}' needs 'time', 'flops' or 'memory'", entry.key));
        }
        if (pattern.file != PatternFile::none && phase.messages == nullptr) {
            source_.fail(entry.place, fmt::format("'{}' needs 'file': whose lines are its messages", entry.key));
        }
    }

    // Of a file that lies beside this one, unless its path is whole.
    std::shared_ptr<const RankMessages> messages_of(const YamlEntry& entry, PatternFile form) const {
        const std::filesystem::path file = std::filesystem::path(source_.file()).parent_path() / text_of(entry);
        const std::string text =
            source_.origin(entry.value.place).located([&] { return read_whole_file(file, largest_messages); });
        return read_rank_messages(text, file.string(), form);
    }

    int along_of(const YamlEntry& entry) const {
        const std::string text = text_of(entry);
        for (int dimension = 1; dimension <= program_.dimensions; ++dimension) {
            if (text == std::to_string(dimension)) return dimension - 1;
        }
        source_.fail(
            entry.value.place,
            program_.dimensions == 1
                ? fmt::format("'{}' is not a dimension: the ranks are a line; write 'ranks: grid 2' above", text)
                : fmt::format("'{}' is not a dimension of the ranks' grid: write 1 to {}", text, program_.dimensions));
    }

    // Names that it uses and nobody gives.
    Expression checked(Expression expression) const {
        std::vector<std::string> known;
        const std::vector<int> grid(static_cast<std::size_t>(program_.dimensions), 1);
        for (const auto& [name, amount] : names_of_ranks(grid)) known.push_back(name);
        for (const ProgramOption& option : program_.options) known.push_back(option.name);
        for (const std::string& name : expression.names()) {
            if (std::ranges::find(known, name) != known.end()) continue;
            expression.origin().fail(fmt::format("there is no '{}'{} (there are: {})", name, did_you_mean(name, known),
                                                 fmt::join(known, ", ")));
        }
        return expression;
    }

    // `[backward, gradients]`, or a list of such lists.
    void read_overlap(const YamlEntry& entry) {
        if (!entry.value.is_list() || entry.value.entries.empty()) {
            source_.fail(entry.place, "'overlap' is a list of phases: write 'overlap: [backward, gradients]'");
        }
        if (!entry.value.entries.front().value.is_list()) return read_group(entry.value);
        for (const YamlEntry& group : entry.value.entries) read_group(group.value);
    }

    void read_group(const YamlNode& group) {
        if (!group.is_list() || group.entries.size() < 2) {
            source_.fail(group.place, "phases overlap in twos or more: write '[backward, gradients]'");
        }
        std::vector<std::string> names;
        std::vector<std::string> known;
        for (const ProgramPhase& phase : program_.phases) known.push_back(phase.name);
        for (const YamlEntry& one : group.entries) {
            if (!one.value.is_scalar()) source_.fail(one.place, "a group of phases that overlap has their names alone");
            const std::string& name = one.value.scalar;
            if (std::ranges::find(known, name) == known.end()) {
                source_.fail(one.place, fmt::format("there is no phase '{}'{} (there are: {})", name,
                                                    did_you_mean(name, known), fmt::join(known, ", ")));
            }
            if (!overlapping_.insert(name).second) {
                source_.fail(one.place, fmt::format("phase '{}' overlaps twice: name it once", name));
            }
            names.push_back(name);
        }
        program_.overlaps.push_back(std::move(names));
    }

    const SourceText& source_;
    Program program_;
    std::set<std::string> overlapping_;
};

std::filesystem::path shipped_workloads() {
    return data_directory() / "workloads";
}

}  // namespace

Program parse_program(const std::string& text, const std::string& file) {
    const SourceText source(file, text);
    return ProgramReader(source).read(parse_yaml(source));
}

std::vector<std::string> workload_file_names() {
    return yaml_names_in(shipped_workloads());
}

bool is_workload_file(const std::string& word) {
    if (word.empty() || names_yaml_file(word)) return !word.empty();
    std::error_code ignored;
    return std::filesystem::is_regular_file(shipped_workloads() / (word + ".yaml"), ignored);
}

Program load_program(const std::string& name) {
    const std::filesystem::path file =
        names_yaml_file(name) ? std::filesystem::path(name) : shipped_workloads() / (name + ".yaml");
    return parse_program(read_whole_file(file, largest_workload), file.string());
}

}  // namespace narrows
