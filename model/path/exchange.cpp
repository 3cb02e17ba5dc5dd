#include "model/path/exchange.hpp"

#include <algorithm>
#include <stdexcept>

namespace narrows {
namespace {

/// What one message asks of a stage.
struct StageDemand {
    std::string server;
    Time empty;  // service of an empty message
    Time latency;
    Time data;         // what the payload adds
    Time first_piece;  // what its first piece adds
    bool in_pieces;
    int servers;  // that share what several messages ask
    Time share;   // of the exchange's time

    Time service() const { return empty + data; }
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
    made.in_pieces = stage.piece.si() > 0;
    return made;
}

template <class Value>
Time sum_of(const StageDemands& demands, const std::string& server, Value value) {
    Time sum;
    for (const StageDemand& each : demands) {
        if (each.server == server) sum += value(each);
    }
    return sum;
}

Time data_of(const StageDemands& leg, const std::string& server) {
    return sum_of(leg, server, [](const StageDemand& each) { return each.data; });
}

// Runs of stages whose payload follows itself in pieces, as positions in `demands`.
std::vector<std::vector<std::size_t>> legs_of(const StageDemands& demands) {
    std::vector<std::vector<std::size_t>> legs;
    bool open = false;
    for (std::size_t i = 0; i < demands.size(); ++i) {
        if (demands[i].data.si() <= 0) continue;  // holds up no byte
        if (!open || !demands[i].in_pieces) legs.emplace_back();
        legs.back().push_back(i);
        open = demands[i].in_pieces;
    }
    return legs;
}

StageDemands at(const StageDemands& demands, const std::vector<std::size_t>& positions) {
    StageDemands chosen;
    for (const std::size_t i : positions) chosen.push_back(demands[i]);
    return chosen;
}

// The server whose data takes longest on the leg.
std::string slowest_of(const StageDemands& leg) {
    return std::max_element(leg.begin(), leg.end(),
                            [&leg](const StageDemand& a, const StageDemand& b) {
                                return data_of(leg, a.server) < data_of(leg, b.server);
                            })
        ->server;
}

Time leg_time(const StageDemands& leg) {
    const std::string slowest = slowest_of(leg);
    Time time = data_of(leg, slowest);
    for (const StageDemand& each : leg) {
        if (each.server != slowest) time += each.first_piece;
    }
    return time;
}

// What a leg leaves of its time beside the first pieces of the stages that are not of `server`.
Time paced_by(const StageDemands& leg, const std::string& server) {
    Time time = leg_time(leg);
    for (const StageDemand& each : leg) {
        if (each.server != server) time -= each.first_piece;
    }
    return time;
}

/// The shared server that makes a message wait longest for those before it, and how long.
struct Queue {
    std::string server;  // empty: none
    Time wait;
};

Queue longest_queue(const StageDemands& demands, int neighbours, const std::vector<std::string>& own) {
    Queue longest;
    for (const StageDemand& each : demands) {
        if (std::find(own.begin(), own.end(), each.server) != own.end()) continue;
        Time wait = sum_of(demands, each.server, [](const StageDemand& stage) { return stage.service(); }) *
                    ((neighbours - 1.0) / each.servers);
        for (const auto& positions : legs_of(demands)) {
            const StageDemands leg = at(demands, positions);
            if (data_of(leg, each.server).si() > 0) wait -= paced_by(leg, each.server) - data_of(leg, each.server);
        }
        if (wait > longest.wait) longest = {each.server, wait};
    }
    return longest;
}

// Shares a leg's time: first pieces to the others, the rest to the server that sets the pace.
void share_leg(StageDemands& demands, const std::vector<std::size_t>& positions, const std::string& queue) {
    const StageDemands leg = at(demands, positions);
    const std::string pace = data_of(leg, queue).si() > 0 ? queue : slowest_of(leg);
    const Time rest = paced_by(leg, pace);
    for (const std::size_t i : positions) {
        StageDemand& each = demands[i];
        each.share += each.server == pace ? rest * (each.data / data_of(leg, pace)) : each.first_piece;
    }
}

}  // namespace

Breakdown exchange_time(const Path& path, Data payload, int neighbours, const std::vector<std::string>& own) {
    if (neighbours < 1) throw std::logic_error("an exchange needs a neighbour");
    StageDemands demands;
    for (const Stage& stage : path.stages) demands.push_back(demand(stage, payload));
    const Queue queue = longest_queue(demands, neighbours, own);
    for (const auto& positions : legs_of(demands)) share_leg(demands, positions, queue.server);
    const Time served = sum_of(demands, queue.server, [](const StageDemand& each) { return each.service(); });
    Breakdown result;
    for (StageDemand& each : demands) {
        each.share += each.empty + each.latency;
        if (each.server == queue.server) each.share += queue.wait * (each.service() / served);
        result.terms.push_back({each.server, each.share});
        result.total += each.share;
    }
    return result;
}

Breakdown message_time(const Path& path, Data payload) {
    return exchange_time(path, payload, 1, {});
}

}  // namespace narrows
