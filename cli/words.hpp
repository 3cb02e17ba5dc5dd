#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace narrows {

struct Program;
struct Repertoire;
/// Those of this program.
const Repertoire& repertoire();

/// The arguments behind a command's name, as typed, and what workloads and kernels they may name.
struct Arguments : std::vector<std::string> {
    Arguments(std::vector<std::string> words, const Repertoire& all)
        : std::vector<std::string>(std::move(words)), known(all) {}

    const Repertoire& known;
};

/// An option of a workload or kernel, typed once.
struct Option {
    std::string flags;  ///< `-n,--nodes`
    std::string help;
    std::int64_t most = 0;  ///< of a whole number from `least` on; 0: it is no such number
    std::int64_t least = 1;
    bool is_flag = false;  ///< it takes no word
    /// What it takes, as help, completion and reference show it: alternatives between `|`, of which words in capitals
    /// stand for something (`completion.hpp` knows MACHINE, FILE and others) and all else is meant as it is.
    std::string takes = most > 0 ? "COUNT" : "TEXT";
    bool is_fraction = false;  ///< a number that may be between two whole ones
    bool is_count = most > 0;  ///< a whole number
    bool is_bytes = false;     ///< a whole number of bytes

    /// `--nodes`
    std::string name() const { return flags.substr(flags.rfind(',') + 1); }
    /// The same option, which takes a fraction, shown as this.
    Option taking_fraction(std::string what) const {
        Option option = taking(std::move(what));
        option.is_fraction = true;
        return option;
    }
    /// The same option, which takes a whole number, or one of bytes.
    Option taking_count() const {
        Option option = taking("COUNT");
        option.is_count = true;
        return option;
    }
    Option taking_bytes() const {
        Option option = taking("BYTES");
        option.is_bytes = true;
        return option;
    }
    /// The same option, which takes this.
    Option taking(std::string what) const {
        Option option = *this;
        option.takes = std::move(what);
        return option;
    }
};

using Options = std::vector<Option>;

/// Those of the rows that are called so, in that order. A name without a row is a std::logic_error.
Options options_named(const Options& rows, const std::vector<std::string>& names);

/// All of them, one list behind the other.
Options together(const std::vector<Options>& lists);

/// What was said of a workload, a kernel or whatever else has a list of options, as typed: a word for each option,
/// empty where it was not given.
class OptionWords {
  public:
    std::string workload;
    std::vector<std::string> changes;        ///< `PATH=VALUE` of --set
    std::shared_ptr<const Program> program;  ///< of a workload file that runs

    /// By the option's name, `--nodes`.
    const std::string& operator[](std::string_view option) const;
    std::string& operator[](std::string_view option) { return words_[std::string(option)]; }
    bool has(std::string_view option) const { return !(*this)[option].empty(); }
    /// The number of an option that has a range; 0 where it was not given. InputError names the option.
    template <class Number = int>
    Number count(const std::string& option) const {
        return static_cast<Number>(whole(option));
    }

    /// Those that were added.
    const Options& options() const { return options_; }

    /// Adds the options to `app`, whose words come here. InputError where one is the command's own.
    void add_options(CLI::App& app, const Options& options);

  private:
    std::int64_t whole(const std::string& option) const;

    std::map<std::string, std::string, std::less<>> words_;
    Options options_;
};

/// The argument that names what a command is about: the first that `is_known`, else the first that is neither an option
/// nor behind one, else the first that is no option; empty when there is none.
template <class IsKnown>
std::string named_in(const Arguments& arguments, const IsKnown& is_known) {
    const auto known = std::ranges::find_if(arguments, is_known);
    if (known != arguments.end()) return *known;
    bool behind_option = false;
    std::string behind;  // perhaps a flag
    for (const std::string& word : arguments) {
        const bool option = word.size() > 1 && word[0] == '-';
        if (!option && !behind_option) return word;
        if (!option && behind.empty()) behind = word;
        behind_option = option && word.find('=') == std::string::npos;
    }
    return behind;
}

}  // namespace narrows
