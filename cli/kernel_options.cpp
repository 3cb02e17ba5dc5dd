#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/kernel.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string protocol_names() {
    std::string text;
    for (const KnownProtocol& one : protocols()) text += fmt::format("{}{}", text.empty() ? "" : "|", one.name);
    return text;
}

}  // namespace

const Options& kernel_options() {
    constexpr int most_ranks = 1 << 24;
    static const Options rows = {
        {"--ranks", "default: one, two, or one a core, as the kernel needs; more than there are cores run as fibers",
         most_ranks},
        {"--workers", "threads; default: one a core", 1024},
        Option{"--protocol", "the first is the default"}.taking(protocol_names()),
        {"--domain", "receiver-initiated: ranks behind a gateway, through which messages to others go; default none",
         most_ranks},
        {"--overlap-legs", "with --domain: gateways send the first part of a message on before they have the last", 0,
         1, true},
        Option{"--transport",
               "shared (default): threads or fibers of one process; tcp, udp: processes of this machine, or of "
               "several; mpi: "
               "those of mpirun -n PROCESSES narrows run ..."}
            .taking("shared|tcp|udp|mpi"),
        {"--rank", "tcp, udp between hosts: which process of the job this is, from 0; start each on its host"},
        Option{"--rendezvous", "tcp, udp between hosts: HOST:PORT where process 0 listens"}.taking("HOST:PORT"),
        Option{"--secret", "tcp, udp between hosts: file that proves the job, the same for all ranks"}.taking("FILE"),
        {"--ranks-per-process", "tcp, udp, mpi: ranks of a process, which run as fibers; default 1", 1 << 20},
        {"--no-authentication",
         "tcp, udp: do not authenticate each frame after the handshake: the network is yours alone", 0, 1, true},
        {"--repeats", "samples of each size; default 15, of a workload file 5", 10000},
        {"--virtual-clock", "the time is that of the --machine, its processors, messages and links; all else is real",
         0, 1, true},
        Option{"-m,--machine", std::string("with --virtual-clock: ") + machine_help}.taking("MACHINE"),
    };
    return rows;
}

const std::vector<std::string>& process_options() {
    static const std::vector<std::string> names = {
        "--transport", "--rank", "--rendezvous", "--secret", "--ranks-per-process", "--no-authentication"};
    return names;
}

bool has_virtual_clock(const OptionWords& words) {
    const bool by_clock = words.has("--virtual-clock");
    if (by_clock == words.has("--machine")) return by_clock;
    throw InputError(by_clock ? "--virtual-clock: name the machine whose time it is with -m"
                              : "--machine: only a virtual clock takes its time from a machine: add --virtual-clock");
}

}  // namespace narrows
