#include "cli/open_mpi_rules.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/collective_tuning.hpp"
#include "model/messages/collective_rounds.hpp"

namespace narrows {
namespace {

/// A collective as Open MPI counts them.
struct OpenMpiCollective {
    std::string_view name;
    int number;
    bool all_blocks;  ///< a message's size is that of the blocks of all ranks, not of one
};

constexpr std::array open_mpi_collectives = {
    OpenMpiCollective{"allgather", 0, true},        OpenMpiCollective{"allreduce", 2, false},
    OpenMpiCollective{"all-to-all", 3, true},       OpenMpiCollective{"broadcast", 7, false},
    OpenMpiCollective{"reduce-scatter", 12, false},
};

/// An algorithm that both have, with its number in `coll_tuned_<collective>_algorithm`.
struct OpenMpiAlgorithm {
    std::string_view collective;
    std::string_view name;
    int number;
};

constexpr std::array open_mpi_algorithms = {
    OpenMpiAlgorithm{"allgather", "bruck", 2},
    OpenMpiAlgorithm{"allgather", "ring", 4},
    OpenMpiAlgorithm{"allreduce", "recursive-doubling", 3},
    OpenMpiAlgorithm{"allreduce", "ring", 4},
    OpenMpiAlgorithm{"allreduce", "rabenseifner", 6},
    OpenMpiAlgorithm{"all-to-all", "linear", 1},
    OpenMpiAlgorithm{"all-to-all", "pairwise", 2},
    OpenMpiAlgorithm{"all-to-all", "bruck", 3},
    OpenMpiAlgorithm{"broadcast", "binomial", 6},
    OpenMpiAlgorithm{"broadcast", "scatter-allgather", 9},  // by a ring
    OpenMpiAlgorithm{"reduce-scatter", "ring", 3},
};

const OpenMpiCollective& open_mpi_collective(const std::string& name) {
    std::vector<std::string_view> names;
    for (const OpenMpiCollective& one : open_mpi_collectives) {
        if (one.name == name) return one;
        names.push_back(one.name);
    }
    throw InputError(
        fmt::format("rules of Open MPI are of collectives, and '{}' is none that it has algorithms for "
                    "(there are: {})",
                    name, fmt::join(names, ", ")));
}

int number_of(std::string_view collective, std::string_view algorithm) {
    for (const OpenMpiAlgorithm& one : open_mpi_algorithms) {
        if (one.collective == collective && one.name == algorithm) return one.number;
    }
    return 0;
}

}  // namespace

OpenMpiRules open_mpi_rules(const Workload& workload, const OptionWords& words, const Machine& machine,
                            const ReportProgress& progress) {
    const OpenMpiCollective& collective = open_mpi_collective(workload.name);
    OpenMpiRules rules;
    std::vector<std::string_view> both;
    for (const CollectiveAlgorithm& one : collective_algorithms()) {
        if (one.collective != workload.name) continue;
        if (number_of(workload.name, one.name) != 0) both.push_back(one.name);
        if (number_of(workload.name, one.name) == 0) rules.without.emplace_back(one.name);
    }
    const TunedCollective tuned = tune_collective(workload, words, machine, both, progress);
    rules.text = fmt::format(
        "# {} on {}, {}: Open MPI's algorithms by size, as narrows predicts them.\n"
        "# mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename THIS_FILE ...\n"
        "# Where 'han' comes before 'tuned', as on several nodes of Open MPI 5, add --mca coll_han_priority 0.\n"
        "1 # collectives\n"
        "{} # {}\n"
        "2 # sizes of communicators\n"
        "1 # rank, and more: as Open MPI chooses\n"  // else the first size's rules are those of smaller ones too
        "1 # size of messages\n"
        "0 0 0 0\n"
        "{} # ranks, and more\n"
        "{} # sizes of messages: bytes{}, algorithm, fan-out, segment\n",
        workload.name, machine.id, counted(tuned.nodes, "node"), collective.number, workload.name, tuned.ranks,
        tuned.reigns.size(), collective.all_blocks ? " of all ranks' blocks" : "");
    for (const Reign& reign : tuned.reigns) {
        const bool is_first = &reign == &tuned.reigns.front();
        const auto bytes = static_cast<std::int64_t>(reign.from) * (collective.all_blocks ? tuned.ranks : 1);
        rules.text +=
            fmt::format("{} {} 0 0 # {}\n", is_first ? 0 : bytes, number_of(workload.name, reign.what), reign.what);
    }
    return rules;
}

}  // namespace narrows
