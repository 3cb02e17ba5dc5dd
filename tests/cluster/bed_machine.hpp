#pragma once

#include <string>

#include "calibrate/ranks/virtual_processor.hpp"
#include "model/machine.hpp"
#include "tests/cluster/bed.hpp"

namespace narrows::cluster {

/// A machine file of the test-bed, whose messages go by TCP or as datagrams. Acknowledgements are counted as bytes of
/// the messages themselves, which is exact where as much goes one way as the other.
std::string machine_file(const Bed& bed, const ProcessorCosts& costs, bool datagrams);

/// The machine of that file, on the network that the test-bed was made of, also where that is a file or some of its
/// hosts. Throws InputError where the test-bed was made with --from or --cables.
Machine bed_machine(const Bed& bed, const ProcessorCosts& costs, bool datagrams);

}  // namespace narrows::cluster
