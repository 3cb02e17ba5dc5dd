#pragma once

#include <cstdint>
#include <vector>

#include "model/demand/node_network.hpp"
#include "model/demand/placement.hpp"
#include "model/messages/round.hpp"

namespace narrows {

/// What a message shares with the others of its round, in messages like it at the fullest server of each kind, itself
/// included.
struct MessageLoads {
    Data payload;
    bool inside = false;  ///< stays in its node
    double rank = 1;      ///< of its rank
    double beside = 0;    ///< and of these to ranks of the same node, which go by another path
    double node = 1;      ///< of its node's ranks
    double memory = 2;    ///< through its node's memory: one that leaves or comes once, one that stays twice
    PairLoads network;    ///< nothing inside a node

    friend bool operator==(const MessageLoads&, const MessageLoads&) = default;
};

/// A message of a round; `kind` is a position in `PhaseLoads::kinds`.
struct RankMessage {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int32_t kind = 0;
};

/// Rounds that ask the same.
struct RoundLoads {
    double times = 1;
    Data payload;
    bool combines = false;
    std::vector<std::int32_t> kinds;    ///< of its messages
    std::vector<RankMessage> messages;  ///< all of them, where ranks are followed
};

/// What a phase asks of every server on the way of its messages. It depends on no cost.
struct PhaseLoads {
    std::vector<MessageLoads> kinds;
    std::vector<RoundLoads> rounds;
    RankPlaces places;      ///< of ranks that are followed
    double turns = 1;       ///< that ranks take on a processor: combining takes so many times as long
    bool uplinks = false;   ///< what messages share are the links of leaves or pods
    bool by_ranks = false;  ///< messages are followed from rank to rank, each with its own way and servers
    bool sampled = false;   ///< of rounds that rotate some stand for all
    /// Rounds are taken as one of their mean, whose servers are the fullest of all rounds together.
    bool by_mean = false;
    bool in_turns = false;  ///< a rank's messages follow each other, as many at once as its node allows
    double degree = 0;      ///< links of a node of a network without switches; else 0
    Data crossing;          ///< of ranks that are followed: the most over a shared link, of all rounds together
    bool unrouted = false;  ///< the known routing is not followed: the bounds of any routing hold
};

/// The loads of the rounds of all `placed.ranks()` ranks.
///
/// Statement: of each message: those that share each of its servers in its round, by counting; of more than 2^17
///            messages in all, 2^14 where a formula gives them, only the farthest and fullest of each round; of
///            rotations on trees and grids of consecutive ranks by formula (`NodeNetwork::rotation`), on grids up to
///            2^22 of them; of other rotations of more than 2^23 messages, or 2^25 steps along known routes, as many
///            rounds as that allows, each for those around it, or where these are less than 4 the mean over all;
///            of as many messages from each rank to each other at once so many times that mean.
/// Source:    derived.
/// Range:     of more than 2^20 nodes only the first are counted.
/// Test:      tests/model/messages/test_round_loads.cpp (enumeration over routes)
PhaseLoads phase_loads(const std::vector<Round>& rounds, const RankPlaces& placed, NodeNetwork network);

/// The same without a network, where messages share nothing: one kind a round.
PhaseLoads unshared_loads(const std::vector<Round>& rounds);

}  // namespace narrows
