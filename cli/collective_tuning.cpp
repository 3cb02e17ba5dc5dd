#include "cli/collective_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/messages/collective_rounds.hpp"

namespace narrows {
namespace {

constexpr std::int64_t largest_tuned = std::int64_t{64} << 20;

/// From this size on, up to that of the next, an algorithm is the fastest.
struct Reign {
    std::int64_t from = 1;
    std::string algorithm;
    double seconds = 0;
};

class Contest {
  public:
    Contest(const Workload& workload, const WorkloadWords& words, const Machine& machine)
        : workload_(workload), words_(words), machine_(machine) {
        for (const CollectiveAlgorithm& one : collective_algorithms()) {
            if (one.collective == workload.name) algorithms_.emplace_back(one.name);
        }
    }

    std::vector<Reign> reigns() const {
        std::vector<Reign> found = {best(1)};
        for (std::int64_t size = 2; size <= largest_tuned; size *= 2) {
            while (best(size).algorithm != found.back().algorithm) found.push_back(overtaken(found.back(), size));
        }
        return found;
    }

  private:
    Reign best(std::int64_t bytes) const {
        Reign fastest;
        for (const std::string& algorithm : algorithms_) {
            WorkloadWords words = words_;
            words["--algorithm"] = algorithm;
            words["--bytes"] = std::to_string(bytes);
            const double seconds = workload_.number(words, machine_, chosen_nodes(words, machine_))(machine_);
            if (fastest.algorithm.empty() || seconds < fastest.seconds) fastest = {bytes, algorithm, seconds};
        }
        return fastest;
    }

    // The first size up to `high` at which another is faster, by halves: between two sizes each overtakes once.
    Reign overtaken(const Reign& before, std::int64_t high) const {
        std::int64_t low = std::max(before.from, high / 2);
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (best(middle).algorithm == before.algorithm ? low : high) = middle;
        }
        return best(high);
    }

    const Workload& workload_;
    const WorkloadWords& words_;
    const Machine& machine_;
    std::vector<std::string> algorithms_;
};

}  // namespace

Document tuned_collective(const Workload& workload, const WorkloadWords& words, const Machine& machine) {
    for (const char* option : {"--algorithm", "--bytes"}) {
        if (words.has(option))
            throw InputError(fmt::format("{} {}: tune finds it for all sizes: leave it out", option, words[option]));
    }
    const Answer asked = workload.answer(words, machine, chosen_nodes(words, machine));
    const std::vector<Reign> reigns = Contest(workload, words, machine).reigns();
    Document document;
    document.json = json_of("tune");
    document.json["machine"] = machine.id;
    document.json["workload"] = workload.name;
    document.json["nodes"] = asked.json["nodes"];
    document.json["ranks"] = asked.json["nodes"].get<std::int64_t>() * asked.json["ranks_per_node"].get<std::int64_t>();
    document.json["algorithms"] = nlohmann::ordered_json::array();
    Table table{"", {"bytes from", "algorithm", {"µs", {"time µs"}}}, {}};
    for (const Reign& reign : reigns) {
        document.json["algorithms"].push_back(
            {{"from", reign.from}, {"algorithm", reign.algorithm}, {"value", reign.seconds}, {"unit", "s"}});
        table.rows.push_back({count_cell(reign.from), reign.algorithm, number_cell(reign.seconds * 1e6)});
    }
    document.notes.push_back(fmt::format("{} on {}, {}: the fastest algorithm by size, up to 64 MiB", workload.name,
                                         machine.id, counted(asked.json["nodes"].get<std::int64_t>(), "node")));
    document.tables.push_back(std::move(table));
    return document;
}

}  // namespace narrows
