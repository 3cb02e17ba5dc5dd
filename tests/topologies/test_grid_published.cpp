#include <catch2/catch.hpp>

#include "topologies/shape.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

struct Partition {
    const char* spec;
    int face;
    double alpha;
};

}  // namespace

TEST_CASE("garg2006 Table 2: face area and smallest edge expansion of the Blue Gene/L partitions") {
    const Partition row =
        GENERATE(Partition{"mesh 4x4x2", 8, 1. / 2}, Partition{"mesh 8x4x2", 8, 1. / 4},
                 Partition{"mesh 8x4x4", 16, 1. / 4}, Partition{"mesh 8x4x8", 32, 1. / 4},
                 Partition{"torus 8x8x8", 64, 1. / 2}, Partition{"torus 8x8x16", 64, 1. / 4},
                 Partition{"torus 16x8x16", 128, 1. / 4}, Partition{"torus 8x32x16", 128, 1. / 8},
                 Partition{"torus 16x32x16", 256, 1. / 8}, Partition{"torus 32x32x16", 512, 1. / 8},
                 Partition{"torus 32x32x32", 1024, 1. / 8}, Partition{"torus 64x32x32", 1024, 1. / 16});
    const Topology partition = parse_topology(row.spec);
    INFO(row.spec);
    CHECK(smallest_face(partition.shape()) == row.face);
    CHECK(partition.alpha().exact());
    CHECK(partition.alpha().lower == row.alpha);
    CHECK(partition.bisection().lower == (partition.family() == "torus" ? 2 : 1) * row.face);
    // The longest dimension is even, so N phi = 2 alpha: the sharper form of (2) gives the same bound.
    CHECK(partition.phi_value() * static_cast<double>(partition.nodes()) == 2 * row.alpha);
}

TEST_CASE("grids of odd sizes have the known bisections") {
    struct Known {
        const char* spec;
        double bisection, alpha, phi;
    };
    const Known known = GENERATE(Known{"torus 5x5", 12, 1, 1. / 15}, Known{"torus 3x5", 8, 1, 1. / 9},
                                 Known{"mesh 3x3x3", 13, 1, 1. / 18}, Known{"torus 7", 2, 2. / 3, 1. / 6});
    const Topology topology = parse_topology(known.spec);
    INFO(known.spec);
    CHECK(topology.bisection().lower == known.bisection);
    CHECK(topology.alpha().lower == Approx(known.alpha));
    CHECK(topology.phi().lower == Approx(known.phi));
    CHECK(topology.uniform_flow().lower == Approx(known.phi));
}

TEST_CASE("certificates tell the cut in words") {
    const Topology torus = parse_topology("torus 64x32x32");
    CHECK(torus.bisection().method == "closed form");
    CHECK(torus.bisection().certificate ==
          "cut of the 64 dimension into halves: 2048 links between 32768 and 32768 nodes; no balanced cut is less "
          "(Arjona Aroca and Fernandez Anta 2014)");
    CHECK(torus.phi().certificate ==
          "cut of the 64 dimension into halves: 2048 links between 32768 and 32768 nodes; the sparsest cut of a "
          "Cartesian "
          "product is that of a factor");
    CHECK(parse_topology("mesh 3x3x3").bisection().certificate ==
          "cut in the middle of the 3 dimension, then its middle layer along the 3, then its middle layer along the 3: "
          "13 "
          "links between 13 and 14 nodes; no balanced cut is less (Arjona Aroca and Fernandez Anta 2014)");
    CHECK(parse_topology("torus 5x5").alpha().certificate ==
          "cut of the 5 dimension into 2 and 3 layers: 10 links between 10 and 15 nodes; slabs minimise the "
          "dimension-normalised boundary (Azizoglu and Egecioglu 2003)");
}
