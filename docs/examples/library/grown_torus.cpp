// By how much a torus that grows holds RandomAccess back on the nodes of Blue Gene/L.
#include <data/library.hpp>
#include <exception>
#include <iostream>
#include <model/gups/workload.hpp>
#include <topologies/input_error.hpp>
#include <topologies/spec.hpp>

int main() {
    narrows::use_data_directory(NARROWS_DATA);
    try {
        const narrows::Machine machine = narrows::load_machine("bluegene-l");
        for (const char* const spec : {"torus 8x8x8", "torus 16x16x16", "torus 64x32x32"}) {
            const narrows::Topology torus = narrows::parse_topology(spec);
            narrows::GupsQuery query;
            query.nodes = torus.nodes();
            query.messaging = "raw";
            const narrows::Prediction found = narrows::predict_gups(narrows::on_network(machine, torus), query);
            std::cout << spec << ": bisection " << torus.bisection().lower << " links, " << found.rate.si() / 1e9
                      << " GUPS, held back by " << found.bottleneck << "\n";
        }
        return 0;
    } catch (const narrows::InputError& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
