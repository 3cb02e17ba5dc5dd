#include "cli/completion.hpp"

#include <algorithm>
#include <set>

#include "cli/commands.hpp"
#include "cli/option_list.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/printable.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/published_cells.hpp"
#include "data/workload_file.hpp"
#include "topologies/input_error.hpp"
#include "topologies/registry.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

std::string before_equals(const std::string& word) {
    return word.substr(0, word.find('='));
}

/// The words of a command line but the one that is begun, by what they belong to.
struct TypedWords {
    TypedWords(const std::vector<ListedOption>& known, const std::vector<std::string>& words) : options(known) {
        for (const std::string& word : words) take(word);
    }

    const ListedOption* named(const std::string& word) const {
        const auto found = std::ranges::find_if(options, [&word](const ListedOption& one) {
            return !one.positional && std::ranges::find(one.names, word) != one.names.end();
        });
        return found == options.end() ? nullptr : &*found;
    }

    /// The next positional word; null when there is none.
    const ListedOption* next_positional() const {
        std::size_t before = positionals;
        for (const ListedOption& one : options) {
            if (!one.positional) continue;
            if (before == 0 || one.repeats) return &one;
            --before;
        }
        return nullptr;
    }

    void take(const std::string& word) {
        if (word.size() > 1 && word.front() == '-' && pending == nullptr) return take_option(word);
        if (word.starts_with("--") && pending != nullptr && pending->repeats) return take_option(word);
        const ListedOption* const taker = pending != nullptr ? pending : next_positional();
        if (taker != nullptr && taker->takes == "MACHINE" && machine.empty()) machine = word;
        if (pending == nullptr) ++positionals;
        if (pending != nullptr && !pending->repeats) pending = nullptr;
    }

    void take_option(const std::string& word) {
        const ListedOption* const option = named(before_equals(word));
        const bool has_value = word.find('=') != std::string::npos;
        pending = option != nullptr && !option->takes.empty() && !has_value ? option : nullptr;
        if (has_value && option != nullptr && option->takes == "MACHINE") machine = word.substr(word.find('=') + 1);
    }

    const std::vector<ListedOption>& options;
    const ListedOption* pending = nullptr;  // what the next word is a value of
    std::size_t positionals = 0;
    std::string machine;  // the one that is named
};

/// Collects what the word that is begun may become.
class Candidates {
  public:
    Candidates(std::string begun, std::string before) : begun_(std::move(begun)), before_(std::move(before)) {}

    void add(const std::string& word, const std::string& meaning = "") {
        if (!word.empty() && word.starts_with(begun_) && seen_.insert(word).second) {
            found_.words.push_back({before_ + word, meaning});
        }
    }
    void add_all(const std::vector<std::string>& words, const std::string& behind = "") {
        for (const std::string& word : words) add(word + behind);
    }
    /// Files, where no word fits.
    void add_files() { may_be_file_ = true; }
    WordCompletion found(bool files) {
        found_.files = files || (may_be_file_ && found_.words.empty());
        return found_;
    }

  private:
    std::string begun_;
    std::string before_;
    std::set<std::string> seen_;
    bool may_be_file_ = false;
    WordCompletion found_;
};

void add_machines(Candidates& candidates) {
    candidates.add_all(machine_ids());
    for (const std::filesystem::path& file : own_machine_files()) candidates.add(file.stem().string());
    candidates.add_files();
}

/// PATHs that a machine has or could have.
void add_paths(const Machine& machine, const std::string& behind, Candidates& candidates) {
    for (const Parameter& one : machine.parameters) candidates.add(one.path + behind, meaning_of(one.path));
    for (const std::string& path : unset_paths(machine)) candidates.add(path + behind, meaning_of(path));
}

// What depends on the machine that the words name: nothing where they name none.
void add_of_machine(const std::string& kind, const std::string& behind, const TypedWords& typed,
                    Candidates& candidates) {
    const auto options = [&] {
        for (const ListedOption& one : typed.options) {
            if (!one.positional && !one.takes.empty()) candidates.add(one.names.back().substr(2) + behind, one.help);
        }
    };
    if (kind == "NAME") options();
    if (typed.machine.empty() || typed.machine == "-") return;
    const Machine machine = load_machine(typed.machine);
    if (kind == "PROTOCOL") candidates.add_all(names_below(machine, "protocols"));
    if (kind == "MODE") candidates.add_all(names_below(machine, "node.modes"));
    if (kind == "PATH" || kind == "NAME") add_paths(machine, behind, candidates);
}

void add_kind(const std::string& kind, const std::string& behind, const TypedWords& typed, const Repertoire& known,
              Candidates& candidates) {
    if (kind == "COMMAND") {
        for (const Command& one : commands(known)) candidates.add(one.name, one.summary);
    } else if (kind == "WORKLOAD") {
        for (const Workload& one : known.workloads) candidates.add(one.name);
        candidates.add_all(workload_file_names());
        candidates.add_files();
    } else if (kind == "KERNEL") {
        for (const Kernel& one : known.kernels) candidates.add(one.run ? one.name : "");
        candidates.add_all(workload_file_names());
        candidates.add_files();
    } else if (kind == "MACHINE") {
        add_machines(candidates);
    } else if (kind == "PAPER") {
        candidates.add_all(published_papers());
        candidates.add_files();
    } else if (kind == "SPEC") {
        for (const FamilyRecord& one : topology_families()) candidates.add(one.name, one.grammar);
    } else {
        add_of_machine(kind, behind, typed, candidates);
    }
}

/// Values of what an option takes.
WordCompletion possible_values(const std::string& takes, const std::string& begun, const std::string& before,
                               const TypedWords& typed, const Repertoire& known) {
    const std::string capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const std::size_t last = begun.rfind(',') + 1;  // a list such as `naive,routed` is completed at its end
    Candidates candidates(begun.substr(last), before + begun.substr(0, last));
    bool files = false;
    for (const std::string_view alternative : split(takes, '|')) {
        const std::string one(alternative);
        const std::size_t kind = one.find_first_of(capitals);
        if (kind != 0) {
            // `random:` of `random:SEED`, but `2MiB` as it is.
            candidates.add(kind == std::string::npos || one[kind - 1] != ':' ? one : one.substr(0, kind));
            continue;
        }
        const std::size_t end = std::min(one.find_first_not_of(capitals), one.size());
        const bool assigns = end < one.size() && one[end] == '=';  // `PATH=VALUE`
        files = files || one == "FILE" || one == "FOLDER";
        add_kind(one.substr(0, end), assigns ? "=" : "", typed, known, candidates);
    }
    return candidates.found(files);
}

WordCompletion options_that_begin(const std::string& begun, const TypedWords& typed) {
    Candidates candidates(begun, "");
    for (const ListedOption& one : typed.options) {
        if (!one.positional) candidates.add(one.names.back(), one.help);
    }
    return candidates.found(false);
}

WordCompletion command_names(const std::string& begun, const Repertoire& known) {
    Candidates candidates(begun, "");
    for (const Command& one : commands(known)) candidates.add(one.name, one.summary);
    candidates.add("--help", "the list of commands");
    candidates.add("--version", "the version, and what it was built with");
    return candidates.found(false);
}

WordCompletion completion_of(const Command& command, const std::vector<std::string>& before, const std::string& begun,
                             const Repertoire& known) {
    const std::vector<ListedOption> options = option_list(command, before, known);
    const TypedWords typed(options, before);
    const bool begins_option = begun.starts_with("-");
    if (begins_option && (typed.pending == nullptr || typed.pending->repeats)) {
        const std::size_t equals = begun.find('=');
        if (equals == std::string::npos) return options_that_begin(begun, typed);
        const ListedOption* const option = typed.named(begun.substr(0, equals));
        if (option == nullptr) return {};
        return possible_values(option->takes, begun.substr(equals + 1), begun.substr(0, equals + 1), typed, known);
    }
    const ListedOption* const taker = typed.pending != nullptr ? typed.pending : typed.next_positional();
    if (taker == nullptr) return options_that_begin(begun, typed);
    return possible_values(taker->takes, begun, "", typed, known);
}

}  // namespace

WordCompletion completion(const std::vector<std::string>& words, const Repertoire& known) {
    std::vector<std::string> before = words;
    if (before.empty()) before.emplace_back();
    const std::string begun = before.back();
    before.pop_back();
    if (before.size() > 1 && before.front() == "help") before.erase(before.begin());
    if (before.empty()) return command_names(begun, known);
    const std::vector<Command> all = commands(known);
    const auto command = std::ranges::find(all, before.front(), &Command::name);
    if (command == all.end()) return {};
    before.erase(before.begin());
    try {
        return completion_of(*command, before, begun, known);
    } catch (const InputError&) {
        return {};
    }
}

std::string completion_text(const WordCompletion& completion) {
    std::string text = completion.files ? "files\n" : "words\n";
    for (const auto& [word, meaning] : completion.words) {
        text += printable(word) + (meaning.empty() ? "" : "\t" + printable(meaning)) + "\n";
    }
    return text;
}

}  // namespace narrows
