// In place of flow_program.cpp and partition.cpp in a program that starts for every question: METIS, Scotch, Clp and
// what they load were, with MPI, two fifths of its start, and few questions need them. They are in a module that is
// loaded when one does.
#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "topologies/search/solvers.hpp"

namespace narrows {
namespace {

// Installed, or as it is built.
std::filesystem::path module_path() {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::filesystem::path module = "lib/narrows/narrows_solvers.so", built = folder / module;
    return std::filesystem::exists(built) ? built : folder.parent_path() / module;
}

const Solvers& solvers() {
    static const Solvers& loaded = []() -> const Solvers& {
        const std::string path = module_path().string();
        void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // never unloaded
        const void* const symbol = module == nullptr ? nullptr : dlsym(module, "narrows_solvers");
        const auto* const found = static_cast<const Solvers*>(symbol);
        if (found == nullptr || std::string_view(found->version) != NARROWS_VERSION) {
            throw std::runtime_error(
                "the solvers of cuts, which are installed with narrows, cannot be loaded: " +
                (found == nullptr ? dlerror() : path + " is of version " + found->version + ", not " NARROWS_VERSION));
        }
        return *found;
    }();
    return loaded;
}

}  // namespace

std::optional<FlowProgram> flow_program(const Network& network, const FlowProgramLimits& limits) {
    return solvers().flow_program(network, limits);
}

std::vector<char> metis_division(const Network& network, double fraction, std::uint32_t seed) {
    return solvers().metis_division(network, fraction, seed);
}

std::vector<char> scotch_halves(const Network& network, std::uint32_t seed) {
    return solvers().scotch_halves(network, seed);
}

}  // namespace narrows
