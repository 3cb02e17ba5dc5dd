#include "model/path/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// The names below `section`; InputError unless `name` is one of them.
void require_name(const Machine& machine, const std::string& section, const std::string& kind,
                  const std::string& name) {
    const std::vector<std::string> names = names_below(machine, section);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    if (names.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no {} '{}': add '{}.{}' to its file", machine.id, kind, name, section, name));
    }
    throw InputError(fmt::format("machine '{}' has no {} '{}'{} (it has: {})", machine.id, kind, name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

// Where the machine describes the server itself, empty if nowhere.
std::string place_of(const Machine& machine, const std::string& server) {
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

Stage read_stage(const Machine& machine, const std::string& path, const std::string& server) {
    const StageReader reader(machine, path, server);
    Stage stage;
    stage.server = server;
    stage.overhead = time_or_zero(machine, reader.own(".overhead"));
    stage.piece = data_or_zero(machine, reader.own(".piece"));
    if (const std::string place = reader.path_of(".bandwidth"); !place.empty()) {
        stage.bandwidth = bandwidth_at(machine, place);
    }
    if (const std::string place = reader.path_of(".latency"); !place.empty()) stage.latency = time_at(machine, place);
    if (const std::string place = reader.path_of(".framing"); !place.empty()) {
        stage.framing = read_framing(machine, place);
    }
    if (reader.has_own(".carries")) stage.carries = data_at(machine, reader.own(".carries"));
    stage.spared = data_or_zero(machine, reader.own(".spared"));
    if (reader.has_own(".times")) stage.times = static_cast<int>(number_at(machine, reader.own(".times")));
    return stage;
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
        }
    }
    return whole;
}

Path read_path(const Machine& machine, const std::string& name) {
    require_name(machine, "paths", "path", name);
    Path path{name, {}};
    for (const std::string& server : names_below(machine, "paths." + name)) {
        path.stages.push_back(read_stage(machine, name, server));
    }
    return path;
}

PathProtocol read_protocol(const Machine& machine, const std::string& name) {
    require_name(machine, "protocols", "protocol", name);
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
    require_name(machine, "protocols", "protocol", name);
    // A name that is no protocol's would leave the protocol that was meant without what it reaches to.
    for (const std::string& from : names_below(machine, "reach")) require_name(machine, "protocols", "protocol", from);
    std::string reached = name;
    Data reach;
    for (const std::string& other : names_below(machine, "reach." + name)) {
        const Data above = data_at(machine, fmt::format("reach.{}.{}", name, other));
        if (other == name) {
            throw InputError(
                fmt::format("machine '{}': protocol '{}' cannot go on as itself: name another in 'reach.{}'",
                            machine.id, name, name));
        }
        if (payload <= above || above < reach) continue;
        reached = other;
        reach = above;
    }
    return read_protocol(machine, reached);
}

}  // namespace narrows
