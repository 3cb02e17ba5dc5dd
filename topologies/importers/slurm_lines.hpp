#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/importers/source.hpp"

namespace narrows::slurm {

/// A line of topology.conf, continued lines joined: the values of its keys, in lower case, as views into `source`.
struct Line {
    const Source* source = nullptr;
    std::string_view place;
    std::map<std::string, std::string_view> values;

    std::optional<std::string_view> value(const std::string& key) const;
};

/// All lines that say something, those of included files in their place.
class Lines {
  public:
    using ReadIncluded = std::function<std::optional<std::string>(const std::string& path)>;

    /// Throws InputError for what is no `Key=value`, an unknown key, and an include that cannot be read.
    Lines(const Source& source, ReadIncluded read_included);

    const std::vector<Line>& lines() const { return lines_; }

  private:
    void read(const Source& source, int depth);
    void add(const Source& source, const std::vector<std::string_view>& words, int depth);
    void include(const Source& source, const std::vector<std::string_view>& words, int depth);

    ReadIncluded read_included_;
    std::deque<std::string> included_texts_;
    std::deque<Source> included_;
    std::vector<Line> lines_;
};

}  // namespace narrows::slurm
