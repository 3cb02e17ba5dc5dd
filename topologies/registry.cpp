#include "topologies/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/families/fat_tree.hpp"
#include "topologies/families/grid.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::vector<FamilyRecord> make_families() {
    return {
        FamilyRecord{
            .name = "mesh",
            .grammar = "mesh XxYx...",
            .size = "shape",
            .parameters = {},
            .help = "A grid of any number of dimensions without wrap-around links.",
            .example = "mesh 8x4x4",
            .source = "phi and uniform flow: Cartesian products; bisection: Arjona Aroca and Fernandez Anta (2014); "
                      "alpha: Azizoglu and Egecioglu (1999, 2003)",
            .make = make_mesh,
        },
        FamilyRecord{
            .name = "torus",
            .grammar = "torus XxYx...",
            .size = "shape",
            .parameters = {},
            .help = "A grid whose every dimension of three nodes or more is a ring; two nodes share one link, not two.",
            .example = "torus 64x32x32",
            .source = "phi and uniform flow: Cartesian products; bisection: Arjona Aroca and Fernandez Anta (2014); "
                      "alpha: Azizoglu and Egecioglu (1999, 2003)",
            .make = make_torus,
        },
        FamilyRecord{
            .name = "hypercube",
            .grammar = "hypercube D",
            .size = "number of dimensions",
            .parameters = {},
            .help = "2^D nodes, each linked to the D whose number differs in one bit.",
            .example = "hypercube 10",
            .source = "a mesh of D dimensions of two nodes",
            .make = make_hypercube,
        },
        FamilyRecord{
            .name = "fat-tree",
            .grammar = "fat-tree ports=P levels=2|3 [taper=D:U] [hosts=N]",
            .size = "",
            .parameters = {{.name = "ports", .meaning = "links of every switch", .required = true},
                           {.name = "levels", .meaning = "levels of switches, 2 or 3", .required = true},
                           {.name = "taper", .meaning = "hosts to uplinks of a leaf switch, 1:1 without it"},
                           {.name = "hosts", .meaning = "nodes, filling leaf switches in order; all without it"}},
            .help = "A folded Clos network of equal switches, non-blocking above its leaf switches.",
            .example = "fat-tree ports=36 levels=3 taper=2:1",
            .source = "derived in topologies/families/fat_tree.hpp, checked against maximum flows",
            .make = make_fat_tree,
        },
    };
}

}  // namespace

const std::vector<FamilyRecord>& topology_families() {
    static const std::vector<FamilyRecord> families = make_families();
    return families;
}

const FamilyRecord& topology_family(const std::string& name) {
    std::vector<std::string> names;
    for (const FamilyRecord& family : topology_families()) {
        if (family.name == name) return family;
        names.push_back(family.name);
    }
    const std::string near = did_you_mean(name, names);
    throw InputError(fmt::format("no topology is called '{}'{}", name,
                                 near.empty() ? fmt::format(": choose one of {}", fmt::join(names, ", ")) : near));
}

void require_words(const FamilyRecord& family, const TopologySpec& spec) {
    if (spec.size && family.size.empty()) {
        throw InputError(
            fmt::format("'{}' in topology '{}' is not name=value: write {}", *spec.size, family.name, family.grammar));
    }
    if (!spec.size && !family.size.empty()) {
        throw InputError(
            fmt::format("topology '{}' lacks its {}: write it like '{}'", family.name, family.size, family.example));
    }
    std::vector<std::string> names;
    for (const ParameterRecord& parameter : family.parameters) names.push_back(parameter.name);
    for (const auto& [name, value] : spec.parameters) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string near = did_you_mean(name, names);
        throw InputError(fmt::format("topology '{}' takes no '{}'{}", family.name, name,
                                     near.empty() ? ": write " + family.grammar : near));
    }
    for (const auto& [name, meaning, required] : family.parameters) {
        if (!required || spec.parameters.contains(name)) continue;
        throw InputError(fmt::format("topology '{}' lacks {}= ({}): write it like '{}'", family.name, name, meaning,
                                     family.example));
    }
}

}  // namespace narrows
