#include "topologies/family_records.hpp"

#include "topologies/families/makers.hpp"

namespace narrows {
namespace {

using Records = std::vector<FamilyRecord>;

/// The record of a family of routers, each of which may have hosts.
FamilyRecord of_routers(FamilyRecord record) {
    record.grammar += " [hosts=P]";
    record.parameters.push_back(
        {.name = "hosts", .meaning = "hosts at each router, which are the nodes then; routers are, without it"});
    return record;
}

constexpr const char* grid_source =
    "phi and uniform flow: Cartesian products; bisection: Arjona Aroca and Fernandez Anta (2014); alpha: Azizoglu and "
    "Egecioglu (1999, 2003)";
constexpr const char* hyperx_source = "Lindsey (1964) and Cartesian products, in topologies/families/hyperx.cpp";
constexpr const char* leaf_source = "derived in topologies/families/leaf_cuts.hpp, checked against maximum flows";
constexpr const char* used_nodes = "nodes, filling leaf switches in order, no others being there; all without it";

Records grids() {
    return {
        of_routers({
            .grammar = "mesh XxYx...",
            .size = "shape",
            .help = "A grid of any number of dimensions without wrap-around links.",
            .example = "mesh 8x4x4",
            .source = grid_source,
            .make = make_grid,
        }),
        of_routers({
            .grammar = "torus XxYx...",
            .size = "shape",
            .help = "A grid whose every dimension of three nodes or more is a ring; two nodes share one link, not two.",
            .example = "torus 64x32x32",
            .source = grid_source,
            .make = make_grid,
        }),
        of_routers({
            .grammar = "twisted-torus XxY[xZ] twist=T",
            .size = "shape",
            .parameters = {{.name = "twist",
                            .meaning = "how far along the first dimension the last wraps around",
                            .required = true}},
            .help = "A torus whose last dimension wraps around shifted along the first.",
            .example = "twisted-torus 8x4 twist=4",
            .source = "upper ends by cuts in halves; the rest by search",
            .make = make_twisted_torus,
        }),
        of_routers({
            .grammar = "hypercube D",
            .size = "number of dimensions",
            .help = "2^D nodes, each linked to the D whose number differs in one bit.",
            .example = "hypercube 10",
            .source = "a mesh of D dimensions of two nodes",
            .make = make_hypercube,
        }),
        of_routers({
            .grammar = "tofu XxYxZ",
            .size = "shape of units",
            .help =
                "A torus XxYxZ of units that are 2x3x2 grids whose middle dimension is a ring, as on the K computer.",
            .example = "tofu 2x3x4",
            .source = grid_source,
            .make = make_tofu,
        }),
        of_routers({
            .grammar = "ring N",
            .size = "number of nodes",
            .help = "A torus of one dimension.",
            .example = "ring 16",
            .source = grid_source,
            .make = make_ring,
        }),
    };
}

Records products_of_complete_graphs() {
    return {
        of_routers({
            .grammar = "complete N",
            .size = "number of nodes",
            .help = "A link between any two nodes.",
            .example = "complete 16",
            .source = hyperx_source,
            .make = make_complete,
        }),
        of_routers({
            .grammar = "hyperx XxYx...",
            .size = "shape",
            .help = "A grid with a link between any two nodes that differ in one dimension only.",
            .example = "hyperx 5x5",
            .source = hyperx_source,
            .make = make_hyperx,
        }),
        of_routers({
            .grammar = "flattened-butterfly XxYx...",
            .size = "shape",
            .help = "The same as hyperx, by its older name.",
            .example = "flattened-butterfly 8x8",
            .source = hyperx_source,
            .make = make_hyperx,
        }),
    };
}

Records trees() {
    return {
        FamilyRecord{
            .grammar = "star N",
            .size = "number of nodes",
            .help = "N hosts on one switch.",
            .example = "star 16",
            .source = leaf_source,
            .make = make_star,
        },
        FamilyRecord{
            .grammar = "fat-tree ports=P levels=L [taper=D:U] [hosts=N]",
            .parameters = {{.name = "ports", .meaning = "links of every switch", .required = true},
                           {.name = "levels", .meaning = "levels of switches, 2 or more", .required = true},
                           {.name = "taper", .meaning = "hosts to uplinks of a leaf switch, 1:1 without it"},
                           {.name = "hosts", .meaning = used_nodes}},
            .help = "A folded Clos network of equal switches, non-blocking above its leaf switches.",
            .example = "fat-tree ports=36 levels=3 taper=2:1",
            .source = leaf_source,
            .make = make_fat_tree,
        },
        FamilyRecord{
            .grammar = "leaf-spine leaves=L hosts=P spines=S [links=K] [used=N]",
            .parameters = {{.name = "leaves", .meaning = "leaf switches", .required = true},
                           {.name = "hosts", .meaning = "hosts of a leaf switch", .required = true},
                           {.name = "spines", .meaning = "spine switches", .required = true},
                           {.name = "links", .meaning = "links between a leaf and a spine, 1 without it"},
                           {.name = "used", .meaning = used_nodes}},
            .help = "Leaf switches with hosts, each linked to every spine switch.",
            .example = "leaf-spine leaves=4 hosts=4 spines=2",
            .source = leaf_source,
            .make = make_leaf_spine,
        },
        FamilyRecord{
            .grammar = "cu-fat-tree units=C nodes=N uplinks=U spines=S [used=M]",
            .parameters = {{.name = "units", .meaning = "compute units, each one switch", .required = true},
                           {.name = "nodes", .meaning = "nodes of a unit", .required = true},
                           {.name = "uplinks", .meaning = "links from a unit to all spines together", .required = true},
                           {.name = "spines", .meaning = "switches between the units", .required = true},
                           {.name = "used", .meaning = used_nodes}},
            .help = "Compute units joined by spine switches. The example is Roadrunner: 17 units of 180 nodes on a "
                    "288-port switch each, and eight switches between them with room for 24 units, so 12 links each.",
            .example = "cu-fat-tree units=17 nodes=180 uplinks=96 spines=8",
            .source = "pakin2009 (system description); " + std::string(leaf_source),
            .make = make_cu_fat_tree,
        },
    };
}

Records dragonflies() {
    return {
        FamilyRecord{
            .grammar = "dragonfly a=A p=P h=H [g=G] [wiring=absolute|palm-tree] [links=K]",
            .parameters = {{.name = "a", .meaning = "routers of a group, all linked", .required = true},
                           {.name = "p", .meaning = "hosts of a router; 0 makes routers the nodes", .required = true},
                           {.name = "h", .meaning = "global links of a router", .required = true},
                           {.name = "g", .meaning = "groups, a*h+1 without it"},
                           {.name = "wiring", .meaning = "order of a group's global links, absolute without it"},
                           {.name = "links", .meaning = "links between two groups, as many as fit without it"}},
            .help = "Groups of routers, each a complete graph, with as many links between any two groups.",
            .example = "dragonfly a=4 p=2 h=2",
            .source = "upper ends by cuts between groups, hosts by topologies/families/pendant_hosts.hpp; the rest by "
                      "search",
            .make = make_dragonfly,
        },
        FamilyRecord{
            .grammar = "dragonfly-plus groups=G leaves=L spines=S hosts=P [links=K]",
            .parameters = {{.name = "groups", .meaning = "groups", .required = true},
                           {.name = "leaves", .meaning = "leaf switches of a group", .required = true},
                           {.name = "spines", .meaning = "spine switches of a group", .required = true},
                           {.name = "hosts", .meaning = "hosts of a leaf switch", .required = true},
                           {.name = "links", .meaning = "links between two groups, 1 without it"}},
            .help = "Groups that are leaf-spine networks, their spine switches linked to those of all other groups.",
            .example = "dragonfly-plus groups=5 leaves=2 spines=2 hosts=2",
            .source = "upper ends by cuts of hosts, leaves and groups; the rest by search",
            .make = make_dragonfly_plus,
        },
    };
}

Records low_diameter_graphs() {
    return {
        of_routers({
            .grammar = "slim-fly Q",
            .size = "q, a prime power",
            .help = "A McKay-Miller-Siran graph of 2q^2 routers and diameter 2; q leaves 0, 1 or 3 divided by 4.",
            .example = "slim-fly 5",
            .source = "phi by the Laplacian's second eigenvalue, in topologies/families/slim_fly.cpp",
            .make = make_slim_fly,
        }),
        of_routers({
            .grammar = "polarfly Q",
            .size = "q, a prime power",
            .help = "The Erdos-Renyi polarity graph of q^2+q+1 routers and diameter 2.",
            .example = "polarfly 7",
            .source = "lower ends by the Laplacian's second eigenvalue, in topologies/families/polarfly.cpp; the rest "
                      "by search",
            .make = make_polarfly,
        }),
        of_routers({
            .grammar = "kautz degree=D diameter=K",
            .parameters = {{.name = "degree", .meaning = "links that lead out of a node", .required = true},
                           {.name = "diameter", .meaning = "diameter of the directed graph", .required = true}},
            .help = "The Kautz graph of d^k + d^(k-1) nodes, its links usable both ways.",
            .example = "kautz degree=2 diameter=3",
            .source = "all cuts by search",
            .make = make_kautz,
        }),
    };
}

FamilyRecord random_graph(const std::string& name, const std::string& help, const std::string& example) {
    return of_routers({
        .grammar = name + " N degree=D [seed=S]",
        .size = "number of routers",
        .parameters = {{.name = "degree", .meaning = "links of every router to others", .required = true},
                       {.name = "seed", .meaning = "seed that chooses the graph, 1 without it"}},
        .help = help,
        .example = example,
        .source = "all cuts by search",
        .make = make_random_regular,
    });
}

}  // namespace

std::vector<FamilyRecord> family_records() {
    Records all;
    for (Records& some :
         std::vector{grids(), products_of_complete_graphs(), trees(), dragonflies(), low_diameter_graphs()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    all.push_back(random_graph("jellyfish", "A random regular graph of routers.", "jellyfish 64 degree=6 seed=1"));
    all.push_back(random_graph("random-regular", "The same as jellyfish.", "random-regular 48 degree=3 seed=1"));
    for (FamilyRecord& record : all) record.name = record.grammar.substr(0, record.grammar.find(' '));
    return all;
}

}  // namespace narrows
