#include "model/messages/round_loads.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace narrows {
namespace {

// Messages of a phase that are followed from rank to rank, also where a formula would do; that are counted one by one;
// and what following routes may cost.
constexpr double most_followed = 1 << 17;
constexpr double most_followed_by_formula = 1 << 14;
constexpr double most_counted = 1 << 23;
constexpr double most_routed = 1 << 25;

/// What the ranks and nodes of a round do, beside the network.
class NodeCount {
  public:
    NodeCount(const RankPlaces& placed, std::size_t nodes, std::size_t ranks)
        : places_(placed), sent_(nodes), came_(nodes), stayed_(nodes), leaving_(ranks), all_(ranks) {}

    void add(std::int64_t from, std::int64_t to) {
        const int a = places_.node(from), b = places_.node(to);
        ++(a == b ? stayed_[a] : sent_[a]);
        if (a != b) ++came_[b];
        leaving_most_ = std::max(leaving_most_, leaving_[from] += a == b ? 0 : 1);
        all_most_ = std::max(all_most_, ++all_[from]);
    }

    // Of a message at this node.
    MessageLoads at(int node, bool inside, Data payload) const {
        MessageLoads loads;
        loads.payload = payload;
        loads.inside = inside;
        loads.rank = inside ? all_most_ : leaving_most_;
        loads.beside = inside ? 0 : all_most_ - leaving_most_;
        loads.node = std::max(sent_[node], came_[node]) + stayed_[node];
        loads.memory = sent_[node] + came_[node] + 2 * stayed_[node];
        if (inside) loads.network = {0, 0, 0, 0};
        return loads;
    }

    // At the fullest of all nodes.
    MessageLoads fullest(bool inside, Data payload) const {
        MessageLoads most = at(0, inside, payload);
        int messages = 0, memory = 0;
        for (std::size_t node = 0; node < sent_.size(); ++node) {
            messages = std::max(messages, std::max(sent_[node], came_[node]) + stayed_[node]);
            memory = std::max(memory, sent_[node] + came_[node] + 2 * stayed_[node]);
        }
        most.node = messages;
        most.memory = memory;
        return most;
    }

  private:
    const RankPlaces& places_;
    std::vector<int> sent_, came_, stayed_;    // of each node
    std::vector<std::int16_t> leaving_, all_;  // of each rank
    std::int16_t leaving_most_ = 0, all_most_ = 0;
};

auto key_of(const MessageLoads& loads) {
    const PairLoads& network = loads.network;
    return std::tuple(loads.payload.si(), loads.inside, loads.rank, loads.beside, loads.node, loads.memory,
                      network.links, network.leaving, network.host, network.shared);
}

class Phase {
  public:
    Phase(const RankPlaces& placed, NodeNetwork network) : places_(placed), network_(std::move(network)) {}

    void count(const std::vector<Round>& rounds) {
        found_.is_grid = network_.is_grid();
        double messages = 0;
        for (const Round& round : rounds) messages += round.times * messages_of(round);
        const bool formula = !rounds.empty() && rounds.front().rotates && has_formula();
        found_.by_ranks = messages <= (formula ? most_followed_by_formula : most_followed);
        if (!formula && messages * network_.cost_of_routing() > most_routed) network_.leave_out_routing();
        found_.unrouted = !formula && network_.ignores_routing();
        for (const Round& round : rounds) {
            if (!round.rotates) {
                add(round, round.times);
            } else if (formula && !found_.by_ranks) {
                add_by_formula(round);
            } else if (messages > most_counted) {
                add_mean(round);
            } else {
                add_rotations(round);
            }
        }
    }

    PhaseLoads take() { return std::move(found_); }

  private:
    static double messages_of(const Round& round) {
        double sum = 0;
        for (const Move& move : round.moves) sum += static_cast<double>(move.places);
        return sum;
    }

    std::int32_t kind(const MessageLoads& loads) {
        if (last_ >= 0 && found_.kinds[last_] == loads) return last_;
        const auto [known, is_new] =
            numbers_.try_emplace(key_of(loads), static_cast<std::int32_t>(found_.kinds.size()));
        if (is_new) found_.kinds.push_back(loads);
        return last_ = known->second;
    }

    // Counts the round's messages, then either keeps each of them or the farthest and fullest.
    void add(const Round& round, double times) {
        const std::int64_t seen = std::min(places_.ranks(), network_.nodes() * places_.ranks_per_node);
        const std::int64_t ranks = found_.by_ranks ? seen : std::min(seen, period(round));
        NodeCount nodes(places_, network_.nodes(), ranks);
        PairCount pairs(network_);
        bool stays = false, leaves = false;
        const auto visit = [&](std::int64_t from, std::int64_t to) {
            const int a = places_.node(from), b = places_.node(to);
            if (std::max(a, b) >= network_.nodes()) return;
            nodes.add(from, to);
            (a == b ? stays : leaves) = true;
            if (a != b) pairs.add(a, b);
        };
        for_each_message(round, ranks, visit);
        pairs.finish();
        RoundLoads made{times, round.payload, round.combines, {}, {}};
        if (found_.by_ranks) {
            for_each_message(round, ranks, [&](std::int64_t from, std::int64_t to) {
                const int a = places_.node(from), b = places_.node(to);
                MessageLoads loads = nodes.at(a, a == b, round.payload);
                const MessageLoads far = nodes.at(b, a == b, round.payload);
                loads.node = std::max(loads.node, far.node);
                loads.memory = std::max(loads.memory, far.memory);
                if (a != b) loads.network = pairs.of(a, b);
                made.messages.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), kind(loads)});
            });
        } else {
            MessageLoads loads = nodes.fullest(false, round.payload);
            loads.network = pairs.worst();
            if (leaves) made.kinds.push_back(kind(loads));
            if (stays) made.kinds.push_back(kind(nodes.fullest(true, round.payload)));
        }
        found_.rounds.push_back(std::move(made));
    }

    // Consecutive ranks after which moves and the network's groups repeat, so that the first of them are the fullest.
    std::int64_t period(const Round& round) const {
        std::int64_t ranks = places_.ranks_per_node;
        bool repeats = places_.node_of_rank.empty() && network_.repeats();
        for (const HostBlocks& block : network_.blocks()) ranks = std::lcm(ranks, block.hosts * places_.ranks_per_node);
        for (const Move& move : round.moves) {
            ranks = std::lcm(ranks, move.stride * move.size);
            repeats = repeats && move.every == 1 && move.folded == 0 && move.places == places_.ranks();
        }
        return repeats && ranks < places_.ranks() ? ranks : places_.ranks();
    }

    bool has_formula() const {
        const bool in_order = places_.node_of_rank.empty();
        return in_order && (places_.nodes == 1 || network_.rotation(1, places_.ranks(), places_.ranks_per_node));
    }

    void add_rotations(const Round& round) {
        Round turn = round;
        turn.times = 1;
        for (double k = 0; k < round.times; ++k, ++turn.moves.front().step) add(turn, 1);
    }

    // A message of a round in which every rank sends one and gets one.
    MessageLoads of_rotation(Data payload, bool inside) const {
        const auto each = static_cast<double>(places_.ranks_per_node);
        return {payload, inside, 1, 0, each, 2 * each, {0, 0, 0, 0}};
    }

    void add_by_formula(const Round& round) {
        const std::int64_t each = places_.ranks_per_node, ranks = places_.ranks();
        MessageLoads leaves = of_rotation(round.payload, false);
        const std::int32_t stays = kind(of_rotation(round.payload, true));
        std::map<std::vector<std::int32_t>, double> rounds;
        for (std::int64_t k = 1; k < ranks; ++k) {
            std::vector<std::int32_t> kinds;
            if (std::min(k, ranks - k) < each) kinds.push_back(stays);
            if (places_.nodes > 1) {
                leaves.network = *network_.rotation(k, ranks, each);
                kinds.push_back(kind(leaves));
            }
            ++rounds[kinds];
        }
        for (const auto& [kinds, times] : rounds) {
            found_.rounds.push_back({times, round.payload, round.combines, kinds, {}});
        }
    }

    void add_mean(const Round& round) {
        found_.by_mean = true;
        MessageLoads leaves = of_rotation(round.payload, false);
        leaves.network = network_.mean_of_rotations(places_.nodes, places_.ranks_per_node);
        found_.rounds.push_back({round.times, round.payload, round.combines, {kind(leaves)}, {}});
    }

    const RankPlaces& places_;
    NodeNetwork network_;
    PhaseLoads found_;
    std::map<decltype(key_of(MessageLoads())), std::int32_t> numbers_;
    std::int32_t last_ = -1;  // neighbours are mostly alike
};

}  // namespace

PhaseLoads phase_loads(const std::vector<Round>& rounds, const RankPlaces& placed, NodeNetwork network) {
    Phase phase(placed, std::move(network));
    phase.count(rounds);
    return phase.take();
}

PhaseLoads unshared_loads(const std::vector<Round>& rounds) {
    PhaseLoads found;
    for (const Round& round : rounds) {
        MessageLoads alone;
        alone.payload = round.payload;
        alone.rank = alone.node = alone.network.leaving = std::max(1.0, static_cast<double>(round.moves.size()));
        alone.memory = 2 * alone.rank;
        const auto kind = static_cast<std::int32_t>(found.kinds.size());
        found.kinds.push_back(alone);
        found.rounds.push_back({round.times, round.payload, round.combines, {kind}, {}});
    }
    return found;
}

}  // namespace narrows
