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

/// Troff of the `man` macros, or Markdown, of which the program's page is `index.md`.
enum class PageFormat { man, markdown };

/// Pages of the program and of every command, from their records.
std::vector<ReferencePage> reference_pages(PageFormat format, const Repertoire& known);

}  // namespace narrows
