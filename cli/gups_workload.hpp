#pragma once

#include <cstdint>
#include <string>

#include "cli/options.hpp"
#include "cli/workload_options.hpp"
#include "model/gups/workload.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The options that the workload and the kernel of RandomAccess have, each typed once.
const Options& gups_options();
/// Those of these names.
inline Options gups_options(const std::vector<std::string>& names) {
    return options_named(gups_options(), names);
}

/// Whether the word of --pages asks for those of 4 KiB. InputError for another size than that and 2 MiB.
bool small_pages(const std::string& pages);

/// The variant that the words name, else the machine's first. InputError when it has the costs of none.
GupsCode chosen_variant(const OptionWords& words, const Machine& machine);

/// The query for `nodes` nodes. InputError names the option that is wrong.
GupsQuery chosen_query(const OptionWords& words, const Machine& machine, std::int64_t nodes);

}  // namespace narrows
