#pragma once

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <vector>

#include "model/wavefront/recurrence.hpp"

namespace narrows {

/// A wavefront program event by event, as processes that receive, compute and send; servers serve by arrival. Written
/// without a thought of speed or of the recurrence, whose reference it is.
class WavefrontSimulation {
  public:
    explicit WavefrontSimulation(const Wavefront& wavefront)
        : in_(wavefront),
          wide_(static_cast<int>(wavefront.cells[0].size())),
          high_(static_cast<int>(wavefront.cells[1].size())),
          ranks_(static_cast<std::size_t>(wide_ * high_)) {
        const int domains = wavefront.gateways.ranks > 0 ? wide_ * high_ / wavefront.gateways.ranks + 1 : 0;
        outgoing_.resize(static_cast<std::size_t>(domains));
        incoming_.resize(static_cast<std::size_t>(domains));
    }

    double run() {
        for (int rank = 0; rank < wide_ * high_; ++rank) at(0, {rank, 0, true}, resume);
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            end_ = std::max(end_, event.time);
            handle(event);
        }
        return end_;
    }

  private:
    /// Messages that a rank receives along an axis, in one direction of the sweep.
    struct Way {
        int receiver;
        int axis;
        bool up;
    };
    /// What happens next: a rank goes on, or a message (or request) is at a stage of its way.
    enum What { resume, request_out, request_in, requested, data_out, data_in, arrived };
    struct Event {
        double time;
        long order;
        Way way;
        What what;
        bool operator<(const Event& other) const { return std::tie(other.time, other.order) < std::tie(time, order); }
    };
    struct Rank {
        int block = 0;
        int step = 0;  ///< receive I, receive J, compute, send I, send J
        bool asked = false;
        double busy = 0;  ///< until then
        std::array<int, 4> arrivals{};
        std::array<int, 4> requests{};
    };

    Rank& rank_of(int number) { return ranks_[static_cast<std::size_t>(number)]; }
    static std::size_t index(const Way& way) { return static_cast<std::size_t>(way.axis) * 2 + (way.up ? 1 : 0); }
    void at(double time, Way way, What what) { events_.push({time, order_++, way, what}); }

    int neighbour(int rank, int axis, int step) const {
        const int place = (axis == 0 ? rank % wide_ : rank / wide_) + step;
        const bool inside = place >= 0 && place < (axis == 0 ? wide_ : high_);
        return inside ? rank + step * (axis == 0 ? 1 : wide_) : -1;
    }
    int sender(const Way& way) const { return neighbour(way.receiver, way.axis, way.up ? -1 : 1); }
    bool up(int rank, int axis) { return (rank_of(rank).block / in_.blocks & (axis == 0 ? 4 : 2)) != 0; }

    std::size_t level(int a, int b) const {
        std::size_t found = 0;
        while (found < in_.levels.size() && a / in_.levels[found] != b / in_.levels[found]) ++found;
        return found;
    }
    bool gateways(const Way& way) const {
        return in_.gateways.ranks > 0 && level(sender(way), way.receiver) == in_.levels.size();
    }
    HopCost cost(const Way& way) const {
        if (!in_.hop) return {};
        const int across = way.axis == 0 ? in_.cells[1][static_cast<std::size_t>(way.receiver / wide_)]
                                         : in_.cells[0][static_cast<std::size_t>(way.receiver % wide_)];
        return in_.hop(way.axis == 0 ? SweepAxis::i : SweepAxis::j, across, level(sender(way), way.receiver));
    }

    double served(std::vector<double>& servers, int rank, double now, Time service) {
        double& free = servers[static_cast<std::size_t>(rank / in_.gateways.ranks)];
        free = std::max(free, now) + service.si();
        return free;
    }

    void handle(const Event& event) {
        const Way& way = event.way;
        const double wire = in_.gateways.wire.si();
        const Time service = in_.gateways.service;
        const double now = event.time;
        switch (event.what) {
            case resume:
                return go_on(way.receiver, now);
            case request_out:
                return at(served(outgoing_, way.receiver, now, *in_.gateways.request) + wire, way, request_in);
            case request_in:
                return at(served(incoming_, sender(way), now, *in_.gateways.request) + cost(way).request.si(), way,
                          requested);
            case requested:
                ++rank_of(way.receiver).requests[index(way)];
                return go_on(sender(way), now);
            case data_out:
                return at(served(outgoing_, sender(way), now, service) + wire, way, data_in);
            case data_in:
                return at(served(incoming_, way.receiver, now, service) + (cost(way).latency + cost(way).bytes).si(),
                          way, arrived);
            case arrived:
                ++rank_of(way.receiver).arrivals[index(way)];
                return go_on(way.receiver, now);
        }
    }

    void go_on(int number, double now) {
        Rank& rank = rank_of(number);
        while (now >= rank.busy && rank.block < 8 * in_.blocks) {
            const int axis = rank.step == 0 || rank.step == 3 ? 0 : 1;
            double next = now;
            if (rank.step < 2 && !receive({number, axis, up(number, axis)}, now, next)) return;
            if (rank.step == 2) {
                next += in_.compute(in_.cells[0][static_cast<std::size_t>(number % wide_)],
                                    in_.cells[1][static_cast<std::size_t>(number / wide_)])
                            .si();
            }
            if (rank.step > 2 && !send(number, axis, now, next)) return;
            rank.step = (rank.step + 1) % 5;
            if (rank.step == 0) ++rank.block;
            if (next == now) continue;
            rank.busy = next;
            at(next, {number, 0, true}, resume);
        }
    }

    bool receive(const Way& way, double now, double& next) {
        if (sender(way) < 0) return true;
        Rank& rank = rank_of(way.receiver);
        if (cost(way).synchronous && !rank.asked) {
            rank.asked = true;
            const double wire = gateways(way) ? in_.gateways.wire.si() : 0;
            if (gateways(way) && in_.gateways.request) {
                at(now, way, request_out);
            } else {
                at(now + wire + cost(way).request.si(), way, requested);
            }
        }
        if (rank.arrivals[index(way)] == 0) return false;
        --rank.arrivals[index(way)];
        rank.asked = false;
        next = now + cost(way).receive.si();
        return true;
    }

    bool send(int number, int axis, double now, double& next) {
        const bool upwards = up(number, axis);
        const int receiver = neighbour(number, axis, upwards ? 1 : -1);
        if (receiver < 0) return true;
        const Way way = {receiver, axis, upwards};
        const HopCost hop = cost(way);
        if (hop.synchronous) {
            int& requests = rank_of(receiver).requests[index(way)];
            if (requests == 0) return false;
            --requests;
        }
        next = now + hop.send.si();
        gateways(way) ? at(next, way, data_out) : at(next + (hop.latency + hop.bytes).si(), way, arrived);
        return true;
    }

    const Wavefront& in_;
    int wide_;
    int high_;
    std::vector<Rank> ranks_;
    std::vector<double> outgoing_;
    std::vector<double> incoming_;
    std::priority_queue<Event> events_;
    long order_ = 0;
    double end_ = 0;
};

}  // namespace narrows
