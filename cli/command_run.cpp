#include <fmt/format.h>

#include <algorithm>

#include "calibrate/kernels/messages/kernel_names.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/program_words.hpp"
#include "cli/run_kernels.hpp"
#include "cli/sweep_deck.hpp"
#include "data/workload_file.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// A kernel and the options that it has beside `--ranks` and `--workers`.
struct Kernel {
    std::string name;
    std::vector<std::string> options;
    int (*run)(const RunWords& words, Output& output);
    std::string alias = {};
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
        {"halo-exchange", messaging({"--bytes", "--neighbours"}), run_message_kernel, "exchange"},
        {"overlap", messaging({"--bytes", "--progress"}), run_overlap_kernel},
        {"allreduce", messaging({"--bytes", "--algorithm", "--ranks-per-node"}), run_message_kernel},
        {"all-to-all", messaging({"--bytes", "--algorithm"}), run_message_kernel},
        {"broadcast", messaging({"--bytes", "--algorithm", "--ranks-per-node"}), run_message_kernel},
        {"allgather", messaging({"--bytes", "--algorithm", "--ranks-per-node"}), run_message_kernel},
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

const Kernel* built_in_kernel(const std::string& name) {
    const auto& all = kernels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Kernel& one) {
        return one.name == name || (!one.alias.empty() && one.alias == name);
    });
    return found == all.end() ? nullptr : &*found;
}

// Null where there is none of that name.
const Kernel* kernel_named(const std::string& name) {
    static const Kernel of_file = {"workload files",
                                   {"--grid", "--protocol", "--transport", "--rank", "--rendezvous", "--secret",
                                    "--ranks-per-process", "--no-authentication", "--repeats"},
                                   run_workload_file};
    if (const Kernel* const known = built_in_kernel(name)) return known;
    return is_workload_file(name) ? &of_file : nullptr;
}

[[noreturn]] void refuse_kernel(const std::string& name) {
    std::vector<std::string> names;
    for (const Kernel& kernel : kernels()) names.push_back(kernel.name);
    for (const std::string& file : workload_file_names()) names.push_back(file);
    throw InputError(fmt::format("there is no kernel '{}'{} (there are: {}; any file's name ends in '.yaml')", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

// Those of each collective, its default first.
std::string algorithms_help() {
    std::string text;
    for (const Kernel& kernel : kernels()) {
        const auto known = message_kernel(kernel.name);
        if (!known || algorithms_of(*known).empty()) continue;
        text += fmt::format("{}{}: ", text.empty() ? "" : "; ", kernel.name);
        for (const Algorithm one : algorithms_of(*known)) {
            text += fmt::format("{}{}", text.ends_with(": ") ? "" : ", ", name_of(one));
        }
        for (const CollectiveAlgorithm* one : algorithms_by_rounds(*known)) text += fmt::format(", {} *", one->name);
    }
    return text +
           "; the first of each is its default; * as rounds of messages, whose first words are checked; node is direct "
           "up "
           "to 2 KiB and a ring above, node-shared through memory that a node's ranks share";
}

// Each typed once, for all kernels.
const std::vector<WordOption<RunWords>>& kernel_options() {
    using Words = RunWords;
    static const std::vector<WordOption<Words>> rows = [] {
        std::vector<WordOption<Words>> made = {
            {"--variant", &Words::variant,
             "sequential, naive, bucketed, routed (default), exchanged (by a --protocol), "
             "shmem (puts by the command queue), or local (no exchange)"},
            {"--shape", &Words::shape, "routed, exchanged: dimensions to route along, such as 64x32x32"},
            {"--table", &Words::table, "table of all ranks together, such as '32 MiB'"},
            {"--receive-buffers", &Words::receive_buffers,
             "routed: one a dimension (default), or 1, which deadlocks as in garg2006 Figure 3a"},
            {"--pages", &Words::pages, "2MiB (default) or 4KiB"},
            {"--processor", &Words::processor,
             "over TCP, UDP or MPI: imitate a slower processor, such as update=1us,send=50us,receive=50us"},
            {"--mode", &Words::mode,
             "with --virtual-clock: how the --machine's ranks share a node, a name below node.modes"},
            {"--skip-verification", &Words::skip_verification, "skip the check, which applies the updates again"},
            {"--protocol", &Words::protocol,
             "active-message (default), eager, rendezvous, buffered, receiver-initiated (default of sweep3d in one "
             "process) or command-queue"},
            {"--overlap-legs", &Words::overlap_legs,
             "with --domain: gateways send the first part of a message on before they have the last"},
            {"--rendezvous", &Words::rendezvous, "tcp, udp between hosts: HOST:PORT where process 0 listens"},
            {"--secret", &Words::secret, "tcp, udp between hosts: file that proves the job, the same for all ranks"},
            {"--no-authentication", &Words::no_authentication,
             "tcp, udp: do not authenticate each frame after the handshake: the network is yours alone"},
            {"--neighbours", &Words::neighbours, "1 (default) to 6"},
            {"--pattern", &Words::pattern,
             "pairs (default), bidirectional, or from one rank to all: cyclic, block-cyclic (4 KiB "
             "each), indirect"},
            {"--progress", &Words::progress,
             "messages progress when the rank calls (poll, default), or by a communication thread (thread)"},
            {"-m,--machine", &Words::machine, std::string("with --virtual-clock: ") + machine_help},
            {"--skip-compute", &Words::skip_compute, "send all messages, skip the arithmetic"},
            {"--updates", &Words::updates,
             "default four a word of the table; fewer over tcp, udp and mpi where that would take more than some ten "
             "seconds, and by a clock on many ranks"},
            {"--first-update", &Words::first_update,
             "where in HPCC's stream the run starts; default 0, where thousands of updates are not random"},
            {"--bucket", &Words::bucket,
             "routed: updates a bucket holds; default 1024 / sum of the shape; naive: default 1"},
            {"--in-transit", &Words::in_transit, "packets under way for each pair of ranks; default 2"},
            {"--domain", &Words::domain,
             "receiver-initiated: ranks behind a gateway, through which messages to others go; default none"},
            {"--transport", &Words::transport,
             "shared (default): threads or fibers of one process; tcp, udp: processes of this machine, or of several; "
             "mpi: those of mpirun -n PROCESSES narrows run ..."},
            {"--ranks-per-process", &Words::ranks_per_process,
             "tcp, udp, mpi: ranks of a process, which run as fibers; default 1"},
            {"--rank", &Words::rank,
             "tcp, udp between hosts: which process of the job this is, from 0; start each on its host"},
            {"--bytes", &Words::bytes,
             "sizes: 8, a list 8,64,1KiB, or 8..4MiB (default), which doubles; of all-to-all and allgather a block, by "
             "default up to as many bytes as a block of each two ranks takes 256 MiB"},
            {"--algorithm", &Words::algorithm, algorithms_help()},
            {"--ranks-per-node", &Words::ranks_per_node, "within nodes: ranks of a node; default 4"},
            {"--dimension", &Words::dimension, "of the matrix; default 512,1024"},
            {"--repeats", &Words::repeats, "samples of each size; default 15, of a workload file 5"},
            {"--iterations", &Words::iterations,
             "default 12; fewer over tcp, udp and mpi where that would take more than some ten seconds"},
            {"--fixups-after", &Words::fixups_after,
             "iterations after this one set negative fluxes to zero; default none"},
            {"--virtual-clock", &Words::virtual_clock,
             "take the time from the --machine, its processors, messages and links; all else is real"},
            {"-n,--nodes", &Words::nodes,
             "with --virtual-clock: nodes of the machine, all of whose ranks run; a list 1,2,4 or 1..64 makes a table, "
             "and so does one of --ranks"},
            {"--vectors", &Words::vectors, "scalar, sse2, avx2 or avx512; default the widest"},
        };
        for (WordOption<Words>& row : sweep_deck_options<Words>()) made.push_back(std::move(row));
        return made;
    }();
    return rows;
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
         "run halo-exchange --neighbours 6 --ranks 8 --bytes 1KiB --repeats 3",
         "run overlap --protocol rendezvous --bytes 8,64KiB --repeats 3",
         "run allreduce --algorithm ring --ranks 8 --bytes 8KiB --repeats 3",
         "run allreduce --algorithm node --ranks 8 --bytes 64,64KiB --repeats 3",
         "run allreduce --algorithm node-shared --ranks 8 --ranks-per-node 2 --bytes 64,64KiB --repeats 3",
         "run allreduce --algorithm node-first --ranks 8 --ranks-per-node 4 --bytes 64,64KiB --repeats 3",
         "run all-to-all --algorithm bruck --ranks 8 --bytes 8,1KiB --repeats 3",
         "run broadcast --ranks 8 --bytes 64KiB --repeats 3",
         "run allgather --ranks 8 --bytes 8,1KiB --repeats 3",
         "run reduce-scatter --algorithm ring --ranks 8 --bytes 64KiB --repeats 3",
         "run barrier --ranks 8 --repeats 3",
         "run sweep3d --grid 2x3 --angle-block 3 --fixups-after 7",
         "run sweep3d --virtual-clock -m roadrunner --ranks 32 --cells-per-rank 5x5x400 --iterations 1 --skip-compute",
         "run sweep3d --virtual-clock -m roadrunner -n 1,2 --cells-per-rank 2x2x20 --iterations 1 --skip-compute",
         "run matvec --protocol buffered --ranks 8 --dimension 64 --repeats 3",
         "run fft-pencils --ranks 4 --n 32 --repeats 3"},
        [](CLI::App& app, const Arguments& arguments) {
            const auto words = std::make_shared<RunWords>();
            const std::string name =
                named_in(arguments, [](const std::string& word) { return built_in_kernel(word) != nullptr; });
            std::string names;
            for (const Kernel& each : kernels()) names += each.name + ", ";
            app.add_option("KERNEL", words->kernel,
                           names + "or a workload file as for predict. Its options: narrows run KERNEL --help")
                ->required();
            app.add_option("--ranks", words->ranks,
                           "default: two, gups one a core, sweep3d one; more than there are cores run as fibers");
            app.add_option("--workers", words->workers, "threads; default: one a core");
            const Kernel* const kernel = kernel_named(name);
            if (kernel == nullptr) {
                app.allow_extras();  // that there is no such kernel is what is wrong
            } else {
                add_word_options(app, *words, kernel_options(), kernel->options);
                if (built_in_kernel(name) == nullptr) {
                    words->program = std::make_shared<const Program>(read_program(name));
                    add_own_options(app, words->own, own_options(*words->program));
                }
            }
            return [words, kernel](Output& output) {
                if (kernel == nullptr) refuse_kernel(words->kernel);
                if (built_in_kernel(words->kernel) != nullptr) words->kernel = kernel->name;
                if (output.file.ends_with(".yaml") && kernel->name != "ping-pong") {
                    throw InputError(fmt::format("-o {}: run ping-pong writes a machine file, run {} does not",
                                                 output.file, kernel->name));
                }
                return kernel->run(*words, output);
            };
        },
        false,
        ".yaml"};
}

}  // namespace narrows
