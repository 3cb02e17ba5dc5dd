#include "model/path/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace narrows {
namespace {

/// What one message asks of a stage.
struct StageDemand {
    std::string_view server;  // of the path, which outlives this
    Time empty;               // service of an empty message
    Time latency;
    Time data;         // what the payload adds
    Time queued;       // what other messages wait for
    Time first_piece;  // what its first piece adds
    bool in_pieces;
    double servers;  // that share what several messages ask
};

using StageDemands = std::vector<StageDemand>;

StageDemand demand(const Stage& stage, Data payload) {
    const Time empty = service_time(stage, Data());
    const Data first = stage.piece.si() > 0 ? std::min(stage.piece, payload) : payload;
    StageDemand made;
    made.server = stage.server;
    made.empty = empty * stage.times;
    made.latency = (stage.latency + stage.link_latency) * stage.times;
    made.servers = stage.servers;
    made.data = (service_time(stage, payload) - empty) * stage.times;
    made.first_piece = (service_time(stage, first) - empty) * stage.times;
    made.queued = queued_time(stage, payload) * stage.times;
    made.in_pieces = stage.piece.si() > 0;
    return made;
}

template <class Value>
Time sum_of(const StageDemands& demands, std::string_view server, Value value) {
    Time sum;
    for (const StageDemand& each : demands) {
        if (each.server == server) sum += value(each);
    }
    return sum;
}

Time data_of(const StageDemands& leg, std::string_view server) {
    return sum_of(leg, server, [](const StageDemand& each) { return each.data; });
}

/// A run of stages whose payload follows itself in pieces.
struct Leg {
    std::vector<std::size_t> positions;
    StageDemands stages;
};

std::vector<Leg> legs_of(const StageDemands& demands) {
    std::vector<Leg> legs;
    bool open = false;
    for (std::size_t i = 0; i < demands.size(); ++i) {
        if (demands[i].data.si() <= 0) continue;  // holds up no byte
        if (!open || !demands[i].in_pieces) legs.emplace_back();
        legs.back().positions.push_back(i);
        legs.back().stages.push_back(demands[i]);
        open = demands[i].in_pieces;
    }
    return legs;
}

// The server whose data takes longest on the leg.
std::string_view slowest_of(const StageDemands& leg) {
    return std::ranges::max_element(leg,
                                    [&leg](const StageDemand& a, const StageDemand& b) {
                                        return data_of(leg, a.server) < data_of(leg, b.server);
                                    })
        ->server;
}

Time leg_time(const StageDemands& leg) {
    const std::string_view slowest = slowest_of(leg);
    Time time = data_of(leg, slowest);
    for (const StageDemand& each : leg) {
        if (each.server != slowest) time += each.first_piece;
    }
    return time;
}

// What a leg leaves of its time beside the first pieces of the stages that are not of `server`.
Time paced_by(const StageDemands& leg, std::string_view server) {
    Time time = leg_time(leg);
    for (const StageDemand& each : leg) {
        if (each.server != server) time -= each.first_piece;
    }
    return time;
}

// Adds a leg's time: first pieces to the others, the rest to the server that sets the pace.
void add_leg(std::vector<Time>& shares, const Leg& of, std::string_view queue) {
    const StageDemands& leg = of.stages;
    const std::string_view pace = data_of(leg, queue).si() > 0 ? queue : slowest_of(leg);
    const Time rest = paced_by(leg, pace);
    for (std::size_t i = 0; i < leg.size(); ++i) {
        const StageDemand& each = leg[i];
        shares[of.positions[i]] += each.server == pace ? rest * (each.data / data_of(leg, pace)) : each.first_piece;
    }
}

// Of each stage while messages queue for this server.
std::vector<Time> shares_of(const StageDemands& demands, const std::vector<Leg>& legs, std::string_view queue) {
    std::vector<Time> shares;
    shares.reserve(demands.size());
    for (const StageDemand& each : demands) shares.push_back(each.empty + each.latency);
    for (const Leg& leg : legs) add_leg(shares, leg, queue);
    return shares;
}

// What the server's legs leave it without work.
Time idle_of(const std::vector<Leg>& legs, std::string_view server) {
    Time idle;
    for (const auto& [positions, leg] : legs) {
        if (data_of(leg, server).si() > 0) idle += paced_by(leg, server) - data_of(leg, server);
    }
    return idle;
}

// Turns of so many messages at servers that are alike. Means of messages, and what is shared evenly, are of fluids.
double turns(double messages, double servers, bool fair) {
    const bool whole = !fair && std::floor(messages) == messages && std::floor(servers) == servers;
    return whole ? std::ceil(messages / servers) : messages / servers;
}

double messages_at(const Crowd& crowd, Site site, bool router) {
    switch (site) {
        case Site::processor:
            return crowd.rank;
        case Site::node:
            return crowd.node;
        case Site::network:
            return crowd.leaving;
        case Site::link:
            return router ? std::max(crowd.leaving, crowd.link) : crowd.link;
    }
    throw std::logic_error("unknown site");
}

}  // namespace

Exchange::Exchange(const Path& path, Data payload) {
    StageDemands demands;
    demands.reserve(path.stages.size());
    servers_.reserve(path.stages.size());
    queues_.reserve(path.stages.size());
    for (const Stage& stage : path.stages) {
        demands.push_back(demand(stage, payload));
        servers_.push_back(stage.server);
        if (stage.site == Site::processor) processors_ += demands.back().empty + demands.back().data;
    }
    const std::vector<Leg> legs = legs_of(demands);
    alone_ = shares_of(demands, legs, "");
    for (std::size_t i = 0; i < demands.size(); ++i) {
        const std::string& server = servers_[i];
        if (std::find(servers_.begin(), servers_.begin() + static_cast<std::ptrdiff_t>(i), server) !=
            servers_.begin() + static_cast<std::ptrdiff_t>(i)) {
            continue;
        }
        Queue queue{path.stages[i].site, server == "router", demands[i].servers, path.stages[i].fair, {}, {}, {}, {}};
        queue.service = sum_of(demands, server, [](const StageDemand& each) { return each.queued; });
        if (queue.service.si() <= 0) continue;
        queue.idle = idle_of(legs, server);
        queue.shares = shares_of(demands, legs, server);
        queue.waiting.reserve(demands.size());
        for (const StageDemand& each : demands) {
            queue.waiting.push_back(each.server == server ? each.queued / queue.service : 0);
        }
        queues_.push_back(std::move(queue));
    }
}

void Exchange::times(const Crowd& crowd, std::vector<Time>& times) const {
    const Queue* longest = nullptr;
    Time wait;
    for (const Queue& queue : queues_) {
        const double ahead =
            std::max(0.0, turns(messages_at(crowd, queue.site, queue.router), queue.servers, queue.fair) - 1);
        const Time waits = queue.service * ahead - queue.idle;
        if (waits <= wait) continue;
        longest = &queue;
        wait = waits;
    }
    times = longest != nullptr ? longest->shares : alone_;
    for (std::size_t i = 0; longest != nullptr && i < times.size(); ++i) times[i] += wait * longest->waiting[i];
}

Breakdown Exchange::time(const Crowd& crowd) const {
    std::vector<Time> each;
    times(crowd, each);
    Breakdown result;
    for (std::size_t i = 0; i < each.size(); ++i) {
        result.terms.push_back({servers_[i], each[i]});
        result.total += each[i];
    }
    return result;
}

Time data_time(const Path& path, Data payload) {
    StageDemands demands;
    for (const Stage& stage : path.stages) demands.push_back(demand(stage, payload));
    Time time;
    for (const Leg& leg : legs_of(demands)) time += leg_time(leg.stages);
    return time;
}

Breakdown message_time(const Path& path, Data payload) {
    return Exchange(path, payload).time({});
}

}  // namespace narrows
