#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "calibrate/messaging/active_message.hpp"

namespace narrows {

/// A collective that a rank has begun. It and the data belong to the collective until it is done.
struct BegunCollective {
    InjectionCounter sent;  ///< messages that have not left yet
    bool has_result = false;

    bool done() const { return has_result && sent.pending == 0; }
};

/// Non-blocking collectives over active messages (kumar2008, Section 2.1): broadcast, allreduce, barrier and all-to-all
/// of all ranks. They go on whenever somebody polls: handlers combine what came and pass it on along a binomial tree,
/// to all children at once as a multicast. All ranks begin the same collectives in the same order; a rank that has not
/// come to one yet keeps what arrives for it, up to `most_bytes` a message.
template <class Endpoint>
class BegunCollectives {
  public:
    /// Adds `with` to `into`, both of so many bytes. The order of additions is not said.
    using Combine = void (*)(std::byte* into, const std::byte* with, std::size_t bytes);

    BegunCollectives(Endpoint& endpoint, const RankLayout& layout, std::size_t most_bytes)
        : messages_(endpoint, layout), ranks_(static_cast<std::size_t>(layout.ranks)), most_bytes_(most_bytes) {
        context_ = messages_.register_context({&BegunCollectives::on_arrival, &BegunCollectives::on_done, this},
                                              sizeof(Label), most_bytes);
    }
    BegunCollectives(const BegunCollectives&) = delete;
    BegunCollectives& operator=(const BegunCollectives&) = delete;

    bool poll() { return messages_.poll(); }
    int ranks() const { return messages_.ranks(); }

    /// Done when all ranks have begun it.
    void begin_barrier(int me, BegunCollective& begun) { begin(me, begun, {Kind::gather, nullptr, 0}); }

    /// `data` of `root` come to `data` of all.
    void begin_broadcast(int me, int root, void* data, std::size_t bytes, BegunCollective& begun) {
        if (root < 0 || root >= ranks()) throw MessagingError::unknown_rank(root, ranks());
        begin(me, begun, {Kind::spread, static_cast<std::byte*>(data), bytes, root});
    }

    /// `data` of all, combined, come to `data` of all.
    void begin_allreduce(int me, void* data, std::size_t bytes, Combine combine, BegunCollective& begun) {
        begin(me, begun, {Kind::gather, static_cast<std::byte*>(data), bytes, 0, combine});
    }

    /// Block i of `out` comes to rank i, where it is block `me` of `in`; blocks of `bytes`.
    void begin_all_to_all(int me, const void* out, void* in, std::size_t bytes, BegunCollective& begun) {
        const auto* blocks = static_cast<const std::byte*>(out);
        begin(me, begun, {Kind::blocks, static_cast<std::byte*>(in), bytes, 0, nullptr, blocks});
    }

    /// Waits until it is done.
    template <class Waiter>
    void wait(int me, BegunCollective& begun, Waiter& waiter) {
        messages_.wait_until(me, waiter, [&begun] { return begun.done(); });
    }

  private:
    /// What a message of a collective is of: the how manieth of the ranks, and which way it goes.
    struct Label {
        enum Way : std::uint32_t { to_parent, to_children, block };
        std::uint32_t number;
        Way way;
    };
    enum class Kind {
        gather,  ///< to the root, combined, and from it to all
        spread,  ///< from the root to all
        blocks,  ///< from each to each
    };
    /// What a rank has begun.
    struct Task {
        Kind kind = Kind::spread;
        std::byte* data = nullptr;
        std::size_t bytes = 0;
        int root = 0;
        Combine combine = nullptr;
        const std::byte* blocks = nullptr;  ///< of Kind::blocks
        BegunCollective* begun = nullptr;   ///< nullptr: not begun yet
    };
    struct Part {
        typename Label::Way way = Label::to_parent;
        std::vector<std::byte> data;
        bool whole = false;
    };
    struct Collective {
        Task task;
        std::map<int, Part> parts;  ///< by their senders
        int missing = 0;            ///< messages of children or blocks
    };
    struct Rank {
        std::uint32_t begun = 0;
        std::map<std::uint32_t, Collective> open;
    };

    void begin(int me, BegunCollective& begun, Task task) {
        if (task.bytes > most_bytes_) throw MessagingError::beyond_collectives(me, task.bytes, most_bytes_);
        Rank& own = at(me);
        const std::uint32_t number = own.begun++;
        Collective& collective = own.open[number];
        begun = {{me, 0}, false};
        collective.task = task;
        collective.task.begun = &begun;
        if (task.kind == Kind::blocks) {
            send_blocks(me, number, collective);
        } else {
            collective.missing = task.kind == Kind::gather ? static_cast<int>(children(me, task.root).size()) : 0;
        }
        go_on(me, number, collective);
        messages_.advance();
    }

    void send_blocks(int me, std::uint32_t number, Collective& collective) {
        const Task& task = collective.task;
        collective.missing = ranks() - 1;
        for (int step = 1; step < ranks(); ++step) {
            const int to = (me + step) % ranks();
            send(me, to, {number, Label::block}, task.blocks + static_cast<std::size_t>(to) * task.bytes, task);
        }
        const std::size_t own = static_cast<std::size_t>(me) * task.bytes;
        if (task.bytes != 0) std::memcpy(task.data + own, task.blocks + own, task.bytes);
    }

    // Beginning and handling must not wait, so that `most_injections` does not hold here: what is kept is bounded by
    // the collectives that the ranks have open, each of which sends a rank's children or all ranks one message.
    void send(int me, int to, Label label, const std::byte* data, const Task& task) {
        messages_.post_from_handler(me, to, context_, &label, data, task.bytes, task.begun->sent);
    }

    // Takes what has come, and passes on what it makes possible. What is over is forgotten.
    void go_on(int me, std::uint32_t number, Collective& collective) {
        const Task& task = collective.task;
        bool result = false;
        for (auto part = collective.parts.begin(); part != collective.parts.end();) {
            if (!part->second.whole) {
                ++part;
                continue;
            }
            result = take(me, part->first, part->second, collective) || result;
            part = collective.parts.erase(part);
        }
        if (task.kind == Kind::blocks) {
            result = collective.missing == 0;
        } else if (collective.missing == 0 && !result) {
            collective.missing = -1;  // told the parent
            const int parent = parent_of(me, task.root);
            result = parent == me;
            if (!result && task.kind == Kind::gather) send(me, parent, {number, Label::to_parent}, task.data, task);
        }
        if (!result) return;
        if (task.kind != Kind::blocks) {
            for (const int child : children(me, task.root)) {
                send(me, child, {number, Label::to_children}, task.data, task);
            }
        }
        task.begun->has_result = true;
        messages_.raise(me);
        at(me).open.erase(number);
    }

    // Whether it was the result.
    bool take(int me, int from, const Part& part, Collective& collective) {
        const Task& task = collective.task;
        if (part.data.size() != task.bytes) throw MessagingError::unequal(from, part.data.size(), me, task.bytes);
        const bool is_block = task.kind == Kind::blocks;
        if (is_block != (part.way == Label::block)) throw MessagingError::malformed(from, me);
        std::byte* place = is_block ? task.data + static_cast<std::size_t>(from) * task.bytes : task.data;
        if (part.way == Label::to_parent) {
            if (task.combine != nullptr) task.combine(place, part.data.data(), task.bytes);
        } else if (task.bytes != 0) {
            std::memcpy(place, part.data.data(), task.bytes);
        }
        if (part.way != Label::to_children) --collective.missing;
        return part.way == Label::to_children;
    }

    // A binomial tree of the ranks' distances from the root: a place's parent lacks its lowest bit.
    int parent_of(int me, int root) const {
        const int place = (me - root + ranks()) % ranks();
        return ((place & (place - 1)) + root) % ranks();
    }
    std::vector<int> children(int me, int root) const {
        const int place = (me - root + ranks()) % ranks();
        std::vector<int> found;
        for (int step = 1; place + step < ranks() && (place & step) == 0; step *= 2) {
            found.push_back((place + step + root) % ranks());
        }
        return found;
    }

    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    static Label label_of(const Arrival& arrival) {
        Label label;
        std::memcpy(&label, arrival.info, sizeof label);
        return label;
    }
    static std::byte* on_arrival(void* user, const Arrival& arrival) {
        const Label label = label_of(arrival);
        Rank& own = static_cast<BegunCollectives*>(user)->at(arrival.to);
        const bool over = label.number < own.begun && own.open.count(label.number) == 0;
        if (over || label.way > Label::block) throw MessagingError::malformed(arrival.from, arrival.to);
        Part& part = own.open[label.number].parts[arrival.from];
        part.way = label.way;
        part.data.resize(arrival.bytes);
        return part.data.data();
    }
    static void on_done(void* user, const Arrival& arrival, const std::byte* /*payload*/) {
        auto& self = *static_cast<BegunCollectives*>(user);
        const Label label = label_of(arrival);
        Collective& collective = self.at(arrival.to).open[label.number];
        collective.parts[arrival.from].whole = true;
        if (collective.task.begun != nullptr) self.go_on(arrival.to, label.number, collective);
    }

    ActiveMessages<Endpoint> messages_;
    std::vector<Rank> ranks_;
    std::size_t most_bytes_;
    int context_ = 0;
};

}  // namespace narrows
