#include "tests/cluster/bed_machine.hpp"

#include <fmt/format.h>

#include "cli/chosen_network.hpp"
#include "data/machine_file.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {

std::string machine_file(const Bed& bed, const ProcessorCosts& costs, bool datagrams) {
    // A file's network is no value of a machine file: `predict --network FILE` brings it.
    const std::string topology = bed.given.topology && !bed.given.part
                                     ? fmt::format("  topology: {}\n", bed.given.topology->spec())
                                     : std::string("  # of a file: narrows predict --network FILE\n");
    const Traffic uniform = uniform_traffic(bed.hosts());
    // A message's own header, and over TCP that of its record and its seal. Then that of a frame: Ethernet, IP and UDP
    // with a datagram's header, its seal and a third of an acknowledgement, which is what was counted; or TCP with time
    // stamps and half the acknowledgement of two frames. Where links queue, datagrams wait until they are full. TCP
    // joins messages only behind a queue at their own host: each has a frame here.
    const char* framing = datagrams ? "{header: 8 B, code: 1544/1424}" : "{header: 123 B, packet: 1547 B}";
    return fmt::format(
        "name: Test-bed {0}\n"
        "source: tests/cluster, network namespaces\n"
        "node:\n"
        "  processors: 1\n"
        "compute:\n"
        "  gups:\n"
        "    update: {1}\n"
        "    bucket: {{per_update: 0 s, per_message: {10}, state: 0 B}}\n"
        "    route: {{per_update: 0 s, state: 0 B, under_way: 1000}}\n"
        "network:\n"
        "  link: {{bandwidth: {2} Mbit/s}}\n"
        "{3}"
        "  routing: {4}   # one route a pair: when every host offers 1, the fullest link carries {5:.6g} of its "
        "capacity\n"
        "paths:\n"
        "  wire:\n"
        "    send: {{overhead: {6}}}\n"
        "    link: {{framing: {7}}}\n"
        "    receive: {{overhead: {8}}}\n"
        "protocols:\n"
        "  {9}: {{wire: 1}}\n",
        bed.words.name, print(seconds(costs.update)), 8e-6 * bed.bytes_a_second, topology, bed.words.routing,
        fullest_share(bed.network(), bed.loads(uniform)), print(seconds(costs.send)), framing,
        print(seconds(costs.receive)), datagrams ? "udp" : "tcp", print(seconds(costs.send + costs.receive)));
}

Machine bed_machine(const Bed& bed, const ProcessorCosts& costs, bool datagrams) {
    Machine machine = parse_machine(machine_file(bed, costs, datagrams), "the test-bed's machine file", "test-bed");
    if (bed.given.topology && !bed.given.part) return machine;
    const NetworkWords& words = bed.words.network;
    if (!words.from.empty() || !words.cables.empty()) {
        throw InputError("a test-bed made with --from or --cables cannot be predicted: give a file that needs neither");
    }
    return with_network(machine, words.network, words.hosts);
}

}  // namespace narrows::cluster
