#include "model/path/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::string_view far_end = "far-";

// InputError unless `name` is one of `names`, which stand below `section`.
void require_name(const Machine& machine, const std::vector<std::string>& names, const std::string& section,
                  const std::string& kind, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    if (names.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no {} '{}': add '{}.{}' to its file", machine.id, kind, name, section, name));
    }
    throw InputError(fmt::format("machine '{}' has no {} '{}'{} (it has: {})", machine.id, kind, name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

void require_protocol(const Machine& machine, const std::string& name) {
    require_name(machine, protocol_names(machine), "protocols", "protocol", name);
}

// Whether the path passes a link about which somebody says more than how it frames messages.
bool has_link(const Machine& machine, const std::string& path) {
    const std::string link = fmt::format("paths.{}.link", path);
    if (!has(machine, link) || has(machine, "network.link")) return has(machine, link);
    const auto words = names_below(machine, link);
    return std::any_of(words.begin(), words.end(),
                       [](const std::string& word) { return word != "framing" && word != "times"; });
}

// Where the machine describes the server itself, empty if nowhere. `far-X` is X at the receiver's end.
std::string place_of(const Machine& machine, std::string server) {
    if (server.starts_with(far_end)) server.erase(0, far_end.size());
    for (const char* parent : {"", "node.", "network.", "node.links.", "other_networks."}) {
        if (has(machine, parent + server)) return parent + server;
    }
    return "";
}

// `key` of the stage itself, else of the server's own place, empty if neither has it.
class StageReader {
  public:
    StageReader(const Machine& machine, const std::string& path, const std::string& server)
        : machine_(machine), own_(fmt::format("paths.{}.{}", path, server)), place_(place_of(machine, server)) {}

    std::string path_of(const std::string& key) const {
        if (has(machine_, own_ + key)) return own_ + key;
        return !place_.empty() && has(machine_, place_ + key) ? place_ + key : "";
    }

    bool has_own(const std::string& key) const { return find(machine_, own_ + key) != nullptr; }
    std::string own(const std::string& key) const { return own_ + key; }

  private:
    const Machine& machine_;
    std::string own_;
    std::string place_;
};

// What the network interfaces of a node do: they are alike, and a message keeps one busy no shorter than its rate says.
void read_network_interface(const Machine& machine, Stage& stage) {
    if (find(machine, "network_interface.count") != nullptr) {
        stage.servers = static_cast<int>(number_at(machine, "network_interface.count"));
    }
    if (find(machine, "network_interface.message_rate") != nullptr) {
        stage.at_least = 1 / rate_at(machine, "network_interface.message_rate");
    }
}

Stage read_stage(const Machine& machine, const std::string& path, const std::string& server) {
    const StageReader reader(machine, path, server);
    Stage stage;
    stage.server = server;
    stage.site = site_of(machine, server);
    stage.overhead = time_or_zero(machine, reader.own(".overhead"));
    stage.piece = data_or_zero(machine, reader.own(".piece"));
    if (reader.has_own(".per_byte")) {
        const TimePerByte cost = time_per_byte_at(machine, reader.own(".per_byte"));
        if (cost.si() > 0) stage.bandwidth = 1 / cost;
    } else if (const std::string place = reader.path_of(".bandwidth"); !place.empty()) {
        stage.bandwidth = bandwidth_at(machine, place);
    }
    // A stage's own latency is of the whole way, that of the network's links of each.
    if (const std::string place = reader.path_of(".latency"); !place.empty()) {
        (place == "network.link.latency" ? stage.link_latency : stage.latency) = time_at(machine, place);
    }
    if (reader.has_own(".lines")) {
        const Time lines = time_at(machine, core_distance_path) * number_at(machine, reader.own(".lines"));
        (stage.site == Site::processor ? stage.overhead : stage.latency) += lines;
    }
    if (const std::string place = reader.path_of(".framing"); !place.empty()) {
        stage.framing = read_framing(machine, place);
    }
    if (reader.has_own(".carries")) stage.carries = data_at(machine, reader.own(".carries"));
    stage.spared = data_or_zero(machine, reader.own(".spared"));
    if (reader.has_own(".times")) stage.times = static_cast<int>(number_at(machine, reader.own(".times")));
    if (server == "network_interface") read_network_interface(machine, stage);
    if (server == "gateway" && has(machine, "gateways.ranks") && has(machine, "node.processors")) {
        const double gateways = number_at(machine, "node.processors") / number_at(machine, "gateways.ranks");
        stage.servers = std::max(1, static_cast<int>(gateways));
    }
    return stage;
}

bool is_interface(const Stage& stage) {
    return stage.server == "host_interface" || stage.server == "network_interface";
}

// Interfaces that the path names once, before its link, are passed again behind it. One without a framing of its own
// carries what the link does, without line code and gaps.
void complete_interfaces(const Machine& machine, Path& path) {
    const auto is_link = [](const Stage& stage) { return stage.server == "link"; };
    const auto link = std::find_if(path.stages.begin(), path.stages.end(), is_link);
    if (link == path.stages.end()) return;
    Framing message = link->framing;
    message.code = 1;
    message.gap = Data();
    std::vector<Stage> again;
    for (auto stage = path.stages.begin(); stage != path.stages.end(); ++stage) {
        if (!is_interface(*stage)) continue;
        const StageReader reader(machine, path.name, stage->server);
        if (reader.path_of(".framing").empty()) stage->framing = message;
        const auto same = [&](const Stage& other) { return other.server == stage->server; };
        if (stage > link || std::count_if(path.stages.begin(), path.stages.end(), same) > 1) continue;
        again.insert(again.begin(), *stage);
        again.front().server = std::string(far_end) + stage->server;
    }
    auto behind = link + 1;
    while (behind != path.stages.end() && behind->site == Site::link) ++behind;
    path.stages.insert(behind, again.begin(), again.end());
}

}  // namespace

Breakdown protocol_time(const PathProtocol& protocol, Data payload) {
    Breakdown result;
    for (const Passage& passage : protocol.passages) {
        result.terms.push_back({passage.path.name, path_time(passage.path, payload).total * passage.times});
        result.total += result.terms.back().time;
    }
    return result;
}

Path whole_path(const PathProtocol& protocol) {
    Path whole{protocol.name, {}};
    for (const Passage& passage : protocol.passages) {
        for (int i = 0; i < passage.times; ++i) {
            whole.stages.insert(whole.stages.end(), passage.path.stages.begin(), passage.path.stages.end());
            if (passage.path.request) whole.request = whole.request.value_or(Time()) + *passage.path.request;
        }
    }
    return whole;
}

Site site_of(const Machine& machine, std::string_view server) {
    if (server.starts_with(far_end)) server.remove_prefix(far_end.size());
    if (server == "link" || server == "router") return Site::link;
    if (server == "host_interface" || server == "network_interface") return Site::network;
    if (server == "memory" || server == "flight" || server == "gateway") return Site::node;
    const std::string name(server);
    if (has(machine, "other_networks." + name)) return Site::network;
    return has(machine, "node.links." + name) ? Site::node : Site::processor;
}

Path read_path(const Machine& machine, const std::string& name) {
    require_name(machine, names_below(machine, "paths"), "paths", "path", name);
    Path path{name, {}};
    for (const std::string& server : names_below(machine, "paths." + name)) {
        Stage stage = read_stage(machine, name, server);
        if (server == "request") {
            path.request = whole_time(stage, Data());
        } else {
            path.stages.push_back(std::move(stage));
        }
    }
    complete_interfaces(machine, path);
    return path;
}

std::vector<std::string> protocol_names(const Machine& machine) {
    return names_below(machine, "protocols");
}

namespace {

// Whether a level of ranks inside a node goes by it, which says what they pay, and not what others do.
bool is_of_level(const Machine& machine, const std::string& protocol) {
    const auto levels = names_below(machine, "levels");
    return !crosses_link(machine, protocol) && std::any_of(levels.begin(), levels.end(), [&](const std::string& level) {
        const Parameter* used = find(machine, fmt::format("levels.{}.protocol", level));
        return used != nullptr && used->text == protocol;
    });
}

std::vector<std::string> messages_named(const Machine& machine, bool inside) {
    std::vector<std::string> names = protocol_names(machine);
    std::erase_if(names, [&](const std::string& name) {
        const bool own = machine.composed && name.starts_with(inside_prefix);
        return own != inside || is_whole_allreduce(machine, name) || is_reached(machine, name);
    });
    const auto is_near = [&machine](const std::string& name) { return is_of_level(machine, name); };
    if (inside || !std::all_of(names.begin(), names.end(), is_near)) std::erase_if(names, is_near);
    return names;
}

}  // namespace

std::vector<std::string> message_protocols(const Machine& machine) {
    return messages_named(machine, false);
}

std::vector<std::string> inside_protocols(const Machine& machine) {
    return messages_named(machine, true);
}

bool is_reached(const Machine& machine, const std::string& protocol) {
    const auto from = names_below(machine, "reach");
    return std::any_of(from.begin(), from.end(), [&](const std::string& name) {
        return has(machine, fmt::format("reach.{}.{}", name, protocol));
    });
}

bool crosses_link(const Machine& machine, const std::string& protocol) {
    require_protocol(machine, protocol);
    const auto paths = names_below(machine, "protocols." + protocol);
    return std::any_of(paths.begin(), paths.end(),
                       [&machine](const std::string& path) { return has_link(machine, path); });
}

Path message_path(const Machine& machine, const std::string& protocol, Data payload) {
    return whole_path(read_protocol_for(machine, protocol, payload));
}

PathProtocol read_protocol(const Machine& machine, const std::string& name) {
    require_protocol(machine, name);
    PathProtocol protocol{name, {}};
    for (const std::string& path : names_below(machine, "protocols." + name)) {
        const double times = number_at(machine, fmt::format("protocols.{}.{}", name, path));
        protocol.passages.push_back({read_path(machine, path), static_cast<int>(times)});
    }
    return protocol;
}

void require_message(const Machine& machine, const std::string& protocol) {
    if (!is_whole_allreduce(machine, protocol)) return;
    throw InputError(fmt::format(
        "protocol '{}' is a whole allreduce, no message: choose another protocol, or the workload allreduce",
        protocol));
}

PathProtocol read_protocol_for(const Machine& machine, const std::string& name, Data payload) {
    require_protocol(machine, name);
    // A name that is no protocol's would leave the protocol that was meant without what it reaches to.
    for (const std::string& from : names_below(machine, "reach")) require_protocol(machine, from);
    std::string reached = name;
    Data reach;
    for (const std::string& other : names_below(machine, "reach." + name)) {
        const Data above = data_at(machine, fmt::format("reach.{}.{}", name, other));
        if (other == name) {
            throw InputError(
                fmt::format("machine '{}': protocol '{}' cannot be replaced by itself: name another in 'reach.{}'",
                            machine.id, name, name));
        }
        if (payload <= above || above < reach) continue;
        reached = other;
        reach = above;
    }
    return read_protocol(machine, reached);
}

}  // namespace narrows
