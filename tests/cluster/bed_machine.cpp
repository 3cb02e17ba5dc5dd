#include "tests/cluster/bed_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/unit.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {

std::string machine_file(const Bed& bed, const ProcessorCosts& costs, bool datagrams) {
    // A file's network is no value of a machine file: `predict --network FILE` brings it.
    const std::string topology = bed.given.topology && !bed.given.part
                                     ? fmt::format("  topology: {}\n", bed.given.topology->spec())
                                     : std::string("  # of a file: narrows predict --network FILE\n");
    const Traffic uniform = uniform_traffic(bed.hosts());
    // Of a frame: Ethernet, IP, UDP, a datagram's header and its seal, or TCP with time stamps and a seal and half the
    // acknowledgement of two frames; then a message's own header. What is bounded by a link sends few acknowledgements.
    const char* framing = datagrams ? "{header: 8 B, code: 1514/1424}" : "{header: 123 B, packet: 1547 B}";
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

}  // namespace narrows::cluster
