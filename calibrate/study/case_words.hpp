#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace narrows {

/// The words of a case's name, most of them KEY=VALUE. What a name does not say is empty or 0: who reads a case
/// compares its name with the one read, as anything may be read from a text that is no name.
class CaseWords {
  public:
    explicit CaseWords(const std::string& name) : words_(" " + name) {}

    /// What follows `key`, which begins a word, up to the next blank.
    std::string value(const std::string& key) const {
        const std::size_t found = words_.find(" " + key);
        if (found == std::string::npos) return "";
        const std::size_t begin = found + 1 + key.size();
        return words_.substr(begin, words_.find(' ', begin) - begin);
    }

    std::string first() const { return value(""); }

    template <class Number = int>
    Number number(const std::string& key) const {
        return static_cast<Number>(std::strtoull(value(key).c_str(), nullptr, 10));
    }

    /// Sizes with an x between them, such as 4x3; where they are fewer than `least`, 0 for the others.
    std::vector<int> sizes(const std::string& key, std::size_t least = 0) const {
        std::istringstream text(value(key));
        std::vector<int> found;
        for (int size = 0; text >> size; text.ignore()) found.push_back(size);
        found.resize(std::max(found.size(), least));
        return found;
    }

  private:
    std::string words_;
};

}  // namespace narrows
