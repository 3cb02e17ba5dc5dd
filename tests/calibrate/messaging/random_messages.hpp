#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "calibrate/messaging/messages.hpp"
#include "calibrate/ranks/run_ranks.hpp"

namespace narrows {

/// One step of a rank in a random exchange: send `message`, or receive it.
struct MessageStep {
    bool sends = false;
    int peer = 0;
    int tag = 0;
    std::uint32_t bytes = 0;
    /// Number of the message in the exchange.
    std::uint32_t message = 0;
};

/// What random messages are to be like.
struct MessageMix {
    int ranks = 2;
    std::uint32_t messages = 1000;
    std::uint64_t seed = 1;
    /// Sends wait for their receive: receives are in the order of the sends.
    bool synchronous = false;
    /// In a burst of sends, where none may wait for its receive.
    std::uint32_t longest_in_bursts = 1000;
    std::uint32_t longest = 65536;
};

/// The steps of each rank. Messages are in one order for all ranks, so that no rank waits for a send or receive that
/// comes later; between these there are bursts, in which each rank sends some messages and then receives in an order of
/// its own what was sent to it.
std::vector<std::vector<MessageStep>> random_exchange(const MessageMix& mix);

/// Byte `at` of a message.
inline std::byte message_byte(std::uint32_t message, std::size_t at) {
    return static_cast<std::byte>((message + 1) * 0x9e3779b1U >> (at % 4 * 8)) ^ static_cast<std::byte>(at / 4);
}

/// Checks what a rank receives against a model: lists of what was sent to it.
class MessageModel {
  public:
    explicit MessageModel(const std::vector<MessageStep>& steps);

    /// Whether `bytes` at `data`, received by `step`, are the oldest message of its source and tag.
    bool check(const MessageStep& step, std::size_t bytes, const std::byte* data);
    bool all_received() const { return expected_.empty(); }

  private:
    // In the order of sending; messages of later bursts come later.
    std::vector<MessageStep> expected_;
};

/// Runs an exchange over a world (see worlds.hpp).
template <class World>
class RandomMessages {
  public:
    RandomMessages(World& world, const MessageMix& mix)
        : world_(world), longest_(mix.longest), steps_(random_exchange(mix)) {}

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        auto& protocol = world_.protocol(rank);
        const auto& steps = steps_[static_cast<std::size_t>(rank)];
        MessageModel model(steps);
        std::vector<std::byte> buffer(longest_);
        for (const MessageStep& step : steps) {
            if (step.sends) {
                for (std::size_t i = 0; i < step.bytes; ++i) buffer[i] = message_byte(step.message, i);
                protocol.send(rank, step.peer, step.tag, buffer.data(), step.bytes, waiter);
                std::memset(buffer.data(), 0xee, step.bytes);
            } else {
                const std::size_t bytes =
                    protocol.receive(rank, step.peer, step.tag, buffer.data(), buffer.size(), waiter);
                if (!model.check(step, bytes, buffer.data())) ++wrong;
                ++received_messages;
            }
        }
        if (!model.all_received()) ++wrong;
    }

    std::atomic<int> wrong{0};
    std::atomic<std::uint32_t> received_messages{0};

  private:
    World& world_;
    std::size_t longest_;
    std::vector<std::vector<MessageStep>> steps_;
};

}  // namespace narrows
