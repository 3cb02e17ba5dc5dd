#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace narrows {

/// A text that is refused, and with which error.
struct ErrorCase {
    std::string text;
    std::string error;    ///< `line:column: message`
    std::string line;     ///< of `text`, which the error names; empty where it names none
    std::size_t row = 0;  ///< its number, from 1
    std::size_t column = 0;
};

/// The cases of `file`: the lines of a text, and below them `=> ` with its error. Lines with `=== ` are headings.
inline std::vector<ErrorCase> error_cases(const std::string& file) {
    std::vector<ErrorCase> cases(1);
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("=== ")) continue;
        ErrorCase& last = cases.back();
        if (!line.starts_with("=> ")) {
            lines.push_back(line);
            last.text += line + "\n";
            continue;
        }
        last.error = line.substr(3);
        char colon = 0;
        std::istringstream(last.error) >> last.row >> colon >> last.column;
        if (0 < last.row && last.row <= lines.size()) last.line = lines[last.row - 1];
        cases.emplace_back();
        lines.clear();
    }
    cases.pop_back();
    return cases;
}

}  // namespace narrows
