#include "model/wavefront/recurrence.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

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
        if (other.time > time) *this = other;
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
class GapServer {
  public:
    /// When the server begins with a message that comes at `arrival` and takes `service`.
    double begin(double arrival, double service) {
        double start = std::max(arrival, forgotten_);
        int place = count_;
        while (place > 0 && at(place - 1).end > start) --place;
        for (; place < count_ && at(place).begin < start + service; ++place) start = std::max(start, at(place).end);
        insert(place, {start, start + service});
        return start;
    }

  private:
    static constexpr int most = 24;  // busy times; at least half of them are kept
    struct Busy {
        double begin;
        double end;
    };

    Busy& at(int place) { return busy_[static_cast<std::size_t>(place)]; }

    void insert(int place, Busy busy) {
        const bool joins_before = place > 0 && at(place - 1).end >= busy.begin;
        const bool joins_after = place < count_ && at(place).begin <= busy.end;
        if (joins_before && joins_after) {
            at(place - 1).end = at(place).end;
            std::copy(busy_.begin() + place + 1, busy_.begin() + count_, busy_.begin() + place);
            --count_;
        } else if (joins_before) {
            at(place - 1).end = busy.end;
        } else if (joins_after) {
            at(place).begin = busy.begin;
        } else {
            std::copy_backward(busy_.begin() + place, busy_.begin() + count_, busy_.begin() + count_ + 1);
            at(place) = busy;
            if (++count_ == most) forget_half();
        }
    }

    void forget_half() {
        forgotten_ = at(most / 2 - 1).end;
        std::copy(busy_.begin() + most / 2, busy_.end(), busy_.begin());
        count_ = most / 2;
    }

    std::array<Busy, most> busy_{};
    int count_ = 0;
    double forgotten_ = 0;
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
          clocks_(wavefront.cells[0].size() * wavefront.cells[1].size()),
          levels_i_(levels_to(1)),
          levels_j_(levels_to(wide_)) {
        if (wavefront.gateways.ranks > 0) {
            const std::size_t count = clocks_.size() / static_cast<std::size_t>(wavefront.gateways.ranks) + 1;
            outgoing_.resize(count);
            incoming_.resize(count);
            for (std::size_t rank = 0; rank < clocks_.size(); ++rank) {
                gateway_of_.push_back(static_cast<int>(rank) / wavefront.gateways.ranks);
            }
        }
        for (const int cells : wavefront.cells[1]) {
            add_hops(SweepAxis::i, cells, hops_i_);
            rows_.push_back(cells);
        }
        for (const int cells : wavefront.cells[0]) {
            add_hops(SweepAxis::j, cells, hops_j_);
            compute_.push_back(wavefront.cell.si() * cells);
        }
    }

    const Clock& run() {
        int block = 0;
        for (const bool i_up : {false, true}) {
            for (const bool j_up : {false, true}) {
                sweep(block, i_up ? 1 : -1, j_up ? 1 : -1);
                block += 2 * wavefront_.blocks;  // two octants, which differ in K alone
            }
        }
        return *std::max_element(clocks_.begin(), clocks_.end(),
                                 [](const Clock& a, const Clock& b) { return a.time < b.time; });
    }

  private:
    // The level of the ranks that differ by `distance`, by the smaller of the two.
    std::vector<std::uint8_t> levels_to(int distance) const {
        std::vector<std::uint8_t> all(clocks_.size());
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            const auto other = rank + static_cast<std::size_t>(distance);
            for (const int ranks : wavefront_.levels) {
                if (rank / static_cast<std::size_t>(ranks) == other / static_cast<std::size_t>(ranks)) break;
                ++all[rank];
            }
        }
        return all;
    }

    // The hops of messages so many cells across, level by level.
    void add_hops(SweepAxis axis, int cells, std::vector<Hop>& hops) const {
        for (std::size_t level = 0; level <= wavefront_.levels.size(); ++level) {
            const HopCost cost = wavefront_.hop ? wavefront_.hop(axis, cells, level) : HopCost();
            const bool far = level == wavefront_.levels.size();
            hops.push_back({cost.send.si(), cost.latency.si(), cost.bytes.si(), cost.receive.si(), cost.request.si(),
                            cost.synchronous, far && wavefront_.gateways.ranks > 0});
        }
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
            Clock& own = clock(rank);
            if (i > 0) {
                const int sender = rank - i_step;
                pass(hop(hops_i_, row, levels_i_, std::min(sender, rank)), sender, rank, own);
            }
            if (j > 0) {
                const int sender = rank - j_step * wide_;
                pass(hop(hops_j_, column, levels_j_, std::min(sender, rank)), sender, rank, own);
            }
            own.compute(compute_[static_cast<std::size_t>(column)] * rows_[static_cast<std::size_t>(row)], block);
        }
    }

    Clock& clock(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

    const Hop& hop(const std::vector<Hop>& hops, int across, const std::vector<std::uint8_t>& levels, int rank) const {
        return hops[static_cast<std::size_t>(across) * (wavefront_.levels.size() + 1) +
                    levels[static_cast<std::size_t>(rank)]];
    }

    void pass(const Hop& hop, int from, int to, Clock& receiver) {
        Clock& sender = clock(from);
        if (hop.synchronous) sender.wait_for(asked(hop, from, to, receiver));
        sender.add(overhead, hop.send);
        Clock arriving = sender;
        if (hop.gateways) cross(from, to, wavefront_.gateways.service.si(), arriving);
        arriving.add(latency, hop.latency);
        arriving.add(bandwidth, hop.bytes);
        receiver.wait_for(arriving);
        receiver.add(overhead, hop.receive);
    }

    // When the sender knows that the receiver waits.
    Clock asked(const Hop& hop, int from, int to, Clock receiver) {
        if (hop.gateways && wavefront_.gateways.request) cross(to, from, wavefront_.gateways.request->si(), receiver);
        if (hop.gateways && !wavefront_.gateways.request) receiver.add(latency, wavefront_.gateways.wire.si());
        receiver.add(latency, hop.request);
        return receiver;
    }

    std::size_t gateway_of(int rank) const {
        return static_cast<std::size_t>(gateway_of_[static_cast<std::size_t>(rank)]);
    }

    // From the gateway of one rank to that of another.
    void cross(int from, int to, double service, Clock& message) {
        serve(outgoing_[gateway_of(from)], service, message);
        message.add(latency, wavefront_.gateways.wire.si());
        serve(incoming_[gateway_of(to)], service, message);
    }

    static void serve(GapServer& server, double service, Clock& message) {
        message.wait_until(server.begin(message.time, service));
        message.add(overhead, service);
    }

    const Wavefront& wavefront_;
    int wide_;
    int high_;
    std::vector<Clock> clocks_;
    std::vector<std::uint8_t> levels_i_;
    std::vector<std::uint8_t> levels_j_;
    std::vector<Hop> hops_i_;      ///< by row, then by level
    std::vector<Hop> hops_j_;      ///< by column, then by level
    std::vector<double> compute_;  ///< seconds of a block by column, for a cell along J
    std::vector<double> rows_;     ///< cells along J by row
    std::vector<int> gateway_of_;
    std::vector<GapServer> outgoing_;
    std::vector<GapServer> incoming_;
};

}  // namespace

std::vector<int> even_parts(int cells, int parts) {
    if (cells < 0 || parts < 1) throw std::logic_error("cells are divided into at least one part");
    std::vector<int> sizes(static_cast<std::size_t>(parts), cells / parts);
    std::fill_n(sizes.begin(), cells % parts, cells / parts + 1);
    return sizes;
}

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
