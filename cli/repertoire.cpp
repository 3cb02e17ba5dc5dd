#include "cli/repertoire.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/program_words.hpp"
#include "data/workload_file.hpp"
#include "model/messages/collective_rounds.hpp"

namespace narrows {

// Each record is in a file of its own, `NAME_workload.cpp` or `run_NAME.cpp`.
Workload gups_workload();
Workload ping_pong_workload();
Workload halo_exchange_workload();
Workload collective_workload(std::string_view name);  // `name` must outlive it
Workload sweep3d_workload();
Kernel gups_kernel();
Kernel sweep3d_kernel();
std::vector<Kernel> message_kernels();

const Workload* Repertoire::workload(const std::string& name) const {
    const auto found = std::ranges::find(workloads, name, &Workload::name);
    return found == workloads.end() ? nullptr : &*found;
}

const Kernel* Repertoire::kernel(const std::string& name) const {
    const auto found = std::ranges::find_if(
        kernels, [&](const Kernel& one) { return one.name == name || (!one.alias.empty() && one.alias == name); });
    return found == kernels.end() ? nullptr : &*found;
}

void refuse_named(const char* what, const std::string& name, std::vector<std::string> names) {
    for (const std::string& file : workload_file_names()) names.push_back(file);
    throw InputError(fmt::format("there is no {} '{}'{} (there are: {}; any file's name ends in '.yaml')", what, name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

ValidatedWorkload validated_workload(const Repertoire& known, const std::string& name) {
    for (const Kernel& each : known.kernels) {
        if (each.validated && each.name == name) return *each.validated;
    }
    if (is_workload_file(name)) return validated_program(name, std::make_shared<const Program>(read_program(name)));
    const std::vector<std::string> names = names_with(known.kernels, &Kernel::validated);
    throw InputError(fmt::format("--workload: there is no '{}' to validate{} (there are: {}, and workload files)", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

const Repertoire& repertoire() {
    static const Repertoire all = [] {
        Repertoire made;
        made.workloads = {gups_workload(), sweep3d_workload(), ping_pong_workload(), halo_exchange_workload()};
        for (const CollectiveAlgorithm& one : collective_algorithms()) {
            if (made.workloads.back().name != one.collective) {
                made.workloads.push_back(collective_workload(one.collective));
            }
        }
        made.kernels = {gups_kernel()};
        for (Kernel& one : message_kernels()) made.kernels.push_back(std::move(one));
        made.kernels.push_back(sweep3d_kernel());
        Kernel computing;  // of workload files
        computing.name = "computing";
        computing.calibrated = calibrated_computing();
        made.kernels.push_back(std::move(computing));
        return made;
    }();
    return all;
}

}  // namespace narrows
