#include "model/messages/round_time.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/path/exchange.hpp"

namespace narrows {
namespace {

constexpr double rounding = 1e-9;

// A server's name as predictions have it; both ends' interfaces are one.
std::string resource_of(std::string server) {
    if (server == "far-host_interface" || server == "far-network_interface") server.erase(0, 4);
    std::ranges::replace(server, '_', ' ');
    return server;
}

// Terms and their numbers: what a processor computes nothing else in is a term of its own, whatever its name.
class Terms {
  public:
    std::size_t number(const std::string& name, bool of_processor = false) {
        const auto known = std::ranges::find(terms_, std::pair(name, of_processor));
        const auto number = static_cast<std::size_t>(known - terms_.begin());
        if (known == terms_.end()) terms_.emplace_back(name, of_processor);
        return number;
    }
    NamedTime of(std::size_t number, Time time) const {
        const auto& [name, of_processor] = terms_[number];
        return {name, time, of_processor ? time : Time()};
    }

  private:
    std::vector<std::pair<std::string, bool>> terms_;
};

using Times = std::vector<Time>;  // by the number of the term; as many as are not zero

void add(Times& times, std::size_t term, Time time) {
    if (times.size() <= term) times.resize(term + 1);
    times[term] += time;
}

struct Priced {
    Time total;
    Times times;
    Time calls = {};  // of processors, also where these work behind a slower server
};

// Times of kinds of messages; those over as many links share what does not depend on the crowd.
class Prices {
  public:
    Prices(const MessageCosts& costs, Terms& terms, std::string shared)
        : costs_(costs), terms_(terms), shared_name_(std::move(shared)) {}

    Priced of(const MessageLoads& loads) {
        const Way& way = way_of(loads.payload, loads.inside, loads.network.links);
        Crowd crowd{loads.rank, loads.node, loads.network.leaving, std::max(1.0, loads.network.host)};
        if (loads.beside > 0 && way.exchange.processors().si() > 0) {
            const Way& other = way_of(loads.payload, true, 0);
            crowd.rank += loads.beside * (other.exchange.processors() / way.exchange.processors());
        }
        way.exchange.times(crowd, alone_);
        crowd.link = std::max(crowd.link, loads.network.shared);
        way.exchange.times(crowd, shared_);
        Priced priced;
        for (std::size_t i = 0; i < shared_.size(); ++i) {
            const Time own = way.is_link[i] ? alone_[i] : shared_[i];
            add(priced.times, way.terms[i], own);
            if (shared_[i] != own) add(priced.times, shared_term_, shared_[i] - own);
            priced.total += shared_[i];
        }
        charge_memory(priced, way, loads);
        priced.calls = way.exchange.processors();
        return priced;
    }

  private:
    struct Way {
        Exchange exchange;
        std::vector<std::size_t> terms;
        std::vector<bool> is_link;
        bool passes_memory;
        Time near_memory, far_memory;  ///< where the path names those of both ends
    };

    const Way& way_of(Data payload, bool inside, int links) {
        const auto key = std::tuple(payload.si(), inside, links);
        const auto known = ways_.find(key);
        if (known != ways_.end()) return known->second;
        Path path = inside ? costs_.inside(payload) : over_links(costs_.between(payload), links);
        path = with_flows(std::move(path), "link", 1 / (1 - costs_.background));
        Way way{Exchange(path, payload), {}, {}, false, {}, {}};
        for (const std::string& server : way.exchange.servers()) {
            const bool of_processor = path.stage_of(server)->site == Site::processor;
            way.terms.push_back(terms_.number(resource_of(server), of_processor));
            way.is_link.push_back(server == "link");
            way.passes_memory = way.passes_memory || server == "memory";
        }
        if (path.stage_of("far-memory") != nullptr) {
            way.near_memory = busy_time(path, "memory", payload);
            way.far_memory = busy_time(path, "far-memory", payload);
        }
        shared_term_ = terms_.number(shared_name_);
        return ways_.emplace(key, std::move(way)).first->second;
    }

    // Memory is passed while the other servers work: it is all of the time, or none. Every message that leaves or comes
    // passes its node's once, and one that stays twice.
    void charge_memory(Priced& priced, const Way& way, const MessageLoads& loads) {
        const bool known = costs_.memory.si() > 0 && !way.passes_memory;
        const bool as_many = loads.memory == 2 * loads.node;  // leave as come
        const Time of_ends =
            as_many ? (way.near_memory + way.far_memory) / 2 : std::min(way.near_memory, way.far_memory);
        const Time each = known ? loads.payload / costs_.memory : of_ends;
        const Time busy = each * loads.memory;
        if (busy <= priced.total) return;
        priced.total = busy;
        priced.times.clear();
        add(priced.times, terms_.number("memory"), busy);
    }

    const MessageCosts& costs_;
    Terms& terms_;
    std::string shared_name_;  // of what links wait for other nodes' messages
    std::map<std::tuple<double, bool, int>, Way> ways_;
    std::size_t shared_term_ = 0;
    Times alone_, shared_;
};

// Ranks that wait for each other, and what the critical path to each of them consists of.
class Clocks {
  public:
    Clocks(const std::vector<Priced>& prices, std::size_t combine) : prices_(prices), combine_term_(combine) {}

    void pass(const RoundLoads& round, Time combine) {
        for (const RankMessage& message : round.messages) {
            const auto ranks = static_cast<std::size_t>(std::max(message.from, message.to)) + 1;
            if (now_.size() < ranks) now_.resize(ranks);
        }
        next_.assign(now_.size(), {});
        for (const RankMessage& message : round.messages) arrive(message, combine);
        for (std::size_t rank = 0; rank < now_.size(); ++rank) {
            if (next_[rank].kind < 0) next_[rank].state = now_[rank];
            if (next_[rank].kind >= 0) finish(next_[rank], combine);
        }
        for (std::size_t rank = 0; rank < now_.size(); ++rank) now_[rank] = std::move(next_[rank].state);
    }

    Priced end() const {
        const auto last = std::ranges::max_element(now_, {}, &Priced::total);
        return last == now_.end() ? Priced() : *last;
    }

  private:
    struct Next {
        Priced state;
        std::size_t after = 0;  // the rank whose path goes on
        std::int32_t kind = -1;
        bool combines = false;
    };

    void arrive(const RankMessage& message, Time combine) {
        const auto from = static_cast<std::size_t>(message.from), to = static_cast<std::size_t>(message.to);
        const std::size_t later = now_[from].total > now_[to].total ? from : to;
        const Time arrived = now_[later].total + prices_[message.kind].total;
        put(next_[from], {{arrived, {}}, later, message.kind, false});
        put(next_[to], {{arrived + combine, {}}, later, message.kind, combine.si() > 0});
    }

    static void put(Next& next, Next other) {
        if (next.kind < 0 || other.state.total > next.state.total) next = std::move(other);
    }

    void finish(Next& next, Time combine) const {
        next.state.times = now_[next.after].times;
        const Times& more = prices_[next.kind].times;
        for (std::size_t term = 0; term < more.size(); ++term) add(next.state.times, term, more[term]);
        next.state.calls = now_[next.after].calls + prices_[next.kind].calls;
        if (next.combines) add(next.state.times, combine_term_, combine);
    }

    const std::vector<Priced>& prices_;
    std::size_t combine_term_;
    std::vector<Priced> now_;
    std::vector<Next> next_;
};

// What a message asks of a server of a node that sends it, gets it, or does both.
struct NodeDemand {
    Time sent, come, stays;
};

// Paths of messages of each size, and what they ask of the servers of nodes.
class NodeDemands {
  public:
    explicit NodeDemands(const MessageCosts& costs) : costs_(costs) {}

    NodeDemand of(const MessageLoads& kind, const std::string& server) {
        const std::string far = "far-" + server;
        const Path& path = path_of(kind);
        const Time near = busy_time(path, server, kind.payload);
        if (kind.inside) return {{}, {}, near + (server == "memory" ? busy_time(path, far, kind.payload) : Time())};
        const bool one_way = path.stage_of(far) == nullptr && path.stage_of(server) != nullptr &&
                             path.stage_of(server)->site == Site::node;
        return {near, one_way ? near : busy_time(path, far, kind.payload), {}};
    }

    // Of bytes that pass a node's memory beside what paths name.
    NodeDemand of_memory(const MessageLoads& kind) {
        if (costs_.memory.si() <= 0 || path_of(kind).stage_of("memory") != nullptr) return {};
        const Time each = kind.payload / costs_.memory;
        return kind.inside ? NodeDemand{{}, {}, each * 2} : NodeDemand{each, each, {}};
    }

    // Interfaces, and what the paths of these messages name inside a node.
    std::set<std::string> servers(const std::vector<MessageLoads>& kinds) {
        std::set<std::string> names = {"host_interface", "network_interface"};
        for (const MessageLoads& kind : kinds) {
            for (const Stage& stage : path_of(kind).stages) {
                if (stage.site == Site::node && !stage.server.starts_with("far-")) names.insert(stage.server);
            }
        }
        return names;
    }

  private:
    const Path& path_of(const MessageLoads& kind) {
        const auto key = std::pair(kind.payload.si(), kind.inside);
        const auto known = paths_.find(key);
        if (known != paths_.end()) return known->second;
        return paths_.emplace(key, kind.inside ? costs_.inside(kind.payload) : costs_.between(kind.payload))
            .first->second;
    }

    const MessageCosts& costs_;
    std::map<std::pair<double, bool>, Path> paths_;
};

// What the busiest node needs for all messages of all rounds, in any order; sent and come ones at once unless
// `together`.
Time busiest_node(const PhaseLoads& loads, const std::function<NodeDemand(const MessageLoads&)>& demand,
                  bool together = false) {
    std::vector<NodeDemand> each;  // of a message of each kind
    for (const MessageLoads& kind : loads.kinds) each.push_back(demand(kind));
    std::vector<NodeDemand> nodes(static_cast<std::size_t>(loads.places.nodes));
    for (const RoundLoads& round : loads.rounds) {
        for (const RankMessage& message : round.messages) {
            NodeDemand& from = nodes[static_cast<std::size_t>(loads.places.node(message.from))];
            const NodeDemand& one = each[static_cast<std::size_t>(message.kind)];
            from.sent += one.sent * round.times;
            from.stays += one.stays * round.times;
            nodes[static_cast<std::size_t>(loads.places.node(message.to))].come += one.come * round.times;
        }
    }
    Time longest;
    for (const auto& [sent, come, stays] : nodes) {
        longest = std::max(longest, (together ? sent + come : std::max(sent, come)) + stays);
    }
    return longest;
}

// The server that has most to do in all rounds together: a node's links, interfaces, memory or what else paths name of
// it, or the link between nodes that most bytes cross, which take no less each than those of the cheapest message.
NamedTime busiest_server(const PhaseLoads& loads, const MessageCosts& costs) {
    NodeDemands demands(costs);
    NamedTime busiest;
    const auto take = [&busiest](const std::string& name, Time time) {
        if (time > busiest.time) busiest = {name, time};
    };
    const double background = 1 / (1 - costs.background);
    const std::string shared = loads.uplinks ? "uplinks" : "network";
    TimePerByte least(std::numeric_limits<double>::infinity());
    for (const MessageLoads& kind : loads.kinds) {
        if (!kind.inside && kind.payload > Data())
            least = std::min(least, demands.of(kind, "link").sent / kind.payload);
    }
    if (loads.crossing > Data()) take(shared, loads.crossing * least * background);
    take(shared, busiest_node(loads, [&](const MessageLoads& kind) {  // of several links a message takes one
             if (kind.inside || kind.network.leaving == 0) return NodeDemand();
             const double share = loads.degree > 0 ? 1 / loads.degree : kind.network.host / kind.network.leaving;
             const Time busy = demands.of(kind, "link").sent * (share * background);
             return NodeDemand{busy, busy, {}};
         }));
    for (const std::string& server : demands.servers(loads.kinds)) {
        const auto of_server = [&](const MessageLoads& kind) { return demands.of(kind, server); };
        take(resource_of(server), busiest_node(loads, of_server, server == "memory"));
    }
    take("memory", busiest_node(
                       loads, [&](const MessageLoads& kind) { return demands.of_memory(kind); }, true));
    return busiest;
}

Time combining(const RoundLoads& round, const PhaseLoads& loads, const MessageCosts& costs) {
    return round.combines ? round.payload * costs.combine * loads.turns : Time();
}

Priced sum_of_rounds(const PhaseLoads& loads, const std::vector<Priced>& prices, const MessageCosts& costs,
                     std::size_t combine_term) {
    Priced sum;
    for (const RoundLoads& round : loads.rounds) {
        const Priced* slowest = nullptr;
        for (const std::int32_t kind : round.kinds) {
            if (slowest == nullptr || prices[kind].total > slowest->total) slowest = &prices[kind];
        }
        if (slowest == nullptr) continue;
        const Time combine = combining(round, loads, costs);
        sum.total += (slowest->total + combine) * round.times;
        sum.calls += slowest->calls * round.times;
        for (std::size_t term = 0; term < slowest->times.size(); ++term) {
            add(sum.times, term, slowest->times[term] * round.times);
        }
        if (combine.si() > 0) add(sum.times, combine_term, combine * round.times);
    }
    return sum;
}

}  // namespace

Breakdown phase_time(const PhaseLoads& loads, const MessageCosts& costs) {
    Terms terms;
    Prices price(costs, terms, loads.uplinks ? "uplinks" : "network");
    std::vector<Priced> prices;
    for (const MessageLoads& kind : loads.kinds) prices.push_back(price.of(kind));
    const std::size_t combine_term = terms.number("combine", true);
    Clocks clocks(prices, combine_term);
    for (const RoundLoads& round : loads.rounds) {
        for (double i = 0; i < round.times && loads.by_ranks; ++i) {
            clocks.pass(round, combining(round, loads, costs));
        }
    }
    Priced time = loads.by_ranks ? clocks.end() : sum_of_rounds(loads, prices, costs, combine_term);
    if (loads.by_ranks && loads.rounds.size() > 1) {
        const auto [server, least, of_processor] = busiest_server(loads, costs);
        if (least > time.total) {
            time.total = least;
            time.times.clear();
            add(time.times, terms.number(server), least);
        }
    }
    Breakdown result{time.total, {}};
    Time hidden = time.calls;  // behind a slower server: in no term
    for (std::size_t term = 0; term < time.times.size(); ++term) {
        result.terms.push_back(terms.of(term, time.times[term]));
        if (term != combine_term) hidden -= result.terms.back().of_processor;
    }
    if (hidden > time.calls * rounding) {
        const auto busy =
            std::ranges::find_if(result.terms, [](const NamedTime& one) { return one.of_processor > Time(); });
        if (busy == result.terms.end()) {
            result.terms.push_back({"calls", {}, hidden});
        } else {
            busy->of_processor += hidden;
        }
    }
    return result;
}

}  // namespace narrows
