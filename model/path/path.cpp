#include "model/path/path.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

Time transfer_time(const Stage& stage, Data payload) {
    if (stage.bandwidth.si() <= 0) return {};
    return wire_bytes(stage.framing, payload) / stage.bandwidth;
}

// Stages with `times` passes written out one by one.
std::vector<Stage> passes(const Path& path) {
    std::vector<Stage> single;
    for (const Stage& stage : path.stages) {
        for (int i = 0; i < stage.times; ++i) single.push_back(stage);
    }
    for (Stage& stage : single) stage.times = 1;
    return single;
}

// When the last of the message's pieces leaves the last stage.
Time last_departure(const std::vector<Stage>& stages, Data payload, Data piece) {
    std::vector<Time> left(stages.size());  // when the previous piece left each stage
    const double pieces = std::max(1.0, std::ceil(payload / piece));
    Time arrival;
    for (double k = 0; k < pieces; ++k) {
        const Data part = std::min(piece, payload - piece * k);
        arrival = Time();
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const bool passed_before = k > 0 && stages[i].carries;
            Stage stage = stages[i];
            stage.spared = std::max(Data(), stage.spared - piece * k);  // the first pieces have them
            left[i] = std::max(arrival, left[i]) + (passed_before ? Time() : service_time(stage, part));
            arrival = left[i] + (passed_before ? Time() : stages[i].latency + stages[i].link_latency);
        }
    }
    return arrival;
}

}  // namespace

const Stage* Path::stage_of(std::string_view server) const {
    for (const Stage& stage : stages) {
        if (stage.server == server) return &stage;
    }
    return nullptr;
}

Time service_time(const Stage& stage, Data payload) {
    const Data moved = std::max(Data(), stage.carries.value_or(payload) - stage.spared);
    if (stage.piece.si() <= 0 || moved <= stage.piece) {
        return std::max(stage.at_least, stage.overhead + transfer_time(stage, moved)) * stage.flows;
    }
    const double full = std::ceil(moved / stage.piece) - 1;
    const Time whole = stage.overhead + transfer_time(stage, stage.piece);
    const Time rest = stage.overhead + transfer_time(stage, moved - stage.piece * full);
    return std::max(stage.at_least, whole * full + rest) * stage.flows;
}

Time queued_time(const Stage& stage, Data payload) {
    if (!stage.fair) return service_time(stage, payload);
    Stage bytes = stage;
    bytes.overhead = Time();
    return service_time(bytes, payload);
}

Time busy_time(const Path& path, std::string_view server, Data payload) {
    Time busy;
    for (const Stage& stage : path.stages) {
        if (stage.server == server) busy += queued_time(stage, payload) * stage.times / stage.servers;
    }
    return busy;
}

Time whole_time(const Stage& stage, Data payload) {
    return (service_time(stage, payload) + stage.latency + stage.link_latency) * stage.times;
}

Breakdown path_time(const Path& path, Data payload) {
    Breakdown result;
    for (const Stage& stage : path.stages) {
        result.terms.push_back({stage.server, whole_time(stage, payload)});
        result.total += result.terms.back().time;
    }
    return result;
}

Breakdown pipelined_time(const Path& path, Data payload, Data piece) {
    if (piece.si() <= 0) throw std::logic_error("a pipeline needs pieces of more than nothing");
    if (path.stages.empty()) return {};
    Breakdown result = path_time(path, std::min(payload, piece));
    const Time first = result.total;
    result.total = std::max(last_departure(passes(path), payload, piece), busiest_server(path, payload).time);
    if (payload > piece) result.terms.push_back({"further pieces", result.total - first});
    return result;
}

NamedTime busiest_server(const Path& path, Data payload) {
    if (path.stages.empty()) throw std::logic_error("a path without stages keeps no server busy");
    std::vector<NamedTime> servers;
    for (const Stage& stage : path.stages) {
        auto server = std::ranges::find(servers, stage.server, &NamedTime::name);
        if (server == servers.end()) server = servers.insert(server, NamedTime{stage.server, Time()});
        server->time += service_time(stage, payload) * stage.times;
    }
    return *std::ranges::max_element(servers, {}, &NamedTime::time);
}

Rate message_rate(const Path& path, Data payload) {
    const Time busy = busiest_server(path, payload).time;
    if (busy.si() <= 0) throw std::logic_error("a path that keeps no server busy has no largest rate");
    return 1 / busy;
}

std::optional<Data> crossover(const Path& small, const Path& large, Data most) {
    const auto overtaken = [&](double size) {
        return path_time(large, bytes(size)).total <= path_time(small, bytes(size)).total;
    };
    double below = 0;
    double above = std::ceil(most.si());
    if (overtaken(below)) return bytes(below);
    if (!overtaken(above)) return std::nullopt;
    while (above - below > 1) {
        const double middle = std::floor((below + above) / 2);
        (overtaken(middle) ? above : below) = middle;
    }
    return bytes(above);
}

EndTimes end_times(const Path& path, Data payload) {
    const auto is_processor = [](const Stage& stage) { return stage.site == Site::processor; };
    const bool is_marked = std::ranges::any_of(path.stages, &Stage::of_receiver);
    auto ends = std::ranges::find_if_not(path.stages, is_processor);
    if (ends == path.stages.end() && path.stages.size() > 1) --ends;
    EndTimes times;
    for (auto stage = path.stages.begin(); stage != path.stages.end(); ++stage) {
        if (!is_processor(*stage)) continue;
        const Time busy = service_time(*stage, payload) * stage->times;
        const bool receives = is_marked ? stage->of_receiver : stage >= ends;
        (stage->server == "other" ? times.other : receives ? times.receive : times.send) += busy;
    }
    return times;
}

Path inside_node(Path path) {
    std::erase_if(path.stages,
                  [](const Stage& stage) { return stage.site == Site::network || stage.site == Site::link; });
    return path;
}

Path over_links(Path path, int links) {
    if (links < 1) throw std::logic_error("a message between nodes crosses at least one link");
    for (Stage& stage : path.stages) {
        stage.link_latency *= links;
        if (stage.server == "router") stage.times += links - 1;
    }
    return path;
}

Path with_flows(Path path, const std::string& server, double flows) {
    if (!(flows >= 1)) throw std::logic_error("a server is shared by at least one flow");
    for (Stage& stage : path.stages) {
        if (stage.server == server) stage.flows = flows;
    }
    return path;
}

}  // namespace narrows
