#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace narrows {

/// A word that may stand at the end of a command line.
struct CompletedWord {
    std::string word;
    std::string meaning;  ///< may be empty
};

struct WordCompletion {
    std::vector<CompletedWord> words;
    bool files = false;  ///< whether names of files fit too
};

/// What the last of `words` may become; the others stand between the program's name and it as typed, unquoted. Never
/// an error: where a file is wrong or a machine unknown there is less to offer.
///
/// Of what an option takes (`Option::takes`) these words in capitals are known: COMMAND, WORKLOAD, KERNEL, MACHINE,
/// PAPER, SPEC (a family of networks), PROTOCOL, MODE and PATH (of the machine that is named), NAME (a PATH or an
/// option), FILE.
WordCompletion completion(const std::vector<std::string>& words, const Repertoire& known);

/// As the scripts of the shells read it: a line `files` or `words`, then a line for each word: it, a tab, its meaning.
std::string completion_text(const WordCompletion& completion);

/// The first word of the command line by which these scripts ask.
inline constexpr const char* completion_request = "__complete";

}  // namespace narrows
