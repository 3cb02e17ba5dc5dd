#include "tests/cluster/batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace narrows::cluster {
namespace {

/// What stands behind every link.
constexpr const char* next_hop = "169.254.0.1";

/// Both ends of a pair share it, so that frames need no ARP: a device without ARP addresses them to itself.
std::string link_address(std::size_t edge) {
    return fmt::format("02:6e:77:{:02x}:{:02x}:{:02x}", edge >> 16 & 0xff, edge >> 8 & 0xff, edge & 0xff);
}

/// Bytes of a connection. What waits in queues delays others: less where each host has many connections.
int send_buffer(const Bed& bed) {
    constexpr int least = 10'000, most = 32'768, of_all = 800'000;
    return std::clamp(of_all / bed.hosts(), least, most);
}

/// Queues of seconds lose nothing, but TCP would take them for losses and resend before that: twice the time in which a
/// link moves all that one of each host's connections may have under way.
int resending_seconds(const Bed& bed) {
    constexpr double most = 60;
    return static_cast<int>(
        std::clamp(std::ceil(2.0 * bed.hosts() * send_buffer(bed) / bed.bytes_a_second), 1.0, most));
}

}  // namespace

std::string namespaces_batch(const Bed& bed) {
    std::string text;
    for (int v = 0; v < bed.network().vertices(); ++v) {
        fmt::format_to(std::back_inserter(text), "netns add {}\n", bed.namespace_of(v));
    }
    return text;
}

std::string links_batch(const Bed& bed) {
    std::string text;
    for (std::size_t i = 0; i < bed.network().edges.size(); ++i) {
        const Edge& edge = bed.network().edges[i];
        fmt::format_to(std::back_inserter(text),
                       "link add e{0} netns {1} address {3} numtxqueues 1 numrxqueues 1 type veth "
                       "peer name e{0} netns {2} address {3} numtxqueues 1 numrxqueues 1\n",
                       i, bed.namespace_of(edge.u), bed.namespace_of(edge.v), link_address(i));
    }
    return text;
}

std::string vertex_batch(const Bed& bed, int vertex) {
    const Adjacency arcs(bed.network());
    std::string text = "link set lo up\n";
    auto out = std::back_inserter(text);
    // One segment a frame: larger ones would be counted without the headers that a real link has for each. Permanent
    // neighbours, as the kernel has room for a thousand others in all namespaces together.
    for (int arc = arcs.first[vertex]; arc < arcs.first[vertex + 1]; ++arc) {
        fmt::format_to(out,
                       "link set dev e{0} arp off gso_max_segs 1 up\n"
                       "neigh add {1} lladdr {2} dev e{0} nud permanent\n",
                       arcs.edge[arc], next_hop, link_address(static_cast<std::size_t>(arcs.edge[arc])));
    }
    if (vertex < bed.hosts()) {
        // On a link, as MPI libraries leave out the loopback; without a route of its own for the subnet.
        const int first = arcs.edge[arcs.first[vertex]];
        fmt::format_to(out, "addr add {}/16 dev e{} noprefixroute\n", host_address(vertex), first);
    }
    return text + routes_batch(bed, vertex);
}

std::string routes_batch(const Bed& bed, int vertex) {
    const Adjacency arcs(bed.network());
    const std::string source = vertex < bed.hosts() ? fmt::format(" src {}", host_address(vertex)) : std::string();
    std::string text;
    const int seconds = resending_seconds(bed);
    for (int host = 0; host < bed.hosts(); ++host) {
        const int arc = bed.tables.next[vertex][host];
        if (arc < 0) continue;
        fmt::format_to(std::back_inserter(text), "route replace {}/32 via {} dev e{} onlink{} rto_min {}s\n",
                       host_address(host), next_hop, arcs.edge[arc], source, seconds);
    }
    return text;
}

std::string rates_batch(const Bed& bed, int vertex) {
    const Adjacency arcs(bed.network());
    std::string text;
    // A burst of two frames costs a quarter of a rate of Mbit/s, as the kernel's timers are coarser than a frame's
    // time, but a longer one than the timers need passes at the start without a limit. A short queue drops what TCP
    // then waits a second for.
    for (int arc = arcs.first[vertex]; arc < arcs.first[vertex + 1]; ++arc) {
        const int edge = arcs.edge[arc];
        fmt::format_to(std::back_inserter(text), "qdisc add dev e{} root tbf rate {:.0f}bit burst {:.0f}b limit 8mb\n",
                       edge, 8 * bed.bytes_a_second_of(edge),
                       std::clamp(bed.bytes_a_second_of(edge) * 0.032, 3100.0, 24576.0));
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> kernel_settings(const Bed& bed) {
    return {
        {"ipv6/conf/all/disable_ipv6", "1"},  // it would send by itself, which links count
        {"ipv6/conf/default/disable_ipv6", "1"},
        {"ipv4/ip_forward", "1"},
        {"ipv4/conf/all/rp_filter", "0"},  // answers may come by another link
        {"ipv4/conf/default/rp_filter", "0"},
        {"ipv4/conf/all/send_redirects", "0"},
        {"ipv4/conf/default/send_redirects", "0"},
        {"ipv4/tcp_congestion_control", "reno"},
        {"ipv4/tcp_wmem", fmt::format("4096 {0} {0}", send_buffer(bed))},
        {"ipv4/tcp_early_retrans", "0"},  // would resend the last segment of a connection that waits in a queue
        {"ipv4/tcp_reordering", "30"},    // frames that two cores forward pass each other
        {"ipv4/tcp_slow_start_after_idle", "0"},
        {"ipv4/tcp_no_metrics_save", "1"},
        {"ipv4/ip_local_port_range", "10000 60999"},
    };
}

std::string hosts_file(const Bed& bed) {
    std::string text = "127.0.0.1 localhost\n";
    for (int host = 0; host < bed.hosts(); ++host) {
        fmt::format_to(std::back_inserter(text), "{} {}\n", host_address(host), bed.host_name(host));
    }
    return text;
}

}  // namespace narrows::cluster
