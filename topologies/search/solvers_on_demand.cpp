// In place of flow_program.cpp and partition.cpp in a program that starts for every question: METIS, Scotch, Clp and
// what they load are a third of its start, and few questions need them. They are in a module that is loaded when one
// does.
#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "topologies/search/solvers.hpp"

namespace narrows {
namespace {

const Solvers& solvers() {
    static const Solvers& loaded = []() -> const Solvers& {
        // Never unloaded. Found by the run path of the program.
        void* const module = dlopen("narrows_solvers.so", RTLD_NOW | RTLD_LOCAL);
        const void* const found = module == nullptr ? nullptr : dlsym(module, "narrows_solvers");
        if (found == nullptr) {
            throw std::runtime_error("the solvers of cuts, which are installed with narrows, cannot be loaded: " +
                                     std::string(dlerror()));
        }
        return *static_cast<const Solvers*>(found);
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
