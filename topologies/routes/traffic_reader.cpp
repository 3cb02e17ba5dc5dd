#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "topologies/input_error.hpp"
#include "topologies/routes/text_lines.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {
namespace {

class TrafficReader {
  public:
    TrafficReader(const std::string& file, const HostFinder& hosts) : file_(file), hosts_(hosts) {}

    Demand read(const WordLine& line) const {
        const std::size_t words = line.words.size();
        if (words < 3) fail(line, line.words.back(), "a line of traffic is 'source target demand'");
        if (words > 3) fail(line, line.words[3], "a line of traffic ends after its demand: remove the rest");
        return {host(line, line.words[0]), host(line, line.words[1]), amount(line, line.words[2])};
    }

  private:
    [[noreturn]] void fail(const WordLine& line, const PlacedWord& word, const std::string& message) const {
        throw InputError(file_, word.line, word.column, line.text, message);
    }

    int host(const WordLine& line, const PlacedWord& word) const {
        const auto found = hosts_.find(word.text);
        if (!found) fail(line, word, hosts_.complaint(word.text));
        return *found;
    }

    double amount(const WordLine& line, const PlacedWord& word) const {
        char* end = nullptr;
        const double value = std::strtod(word.text.c_str(), &end);
        if (*end != '\0' || !std::isfinite(value) || value < 0) {
            fail(line, word, fmt::format("a demand is a number, zero or more, not '{}'", word.text));
        }
        return value;
    }

    const std::string& file_;
    const HostFinder& hosts_;
};

}  // namespace

Traffic read_traffic(std::string_view text, const std::string& file, const HostFinder& hosts) {
    Traffic traffic{hosts.hosts(), 0, {}};
    const TrafficReader reader(file, hosts);
    for (const WordLine& line : word_lines(text)) {
        const Demand demand = reader.read(line);
        if (demand.amount > 0 && demand.source != demand.target) traffic.demands.push_back(demand);
    }
    if (traffic.demands.empty()) {
        throw InputError(file, 1, 1, "", "there is no traffic between two hosts: give lines 'source target demand'");
    }
    return traffic;
}

}  // namespace narrows
