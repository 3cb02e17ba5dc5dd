#pragma once

#include <string>
#include <vector>

#include "cli/repertoire.hpp"

namespace narrows {

/// A page about the command line: `predict`, or of the program as a whole without a name.
struct ReferencePage {
    std::string file;  ///< `narrows-predict.1`, `predict.md`
    std::string text;
};

/// Pages of the program and of every command, from their records: troff of the `man` macros, or Markdown, of which the
/// program's is `index.md`.
std::vector<ReferencePage> man_pages(const Repertoire& known);
std::vector<ReferencePage> markdown_pages(const Repertoire& known);

}  // namespace narrows
