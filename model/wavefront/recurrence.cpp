#include "model/wavefront/recurrence.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/wavefront/closed_forms.hpp"
#include "model/wavefront/gap_servers.hpp"
#include "model/wavefront/shared_processors.hpp"

namespace narrows {
namespace {

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

struct Hop : HopCost {
    bool gateways = false;
};

void check(const Wavefront& wavefront) {
    const SharedProcessors& shared = wavefront.shared;
    if (shared.ranks > 0 && (shared.processors < 1 || wavefront.levels.empty() || wavefront.gateways.ranks > 0)) {
        throw std::logic_error("shared processors are the first level, and have no gateways");
    }
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
// processors like. For each sweep ranks are put in this order, diagonal by diagonal, so that memory is read in order.
template <class Clock>
class Recurrence {
  public:
    explicit Recurrence(const Wavefront& wavefront)
        : wavefront_(wavefront),
          wide_(static_cast<int>(wavefront.cells[0].size())),
          high_(static_cast<int>(wavefront.cells[1].size())),
          clocks_(wavefront.cells[0].size() * wavefront.cells[1].size()),
          ranks_(clocks_.size()) {
        if (wavefront.gateways.ranks > 0) {
            const auto count = static_cast<std::size_t>(wavefront.end_of_places() / wavefront.gateways.ranks) + 1;
            outgoing_.resize(count);
            incoming_.resize(count);
        }
        std::size_t begin = 0;
        for (int diagonal = 0; diagonal < wide_ + high_ - 1; ++diagonal) {
            begins_.push_back(begin);
            begin += static_cast<std::size_t>(last_column(diagonal) - first_column(diagonal) + 1);
        }
    }

    const Clock& run(const ReportProgress& progress) {
        constexpr double share = 0.25;  // of a sweep
        double swept = 0;
        int block = 0;
        for (const bool i_up : {false, true}) {
            for (const bool j_up : {false, true}) {
                place_ranks(i_up, j_up);
                sweep(block, part_of(progress, swept, swept + share));
                swept += share;
                keep_clocks(i_up, j_up);
                block += 2 * wavefront_.blocks;  // two octants, which differ in K alone
            }
        }
        return *std::ranges::max_element(clocks_, {}, &Clock::time);
    }

  private:
    /// What the loop needs of a rank, side by side.
    struct Rank {
        Clock clock;
        double compute = 0;  ///< seconds of a block
        int gateway = 0;
        int hop_i = 0;  ///< of messages that it receives along I
        int hop_j = 0;
    };

    // Columns downstream of the corner that a diagonal has, the last one first.
    int first_column(int diagonal) const { return std::max(0, diagonal - high_ + 1); }
    int last_column(int diagonal) const { return std::min(diagonal, wide_ - 1); }
    int number_of(int i, int j, bool i_up, bool j_up) const {
        return (j_up ? j : high_ - 1 - j) * wide_ + (i_up ? i : wide_ - 1 - i);
    }

    // Calls visit(rank, i, j) for all ranks in the order of a sweep.
    template <class Visit>
    void for_each_rank(const Visit& visit) {
        auto rank = ranks_.begin();
        for (int diagonal = 0; diagonal < wide_ + high_ - 1; ++diagonal) {
            for (int i = last_column(diagonal); i >= first_column(diagonal); --i) visit(*rank++, i, diagonal - i);
        }
    }

    void place_ranks(bool i_up, bool j_up) {
        for_each_rank([&](Rank& rank, int i, int j) {
            const int number = number_of(i, j, i_up, j_up);
            const int across_i = wavefront_.cells[0][static_cast<std::size_t>(number % wide_)];
            const int across_j = wavefront_.cells[1][static_cast<std::size_t>(number / wide_)];
            rank.clock = clocks_[static_cast<std::size_t>(number)];
            rank.compute = wavefront_.compute(across_i, across_j).si();
            if (wavefront_.gateways.ranks > 0) rank.gateway = wavefront_.place(number) / wavefront_.gateways.ranks;
            if (i > 0) {
                rank.hop_i = hops_of(SweepAxis::i, across_j) + level_of(number, number_of(i - 1, j, i_up, j_up));
            }
            if (j > 0) {
                rank.hop_j = hops_of(SweepAxis::j, across_i) + level_of(number, number_of(i, j - 1, i_up, j_up));
            }
        });
    }

    void keep_clocks(bool i_up, bool j_up) {
        for_each_rank([&](const Rank& rank, int i, int j) {
            clocks_[static_cast<std::size_t>(number_of(i, j, i_up, j_up))] = rank.clock;
        });
    }

    int level_of(int rank, int other) const { return static_cast<int>(level_between(wavefront_, rank, other)); }

    // Where the hops of messages so many cells across begin, level by level. There are few sizes of messages.
    int hops_of(SweepAxis axis, int cells) {
        const auto known = std::ranges::find(sizes_, std::pair(axis, cells));
        const auto begin = static_cast<std::size_t>(known - sizes_.begin()) * (wavefront_.levels.size() + 1);
        if (known != sizes_.end()) return static_cast<int>(begin);
        sizes_.emplace_back(axis, cells);
        for (std::size_t level = 0; level <= wavefront_.levels.size(); ++level) {
            const HopCost cost = wavefront_.hop ? wavefront_.hop(axis, cells, level) : HopCost();
            const bool far = level == wavefront_.levels.size();
            hops_.push_back({cost, far && wavefront_.gateways.ranks > 0});
        }
        return static_cast<int>(begin);
    }

    // All blocks of two octants, whose first one is `first`.
    void sweep(int first, const ReportProgress& progress) {
        const int blocks = 2 * wavefront_.blocks;
        const int last_diagonal = wide_ + high_ - 2;
        for (int step = 0; step < blocks + last_diagonal; ++step) {
            for (int diagonal = std::min(step, last_diagonal); diagonal >= std::max(0, step - blocks + 1); --diagonal) {
                sweep_diagonal(first + step - diagonal, diagonal);
            }
            if (progress) progress(static_cast<double>(step + 1) / (blocks + last_diagonal));
        }
    }

    // A block of the ranks that are so many ranks downstream of the sweep's corner.
    void sweep_diagonal(int block, int diagonal) {
        const std::size_t own = begins_[static_cast<std::size_t>(diagonal)];
        const int last = last_column(diagonal);
        const auto count = static_cast<std::size_t>(last - first_column(diagonal)) + 1;
        // Of the diagonal before, the sender along J is in the same column, that along I stands right behind it.
        const std::size_t before = diagonal > 0 ? begins_[static_cast<std::size_t>(diagonal) - 1] : 0;
        const std::size_t shift = diagonal > 0 && last_column(diagonal - 1) < last ? 1 : 0;
        for (std::size_t place = 0; place < count; ++place) {
            Rank& receiver = ranks_[own + place];
            if (wavefront_.gateways.ranks > 0 && place + fetched_ahead < count) {
                incoming_.fetch(ranks_[own + place + fetched_ahead].gateway);
                outgoing_.fetch(ranks_[before + place + fetched_ahead - shift].gateway);
            }
            const int i = last - static_cast<int>(place);
            if (i > 0) pass(hop(receiver.hop_i), ranks_[before + place + 1 - shift], receiver);
            if (i < diagonal) pass(hop(receiver.hop_j), ranks_[before + place - shift], receiver);
            receiver.clock.compute(receiver.compute, block);
        }
    }

    const Hop& hop(int index) const { return hops_[static_cast<std::size_t>(index)]; }

    void pass(const Hop& hop, Rank& sender, Rank& receiver) {
        if (hop.synchronous) sender.clock.wait_for(asked(hop, sender, receiver));
        sender.clock.add(overhead, hop.send.si());
        Clock arriving = sender.clock;
        if (hop.gateways) cross(sender, receiver, wavefront_.gateways.service.si(), arriving);
        arriving.add(latency, hop.latency.si());
        arriving.add(bandwidth, hop.bytes.si());
        receiver.clock.wait_for(arriving);
        receiver.clock.add(overhead, hop.receive.si());
    }

    // When the sender knows that the receiver waits.
    Clock asked(const Hop& hop, const Rank& sender, const Rank& receiver) {
        Clock request = receiver.clock;
        if (hop.gateways && wavefront_.gateways.request) {
            cross(receiver, sender, wavefront_.gateways.request->si(), request);
        } else if (hop.gateways) {
            request.add(latency, wavefront_.gateways.wire.si());
        }
        request.add(latency, hop.request.si());
        return request;
    }

    // From the gateway of one rank to that of another.
    void cross(const Rank& from, const Rank& to, double service, Clock& message) {
        serve(outgoing_, from.gateway, service, message);
        message.add(latency, wavefront_.gateways.wire.si());
        serve(incoming_, to.gateway, service, message);
    }

    static void serve(GapServers& servers, int number, double service, Clock& message) {
        message.wait_until(servers.begin(number, message.time, service));
        message.add(overhead, service);
    }

    static constexpr std::size_t fetched_ahead = 6;  // ranks of a diagonal

    const Wavefront& wavefront_;
    int wide_;
    int high_;
    std::vector<Clock> clocks_;                     ///< by rank number, between sweeps
    std::vector<Rank> ranks_;                       ///< in the order of the sweep
    std::vector<std::size_t> begins_;               ///< of the diagonals
    std::vector<std::pair<SweepAxis, int>> sizes_;  ///< of messages: axis, and cells across
    std::vector<Hop> hops_;                         ///< of each size, level by level
    GapServers outgoing_;
    GapServers incoming_;
};

}  // namespace

int Wavefront::end_of_places() const {
    if (places.empty()) return static_cast<int>(cells[0].size() * cells[1].size());
    return *std::ranges::max_element(places) + 1;
}

std::size_t level_between(const Wavefront& wavefront, int rank, int other) {
    rank = wavefront.place(rank);
    other = wavefront.place(other);
    const SharedProcessors& shared = wavefront.shared;
    if (shared.ranks > 0 && shared.processor_of(rank) == shared.processor_of(other)) return 0;
    const auto near = [=](int ranks) { return rank / ranks == other / ranks; };
    const auto first = wavefront.levels.begin() + (shared.ranks > 0 ? 1 : 0);
    return static_cast<std::size_t>(std::find_if(first, wavefront.levels.end(), near) - wavefront.levels.begin());
}

Time wavefront_time(const Wavefront& wavefront, const ReportProgress& progress) {
    check(wavefront);
    if (wavefront.shared.ranks > 0) return shared_processors_breakdown(wavefront, progress).total;
    return seconds(Recurrence<PlainClock>(wavefront).run(progress).time);
}

Breakdown wavefront_breakdown(const Wavefront& wavefront, const ReportProgress& progress) {
    check(wavefront);
    if (wavefront.shared.ranks > 0) return shared_processors_breakdown(wavefront, progress);
    Recurrence<TracedClock> recurrence(wavefront);
    const TracedClock& last = recurrence.run(progress);
    Breakdown result{seconds(last.time), {}};
    for (std::size_t term = 0; term < path_terms; ++term) {
        result.terms.push_back({term_names[term], seconds(last.terms[term])});
    }
    return result;
}

Time wavefront_ideal_time(const Wavefront& wavefront, const ReportProgress& progress) {
    check(wavefront);
    const auto& [columns, rows] = wavefront.cells;
    const auto even = [](const std::vector<int>& parts) { return parts.front() == parts.back(); };
    if (even(columns) && even(rows) && wavefront.shared.ranks == 0) {
        const SweepGrid grid = {static_cast<int>(columns.size()), static_cast<int>(rows.size()), wavefront.blocks};
        return wavefront.compute(columns.front(), rows.front()) * sweep_steps(grid);
    }
    Wavefront free = wavefront;
    // Ranks that share a processor take turns in another order when senders need not wait.
    const bool waits = wavefront.shared.ranks > 0 && wavefront.hop && wavefront.hop(SweepAxis::i, 1, 0).synchronous;
    free.hop = [waits](SweepAxis, int, std::size_t) {
        HopCost nothing;
        nothing.synchronous = waits;
        return nothing;
    };
    free.levels.assign(wavefront.shared.ranks > 0 ? 1 : 0, 1);
    free.gateways = {};
    return wavefront_time(free, progress);
}

}  // namespace narrows
