#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "calibrate/messaging/command_queue.hpp"
#include "random_messages.hpp"

namespace narrows {

/// One put of a random exchange, to `offset` of the lane that `from` has in the memory of `to`. Puts of a lane overlap,
/// so that their order shows.
struct RandomPut {
    static constexpr std::size_t lane_bytes = 2000;

    int from = 0;
    int to = 0;
    std::size_t offset = 0;
    std::size_t bytes = 0;
    /// Number of the put in the exchange.
    std::uint32_t number = 0;

    void write(std::byte* data) const {
        for (std::size_t i = 0; i < bytes; ++i) data[i] = message_byte(number, i);
    }
    /// In the memory of `to`.
    std::size_t place() const { return static_cast<std::size_t>(from) * lane_bytes + offset; }
};

/// `mix.messages` puts of random sizes between random ranks.
std::vector<RandomPut> random_puts(const MessageMix& mix);

/// The command queue with a lane for every rank.
template <class Endpoint>
class QueueWithLanes : public CommandQueue<Endpoint> {
  public:
    QueueWithLanes(Endpoint& endpoint, const RankLayout& layout)
        : CommandQueue<Endpoint>(endpoint, layout, static_cast<std::size_t>(layout.ranks) * RandomPut::lane_bytes) {}
};

/// Runs random puts over a world (see worlds.hpp) of command queues with lanes, and holds the memory of every rank
/// against a model after each barrier.
template <class World>
class RandomPuts {
  public:
    RandomPuts(World& world, const MessageMix& mix)
        : world_(world), ranks_(static_cast<std::size_t>(mix.ranks)), puts_(random_puts(mix)) {}

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        constexpr std::uint32_t puts_a_phase = 1000;
        auto& queue = world_.protocol(rank);
        std::vector<std::byte> model(ranks_ * RandomPut::lane_bytes);
        std::vector<std::byte> data(RandomPut::lane_bytes);
        for (const RandomPut& put : puts_) {
            if (put.from == rank) {
                put.write(data.data());
                queue.put(rank, put.to, put.place(), data.data(), put.bytes, waiter);
                std::memset(data.data(), 0xee, put.bytes);
            }
            if (put.to == rank) {
                put.write(model.data() + put.place());
                ++received_messages;
            }
            if ((put.number + 1) % puts_a_phase != 0 && put.number + 1 != puts_.size()) continue;
            queue.barrier(rank, waiter);
            if (std::memcmp(queue.memory(rank), model.data(), model.size()) != 0) ++wrong;
            queue.barrier(rank, waiter);
        }
    }

    std::atomic<int> wrong{0};
    std::atomic<std::uint32_t> received_messages{0};

  private:
    World& world_;
    std::size_t ranks_;
    std::vector<RandomPut> puts_;
};

}  // namespace narrows
