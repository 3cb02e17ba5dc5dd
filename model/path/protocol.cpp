#include "model/path/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topologies/input_error.hpp"

namespace narrows {

// Puts a cost into its stage.
using Put = void (*)(Stage& stage, const Machine& machine, const Parameter& cost);

/// A stage without its costs, and the places of these in the machine, in the order in which they are put into it.
struct StagePlan {
    Stage stage;
    std::vector<std::pair<std::size_t, Put>> costs;
    bool has_framing = false;
    bool framed_as_link = false;  // an interface without a framing of its own

    // Whether the machine has the cost.
    bool take(const Machine& machine, const std::string& place, Put put) {
        const Parameter* const cost = place.empty() ? nullptr : find(machine, place);
        if (cost != nullptr) costs.emplace_back(cost - machine.parameters.data(), put);
        return cost != nullptr;
    }
    void take_framing(const Machine& machine, const std::string& place) {
        has_framing = !place.empty();
        if (!has_framing) return;
        take(machine, place + ".header",
             [](auto& s, auto&, auto& cost) { s.framing.header = Data(cost.measure.value); });
        take(machine, place + ".granule",
             [](auto& s, auto&, auto& cost) { s.framing.granule = Data(cost.measure.value); });
        take(machine, place + ".packet",
             [](auto& s, auto&, auto& cost) { s.framing.packet = Data(cost.measure.value); });
        take(machine, place + ".gap", [](auto& s, auto&, auto& cost) { s.framing.gap = Data(cost.measure.value); });
        take(machine, place + ".code", [](auto& s, auto&, auto& cost) { s.framing.code = cost.measure.value; });
    }
    Stage with_costs(const Machine& machine) const {
        Stage priced = stage;
        for (const auto& [place, put] : costs) put(priced, machine, nth_parameter(machine, place));
        return priced;
    }
};

/// A path without its costs.
struct PathPlan {
    std::string name;
    std::vector<StagePlan> stages;
    std::optional<StagePlan> request;

    Path with_costs(const Machine& machine) const {
        Path path{name, {}};
        path.stages.reserve(stages.size());
        for (const StagePlan& plan : stages) path.stages.push_back(plan.with_costs(machine));
        if (request) path.request = whole_time(request->with_costs(machine), Data());
        const Stage* const link = path.stage_of("link");
        for (std::size_t i = 0; i < stages.size(); ++i) {
            if (!stages[i].framed_as_link) continue;
            path.stages[i].framing = link->framing;  // without line code and gaps
            path.stages[i].framing.code = 1;
            path.stages[i].framing.gap = Data();
        }
        return path;
    }
};

/// A protocol without its costs: its passages, and the protocols that it reaches to, each with the place that says from
/// where on.
struct ProtocolPlan {
    std::string name;
    std::vector<std::pair<PathPlan, std::size_t>> passages;  // each with the place of how often it is passed
    std::vector<std::pair<std::string, std::size_t>> reach;
    bool whole_allreduce = false;

    PathProtocol with_costs(const Machine& machine) const {
        PathProtocol protocol{name, {}};
        for (const auto& [path, times] : passages) {
            protocol.passages.push_back(
                {path.with_costs(machine), static_cast<int>(nth_parameter(machine, times).measure.value)});
        }
        return protocol;
    }
};

/// The protocols of machines that differ in values alone.
struct FoundProtocols {
    std::map<std::string, ProtocolPlan, std::less<>> plans;
    std::vector<std::string> inside;
    std::size_t parameters = 0;  // of such a machine
};

namespace {

constexpr std::string_view far_end = "far-";

// InputError unless `name` is one of `names`, which stand below `section`.
void require_name(const Machine& machine, const std::vector<std::string>& names, const std::string& section,
                  const std::string& kind, const std::string& name) {
    if (std::ranges::find(names, name) != names.end()) return;
    if (names.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no {} '{}': add '{}.{}' to its file", machine.id, kind, name, section, name));
    }
    refuse_name(fmt::format("machine '{}' has no {}", machine.id, kind), name, names, Offered::all_it_has);
}

void require_protocol(const Machine& machine, const std::string& name) {
    if (name.empty()) {
        throw InputError(
            fmt::format("machine '{}' has no protocol of messages: add one that takes a path of its file, such as "
                        "'protocols: {{mpi: "
                        "{{wire: 1}}}}'",
                        machine.id));
    }
    require_name(machine, protocol_names(machine), "protocols", "protocol", name);
}

// Whether the path passes a link about which somebody says more than how it frames messages.
bool has_link(const Machine& machine, const std::string& path) {
    const std::string link = fmt::format("paths.{}.link", path);
    if (!has(machine, link) || has(machine, "network.link")) return has(machine, link);
    const auto words = names_below(machine, link);
    return std::ranges::any_of(words, [](const std::string& word) { return word != "framing" && word != "times"; });
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
        : machine_(machine),
          own_(fmt::format("paths.{}.{}", path, server)),
          place_(place_of(machine, without_end(server))) {}

    std::string path_of(const std::string& key) const {
        if (has(machine_, own_ + key)) return own_ + key;
        return !place_.empty() && has(machine_, place_ + key) ? place_ + key : "";
    }

    std::string own(const std::string& key) const { return own_ + key; }

  private:
    const Machine& machine_;
    std::string own_;
    std::string place_;
};

void put_lines(Stage& stage, const Machine& machine, const Parameter& cost) {
    const Time lines = time_at(machine, core_distance_path) * cost.measure.value;
    (stage.site == Site::processor ? stage.overhead : stage.latency) += lines;
}

// Beside what else a byte takes there.
void put_lines_per_byte(Stage& stage, const Machine& machine, const Parameter& cost) {
    const TimePerByte each(time_at(machine, core_distance_path).si() * cost.measure.value);
    if (each.si() > 0) stage.bandwidth = 1 / (stage.bandwidth == Bandwidth() ? each : each + 1 / stage.bandwidth);
}

void put_gateways(Stage& stage, const Machine& machine, const Parameter& ranks) {
    stage.servers = std::max(1, static_cast<int>(number_at(machine, "node.processors") / ranks.measure.value));
}

// Transfers side by side, each at the link's own pace at most.
void put_total(Stage& stage, const Machine&, const Parameter& cost) {
    const Bandwidth total(cost.measure.value);
    if (stage.bandwidth == Bandwidth() || total < stage.bandwidth) stage.bandwidth = total;
    stage.servers = total / stage.bandwidth;
    stage.fair = true;
}

StagePlan plan_of_stage(const Machine& machine, const std::string& path, const std::string& name) {
    const StageReader reader(machine, path, name);
    StagePlan plan;
    plan.stage.server = name;
    plan.stage.site = site_of(machine, name);
    const std::string server = without_end(name);
    const auto take = [&](const std::string& place, Put put) { return plan.take(machine, place, put); };
    take(reader.own(".overhead"), [](auto& s, auto& m, auto& cost) { s.overhead = time_of(m, cost); });
    take(reader.own(".piece"), [](auto& s, auto&, auto& cost) { s.piece = Data(cost.measure.value); });
    const bool by_byte = take(reader.own(".per_byte"), [](auto& s, auto& m, auto& cost) {
        const TimePerByte each = time_per_byte_of(m, cost);
        if (each.si() > 0) s.bandwidth = 1 / each;
    });
    if (!by_byte) {
        take(reader.path_of(".bandwidth"),
             [](auto& s, auto&, auto& cost) { s.bandwidth = Bandwidth(cost.measure.value); });
    }
    take(fmt::format("node.links.{}.total", server), put_total);
    // A stage's own latency is of the whole way, that of the network's links of each.
    const std::string latency = reader.path_of(".latency");
    if (latency == "network.link.latency") {
        take(latency, [](auto& s, auto& m, auto& cost) { s.link_latency = time_of(m, cost); });
    } else {
        take(latency, [](auto& s, auto& m, auto& cost) { s.latency = time_of(m, cost); });
    }
    take(reader.own(".lines"), put_lines);
    take(reader.own(".lines_per_byte"), put_lines_per_byte);
    plan.take_framing(machine, reader.path_of(".framing"));
    take(reader.own(".carries"), [](auto& s, auto&, auto& cost) { s.carries = Data(cost.measure.value); });
    take(reader.own(".spared"), [](auto& s, auto&, auto& cost) { s.spared = Data(cost.measure.value); });
    take(reader.own(".times"), [](auto& s, auto&, auto& cost) { s.times = static_cast<int>(cost.measure.value); });
    const auto put_count = [](auto& s, auto&, auto& cost) { s.servers = static_cast<int>(cost.measure.value); };
    if (server == "memory") take("node.memory.controllers", put_count);
    if (server == "network_interface") {  // alike; a message keeps one busy no shorter than its rate says
        take("network_interface.count", put_count);
        take("network_interface.message_rate",
             [](auto& s, auto&, auto& cost) { s.at_least = 1 / Rate(cost.measure.value); });
    }
    if (server == "gateway" && has(machine, "node.processors")) take("gateways.ranks", put_gateways);
    return plan;
}

bool is_interface(const Stage& stage) {
    const std::string server = without_end(stage.server);
    return server == "host_interface" || server == "network_interface";
}

// Interfaces that the path names at one end alone, before its link, are passed again behind it.
void complete_interfaces(std::vector<StagePlan>& stages) {
    const auto is_link = [](const StagePlan& plan) { return plan.stage.server == "link"; };
    const auto link = std::ranges::find_if(stages, is_link);
    if (link == stages.end()) return;
    std::vector<StagePlan> again;
    for (auto plan = stages.begin(); plan != stages.end(); ++plan) {
        if (!is_interface(plan->stage)) continue;
        plan->framed_as_link = !plan->has_framing;
        const auto same = [&](const StagePlan& other) { return without_end(other.stage.server) == plan->stage.server; };
        const bool is_far = plan->stage.server.starts_with(far_end);
        if (plan > link || is_far || std::ranges::count_if(stages, same) > 1) continue;
        again.insert(again.begin(), *plan);
        again.front().stage.server = std::string(far_end) + plan->stage.server;
    }
    auto behind = link + 1;
    while (behind != stages.end() && behind->stage.site == Site::link) ++behind;
    stages.insert(behind, again.begin(), again.end());
}

PathPlan plan_of_path(const Machine& machine, const std::string& name) {
    require_name(machine, names_below(machine, "paths"), "paths", "path", name);
    PathPlan plan{name, {}, {}};
    for (const std::string& server : names_below(machine, "paths." + name)) {
        StagePlan stage = plan_of_stage(machine, name, server);
        if (server == "request") {
            plan.request = std::move(stage);
        } else {
            plan.stages.push_back(std::move(stage));
        }
    }
    complete_interfaces(plan.stages);
    bool behind_link = false;
    for (StagePlan& stage : plan.stages) {
        stage.stage.of_receiver = behind_link;
        behind_link = behind_link || stage.stage.server == "link";
    }
    return plan;
}

ProtocolPlan plan_of_protocol(const Machine& machine, const std::string& name) {
    require_protocol(machine, name);
    const auto place_of_number = [&machine](const std::string& place) {
        number_at(machine, place);
        return static_cast<std::size_t>(find(machine, place) - machine.parameters.data());
    };
    ProtocolPlan plan{name, {}, {}, is_whole_allreduce(machine, name)};
    for (const std::string& path : names_below(machine, "protocols." + name)) {
        plan.passages.emplace_back(plan_of_path(machine, path),
                                   place_of_number(fmt::format("protocols.{}.{}", name, path)));
    }
    for (const std::string& other : names_below(machine, "reach." + name)) {
        plan.reach.emplace_back(other, place_of_number(fmt::format("reach.{}.{}", name, other)));
    }
    return plan;
}

// What was found before; nothing for a machine with other parameters.
const FoundProtocols* found_in(const Machine& machine) {
    const bool known = machine.protocols && machine.protocols->parameters == machine.parameters.size();
    return known ? machine.protocols.get() : nullptr;
}

const ProtocolPlan* known_plan(const Machine& machine, const std::string& name) {
    const FoundProtocols* const found = found_in(machine);
    if (found == nullptr) return nullptr;
    const auto plan = found->plans.find(name);
    return plan == found->plans.end() ? nullptr : &plan->second;
}

// What `use` says of the plan: found before if the machine knows it, else now.
template <class Use>
auto of_plan(const Machine& machine, const std::string& name, const Use& use) {
    const ProtocolPlan* const known = known_plan(machine, name);
    return known != nullptr ? use(*known) : use(plan_of_protocol(machine, name));
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

std::optional<Framing> link_framing(const Machine& machine, const std::string& protocol) {
    return of_plan(machine, protocol, [&machine](const ProtocolPlan& plan) -> std::optional<Framing> {
        std::optional<Framing> found;
        for (const auto& [path, times] : plan.passages) {
            for (const StagePlan& stage : path.stages) {
                if (stage.stage.server != "link") continue;
                const Stage link = stage.with_costs(machine);
                if (!link.carries) return link.framing;  // what says that a message comes is none
                if (!found) found = link.framing;
            }
        }
        return found;
    });
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

std::string without_end(const std::string& server) {
    return server.starts_with(far_end) ? server.substr(far_end.size()) : server;
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

std::vector<std::string> protocol_names(const Machine& machine) {
    return names_below(machine, "protocols");
}

namespace {

// Whether a level of ranks inside a node goes by it, which says what they pay, and not what others do.
bool is_of_level(const Machine& machine, const std::string& protocol) {
    const auto levels = names_below(machine, "levels");
    return !crosses_link(machine, protocol) && std::ranges::any_of(levels, [&](const std::string& level) {
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
    if (inside || !std::ranges::all_of(names, is_near)) std::erase_if(names, is_near);
    return names;
}

}  // namespace

std::vector<std::string> message_protocols(const Machine& machine) {
    return messages_named(machine, false);
}

std::vector<std::string> inside_protocols(const Machine& machine) {
    if (const FoundProtocols* const found = found_in(machine)) return found->inside;
    return messages_named(machine, true);
}

bool is_reached(const Machine& machine, const std::string& protocol) {
    const auto from = names_below(machine, "reach");
    return std::ranges::any_of(
        from, [&](const std::string& name) { return has(machine, fmt::format("reach.{}.{}", name, protocol)); });
}

bool crosses_link(const Machine& machine, const std::string& protocol) {
    require_protocol(machine, protocol);
    const auto paths = names_below(machine, "protocols." + protocol);
    return std::ranges::any_of(paths, [&machine](const std::string& path) { return has_link(machine, path); });
}

Path message_path(const Machine& machine, const std::string& protocol, Data payload) {
    return whole_path(read_protocol_for(machine, protocol, payload));
}

PathProtocol read_protocol(const Machine& machine, const std::string& name) {
    return of_plan(machine, name, [&machine](const ProtocolPlan& plan) { return plan.with_costs(machine); });
}

bool is_allreduce(const Machine& machine, const std::string& protocol) {
    const ProtocolPlan* const known = known_plan(machine, protocol);
    return known != nullptr ? known->whole_allreduce : is_whole_allreduce(machine, protocol);
}

void require_message(const Machine& machine, const std::string& protocol) {
    if (!is_allreduce(machine, protocol)) return;
    throw InputError(fmt::format(
        "protocol '{}' is a whole allreduce, no message: choose another protocol, or the workload allreduce",
        protocol));
}

PathProtocol read_protocol_for(const Machine& machine, const std::string& name, Data payload) {
    return of_plan(machine, name, [&](const ProtocolPlan& plan) {
        const std::string* reached = nullptr;
        Data reach;
        for (const auto& [other, place] : plan.reach) {
            const Data above(nth_parameter(machine, place).measure.value);
            if (payload <= above || above < reach) continue;
            reached = &other;
            reach = above;
        }
        return reached == nullptr ? plan.with_costs(machine) : read_protocol(machine, *reached);
    });
}

Machine with_protocols_found(Machine machine) {
    auto found = std::make_shared<FoundProtocols>();
    for (const std::string& name : protocol_names(machine)) {
        try {
            found->plans.emplace(name, plan_of_protocol(machine, name));
        } catch (const InputError&) {  // told to who asks for this one
        }
    }
    found->inside = messages_named(machine, true);
    found->parameters = machine.parameters.size();
    machine.protocols = std::move(found);
    return machine;
}

}  // namespace narrows
