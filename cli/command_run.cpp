#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/run_kernels.hpp"
#include "cli/sweep_deck.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// A kernel and the options that it has beside `--ranks` and `--workers`.
struct Kernel {
    std::string name;
    std::vector<std::string> options;
    int (*run)(const RunWords& words, Output& output);
};

const std::vector<Kernel>& kernels() {
    using Names = std::vector<std::string>;
    static const auto together = [](const std::vector<Names>& parts) {
        Names all;
        for (const Names& part : parts) all.insert(all.end(), part.begin(), part.end());
        return all;
    };
    static const Names between_processes = {
        "--transport", "--rank", "--rendezvous", "--secret", "--ranks-per-process", "--no-authentication"};
    static const auto messaging = [](const Names& own) {
        return together({own, {"--protocol", "--domain", "--overlap-legs"}, between_processes, {"--repeats"}});
    };
    static const std::vector<Kernel> all = {
        {"gups",
         together({{"--variant", "--shape", "--table", "--updates", "--first-update", "--bucket", "--receive-buffers",
                    "--in-transit", "--pages", "--processor", "--skip-verification", "--protocol", "--domain"},
                   between_processes,
                   {"--virtual-clock", "--machine", "--mode"}}),
         run_gups_kernel},
        {"ping-pong", messaging({"--bytes"}), run_message_kernel},
        {"stream", messaging({"--bytes", "--pattern"}), run_message_kernel},
        {"exchange", messaging({"--bytes", "--neighbours"}), run_message_kernel},
        {"overlap", messaging({"--bytes", "--progress"}), run_overlap_kernel},
        {"allreduce", messaging({"--bytes", "--algorithm", "--ranks-per-node"}), run_message_kernel},
        {"all-to-all", messaging({"--bytes", "--algorithm"}), run_message_kernel},
        {"broadcast", messaging({"--bytes", "--algorithm"}), run_message_kernel},
        {"allgather", messaging({"--bytes", "--algorithm"}), run_message_kernel},
        {"reduce-scatter", messaging({"--bytes", "--algorithm"}), run_message_kernel},
        {"barrier", messaging({"--algorithm"}), run_message_kernel},
        {"matvec", messaging({"--dimension"}), run_message_kernel},
        {"sweep3d",
         together({{"--cells", "--cells-per-rank", "--grid", "--angles", "--planes", "--angle-block", "--moments",
                    "--iterations", "--fixups-after", "--skip-compute", "--virtual-clock", "--machine", "--nodes",
                    "--vectors", "--protocol", "--domain"},
                   between_processes}),
         run_sweep3d_kernel},
    };
    return all;
}

const Kernel& kernel_named(const std::string& name) {
    std::vector<std::string> names;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name == name) return kernel;
        names.push_back(kernel.name);
    }
    throw InputError(fmt::format("there is no kernel '{}'{} (there are: {})", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

// An option that the kernel does not have is an error rather than without effect.
void check_options(const CLI::App& app, const Kernel& kernel) {
    const std::vector<std::string> of_all = {"--ranks", "--workers", "--format", "--output", "--help"};
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames().front();
        const auto among = [&name](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (option->count() == 0 || name.empty() || among(of_all) || among(kernel.options)) continue;
        throw InputError(
            fmt::format("run {} has no option {} (it has: {})", kernel.name, name, fmt::join(kernel.options, ", ")));
    }
}

void add_gups_kernel_options(CLI::App& app, RunWords& words) {
    app.add_option("--variant", words.variant,
                   "gups: sequential, naive, bucketed, routed (default), exchanged (by a --protocol), "
                   "shmem (puts by the command queue), or local (no exchange)");
    app.add_option("--shape", words.shape, "gups routed, exchanged: dimensions to route along, such as 64x32x32");
    app.add_option("--table", words.table, "gups: table of all ranks together, such as '32 MiB'");
    app.add_option(
        "--updates", words.updates,
        "gups: default four a word of the table; fewer over tcp, udp and mpi where that would take more than "
        "some ten seconds, and by a clock on many ranks");
    app.add_option("--first-update", words.first_update,
                   "gups: where in HPCC's stream the run starts; default 0, where thousands of updates are not random");
    app.add_option("--bucket", words.bucket,
                   "gups routed: updates a bucket holds; default 1024 / sum of the shape; naive: default 1");
    app.add_option("--receive-buffers", words.receive_buffers,
                   "gups routed: one a dimension (default), or 1, which deadlocks as in garg2006 Figure 3a");
    app.add_option("--in-transit", words.in_transit, "gups: packets under way for each pair of ranks; default 2");
    app.add_option("--pages", words.pages, "gups: 2MiB (default) or 4KiB");
    app.add_option("--processor", words.processor,
                   "gups over TCP, UDP or MPI: of a slower processor, such as update=1us,send=50us,receive=50us");
    app.add_option("--mode", words.mode,
                   "gups with --virtual-clock: how the --machine's ranks share a node, a name below node.modes");
    app.add_flag("--skip-verification", words.skip_verification, "gups: do not apply the updates again to check");
}

void add_messaging_options(CLI::App& app, RunWords& words) {
    app.add_option(
        "--protocol", words.protocol,
        "active-message (default), eager, rendezvous, buffered, receiver-initiated (default of sweep3d in one "
        "process) or command-queue");
    app.add_option("--domain", words.domain,
                   "receiver-initiated: ranks behind a gateway, through which messages to others go; default none");
    app.add_flag("--overlap-legs", words.overlap_legs,
                 "with --domain: gateways send the first part of a message on before they have the last");
    app.add_option("--transport", words.transport,
                   "shared (default): threads or fibers of one process; tcp, udp: processes of this machine, or of "
                   "several; mpi: those of mpirun -n PROCESSES narrows run ...");
    app.add_option("--ranks-per-process", words.ranks_per_process,
                   "tcp, udp, mpi: ranks of a process, which run as fibers; default 1");
    app.add_option("--rank", words.rank,
                   "tcp, udp between hosts: which process of the job this is, from 0; start each on its host");
    app.add_option("--rendezvous", words.rendezvous, "tcp, udp between hosts: HOST:PORT where process 0 listens");
    app.add_option("--secret", words.secret,
                   "tcp, udp between hosts: file that proves the job, the same for all ranks");
    app.add_flag("--no-authentication", words.no_authentication,
                 "tcp, udp: do not authenticate each frame after the handshake: the network is yours alone");
    app.add_option("--bytes", words.bytes,
                   "sizes: 8, a list 8,64,1KiB, or 8..4MiB (default), which doubles; of all-to-all and allgather a "
                   "block, by default up to as many bytes as a block of each two ranks takes 256 MiB");
    app.add_option("--neighbours", words.neighbours, "exchange: 1 (default) to 6");
    app.add_option("--pattern", words.pattern,
                   "stream: pairs (default), bidirectional, or from one rank to all: cyclic, block-cyclic (4 KiB "
                   "each), indirect");
    app.add_option(
        "--progress", words.progress,
        "overlap: messages go on when the rank calls (poll, default), or by a communication thread (thread)");
    app.add_option("--algorithm", words.algorithm,
                   "allreduce: recursive-doubling (default), tree or ring; or first within nodes: node-direct, "
                   "node-ring, node, which is direct up to 2 KiB and a ring above, or node-shared, through memory that "
                   "a node's ranks share; all-to-all: pairwise (default) or bruck; allgather: ring (default) or bruck; "
                   "reduce-scatter: pairwise (default) or ring; broadcast: binomial; barrier: dissemination");
    app.add_option("--ranks-per-node", words.ranks_per_node, "allreduce within nodes: ranks of a node; default 4");
    app.add_option("--dimension", words.dimension, "matvec: of the matrix; default 512,1024");
    app.add_option("--repeats", words.repeats, "samples of each size; default 15");
}

void add_sweep3d_options(CLI::App& app, RunWords& words) {
    add_sweep_deck_options(app, words);
    app.add_option("--iterations", words.iterations,
                   "sweep3d: default 12; fewer over tcp, udp and mpi where that would take more than some ten seconds");
    app.add_option("--fixups-after", words.fixups_after,
                   "sweep3d: iterations after this one set negative fluxes to zero; default none");
    app.add_flag(
        "--virtual-clock", words.virtual_clock,
        "sweep3d, gups routed: the time is that of the --machine, its processors, messages and links; all else "
        "is real");
    app.add_option("-m,--machine", words.machine, std::string("with --virtual-clock: ") + machine_help);
    app.add_option("-n,--nodes", words.nodes,
                   "sweep3d with --virtual-clock: nodes of the machine, all of whose ranks run; a list 1,2,4 or 1..64 "
                   "makes a table, and so does one of --ranks");
    app.add_flag("--skip-compute", words.skip_compute, "sweep3d: all messages, no arithmetic");
    app.add_option("--vectors", words.vectors, "sweep3d: scalar, sse2, avx2 or avx512; default the widest");
}

}  // namespace

int small_count(const std::string& text, const std::string& option, std::int64_t high) {
    return text.empty() ? 0 : static_cast<int>(parse_count(text, option, 1, high));
}

Command run_command() {
    return {
        "run",
        "run a kernel for real, on this machine",
        {"run gups --variant routed --ranks 64 --shape 4x4x4 --table '1 MiB'",
         "run gups --variant bucketed --ranks 32 --table '1 MiB'",
         "run gups --variant sequential --table '1 MiB'",
         "run gups --virtual-clock -m bluegene-l --ranks 64 --updates 262144",
         "run gups --variant shmem --ranks 16 --table '1 MiB'",
         "run gups --protocol receiver-initiated --domain 8 --ranks 64 --table '1 MiB'",
         "run ping-pong --protocol buffered --bytes 8..64KiB --repeats 3",
         "run stream --ranks 64 --bytes 8,64 --repeats 3",
         "run stream --pattern indirect --protocol command-queue --ranks 8 --bytes 8 --repeats 3",
         "run exchange --neighbours 6 --ranks 8 --bytes 1KiB --repeats 3",
         "run overlap --protocol rendezvous --bytes 8,64KiB --repeats 3",
         "run allreduce --algorithm ring --ranks 8 --bytes 8KiB --repeats 3",
         "run allreduce --algorithm node --ranks 8 --bytes 64,64KiB --repeats 3",
         "run allreduce --algorithm node-shared --ranks 8 --ranks-per-node 2 --bytes 64,64KiB --repeats 3",
         "run all-to-all --algorithm bruck --ranks 8 --bytes 8,1KiB --repeats 3",
         "run broadcast --ranks 8 --bytes 64KiB --repeats 3",
         "run allgather --ranks 8 --bytes 8,1KiB --repeats 3",
         "run reduce-scatter --algorithm ring --ranks 8 --bytes 64KiB --repeats 3",
         "run barrier --ranks 8 --repeats 3",
         "run sweep3d --grid 2x3 --angle-block 3 --fixups-after 7",
         "run sweep3d --virtual-clock -m roadrunner --ranks 32 --cells-per-rank 5x5x400 --iterations 1 --skip-compute",
         "run sweep3d --virtual-clock -m roadrunner -n 1,2 --cells-per-rank 2x2x20 --iterations 1 --skip-compute",
         "run matvec --protocol buffered --ranks 8 --dimension 64 --repeats 3"},
        [](CLI::App& app) {
            const auto words = std::make_shared<RunWords>();
            app.add_option("KERNEL", words->kernel,
                           "gups, ping-pong, stream, exchange, overlap, allreduce, all-to-all, broadcast, allgather, "
                           "reduce-scatter, barrier, matvec or sweep3d")
                ->required();
            app.add_option("--ranks", words->ranks,
                           "default: two, gups one a core, sweep3d one; more than there are cores run as fibers");
            app.add_option("--workers", words->workers, "threads; default: one a core");
            add_gups_kernel_options(app, *words);
            add_messaging_options(app, *words);
            add_sweep3d_options(app, *words);
            return [words, &app](Output& output) {
                const Kernel& kernel = kernel_named(words->kernel);
                check_options(app, kernel);
                if (output.file.ends_with(".yaml") && kernel.name != "ping-pong") {
                    throw InputError(fmt::format("-o {}: run ping-pong writes a machine file, run {} does not",
                                                 output.file, kernel.name));
                }
                return kernel.run(*words, output);
            };
        },
        false,
        ".yaml"};
}

}  // namespace narrows
