#include "model/messages/round_loads.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "model/messages/block_count.hpp"

namespace narrows {
namespace {

// Messages of a phase that are followed from rank to rank, also where a formula would do; that are counted one by one;
// and what following routes may cost.
constexpr double most_followed = 1 << 17;
constexpr double most_followed_by_formula = 1 << 14;
constexpr double most_counted = 1 << 23;
constexpr double most_by_formula = 1 << 22;  // rotations, one by one
constexpr double most_routed = 1 << 25;
// Rotations that can stand for all others.
constexpr double least_sampled = 4;

/// What the ranks and nodes of a round do, beside the network.
class NodeCount {
  public:
    // Every message stands for so many `alike`, of other ranks.
    NodeCount(const RankPlaces& placed, std::size_t nodes, std::size_t ranks, int alike)
        : places_(placed), alike_(alike), sent_(nodes), came_(nodes), stayed_(nodes), leaving_(ranks), all_(ranks) {}

    void add(std::int64_t from, std::int64_t to) {
        const int a = places_.node(from), b = places_.node(to);
        (a == b ? stayed_[a] : sent_[a]) += alike_;
        if (a != b) came_[b] += alike_;
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
    int alike_;
    std::vector<int> sent_, came_, stayed_;    // of each node
    std::vector<std::int32_t> leaving_, all_;  // of each rank
    std::int32_t leaving_most_ = 0, all_most_ = 0;
};

// Where numbers that are like `first` end, which follow it without a gap: by steps that double, then by halves.
template <class Like>
std::int64_t end_of_run(std::int64_t first, std::int64_t end, Like is_alike) {
    std::int64_t last = first, step = 1;
    for (; last + step < end && is_alike(last + step); step *= 2) last += step;
    for (; step > 0; step /= 2) {
        if (last + step < end && is_alike(last + step)) last += step;
    }
    return last + 1;
}

auto key_of(const MessageLoads& loads) {
    const PairLoads& network = loads.network;
    return std::tuple(loads.payload.si(), loads.inside, loads.rank, loads.beside, loads.node, loads.memory,
                      network.links, network.leaving, network.host, network.shared);
}

class Phase {
  public:
    Phase(const RankPlaces& placed, NodeNetwork network) : places_(placed), network_(std::move(network)) {}

    void count(const std::vector<Round>& rounds) {
        found_.uplinks = network_.has_uplinks();
        double messages = 0, counted = 0;  // a round that repeats without rotating is counted once
        for (const Round& round : rounds) {
            messages += round.times * messages_of(round);
            counted += (round.rotates ? round.times : 1) * counted_of(round);
        }
        const bool rotates = !rounds.empty() && rounds.front().rotates;
        const bool of_all = rotates && is_of_all(rounds.front());
        bool formula = of_all && has_formula();
        const auto most = [&] {
            return std::min(most_counted, most_routed / std::max(1.0, network_.cost_of_routing()));
        };
        const auto sampled = [&](const Round& round) {  // of its turns
            return counted <= most() ? round.times : std::floor(round.times * most() / counted);
        };
        if (!formula && counted > most() && !(rotates && sampled(rounds.front()) >= least_sampled)) {
            network_.leave_out_routing();
            formula = of_all && has_formula();
        }
        found_.by_ranks = messages <= (formula ? most_followed_by_formula : most_followed);
        found_.unrouted = network_.ignores_routing();
        found_.degree = network_.degree();
        for (const Round& round : rounds) {
            if (messages_of(round) > most() && sends_to_all(round)) {
                add_all_pairs(round);
            } else if (!round.rotates) {
                add(round, round.times);
            } else if (formula && !found_.by_ranks && (round.times <= most_by_formula || network_.rotations_rise())) {
                add_by_formula(round);
            } else if (counted <= most() || sampled(round) >= least_sampled || !is_of_all(round)) {
                add_rotations(round, std::max(1.0, sampled(round)));
            } else {
                add_mean(round);
            }
        }
    }

    PhaseLoads take() {
        for (MessageLoads& kind : found_.kinds) {
            if (network_.detour() > 0 && !kind.inside) kind.network.links = network_.detour();
        }
        if (found_.by_ranks) found_.places = places_;
        if (found_.by_ranks && found_.rounds.size() > 1) found_.crossing = crossing();
        return std::move(found_);
    }

  private:
    // In parts of the largest message, rounded down.
    Data crossing() const {
        Data largest;
        for (const MessageLoads& kind : found_.kinds) {
            if (!kind.inside) largest = std::max(largest, kind.payload);
        }
        if (largest == Data()) return largest;
        constexpr double parts = 1 << 20;
        PairCount pairs(network_, static_cast<int>(std::min<std::int64_t>(places_.nodes, network_.nodes())));
        for (const RoundLoads& round : found_.rounds) {
            for (const RankMessage& message : round.messages) {
                const int from = places_.node(message.from), to = places_.node(message.to);
                if (from == to || std::max(from, to) >= network_.nodes()) continue;
                const double part = found_.kinds[message.kind].payload / largest * parts * round.times;
                pairs.add(from, to, static_cast<std::int64_t>(part));
            }
        }
        pairs.finish();
        return largest * (pairs.worst().shared / parts);
    }

    // Of nodes that are counted.
    double messages_of(const Round& round) const {
        const std::int64_t ranks = network_.nodes() * places_.ranks_per_node;
        auto sum = static_cast<double>(round.pairs.size());
        for (const Move& move : round.moves) sum += static_cast<double>(std::min(move.places, ranks));
        return sum;
    }

    bool is_of_blocks(const Round& round) const {
        return places_.node_of_rank.empty() && network_.in_blocks() && round.pairs.empty();
    }

    // Messages that are counted, where neither blocks nor a line tell.
    double counted_of(const Round& round) const {
        if (is_of_blocks(round)) return static_cast<double>(round.moves.size());
        const auto line = line_of(round);
        return messages_of(line ? line->round : round);
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
        if (!found_.by_ranks && is_of_blocks(round)) {
            add_fullest(round, times, fullest_by_blocks(round, places_, network_));
            return;
        }
        if (const auto line = line_of(round)) {
            count_messages(round, times, line->round, line->places, line->network, line->low);
        } else {
            count_messages(round, times, round, places_, network_, 1);
        }
    }

    // Counts `part`, of whose ranks each stands for those of its node and for every `low`th rank's like it, or is all.
    void count_messages(const Round& round, double times, const Round& part, const RankPlaces& placed,
                        const NodeNetwork& network, std::int64_t low) {
        const std::int64_t ranks = std::min(placed.ranks(), network.nodes() * placed.ranks_per_node);
        const auto used = static_cast<int>(std::min<std::int64_t>(placed.nodes, network.nodes()));
        const auto alike = static_cast<int>(places_.ranks_per_node / placed.ranks_per_node);
        NodeCount nodes(placed, used, ranks, alike);
        PairCount pairs(network, used);
        bool stays = false, leaves = false;
        for_each_message(part, ranks, [&](std::int64_t from, std::int64_t to, Data) {
            const int a = placed.node(from), b = placed.node(to);
            if (std::max(a, b) >= network.nodes()) return;
            nodes.add(from, to);
            (a == b ? stays : leaves) = true;
            if (a != b) pairs.add(a, b, alike);
        });
        pairs.finish();
        if (!found_.by_ranks) {
            FullestLoads fullest;
            if (leaves) fullest.leaves = nodes.fullest(false, round.payload);
            if (leaves) fullest.leaves->network = pairs.worst();
            if (stays) fullest.stays = nodes.fullest(true, round.payload);
            add_fullest(round, times, fullest);
            return;
        }
        std::vector<RankMessage> messages;
        for_each_message(part, ranks, [&](std::int64_t from, std::int64_t to, Data payload) {
            const int a = placed.node(from), b = placed.node(to);
            MessageLoads loads = nodes.at(a, a == b, payload);
            const MessageLoads far = nodes.at(b, a == b, payload);
            loads.node = std::max(loads.node, far.node);
            loads.memory = std::max(loads.memory, far.memory);
            if (a != b) loads.network = pairs.of(a, b);
            messages.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), kind(loads)});
        });
        if (ranks < places_.ranks()) messages = of_all(round, messages, ranks, low);
        found_.rounds.push_back({times, round.payload, round.combines, {}, std::move(messages)});
    }

    // The messages of all ranks, of which those of a line stand for the others.
    std::vector<RankMessage> of_all(const Round& round, const std::vector<RankMessage>& line, std::int64_t ranks,
                                    std::int64_t low) const {
        std::vector<std::int32_t> kinds(ranks, -1);
        for (const RankMessage& message : line) kinds[message.from] = message.kind;
        std::vector<RankMessage> all;
        all.reserve(places_.ranks());
        for_each_message(round, places_.ranks(), [&](std::int64_t from, std::int64_t to, Data) {
            const std::int32_t kind = kinds[from / low % ranks];
            all.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), kind});
        });
        return all;
    }

    // A round on some dimensions of the grid, whose lines all do the same.
    struct Line {
        Round round;
        RankPlaces places;
        NodeNetwork network;
        std::int64_t low;  // ranks between two of the line
    };

    // Where the one move changes whole nodes and neither the dimensions before these nor those behind.
    std::optional<Line> line_of(const Round& round) const {
        if (!places_.node_of_rank.empty() || !network_.has_lines() || round.moves.size() != 1 || !round.pairs.empty())
            return std::nullopt;
        const Move& move = round.moves.front();
        const std::int64_t cycle = move.stride * move.size, ranks = places_.ranks();
        const bool whole = move.every == 1 && move.folded == 0 && move.places == ranks && ranks % cycle == 0 &&
                           ranks == network_.nodes() * places_.ranks_per_node;
        if (!whole || move.stride % places_.ranks_per_node != 0) return std::nullopt;
        const std::vector<int>& grid = network_.grid();
        std::size_t first = 0;
        std::int64_t low = places_.ranks_per_node;
        while (first < grid.size() && move.stride % (low * grid[first]) == 0) low *= grid[first++];
        std::size_t end = first;
        std::int64_t high = low;
        while (high % cycle != 0) high *= grid[end++];
        if (low == 1 && high == ranks) return std::nullopt;
        Round part = round;
        part.moves.front().places = high / low;
        part.moves.front().stride /= low;
        return Line{part, {high / low, 1, {}}, network_.lines(first, end), low};
    }

    void add_fullest(const Round& round, double times, const FullestLoads& fullest) {
        RoundLoads made{times, round.payload, round.combines, {}, {}};
        if (fullest.leaves) made.kinds.push_back(kind(*fullest.leaves));
        if (fullest.stays) made.kinds.push_back(kind(*fullest.stays));
        found_.rounds.push_back(std::move(made));
    }

    // Whether a round has a turn from each rank to every other one.
    bool is_of_all(const Round& round) const {
        const Move& move = round.moves.front();
        return move.stride == 1 && move.size == places_.ranks();
    }

    bool has_formula() const {
        if (!places_.node_of_rank.empty()) return false;
        return places_.nodes == 1 || network_.rotation(1, places_.ranks(), places_.ranks_per_node);
    }

    // Whether every rank sends to every other one, all at once.
    bool sends_to_all(const Round& round) const {
        const std::int64_t ranks = places_.ranks();
        if (round.rotates || !round.pairs.empty() || std::ssize(round.moves) != ranks - 1) return false;
        std::int64_t step = 0;
        return std::ranges::all_of(round.moves, [&](const Move& move) {
            return move.places == ranks && move.size == ranks && move.stride == 1 && move.wraps && move.every == 1 &&
                   move.step == ++step;
        });
    }

    // All rotations together.
    void add_all_pairs(const Round& round) {
        const auto each = static_cast<double>(places_.ranks_per_node);
        const auto others = static_cast<double>(places_.ranks() - 1);
        MessageLoads stays = of_rotation(round.payload, true);
        stays.rank = others;
        stays.node = each * others;
        stays.memory = 2 * each * others;
        FullestLoads fullest;
        if (each > 1) fullest.stays = stays;
        if (places_.nodes > 1) {
            MessageLoads& leaves = fullest.leaves.emplace(stays);
            leaves.inside = false;
            leaves.rank = others + 1 - each;
            leaves.beside = each - 1;
            leaves.network = network_.mean_of_rotations(places_.nodes, places_.ranks_per_node, others);
        }
        add_fullest(round, round.times, fullest);
    }

    // So many of all rotations, each for as many as lie around it; spread evenly, but not at equal steps, which may be
    // alike on a grid.
    void add_rotations(const Round& round, double sampled) {
        found_.sampled = found_.sampled || sampled < round.times;
        const double golden = (std::sqrt(5.0) - 1) / 2;
        Round turn = round;
        for (double i = 0; i < sampled; ++i) {
            const double first = std::floor(i * round.times / sampled);
            const double alike = std::floor((i + 1) * round.times / sampled) - first;
            const double place = std::floor(alike * std::fmod((i + 1) * golden, 1.0));
            turn.moves.front().step = round.moves.front().step + static_cast<std::int64_t>(first + place);
            turn.times = alike;
            add(turn, alike);
        }
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
        const auto at = [&](std::int64_t k) { return *network_.rotation(k, ranks, each); };
        // By the kinds of its messages, those inside a node first.
        std::map<std::pair<bool, std::int32_t>, double> rounds;
        const bool mirrored = network_.rotations_mirror(each);
        const std::int64_t end = mirrored ? ranks / 2 + 1 : ranks;
        for (std::int64_t k = 1, next = k; k < end; k = next) {
            const bool inside = std::min(k, ranks - k) < each;
            std::int32_t others = -1;
            if (places_.nodes > 1) {
                leaves.network = at(k);
                others = kind(leaves);
            }
            next = k + 1;
            if (network_.rotations_rise()) {
                const auto is_alike = [&](std::int64_t other) {
                    return (other < each) == inside && (places_.nodes == 1 || at(other) == leaves.network);
                };
                next = end_of_run(k, end, is_alike);
            }
            double times = static_cast<double>(next - k);
            if (mirrored) times = 2 * times - (next == end && ranks % 2 == 0 ? 1 : 0);
            rounds[{!inside, others}] += times;
        }
        for (const auto& [kinds, times] : rounds) {
            RoundLoads made{times, round.payload, round.combines, {}, {}};
            if (!kinds.first) made.kinds.push_back(stays);
            if (kinds.second >= 0) made.kinds.push_back(kinds.second);
            found_.rounds.push_back(std::move(made));
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
        std::map<std::int64_t, std::size_t> sent;
        std::size_t most = 0;
        for (const RankPair& pair : round.pairs) most = std::max(most, ++sent[pair.from]);
        alone.rank = alone.node = alone.network.leaving = std::max(1.0, static_cast<double>(round.moves.size() + most));
        alone.memory = 2 * alone.rank;
        const auto kind = static_cast<std::int32_t>(found.kinds.size());
        found.kinds.push_back(alone);
        found.rounds.push_back({round.times, round.payload, round.combines, {kind}, {}});
    }
    return found;
}

}  // namespace narrows
