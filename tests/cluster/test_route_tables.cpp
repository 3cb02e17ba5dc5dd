
#include <catch2/catch.hpp>

#include "tests/cluster/bed.hpp"
#include "tests/topologies/route_checks.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

Bed planned(const std::string& spec, const std::string& routing = "") {
    BedWords words;
    words.network.network = spec;
    words.routing = routing;
    return plan_bed(words);
}

std::vector<bool> wraps_of(const Bed& bed) {
    return bed.given.topology ? bed.given.topology->grid_wraps() : std::vector<bool>{};
}

LinkLoads loads_of_library(const Bed& bed, const Traffic& traffic) {
    return *routed_loads(bed.routing, bed.network(), bed.given.grid_shape(), wraps_of(bed), traffic, 1, never_stop);
}

/// Every route is one of the library's: where it goes, the library sends some of the same demand.
void check_routes(const Bed& bed) {
    const Adjacency arcs(bed.network());
    for (int source = 0; source < bed.hosts(); ++source) {
        for (int target = 0; target < bed.hosts(); ++target) {
            if (target == source) continue;
            const Traffic one{bed.hosts(), 0, {{source, target, 1}}};
            const LinkLoads library = loads_of_library(bed, one);
            int at = source;
            for (const int arc : route(arcs, bed.tables, source, target)) {
                const int edge = arcs.edge[arc];
                CHECK((bed.network().edges[edge].u == at ? library.forward : library.backward)[edge] > 0);
                at = arcs.target[arc];
            }
            CHECK(at == target);
        }
    }
}

const std::vector<std::string> some_networks{"ring 8",
                                             "ring 6",
                                             "torus 4x3x2",
                                             "mesh 4x3",
                                             "hypercube 4",
                                             "star 5",
                                             "leaf-spine leaves=4 hosts=3 spines=2 links=2",
                                             "fat-tree ports=4 levels=3",
                                             "dragonfly a=2 p=2 h=1",
                                             "slim-fly 5 hosts=1",
                                             "torus 3x3 hosts=2"};

}  // namespace

TEST_CASE("route tables: every route is one of the library's") {
    const std::string spec = GENERATE(from_range(some_networks));
    CAPTURE(spec);
    check_routes(planned(spec));
}

TEST_CASE("route tables: the rules for ties and for going up and down are the library's too") {
    check_routes(planned("torus 4x4", "dimension-order ties=onwards"));
    check_routes(planned("torus 4x4", "shortest"));
    check_routes(planned("fat-tree ports=4 levels=3", "up-down"));
}

TEST_CASE("route tables: uniform traffic by dimension order loads every link as the library says") {
    // Rings of 4, 8, … take turns at half way round, others have no half way.
    const std::string spec = GENERATE("ring 8", "ring 7", "torus 4x4", "torus 4x4x2", "torus 8x8", "torus 8x4x3",
                                      "mesh 4x4", "mesh 5x3x2", "hypercube 4");
    CAPTURE(spec);
    const Bed bed = planned(spec);
    const Traffic uniform = uniform_traffic(bed.hosts());
    testing::check_equal(bed.loads(uniform), loads_of_library(bed, uniform));
}

TEST_CASE("route tables: onwards alone half way round loads rings as the library says") {
    const Bed bed = planned("torus 6x4", "dimension-order ties=onwards");
    const Traffic uniform = uniform_traffic(bed.hosts());
    testing::check_equal(bed.loads(uniform), loads_of_library(bed, uniform));
}

TEST_CASE("route tables: destinations are spread, so that no link is much fuller than with divided traffic") {
    struct Case {
        const char* spec;
        double most;  // fullest link over that of traffic that is divided among all ways
    };
    const auto [spec, most] = GENERATE(values<Case>({{"fat-tree ports=4 levels=3", 1.0001},
                                                     {"leaf-spine leaves=4 hosts=4 spines=2", 1.0001},
                                                     {"star 16", 1.0001},
                                                     {"ring 6", 1.2},
                                                     {"torus 6x6", 1.12},
                                                     {"dragonfly a=2 p=2 h=1", 1.2}}));
    CAPTURE(spec);
    const Bed bed = planned(spec);
    const Traffic uniform = uniform_traffic(bed.hosts());
    CHECK(fullest_share(bed.network(), bed.loads(uniform)) <=
          most * fullest_share(bed.network(), loads_of_library(bed, uniform)));
}

TEST_CASE("route tables: any traffic goes where it is to go") {
    const Bed bed = planned("torus 4x4x2");
    for (const char* pattern : {"uniform", "halves", "nearest-neighbour", "bit-complement", "tornado"}) {
        CAPTURE(pattern);
        const Traffic traffic = bed.traffic(pattern);
        testing::check_conserved(bed.network(), bed.loads(traffic), traffic);
    }
}

TEST_CASE("route tables: ways by way of random nodes are refused") {
    CHECK_THROWS_WITH(planned("ring 4", "valiant"), Catch::Contains("no table of destinations"));
}

}  // namespace narrows::cluster
