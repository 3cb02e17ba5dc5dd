#include "tests/cluster/namespaces.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <system_error>

#include "cli/run_program.hpp"
#include "data/whole_file.hpp"
#include "nlohmann/json.hpp"
#include "tests/cluster/batches.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

namespace fs = std::filesystem;

const fs::path all_namespaces = "/run/netns";

volatile std::sig_atomic_t interrupted = 0;

/// Notes signals that end a program while a bed is being made, and lets them end it again afterwards.
class SignalWatch {
  public:
    SignalWatch() {
        struct sigaction action {};
        action.sa_handler = [](int signal) { interrupted = signal; };
        for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
    }
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
    ~SignalWatch() {
        for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    }

    static void check() {
        if (interrupted != 0) throw std::runtime_error(fmt::format("ended by signal {}", int{interrupted}));
    }

  private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, signals.size()> before_{};
};

void batch(const std::vector<std::string>& words, const std::string& text) {
    SignalWatch::check();
    if (text.empty()) return;
    const std::optional<ProgramEnd> end = run_program(words, text);
    SignalWatch::check();
    if (!end) throw Refused(fmt::format("there is no '{}' here: apt-get install iproute2", words.front()));
    if (!end->good) throw std::runtime_error(fmt::format("{}: {}", fmt::join(words, " "), end->err));
}

[[noreturn]] void fail(const std::string& doing) {
    throw std::system_error(errno, std::generic_category(), doing);
}

void write_setting(const std::string& path, const std::string& value) {
    std::ofstream file("/proc/sys/net/" + path);
    if (!file.is_open() && path.starts_with("ipv6/")) return;  // a kernel without IPv6
    if (!(file << value << std::flush)) throw std::runtime_error(fmt::format("cannot set {} to '{}'", path, value));
}

void write_files(const Bed& bed) {
    const fs::path folder = bed_folder(bed.words.name);
    const NetworkWords& network = bed.words.network;
    const std::string file = is_there(network.network) ? fs::absolute(network.network).string() : network.network;
    const std::string hosts =
        network.hosts.empty() || !is_there(network.hosts) ? network.hosts : fs::absolute(network.hosts).string();
    const nlohmann::json words = {{"network", file},
                                  {"from", network.from},
                                  {"cables", network.cables},
                                  {"hosts", hosts},
                                  {"rate", bed.words.rate},
                                  {"routing", bed.words.routing},
                                  {"tables", bed.words.tables.empty() ? "" : fs::absolute(bed.words.tables).string()},
                                  {"name", bed.words.name}};
    write_whole_file(folder / "hosts", hosts_file(bed));
    std::string open_mpi_hosts;
    std::string mpich_hosts;
    for (int host = 0; host < bed.hosts(); ++host) {
        open_mpi_hosts += fmt::format("{} slots=1\n", bed.host_name(host));
        mpich_hosts += fmt::format("{}:1\n", bed.host_name(host));
    }
    write_whole_file(folder / "open-mpi-hosts", open_mpi_hosts);
    write_whole_file(folder / "mpich-hosts", mpich_hosts);
    // What MPI launchers start on a host as `agent [options] HOST command …`.
    write_whole_file(folder / "agent",
                     fmt::format("#!/bin/sh\nwhile [ \"${{1#-}}\" != \"$1\" ]; do shift; done\nhost=$1; shift\n"
                                 "exec '{}' exec --name {} \"$host\" -- /bin/sh -c \"$*\"\n",
                                 fs::read_symlink("/proc/self/exe").string(), bed.words.name));
    fs::permissions(folder / "agent", fs::perms::owner_all);
    std::string secret;
    std::random_device random;
    for (int i = 0; i < 8; ++i) secret += fmt::format("{:08x}", random());
    write_whole_file(folder / "secret", secret);
    fs::permissions(folder / "secret", fs::perms::owner_read | fs::perms::owner_write);
    write_whole_file(folder / "words.json", words.dump(1));
}

std::vector<std::string> namespaces_of(const std::string& name) {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(all_namespaces, none)) {
        const std::string file = entry.path().filename();
        if (file.starts_with(Bed::namespace_prefix(name))) found.push_back(file);
    }
    return found;
}

/// Ends what runs in these namespaces: a namespace lives as long as a process is in it.
void end_processes_in(const std::vector<std::string>& namespaces) {
    std::set<std::pair<dev_t, ino_t>> theirs;
    struct stat state {};
    for (const std::string& one : namespaces) {
        if (stat((all_namespaces / one).c_str(), &state) == 0) theirs.emplace(state.st_dev, state.st_ino);
    }
    if (stat("/proc/self/ns/net", &state) == 0) theirs.erase({state.st_dev, state.st_ino});
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone)) {
        const int process = std::atoi(entry.path().filename().c_str());
        if (process <= 0 || stat((entry.path() / "ns/net").c_str(), &state) != 0) continue;
        if (theirs.contains({state.st_dev, state.st_ino})) kill(process, SIGKILL);
    }
}

/// Tries all that a bed needs in a namespace that ends with the process that tries.
int try_in_namespace() {
    if (unshare(CLONE_NEWNET) != 0) return 1;
    try {
        batch({"ip", "-batch", "-"}, "link add e0 type veth peer name e1\n");
        batch({"tc", "-batch", "-"}, "qdisc add dev e0 root tbf rate 1mbit burst 24kb limit 1mb\n");
    } catch (const std::exception&) {
        return 2;
    }
    return 0;
}

}  // namespace

void require_namespaces() {
    if (geteuid() != 0) throw Refused("the test-bed needs root, for network namespaces");
    for (const char* program : {"ip", "tc"}) {
        if (!run_program({program, "-V"}, "")) {
            throw Refused(fmt::format("there is no '{}' here: apt-get install iproute2", program));
        }
    }
    const pid_t child = fork();
    if (child < 0) fail("cannot start a process");
    if (child == 0) _exit(try_in_namespace());
    int ended = 0;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
    if (ended == 0) return;
    throw Refused(WIFEXITED(ended) && WEXITSTATUS(ended) == 1 ? "this machine refuses network namespaces"
                                                              : "this kernel lacks veth links or the tbf queue");
}

fs::path bed_folder(const std::string& name) {
    return fs::path("/run/narrows-testbed") / name;
}

void bring_up(const Bed& bed) {
    require_namespaces();
    const std::string& name = bed.words.name;
    if (!namespaces_of(name).empty() || fs::exists(bed_folder(name))) {
        throw InputError(
            fmt::format("test-bed '{}' is up or was left behind: 'down --name {}' removes it", name, name));
    }
    const SignalWatch watch;
    try {
        fs::create_directories(bed_folder(name));
        batch({"ip", "-batch", "-"}, namespaces_batch(bed));
        {
            const auto settings = kernel_settings(bed);
            const NetworkVisit visit;
            for (int v = 0; v < bed.network().vertices(); ++v) {
                visit.enter(bed.namespace_of(v));
                for (const auto& [path, value] : settings) write_setting(path, value);
            }
        }
        batch({"ip", "-batch", "-"}, links_batch(bed));
        for (int v = 0; v < bed.network().vertices(); ++v) {
            batch({"ip", "-n", bed.namespace_of(v), "-batch", "-"}, vertex_batch(bed, v));
            batch({"tc", "-n", bed.namespace_of(v), "-batch", "-"}, rates_batch(bed, v));
        }
        write_files(bed);
    } catch (...) {
        take_down(name);
        throw;
    }
}

bool take_down(const std::string& name) {
    const std::vector<std::string> namespaces = namespaces_of(name);
    end_processes_in(namespaces);
    for (const std::string& one : namespaces) {
        umount2((all_namespaces / one).c_str(), MNT_DETACH);
        unlink((all_namespaces / one).c_str());
    }
    std::error_code none;
    const bool files = fs::remove_all(bed_folder(name), none) > 0;
    fs::remove(bed_folder(name).parent_path(), none);  // stays while it has other beds
    return files || !namespaces.empty();
}

Bed bed_that_is_up(const std::string& name) {
    const fs::path file = bed_folder(name) / "words.json";
    if (!is_there(file))
        throw InputError(fmt::format("no test-bed '{}' is up: cluster_testbed up SPEC --name {}", name, name));
    const auto json = nlohmann::json::parse(read_whole_file(file));
    BedWords words;
    words.name = name;
    words.network.network = json.at("network");
    words.network.from = json.at("from");
    words.network.cables = json.at("cables");
    words.network.hosts = json.at("hosts");
    words.rate = json.at("rate");
    words.routing = json.at("routing");
    words.tables = json.at("tables");
    return plan_bed(words);
}

void set_link(const Bed& bed, const std::string& one, const std::string& other, bool up) {
    const int u = bed.vertex_called(one), v = bed.vertex_called(other);
    std::string text;
    for (std::size_t i = 0; i < bed.network().edges.size(); ++i) {
        const Edge& edge = bed.network().edges[i];
        const bool theirs = (edge.u == u && edge.v == v) || (edge.u == v && edge.v == u);
        if (theirs) text += fmt::format("link set dev e{} {}\n", i, up ? "up" : "down");
    }
    if (text.empty()) throw InputError(fmt::format("no link joins {} and {}", one, other));
    // A link that goes down takes the routes over it along, at both ends.
    for (const int end : {u, v}) {
        batch({"ip", "-n", bed.namespace_of(end), "-batch", "-"}, text + (up ? routes_batch(bed, end) : ""));
    }
}

NetworkVisit::NetworkVisit() : home_(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)) {
    if (home_ < 0) fail("cannot read this process's network namespace");
}

NetworkVisit::~NetworkVisit() {
    if (setns(home_, CLONE_NEWNET) != 0) std::abort();  // nothing of this machine may be changed from there
    close(home_);
}

void NetworkVisit::enter(const std::string& network_namespace) const {
    const int file = open((all_namespaces / network_namespace).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(fmt::format("there is no namespace {}", network_namespace));
    const int refused = setns(file, CLONE_NEWNET);
    close(file);
    if (refused != 0) fail(fmt::format("cannot enter {}", network_namespace));
}

void become_host(const std::string& bed_name, const std::string& host) {
    const fs::path place = all_namespaces / (Bed::namespace_prefix(bed_name) + host);
    const int file = open(place.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw InputError(fmt::format("test-bed '{}' has no host '{}': hosts are h0, h1, …", bed_name, host));
    const int refused = setns(file, CLONE_NEWNET);
    close(file);
    if (refused != 0) fail(fmt::format("cannot enter {}", place.string()));
    if (unshare(CLONE_NEWUTS | CLONE_NEWNS) != 0 || sethostname(host.data(), host.size()) != 0)
        fail("cannot name a host");
    if (mount("", "/", "none", MS_SLAVE | MS_REC, nullptr) != 0) fail("cannot part from this machine's mounts");
    const std::string hosts = bed_folder(bed_name) / "hosts";
    if (mount(hosts.c_str(), "/etc/hosts", "none", MS_BIND, nullptr) != 0) fail("cannot give a host its /etc/hosts");
    umount2("/sys", MNT_DETACH);
    if (mount("sysfs", "/sys", "sysfs", 0, nullptr) != 0) fail("cannot give a host its /sys");
}

}  // namespace narrows::cluster
