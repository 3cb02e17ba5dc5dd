#include "model/demand/servers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "model/path/protocol.hpp"

namespace narrows {
namespace {

// The servers of a path that a throughput workload keeps busy, each with what predictions have for it.
constexpr std::array<std::pair<std::string_view, Resource>, 6> interfaces = {{
    {"host_interface", Resource::host_interface},
    {"network_interface", Resource::network_interface},
    {"gateway", Resource::gateway},
    {"memory", Resource::memory},
    {"flight", Resource::flight},
    {"router", Resource::router},
}};

// At the sender's end, and at the receiver's: `far-X` where X is on a path with a link, else X behind a link.
std::pair<Time, Time> busy_ends(const Path& path, std::string_view server, Data payload) {
    const std::string far = fmt::format("far-{}", server);
    const auto link = std::ranges::find(path.stages, "link", &Stage::server);
    if (path.stage_of(far) != nullptr) return {busy_time(path, server, payload), busy_time(path, far, payload)};
    return {busy_time({"", {path.stages.begin(), link}}, server, payload),
            busy_time({"", {link, path.stages.end()}}, server, payload)};
}

Time busy_inside(const Path& path, std::string_view server, Data payload) {
    return busy_time(path, server, payload) + busy_time(path, fmt::format("far-{}", server), payload);
}

void add_interface(std::vector<Bound>& bounds, const OperationMessages& messages, std::string_view server,
                   Resource resource) {
    const auto [near, far] = busy_ends(messages.between, server, messages.payload);
    // An interface sends and receives at once. A gateway's stage is the sender's and the receiver's together.
    const bool both_ways = resource == Resource::host_interface || resource == Resource::network_interface;
    const double of_ends = resource == Resource::gateway ? 0.5 : 1;
    const Time busy = both_ways ? std::max(near, far) : (near + far) * of_ends;
    const double of_node = resource == Resource::router ? messages.loads.router : messages.loads.node;
    // What is inside a node is passed by messages that stay there too.
    const bool of_inside = resource == Resource::memory || resource == Resource::flight;
    const Time inside = of_inside ? busy_inside(messages.inside, server, messages.payload) : Time();
    const Time demand = busy * of_node + inside * messages.staying;
    if (demand.si() <= 0) return;
    Bound bound{resource,
                messages.together / demand,
                "k / (l * s)",
                "derived",
                {{"k", "operations a message", messages.together},
                 {"l", "messages of an operation at the fullest node, if each carried one operation", of_node},
                 {"s", "time that a message keeps all such servers of a node busy", busy}}};
    if (inside.si() > 0 && messages.staying > 0) {
        bound.formula = "k / (l * s + i * z)";
        bound.symbols.emplace_back("i", "messages of an operation inside a node, likewise", messages.staying);
        bound.symbols.emplace_back("z", "time that one of these keeps such servers busy", inside);
    }
    bounds.push_back(std::move(bound));
}

}  // namespace

Data link_bytes(const Path& path, Data payload, Bandwidth link) {
    return path.stage_of("link") != nullptr ? busy_time(path, "link", payload) * link : payload;
}

Bandwidth usable_link(const Machine& machine, double background) {
    return bandwidth_at(machine, "network.link.bandwidth") * (1 - background);
}

void add_server_bounds(std::vector<Bound>& bounds, const OperationMessages& messages, Bandwidth link) {
    const Loads& loads = messages.loads;
    const auto add = [&](Resource resource, double load, std::string_view where) {
        if (load <= 0) return;
        bounds.push_back({resource,
                          link / messages.on_link / load,
                          "C / (b * l)",
                          "derived",
                          {{"C", "bandwidth of a link that the job has (network.link.bandwidth)", link},
                           {"b", "bytes of an operation on a link", messages.on_link},
                           {"l", where, load}}});
    };
    add(Resource::network, loads.slabs, "load of an operation on a link of the fullest cut, in messages");
    add(Resource::injection, loads.injection, "load of an operation on a link of the fullest host, in messages");
    add(Resource::uplinks, loads.uplinks,
        "load of an operation on an uplink of the fullest leaf, pod or group, in messages");
    add(Resource::link, loads.link, "load of an operation on the fullest link by the routing, in messages");
    for (const auto& [server, resource] : interfaces) add_interface(bounds, messages, server, resource);
}

std::optional<Bandwidth> node_memory(const Machine& machine) {
    if (find(machine, "node.memory.bandwidth") == nullptr) return std::nullopt;
    const Parameter* controllers = find(machine, "node.memory.controllers");
    return bandwidth_at(machine, "node.memory.bandwidth") * (controllers != nullptr ? controllers->measure.value : 1);
}

void add_memory_bound(std::vector<Bound>& bounds, const Machine& machine, double nodes, Data per_operation) {
    const std::optional<Bandwidth> memory = node_memory(machine);
    if (!memory || per_operation.si() <= 0) return;
    Bound bound{Resource::memory,
                *memory * nodes / per_operation,
                "N * B / b",
                "derived",
                {{"N", "nodes", nodes},
                 {"B", "bandwidth of a node's memory, all controllers (node.memory.bandwidth)", *memory},
                 {"b", "bytes of memory an operation", per_operation}}};
    const auto of_messages = std::ranges::find(bounds, Resource::memory, &Bound::resource);
    if (of_messages == bounds.end()) {
        bounds.push_back(std::move(bound));
    } else if (bound.limit < of_messages->limit) {
        *of_messages = std::move(bound);
    }
}

namespace {

bool is_free(const Stage& stage) {
    return stage.overhead + stage.latency + stage.link_latency + stage.at_least == Time() &&
           stage.bandwidth == Bandwidth();
}

void add_free_stages(const Machine& machine, const std::string& protocol, std::vector<Unlimited>& missing) {
    for (const Passage& passage : read_protocol(machine, protocol).passages) {
        for (const Stage& stage : passage.path.stages) {
            const std::string path = fmt::format("paths.{}.{}", passage.path.name, stage.server);
            const bool is_interface = stage.site == Site::network || stage.site == Site::link;
            const auto same = [&path](const Unlimited& other) { return other.path == path; };
            if (!has(machine, path) || is_interface || !is_free(stage) || std::ranges::any_of(missing, same)) continue;
            missing.push_back({stage.server, path});
        }
    }
}

}  // namespace

std::vector<Unlimited> unlimited_servers(const Machine& machine) {
    std::vector<Unlimited> missing;
    for (const auto& [server, path] : std::initializer_list<std::pair<const char*, const char*>>{
             {"memory", "node.memory.bandwidth"},
             {"host interface", "host_interface.bandwidth"},
             {"network interface", "network_interface.message_rate"},
             {"network interface", "network_interface.bandwidth"},
             {"link", "network.link.bandwidth"},
             {"fullest link", "network.routing"},
         }) {
        if (find(machine, path) == nullptr) missing.push_back({server, path});
    }
    const std::vector<std::string> protocols = message_protocols(machine);
    for (const std::string& protocol : protocols) add_free_stages(machine, protocol, missing);
    for (const auto& [server, resource] : interfaces) {
        const auto passes = [&machine, name = server](const std::string& protocol) {
            return whole_path(read_protocol(machine, protocol)).stage_of(name) != nullptr;
        };
        const std::string place(server);
        const bool is_limited = has(machine, place + ".bandwidth") || has(machine, place + ".message_rate");
        if (!is_limited || std::ranges::any_of(protocols, passes)) continue;
        missing.push_back({std::string(name_of(resource)), place, true});
    }
    return missing;
}

}  // namespace narrows
