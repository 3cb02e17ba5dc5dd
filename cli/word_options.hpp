#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "topologies/input_error.hpp"

namespace narrows {

/// The arguments behind a command's name, as typed.
using Arguments = std::vector<std::string>;

/// An option of workloads or kernels, typed once: where its word goes, and what it is.
template <class Words>
struct WordOption {
    std::string flags;  ///< `-n,--nodes`
    std::variant<std::string Words::*, bool Words::*> word;
    std::string help;

    bool is_called(std::string_view name) const { return flags.substr(flags.rfind(',') + 1) == name; }
};

/// Adds those of the rows that `names` lists, in that order. A name without a row is a std::logic_error.
template <class Words>
void add_word_options(CLI::App& app, Words& words, const std::vector<WordOption<Words>>& rows,
                      const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.is_called(name); });
        if (row == rows.end()) throw std::logic_error("no option is called " + name);
        if (const auto* text = std::get_if<std::string Words::*>(&row->word)) {
            app.add_option(row->flags, words.**text, row->help);
        } else {
            app.add_flag(row->flags, words.*std::get<bool Words::*>(row->word), row->help);
        }
    }
}

/// A workload file's own options, each a word of `given`.
inline void add_own_options(CLI::App& app, std::map<std::string, std::string>& given,
                            const std::map<std::string, std::string>& own) {
    for (const auto& [name, help] : own) app.add_option("--" + name, given[name], help);
}

/// The argument that names what a command is about: the first that `is_known`, else the first that is neither an option
/// nor behind one, else the first that is no option; empty when there is none.
template <class IsKnown>
std::string named_in(const Arguments& arguments, const IsKnown& is_known) {
    const auto known = std::find_if(arguments.begin(), arguments.end(), is_known);
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
