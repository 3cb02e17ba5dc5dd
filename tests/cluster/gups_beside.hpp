#pragma once

#include <string>

#include "calibrate/ranks/virtual_processor.hpp"
#include "model/gups/workload.hpp"
#include "tests/cluster/bed.hpp"

namespace narrows::cluster {

/// RandomAccess that runs on the hosts of a test-bed, with virtual processor costs.
struct BedGups {
    std::string program;  ///< narrows
    GupsCode code = GupsCode::naive;
    int bucket = 0;  ///< updates a message; 0: the code's default
    std::string transport = "tcp";
    std::string processor;  ///< as `parse_processor_costs` reads it
    double length = 10;     ///< seconds that the run is predicted to take, from which its updates follow
};

/// What was predicted by the machine file of the test-bed, and what the run measured.
struct GupsBeside {
    double updates = 0;
    double predicted = 0;  ///< updates a second
    double measured = 0;
    double processor = 0;  ///< predicted bounds, updates a second
    double network = 0;
    double processor_busy = 0;  ///< of the run's time, by the costs of the messages that were sent
    double link_busy = 0;       ///< the fullest link, by its counters
    double packets = 0;
    double errors = 0;
    std::string verdict;  ///< of the cores beside the run

    /// Which of the two held the run back: a processor that never rested, else the one that was busier. Where nothing
    /// queues, links also carry datagrams that are not full, up to all that they can.
    std::string measured_bottleneck() const {
        constexpr double never_rested = 0.95;
        return processor_busy > never_rested || processor_busy > link_busy ? "processor" : "network";
    }
    std::string predicted_bottleneck() const { return network < processor ? "network" : "processor"; }
};

/// Throws InputError as `bed_machine` does, or for costs of zero; std::runtime_error when the run fails.
GupsBeside run_beside(const Bed& bed, const BedGups& gups);

}  // namespace narrows::cluster
