#include <fmt/format.h>

#include <algorithm>

#include "topologies/input_error.hpp"
#include "topologies/number_text.hpp"
#include "topologies/routes/text_lines.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {
namespace {

// Sums over all hosts and links stay finite within these, and so do shares of capacities.
constexpr double least_demand = 1e-100;
constexpr double most_demand = 1e100;

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
        throw InputError(file_, line.line, word.column, std::string(line.text), message);
    }

    int host(const WordLine& line, const PlacedWord& word) const {
        if (!word.host) fail(line, word, hosts_.complaint(word.text));
        return *word.host;
    }

    double amount(const WordLine& line, const PlacedWord& word) const {
        const double value = to_number(word.text).value_or(-1);
        if (value < 0) {
            fail(line, word, fmt::format("a demand is a number, zero or more, not '{}'", word.text));
        }
        if (value != 0 && (value < least_demand || value > most_demand)) {
            fail(line, word, fmt::format("demand {} is not within 1e-100 and 1e100: choose another unit", word.text));
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
    traffic.demands.reserve(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
    WordLines lines(text, hosts);
    while (const WordLine* const line = lines.next()) {
        const Demand demand = reader.read(*line);
        if (demand.amount > 0 && demand.source != demand.target) traffic.demands.push_back(demand);
    }
    if (traffic.demands.empty()) {
        throw InputError(file, 1, 1, "", "there is no traffic between two hosts: give lines 'source target demand'");
    }
    return traffic;
}

}  // namespace narrows
