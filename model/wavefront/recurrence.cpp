#include "model/wavefront/recurrence.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/wavefront/closed_forms.hpp"

namespace narrows {
namespace {

constexpr int octant_count = 8;

enum PathTerm : std::size_t { computing, fill, overhead, latency, bandwidth, waiting, path_terms };
constexpr std::array<const char*, path_terms> term_names = {"computing", "fill",      "overhead",
                                                            "latency",   "bandwidth", "gateway waiting"};

/// A clock that knows its time alone.
struct PlainClock {
    double time = 0;

    void add(PathTerm, double amount) { time += amount; }
    void compute(double amount, int) { time += amount; }
    void wait_for(const PlainClock& other) { time = std::max(time, other.time); }
    void wait_until(double then) { time = std::max(time, then); }
};

/// A clock that knows what the path to its time consists of.
struct TracedClock {
    double time = 0;
    std::array<double, path_terms> terms{};
    int block = -1;  ///< of the last computation on the path

    void add(PathTerm term, double amount) {
        time += amount;
        terms[term] += amount;
    }
    void compute(double amount, int now) {
        add(now == block ? fill : computing, amount);
        block = now;
    }
    void wait_for(const TracedClock& other) {
        // Of paths that are as long as each other but for rounding, the rank's own: on every machine the same one.
        constexpr double rounding = 1e-12;
        if (other.time > time * (1 + rounding)) *this = other;
        time = std::max(time, other.time);
    }
    void wait_until(double then) {
        if (then > time) add(waiting, then - time);
    }
};

/// A hop in seconds, in the order in which the loop needs it.
struct Hop {
    double send = 0;
    double latency = 0;
    double bytes = 0;
    double receive = 0;
    double request = 0;
    bool synchronous = false;
    bool gateways = false;
};

/// A server that takes each message into the first time, long enough for it, at which it is idle. It remembers its last
/// busy times; what is before them is taken as busy.
class alignas(64) GapServer {
  public:
    /// When the server begins with a message that comes at `arrival` and takes `service`.
    double begin(double arrival, double service) {
        const double start = std::max(arrival, forgotten_);
        if (start < last_.begin) return begin_before_last(start, service);
        if (start <= last_.end) return append(service);
        remember(count_, last_);
        last_ = {start, start + service};
        return start;
    }

  private:
    static constexpr int most = 20;  // busy times before the last; at least half of them are kept
    struct Busy {
        double begin;
        double end;
    };

    Busy& at(int place) { return earlier_[static_cast<std::size_t>(place)]; }

    double append(double service) {
        const double start = last_.end;
        last_.end += service;
        return start;
    }

    double begin_before_last(double start, double service) {
        int place = count_;
        while (place > 0 && at(place - 1).end > start) --place;
        for (; place < count_ && at(place).begin < start + service; ++place) start = std::max(start, at(place).end);
        if (place == count_ && last_.begin < start + service) return append(service);
        insert(place, {start, start + service});
        return start;
    }

    // Busy times without a gap between them become one.
    void insert(int place, Busy busy) {
        const bool joins_before = place > 0 && at(place - 1).end >= busy.begin;
        if (place < count_ && at(place).begin <= busy.end) {
            at(place).begin = busy.begin;
        } else if (joins_before) {
            at(place - 1).end = busy.end;
        } else {
            remember(place, busy);
        }
    }

    void remember(int place, Busy busy) {
        std::copy_backward(earlier_.begin() + place, earlier_.begin() + count_, earlier_.begin() + count_ + 1);
        at(place) = busy;
        if (++count_ == most) forget_half();
    }

    void forget_half() {
        forgotten_ = at(most / 2 - 1).end;
        std::copy(earlier_.begin() + most / 2, earlier_.end(), earlier_.begin());
        count_ = most / 2;
    }

    Busy last_{};
    double forgotten_ = 0;
    int count_ = 0;
    std::array<Busy, most> earlier_{};
};

void check(const Wavefront& wavefront) {
    if (wavefront.cells[0].empty() || wavefront.cells[1].empty() || wavefront.blocks < 1) {
        throw std::logic_error("a wavefront needs a rank and a block");
    }
}

// A sweep is evaluated step by step: in step s the ranks d downstream of the corner do block s - d, the farthest
// downstream first and those of one diagonal from I to J. All that a rank waits for is then known: its senders have
// computed the block in the step before; it has itself finished the block before, as its receivers, who come first,
// have taken that; and it is the sender's next receiver, along I before along J. A rank's clock thus stands, in this
// order, after computing, after sending along I, after sending along J. Steps are about as long as each other, so that
// messages come to servers about in the order of time; and ranks of a diagonal do not wait for each other, which
// processors like.
template <class Clock>
class Recurrence {
  public:
    explicit Recurrence(const Wavefront& wavefront)
        : wavefront_(wavefront),
          wide_(static_cast<int>(wavefront.cells[0].size())),
          high_(static_cast<int>(wavefront.cells[1].size())),
          ranks_(wavefront.cells[0].size() * wavefront.cells[1].size()) {
        for (const int cells : wavefront.cells[0]) compute_.push_back(wavefront.cell.si() * cells);
        if (wavefront.gateways.ranks > 0) {
            const std::size_t count = ranks_.size() / static_cast<std::size_t>(wavefront.gateways.ranks) + 1;
            outgoing_.resize(count);
            incoming_.resize(count);
        }
        place_ranks();
    }

    const Clock& run() {
        int block = 0;
        for (const bool i_up : {false, true}) {
            for (const bool j_up : {false, true}) {
                sweep(block, i_up ? 1 : -1, j_up ? 1 : -1);
                block += 2 * wavefront_.blocks;  // two octants, which differ in K alone
            }
        }
        const auto last = std::max_element(ranks_.begin(), ranks_.end(),
                                           [](const Rank& a, const Rank& b) { return a.clock.time < b.clock.time; });
        return last->clock;
    }

  private:
    /// What the loop needs of a rank, side by side.
    struct Rank {
        Clock clock;
        int gateway = 0;
        int hop_i = 0;  ///< of messages between it and the next rank along I
        int hop_j = 0;
    };

    void place_ranks() {
        for (int row = 0; row < high_; ++row) {
            const int hops_i = hops_of(SweepAxis::i, wavefront_.cells[1][static_cast<std::size_t>(row)]);
            for (int column = 0; column < wide_; ++column) {
                const int number = row * wide_ + column;
                Rank& rank = at(number);
                if (wavefront_.gateways.ranks > 0) rank.gateway = number / wavefront_.gateways.ranks;
                rank.hop_i = hops_i + level_of(number, number + 1);
                rank.hop_j = hops_of(SweepAxis::j, wavefront_.cells[0][static_cast<std::size_t>(column)]) +
                             level_of(number, number + wide_);
            }
        }
    }

    int level_of(int rank, int other) const {
        const auto near = [=](int ranks) { return rank / ranks == other / ranks; };
        const auto found = std::find_if(wavefront_.levels.begin(), wavefront_.levels.end(), near);
        return static_cast<int>(found - wavefront_.levels.begin());
    }

    // Where the hops of messages so many cells across begin, level by level. There are few sizes of messages.
    int hops_of(SweepAxis axis, int cells) {
        const auto known = std::find(sizes_.begin(), sizes_.end(), std::pair(axis, cells));
        const auto begin = static_cast<std::size_t>(known - sizes_.begin()) * (wavefront_.levels.size() + 1);
        if (known != sizes_.end()) return static_cast<int>(begin);
        sizes_.emplace_back(axis, cells);
        for (std::size_t level = 0; level <= wavefront_.levels.size(); ++level) {
            const HopCost cost = wavefront_.hop ? wavefront_.hop(axis, cells, level) : HopCost();
            const bool far = level == wavefront_.levels.size();
            hops_.push_back({cost.send.si(), cost.latency.si(), cost.bytes.si(), cost.receive.si(), cost.request.si(),
                             cost.synchronous, far && wavefront_.gateways.ranks > 0});
        }
        return static_cast<int>(begin);
    }

    // All blocks of two octants, whose first one is `first`.
    void sweep(int first, int i_step, int j_step) {
        const int blocks = 2 * wavefront_.blocks;
        const int last_diagonal = wide_ + high_ - 2;
        for (int step = 0; step < blocks + last_diagonal; ++step) {
            for (int diagonal = std::min(step, last_diagonal); diagonal >= std::max(0, step - blocks + 1); --diagonal) {
                sweep_diagonal(first + step - diagonal, diagonal, i_step, j_step);
            }
        }
    }

    // A block of the ranks that are so many ranks downstream of the sweep's corner.
    void sweep_diagonal(int block, int diagonal, int i_step, int j_step) {
        for (int i = std::min(diagonal, wide_ - 1); i >= std::max(0, diagonal - high_ + 1); --i) {
            const int j = diagonal - i;
            const int column = i_step > 0 ? i : wide_ - 1 - i;
            const int row = j_step > 0 ? j : high_ - 1 - j;
            const int rank = row * wide_ + column;
            Rank& own = at(rank);
            if (i > 0) {
                Rank& sender = at(rank - i_step);
                pass(hop(i_step > 0 ? sender.hop_i : own.hop_i), sender, own);
            }
            if (j > 0) {
                Rank& sender = at(rank - j_step * wide_);
                pass(hop(j_step > 0 ? sender.hop_j : own.hop_j), sender, own);
            }
            const double cells = wavefront_.cells[1][static_cast<std::size_t>(row)];
            own.clock.compute(compute_[static_cast<std::size_t>(column)] * cells, block);
        }
    }

    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    const Hop& hop(int index) const { return hops_[static_cast<std::size_t>(index)]; }

    void pass(const Hop& hop, Rank& sender, Rank& receiver) {
        if (hop.synchronous) sender.clock.wait_for(asked(hop, sender, receiver));
        sender.clock.add(overhead, hop.send);
        Clock arriving = sender.clock;
        if (hop.gateways) cross(sender, receiver, wavefront_.gateways.service.si(), arriving);
        arriving.add(latency, hop.latency);
        arriving.add(bandwidth, hop.bytes);
        receiver.clock.wait_for(arriving);
        receiver.clock.add(overhead, hop.receive);
    }

    // When the sender knows that the receiver waits.
    Clock asked(const Hop& hop, const Rank& sender, const Rank& receiver) {
        Clock request = receiver.clock;
        if (hop.gateways && wavefront_.gateways.request) {
            cross(receiver, sender, wavefront_.gateways.request->si(), request);
        } else if (hop.gateways) {
            request.add(latency, wavefront_.gateways.wire.si());
        }
        request.add(latency, hop.request);
        return request;
    }

    // From the gateway of one rank to that of another.
    void cross(const Rank& from, const Rank& to, double service, Clock& message) {
        serve(outgoing_[static_cast<std::size_t>(from.gateway)], service, message);
        message.add(latency, wavefront_.gateways.wire.si());
        serve(incoming_[static_cast<std::size_t>(to.gateway)], service, message);
    }

    static void serve(GapServer& server, double service, Clock& message) {
        message.wait_until(server.begin(message.time, service));
        message.add(overhead, service);
    }

    const Wavefront& wavefront_;
    int wide_;
    int high_;
    std::vector<Rank> ranks_;
    std::vector<std::pair<SweepAxis, int>> sizes_;  ///< of messages: axis, and cells across
    std::vector<Hop> hops_;                         ///< of each size, level by level
    std::vector<double> compute_;                   ///< seconds of a block by column, for a cell along J
    std::vector<GapServer> outgoing_;
    std::vector<GapServer> incoming_;
};

}  // namespace

Time wavefront_time(const Wavefront& wavefront) {
    check(wavefront);
    return seconds(Recurrence<PlainClock>(wavefront).run().time);
}

Breakdown wavefront_breakdown(const Wavefront& wavefront) {
    check(wavefront);
    Recurrence<TracedClock> recurrence(wavefront);
    const TracedClock& last = recurrence.run();
    Breakdown result{seconds(last.time), {}};
    for (std::size_t term = 0; term < path_terms; ++term) {
        result.terms.push_back({term_names[term], seconds(last.terms[term])});
    }
    return result;
}

Time wavefront_ideal_time(const Wavefront& wavefront) {
    check(wavefront);
    const auto& [columns, rows] = wavefront.cells;
    const auto even = [](const std::vector<int>& parts) { return parts.front() == parts.back(); };
    if (even(columns) && even(rows)) {
        const SweepGrid grid = {static_cast<int>(columns.size()), static_cast<int>(rows.size()), wavefront.blocks};
        return wavefront.cell * (static_cast<double>(columns.front()) * rows.front() * sweep_steps(grid));
    }
    Wavefront free = wavefront;
    free.hop = nullptr;
    free.levels.clear();
    free.gateways = {};
    return wavefront_time(free);
}

}  // namespace narrows
