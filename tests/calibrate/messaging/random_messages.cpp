#include "random_messages.hpp"

#include <algorithm>
#include <random>

namespace narrows {
namespace {

class Exchange {
  public:
    explicit Exchange(const MessageMix& mix)
        : mix_(mix), random_(mix.seed), steps_(static_cast<std::size_t>(mix.ranks)) {}

    std::vector<std::vector<MessageStep>> steps() {
        while (message_ < mix_.messages) {
            if (mix_.synchronous || below(8) != 0) {
                single();
            } else {
                burst();
            }
        }
        return std::move(steps_);
    }

  private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    bool one_in(std::uint32_t count) { return below(count) == 0; }

    std::uint32_t size(std::uint32_t longest) {
        if (one_in(40)) return below(longest + 1);
        return below(std::min(longest, one_in(4) ? 3000U : 80U) + 1);
    }

    int random_tag() { return one_in(10) ? most_tag - static_cast<int>(below(2)) : static_cast<int>(below(3)); }

    // The sender's step; returns the receiver's.
    MessageStep message(int from, int to, int tag, std::uint32_t bytes) {
        const MessageStep send{true, to, tag, bytes, message_++};
        steps_[static_cast<std::size_t>(from)].push_back(send);
        MessageStep receive = send;
        receive.sends = false;
        receive.peer = from;
        return receive;
    }

    int other_than(int rank) {
        return (rank + 1 + static_cast<int>(below(static_cast<std::uint32_t>(mix_.ranks - 1)))) % mix_.ranks;
    }

    void single() {
        const auto from = static_cast<int>(below(static_cast<std::uint32_t>(mix_.ranks)));
        const int to = other_than(from);
        steps_[static_cast<std::size_t>(to)].push_back(message(from, to, random_tag(), size(mix_.longest)));
    }

    // What is sent to a rank it receives in any order.
    void burst() {
        std::vector<std::vector<MessageStep>> receives(steps_.size());
        for (int from = 0; from < mix_.ranks; ++from) {
            for (std::uint32_t i = below(3); i > 0; --i) {
                const int to = other_than(from);
                receives[static_cast<std::size_t>(to)].push_back(
                    message(from, to, random_tag(), size(mix_.longest_in_bursts)));
            }
        }
        for (std::size_t rank = 0; rank < steps_.size(); ++rank) {
            auto& own = receives[rank];
            std::shuffle(own.begin(), own.end(), random_);
            steps_[rank].insert(steps_[rank].end(), own.begin(), own.end());
        }
    }

    MessageMix mix_;
    std::mt19937_64 random_;
    std::vector<std::vector<MessageStep>> steps_;
    std::uint32_t message_ = 0;
};

bool whole(const MessageStep& expected, const std::byte* data) {
    for (std::size_t i = 0; i < expected.bytes; ++i) {
        if (data[i] != message_byte(expected.message, i)) return false;
    }
    return true;
}

}  // namespace

std::vector<std::vector<MessageStep>> random_exchange(const MessageMix& mix) {
    return Exchange(mix).steps();
}

MessageModel::MessageModel(const std::vector<MessageStep>& steps) {
    for (const MessageStep& step : steps) {
        if (!step.sends) expected_.push_back(step);
    }
    std::ranges::sort(expected_, {}, &MessageStep::message);
    std::ranges::reverse(expected_);
}

bool MessageModel::check(const MessageStep& step, std::size_t bytes, const std::byte* data) {
    const auto matches = [&](const MessageStep& sent) { return sent.peer == step.peer && sent.tag == step.tag; };
    const auto oldest = std::find_if(expected_.rbegin(), expected_.rend(), matches);
    if (oldest == expected_.rend()) return false;
    const MessageStep expected = *oldest;
    expected_.erase(std::next(oldest).base());
    return bytes == expected.bytes && whole(expected, data);
}

}  // namespace narrows
