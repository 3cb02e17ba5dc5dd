// A cluster on one machine: a network namespace a host and switch, joined by veth links of limited rate. See
// cluster_testbed --help and README.md, "A cluster on two cores".

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/processor_costs.hpp"
#include "data/whole_file.hpp"
#include "tests/cluster/bed_machine.hpp"
#include "tests/cluster/core_use.hpp"
#include "tests/cluster/counters.hpp"
#include "tests/cluster/gups_beside.hpp"
#include "tests/cluster/job.hpp"
#include "tests/cluster/namespaces.hpp"
#include "tests/cluster/stream_traffic.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace {

using namespace narrows;
using namespace narrows::cluster;
using nlohmann::json;

constexpr int most_ranks = 1 << 20;

struct Words {
    BedWords bed;
    std::vector<std::string> spec;
    std::vector<std::string> command;
    std::string host;
    std::string other;
    std::string state;
    std::string pattern = "uniform";
    std::string predicted;
    std::string bytes = "1 MB";
    std::string rank;
    std::string ranks;
    std::string save;
    std::string since;
    std::string length;
    std::string format = "row";
    std::string costs = "update=1us,send=50us,receive=50us";
    std::string transport = "tcp";
    std::string program = "build/release/narrows";
    std::string code = "naive";
    int bucket = 0;
    double seconds = 600;
    bool allow_skip = false;
    bool all = false;
};

void up(Words& words) {
    words.bed.network.network = fmt::format("{}", fmt::join(words.spec, " "));
    const Bed bed = plan_bed(words.bed);
    for (const std::string& warning : bed.given.warnings) fmt::print(stderr, "cluster_testbed: warning: {}\n", warning);
    bring_up(bed);
    const auto folder = bed_folder(words.bed.name).string();
    fmt::print(
        "test-bed {0} is up: {1}, {2} hosts, {3} switches, {4} links of {5}, routing {6}\n"
        "  narrows over TCP:  cluster_testbed ranks --name {0} -- narrows run ping-pong --transport tcp {{job}}\n"
        "  Open MPI:          cluster_testbed exec --name {0} h0 -- mpirun --hostfile {7}/open-mpi-hosts --mca "
        "plm_rsh_agent "
        "{7}/agent --mca btl tcp,self --mca btl_tcp_if_include {8} --mca oob_tcp_if_include {8} PROGRAM\n"
        "  MPICH:             cluster_testbed exec --name {0} h0 -- mpiexec.mpich -f {7}/mpich-hosts -launcher rsh "
        "-launcher-exec {7}/agent PROGRAM\n",
        words.bed.name, bed.given.name, bed.hosts(), bed.network().switches, bed.network().edges.size(), words.bed.rate,
        bed.words.routing, folder, subnet);
}

int ranks(const Bed& bed, const Words& words, const std::string& bytes, std::vector<RankEnd>& ends) {
    Job job;
    job.bytes = bytes;
    job.command = words.command;
    job.ranks =
        words.ranks.empty() ? bed.hosts() : static_cast<int>(parse_count(words.ranks, "--ranks", 1, most_ranks));
    job.seconds = words.seconds;
    ends = run_job(bed, job);
    int worst = 0;
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        const RankEnd& end = ends[rank];
        if (end.exit == 0) continue;
        worst = std::max(worst, 1);
        fmt::print(stderr, "rank {} on {}: exit {}: {}\n", rank, bed.host_name(static_cast<int>(rank) % bed.hosts()),
                   end.exit, end.err.empty() ? "nothing said" : end.err);
    }
    return worst;
}

json json_of(const Bed& bed, const LinkLoads& loads) {
    return {{"network", bed.given.name}, {"forward", loads.forward}, {"backward", loads.backward}};
}

LinkLoads saved_counters(const std::string& file) {
    const json saved = json::parse(read_whole_file(file));
    LinkLoads loads;
    loads.forward = saved.at("forward").get<std::vector<double>>();
    loads.backward = saved.at("backward").get<std::vector<double>>();
    return loads;
}

void print_links(const Comparison& comparison) {
    fmt::print("{:<6} {:<6} {:>14} {:>14} {:>22}\n", "from", "to", "predicted B", "sent B", "difference/fullest");
    for (const LinkRow& row : comparison.rows) {
        fmt::print("{:<6} {:<6} {:>14.0f} {:>14.0f} {:>21.2f}%\n", row.from, row.to, row.predicted, row.measured,
                   100 * (row.measured - row.predicted) / comparison.fullest);
    }
}

void counters(const Words& words) {
    const Bed bed = bed_that_is_up(words.bed.name);
    const LinkLoads now = link_counters(bed);
    if (!words.save.empty()) return write_whole_file(words.save, json_of(bed, now).dump());
    const LinkLoads sent = words.since.empty() ? now : sent_between(saved_counters(words.since), now);
    if (!words.predicted.empty()) return print_links(compare(bed, bed.traffic(words.predicted), 1, sent));
    for (int i = 0; const Edge& edge : bed.network().edges) {
        const std::string u = bed.host_name(edge.u), v = bed.host_name(edge.v);
        fmt::print("{:<6} {:<6} {:>14.0f}\n{:<6} {:<6} {:>14.0f}\n", u, v, sent.forward[i], v, u, sent.backward[i]);
        ++i;
    }
}

/// Bytes that each host sends: as given, or what keeps the fullest link at work for so long.
double bytes_of(const Bed& bed, const Traffic& traffic, const Words& words) {
    if (words.length.empty()) return static_cast<double>(positive_bytes("--bytes", words.bytes));
    constexpr double of_headers = 1514.0 / 1448;
    const double share = fullest_share(bed.network(), bed.loads(with_acknowledgements(traffic))) * of_headers;
    return std::ceil(positive_seconds("--length", words.length) * bed.bytes_a_second / share);
}

/// Runs the job between two readings of the counters and of the cores, and prints what came of it.
int measure(const Words& words) {
    const Bed bed = bed_that_is_up(words.bed.name);
    const Traffic traffic = bed.traffic(words.pattern);
    const double bytes = bytes_of(bed, traffic, words);
    const LinkLoads before = link_counters(bed);
    const CoreUse cores = core_use();
    std::vector<RankEnd> ends;
    if (const int failed = ranks(bed, words, fmt::format("{:.0f}B", bytes), ends); failed != 0) return failed;
    const CoreUse cores_after = core_use();
    const CoreShares shares = shares_between(cores, cores_after);
    const Comparison seen = compare(bed, traffic, bytes, sent_between(before, link_counters(bed)));
    if (words.all) print_links(seen);
    const json said = json::parse(ends.front().out, nullptr, false);
    const bool timed = said.is_object() && said.contains("seconds");
    const double seconds = timed ? said.at("seconds").get<double>() : cores_after.wall - cores.wall;
    if (words.format == "row") {
        fmt::print("{:<26} {:<16} {:>9.4g} {:>8.2f} {:>8.3f} {:>8.3f} {:>7.1f} {:>8.4f} {:>7.0f} {:>6.0f}  {}\n",
                   bed.given.name.substr(0, 26), words.pattern, 8e-6 * bed.bytes_a_second, 100 * seen.worst, seen.bound,
                   seconds, 100 * (seconds / seen.bound - 1), seen.scale, 100 * shares.others, 100 * shares.idle,
                   verdict(shares));
        return 0;
    }
    const json result = {{"network", bed.given.name},
                         {"routing", bed.words.routing},
                         {"pattern", words.pattern},
                         {"rate", bed.bytes_a_second},
                         {"worst_link", seen.worst},
                         {"bound_seconds", seen.bound},
                         {"seconds", seconds},
                         {"fullest_bytes", seen.fullest},
                         {"wire_bytes_a_byte", seen.scale},
                         {"others", shares.others},
                         {"idle", shares.idle},
                         {"verdict", verdict(shares)},
                         {"said", said.is_discarded() ? json() : said}};
    fmt::print("{}\n", result.dump());
    return 0;
}

void gups(const Words& words) {
    BedGups run;
    run.program = words.program;
    run.code = gups_variant(words.code);
    run.bucket = words.bucket;
    run.transport = words.transport;
    run.processor = words.costs;
    run.length = positive_seconds("--length", words.length);
    const Bed bed = bed_that_is_up(words.bed.name);
    const GupsBeside seen = run_beside(bed, run);
    const double mean = seen.packets > 0 ? seen.updates / seen.packets : 0;
    fmt::print(
        "{:<26} {:<9} {:>6} {:>7.4g} {:>9.4g} {:>9.4g} {:>9.4g} {:>7.1f} {:>6.0f} {:>6.0f} {:>6.1f} {:<9} {:<9} {}{}\n",
        bed.given.name.substr(0, 26), words.code, words.bucket > 0 ? std::to_string(words.bucket) : "-",
        8e-6 * bed.bytes_a_second, seen.processor, seen.network, seen.measured,
        100 * (seen.measured / seen.predicted - 1), 100 * seen.processor_busy, 100 * seen.link_busy, mean,
        seen.predicted_bottleneck(), seen.measured_bottleneck(), seen.errors > 0 ? "WRONG " : "", seen.verdict);
}

void traffic(const Words& words) {
    const Bed bed = bed_that_is_up(words.bed.name);
    const int rank = static_cast<int>(parse_count(words.rank, "--rank", 0, most_ranks));
    const double seconds =
        send_streams(bed.traffic(words.pattern), static_cast<double>(positive_bytes("--bytes", words.bytes)), rank);
    if (rank == 0) fmt::print("{}\n", json({{"seconds", seconds}}).dump());
}

void add_bed_options(CLI::App& app, Words& words) {
    app.add_option("SPEC|FILE", words.spec, "the network, as for narrows topology")
        ->required()
        ->option_text("TEXT ...");
    app.add_option("--rate", words.bed.rate, "of a link of capacity 1")->capture_default_str();
    app.add_option("--routing", words.bed.routing, "dimension-order [ties=onwards], shortest or up-down");
    app.add_option("--tables", words.bed.tables,
                   "file of 'AT TARGET NEXT' that changes routes, as 'routes' prints them");
    app.add_option("--from", words.bed.network.from, "the file's format");
    app.add_option("--cables", words.bed.network.cables, "cables between two switches, where the file omits them");
    app.add_option("--hosts", words.bed.network.hosts, "first:N, random:N:SEED or a file: these alone are hosts");
    app.add_flag("--allow-skip", words.allow_skip, "where this machine cannot make namespaces, say so and exit 0");
}

void add_job_options(CLI::App& app, Words& words) {
    app.add_option("--ranks", words.ranks, "processes, rank i on host i mod hosts; default: one a host");
    app.add_option("--seconds", words.seconds, "the job is ended after these")->capture_default_str();
    app.add_option("COMMAND", words.command, "with {job}, {rank}, {ranks}, {host}, {address}, {bytes}, {updates}")
        ->required();
}

void add_processor_options(CLI::App& app, Words& words) {
    app.add_option("--processor", words.costs, "of each rank")->capture_default_str();
    app.add_option("--transport", words.transport, "tcp or udp")
        ->check(CLI::IsMember({"tcp", "udp"}))
        ->capture_default_str();
}

void add_gups_options(CLI::App& app, Words& words) {
    app.add_option("--program", words.program, "narrows")->capture_default_str();
    app.add_option("--variant", words.code, "naive, bucketed or routed")
        ->check(CLI::IsMember({"naive", "bucketed", "routed"}))
        ->capture_default_str();
    app.add_option("--bucket", words.bucket, "updates a message; default: the code's");
    app.add_option("--length", words.length, "that the run is predicted to take")->required();
}

void add_measure_options(CLI::App& app, Words& words) {
    app.add_option("--bytes", words.bytes, "what the command sends for each host, headers apart")
        ->capture_default_str();
    app.add_option("--length", words.length,
                   "such as '10 s': {bytes} in COMMAND keep the fullest link at work so long");
    app.add_option("--format", words.format, "row or json")
        ->check(CLI::IsMember({"row", "json"}))
        ->capture_default_str();
    app.add_flag("--links", words.all, "print every link too");
    add_job_options(app, words);
}

int act(int count, char** arguments) {
    CLI::App app("a cluster on one machine, of network namespaces", "cluster_testbed");
    app.require_subcommand(1);
    Words words;
    std::map<CLI::App*, std::function<int()>> actions;
    const auto command = [&](const char* name, const char* help, std::function<int()> action) {
        CLI::App* added = app.add_subcommand(name, help);
        added->add_option("--name", words.bed.name, "of the test-bed")->capture_default_str();
        actions[added] = std::move(action);
        return added;
    };
    add_bed_options(*command("up", "make a test-bed", [&] { return up(words), 0; }), words);
    command("down", "end all processes in a test-bed and remove it", [&] {
        require_namespaces();
        if (!take_down(words.bed.name)) throw InputError(fmt::format("no test-bed '{}' is up", words.bed.name));
        return 0;
    });
    CLI::App* exec = command("exec", "run a command on a host", [&]() -> int {
        become_host(words.bed.name, words.host);
        become_program(words.command);
    });
    exec->add_option("HOST", words.host, "h0, h1, … (s0, … for switches)")->required();
    exec->add_option("COMMAND", words.command)->required();
    add_job_options(*command("ranks", "run a command on all hosts at once and print what rank 0 says",
                             [&] {
                                 std::vector<RankEnd> ends;
                                 const int failed = ranks(bed_that_is_up(words.bed.name), words, words.bytes, ends);
                                 if (!ends.empty()) fmt::print("{}", ends.front().out);
                                 return failed;
                             }),
                    words);
    CLI::App* measured = command("measure", "the same, with links' counters beside their predicted loads, as JSON",
                                 [&] { return measure(words); });
    CLI::App* counted = command("counters", "bytes sent on each link", [&] { return counters(words), 0; });
    CLI::App* sent =
        command("traffic", "a rank of a job that sends a pattern over TCP", [&] { return traffic(words), 0; });
    command("routes", "print the route tables", [&] {
        fmt::print("{}", table_lines(bed_that_is_up(words.bed.name)));
        return 0;
    });
    CLI::App* link = command("link", "set the link between two hosts or switches down, or up again", [&] {
        return set_link(bed_that_is_up(words.bed.name), words.host, words.other, words.state == "up"), 0;
    });
    link->add_option("ONE", words.host)->required();
    link->add_option("OTHER", words.other)->required();
    link->add_option("STATE", words.state, "down or up")->required()->check(CLI::IsMember({"down", "up"}));
    CLI::App* machine = command("machine", "print a machine file of the test-bed, for narrows predict -m", [&] {
        fmt::print("{}", machine_file(bed_that_is_up(words.bed.name), parse_processor_costs(words.costs),
                                      words.transport == "udp"));
        return 0;
    });
    CLI::App* beside = command("gups", "run GUPS on all hosts, beside what the test-bed's machine file predicts",
                               [&] { return gups(words), 0; });
    add_gups_options(*beside, words);
    add_processor_options(*machine, words);
    add_processor_options(*beside, words);
    for (CLI::App* one : {measured, sent}) {
        one->add_option("--pattern", words.pattern, "uniform, halves, nearest-neighbour, …, or a file")
            ->capture_default_str();
    }
    add_measure_options(*measured, words);
    sent->add_option("--bytes", words.bytes, "of each host")->capture_default_str();
    sent->add_option("--rank", words.rank)->required();
    counted->add_option("--save", words.save, "write them to this file instead");
    counted->add_option("--pattern", words.predicted, "beside what this traffic is predicted to load them with");
    counted->add_option("--since", words.since, "count from what --save wrote");
    CLI11_PARSE(app, count, arguments);
    return actions.at(app.get_subcommands().front())();
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return act(count, arguments);
    } catch (const Refused& refused) {
        const bool skip =
            std::find(arguments, arguments + count, std::string_view("--allow-skip")) != arguments + count;
        fmt::print(stderr, "cluster_testbed: {}{}\n", skip ? "skipped: " : "", refused.what());
        return skip ? 0 : 1;
    } catch (const InputError& error) {
        fmt::print(stderr, "cluster_testbed: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "cluster_testbed: {}\n", error.what());
        return 1;
    }
}
