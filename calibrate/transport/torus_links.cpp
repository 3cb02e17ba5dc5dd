#include "calibrate/transport/torus_links.hpp"

#include <algorithm>
#include <cstring>

namespace narrows {

TorusLinks::TorusLinks(const LinkGrid& grid, int rank_dimensions, const LinkCosts& costs, LinkHost& host)
    : grid_(grid),
      costs_(costs),
      host_(host),
      nodes_(grid.nodes()),
      rank_dimensions_(rank_dimensions),
      inside_(rank_dimensions - static_cast<int>(grid.shape.size())),
      payload_words_(whole_lines(costs.service.size() - 1)),
      links_(static_cast<std::size_t>(nodes_) * grid.shape.size() * 2),
      after_(links_.size()),
      before_(links_.size()),
      injections_(links_.size() * static_cast<std::size_t>(grid.ranks_per_node)),
      receptions_(static_cast<std::size_t>(grid.ranks()) * static_cast<std::size_t>(rank_dimensions)) {
    int stride = 1;
    for (int d = 0; d < dimensions(); ++d) {
        const int size = grid_.shape[static_cast<std::size_t>(d)];
        strides_.push_back(stride);
        for (int node = 0; node < nodes_; ++node) {
            const int at = node / stride % size;
            const int next = node + ((at + 1) % size - at) * stride;
            after_[link_of(node, d, 0)] = static_cast<std::uint32_t>(link_of(next, d, 0));
            before_[link_of(next, d, 0)] = static_cast<std::uint32_t>(link_of(node, d, 0));
            after_[link_of(next, d, 1)] = static_cast<std::uint32_t>(link_of(node, d, 1));
            before_[link_of(node, d, 1)] = static_cast<std::uint32_t>(link_of(next, d, 1));
        }
        stride *= size;
    }
}

std::size_t TorusLinks::memory(const LinkGrid& grid, const std::vector<int>& rank_shape, const LinkCosts& costs,
                               double sent) {
    const auto ranks = static_cast<std::size_t>(grid.ranks());
    const auto of_node = static_cast<std::size_t>(grid.ranks_per_node);
    const double links_a_dimension = 2.0 * grid.nodes();
    // A link serves first what came first: the more packets from the link before it wait, the fewer of a rank's own go.
    // That keeps them to as many as there are places for own ones, times the links that a packet passes, on average a
    // quarter of a ring. Full rings of 128 have held two thirds of that.
    const double own = static_cast<double>(std::max(1, costs.injection)) * grid.ranks_per_node;
    double places = 0;
    for (std::size_t d = 0; d < grid.shape.size(); ++d) {
        const double passed = grid.shape[d] / (grid.wraps[d] ? 4.0 : 2.0);
        places += links_a_dimension * (own + (costs.through > 0 ? costs.through : own * std::max(1.0, passed)));
    }
    constexpr double most = 1e12;  // more than any memory holds
    auto packets = static_cast<std::size_t>(std::min({sent, costs.injection > 0 ? places : most, most}));
    // Ends, which always find a place: a rank sends those of a dimension all at once.
    packets += ranks * static_cast<std::size_t>(*std::ranges::max_element(rank_shape) - 1);
    const std::size_t links = static_cast<std::size_t>(links_a_dimension) * grid.shape.size();
    const std::size_t a_link = sizeof(Link) + 2 * sizeof(std::uint32_t) + of_node * sizeof(Injection);
    const std::size_t a_packet = sizeof(Packet) + whole_lines(costs.service.size() - 1) * sizeof(Word);
    return links * a_link + ranks * rank_shape.size() * sizeof(Reception) + packets * a_packet;
}

TorusLinks::Reception& TorusLinks::reception(int rank, int dimension) {
    return receptions_[static_cast<std::size_t>(rank) * static_cast<std::size_t>(rank_dimensions_) +
                       static_cast<std::size_t>(dimension)];
}

// Links on the way, and whether they lead backwards.
int TorusLinks::steps(int rank, int dimension, int to, int& back) const {
    const auto d = static_cast<std::size_t>(dimension - inside_);
    const int size = grid_.shape[d];
    const int from = node_of(rank) / strides_[d] % size;
    const int forwards = (node_of(to) / strides_[d] % size - from + size) % size;
    if (!grid_.wraps[d] && size > 2) {
        back = to < rank ? 1 : 0;
        return back != 0 ? size - forwards : forwards;
    }
    const int twice = 2 * forwards;
    back = twice > size || (twice == size && from % 2 == 1) ? 1 : 0;
    return back != 0 ? size - forwards : forwards;
}

std::uint32_t TorusLinks::make_packet(double time, int dimension, int to, const Word* words, int count) {
    std::uint32_t id = free_;
    if (id == none) {
        id = static_cast<std::uint32_t>(packets_.size());
        packets_.emplace_back();
        payloads_.resize(payloads_.size() + payload_words_);
    } else {
        free_ = packets_[id].next;
    }
    Packet& packet = packets_[id];
    packet = {};
    packet.arrived = time;
    packet.to = to;
    packet.words = static_cast<std::uint16_t>(count);
    packet.dimension = static_cast<std::uint8_t>(dimension);
    if (count > 0) {
        std::memcpy(payloads_.data() + id * payload_words_, words,
                    whole_lines(static_cast<std::size_t>(count)) * sizeof(Word));
    }
    return id;
}

bool TorusLinks::try_send(double time, int rank, int dimension, int to, const Word* words, int count) {
    if (dimension < inside_) return send_inside(time, dimension, to, words, count);
    int back = 0;
    const int hops = steps(rank, dimension, to, back);
    Injection& queue = injection(link_of(node_of(rank), dimension - inside_, back), place_of(rank));
    if (costs_.injection > 0 && queue.count >= costs_.injection) {
        queue.refused = true;
        return false;
    }
    const std::uint32_t id = make_packet(time, dimension, to, words, count);
    packets_[id].hops = hops;
    inject(time, rank, id, back);
    return true;
}

bool TorusLinks::send_inside(double time, int dimension, int to, const Word* words, int count) {
    Reception& place = reception(to, dimension);
    if (place.taken >= costs_.reception) {
        place.refused = true;
        return false;
    }
    ++place.taken;
    schedule_arrival(time, make_packet(time, dimension, to, words, count));
    return true;
}

void TorusLinks::send_end(double time, int rank, int dimension, int to) {
    const std::uint32_t id = make_packet(time, dimension, to, nullptr, 0);
    packets_[id].end = true;
    if (dimension < inside_) return schedule_arrival(time, id);
    int back = 0;
    packets_[id].hops = steps(rank, dimension, to, back);
    inject(time, rank, id, back);
}

void TorusLinks::schedule_arrival(double time, std::uint32_t id) {
    host_.schedule(time, packets_[id].end ? first_end + id : static_cast<std::uint32_t>(links_.size()) + id);
}

void TorusLinks::inject(double time, int rank, std::uint32_t id, int back) {
    const Packet& packet = packets_[id];
    const std::size_t link = link_of(node_of(rank), packet.dimension - inside_, back);
    Injection& queue = injection(link, place_of(rank));
    ++queue.count;
    append(queue.packets, id);
    wake(link, std::max(time, links_[link].free_at));
}

void TorusLinks::append(Queue& queue, std::uint32_t id) {
    packets_[id].next = none;
    if (queue.head == none) {
        queue.head = id;
    } else {
        packets_[queue.tail].next = id;
    }
    queue.tail = id;
}

std::uint32_t TorusLinks::take(Queue& queue) {
    const std::uint32_t id = queue.head;
    queue.head = packets_[id].next;
    return id;
}

// The link will look at its packets at `time`, or before if it will anyway.
void TorusLinks::wake(std::size_t link, double time) {
    Link& own = links_[link];
    if (own.wake <= time) return;
    own.wake = time;
    host_.schedule(time, static_cast<std::uint32_t>(link));
}

void TorusLinks::handle(double time, std::uint32_t event) {
    if (event >= first_end) return arrive(time, event - first_end);
    if (event >= links_.size()) return arrive(time, event - static_cast<std::uint32_t>(links_.size()));
    // Else it is left over from before the link had reason to look earlier.
    if (links_[event].wake != time) return;
    links_[event].wake = never;
    serve(event, time);
}

// A link that waits for a place looks again when it is told of one, another one when its next packet can begin.
void TorusLinks::serve(std::size_t link, double time) {
    Link& own = links_[link];
    if (own.free_at > time) return wake(link, own.free_at);
    const bool begun = serve_first(link, time);
    double next = never;
    const auto consider = [&](const Queue& queue) {
        if (queue.head == none) return;
        const double arrived = packets_[queue.head].arrived;
        if (begun || arrived > time) next = std::min(next, std::max(arrived, own.free_at));
    };
    consider(own.through);
    for (int of_node = 0; of_node < grid_.ranks_per_node; ++of_node) consider(injection(link, of_node).packets);
    if (next != never) wake(link, next);
}

// Of the packets that are first in their queues begins the first to come of those that have a place where they go.
bool TorusLinks::serve_first(std::size_t link, double time) {
    double after = -1;  // what came until then has been looked at, the first `looked` queues at that very time too
    int looked = -1;
    while (true) {
        int first = -1;
        double came = never;
        for (int queue = 0; queue <= grid_.ranks_per_node; ++queue) {
            const Queue& packets = queue == 0 ? links_[link].through : injection(link, queue - 1).packets;
            if (packets.head == none) continue;
            const double arrived = packets_[packets.head].arrived;
            if (arrived > time || arrived >= came || arrived < after || (arrived == after && queue <= looked)) continue;
            first = queue;
            came = arrived;
        }
        if (first < 0) return false;
        const Queue& packets = first == 0 ? links_[link].through : injection(link, first - 1).packets;
        if (has_place(link, packets_[packets.head], first != 0)) {
            if (first == 0) {
                Link& own = links_[link];
                --own.taken;
                if (own.waited) wake(before_[link], std::max(time, links_[before_[link]].free_at));
                own.waited = false;
                begin(link, time, take(own.through));
            } else {
                Injection& own = injection(link, first - 1);
                --own.count;
                const std::size_t lines = 2 * grid_.shape.size();
                const bool room = own.refused && own.count < costs_.injection;
                if (room) own.refused = false;
                begin(link, time, take(own.packets));
                if (room) host_.room(time, static_cast<int>(link / lines) * grid_.ranks_per_node + first - 1);
            }
            return true;
        }
        after = came;
        looked = first;
    }
}

// Whether the packet can begin now; if not, the link will be told when it may.
bool TorusLinks::has_place(std::size_t link, const Packet& packet, bool own) {
    if (packet.hops == 1) {
        if (packet.end) return true;
        Reception& place = reception(packet.to, packet.dimension);
        if (place.taken < costs_.reception) return true;
        place.waited = static_cast<std::uint8_t>(place.waited | (1U << (link % 2)));
        return false;
    }
    if (costs_.through == 0) return true;
    Link& next = links_[after_[link]];
    const auto d = static_cast<std::size_t>(packet.dimension - inside_);
    const int needed = own && grid_.wraps[d] && grid_.shape[d] > 2 ? 2 : 1;
    if (next.taken + needed <= costs_.through) return true;
    next.waited = true;
    return false;
}

void TorusLinks::begin(std::size_t link, double time, std::uint32_t id) {
    Packet& packet = packets_[id];
    Link& own = links_[link];
    const double service = costs_.service[packet.words];
    own.free_at = time + service;
    own.busy += service;
    ++passed_;
    if (--packet.hops > 0) {
        packet.arrived = time + costs_.latency;
        const std::uint32_t next = after_[link];
        ++links_[next].taken;
        append(links_[next].through, id);
        wake(next, std::max(packet.arrived, links_[next].free_at));
        return;
    }
    if (!packet.end) ++reception(packet.to, packet.dimension).taken;
    schedule_arrival(time + costs_.latency + service, id);
}

void TorusLinks::arrive(double time, std::uint32_t id) {
    const Packet packet = packets_[id];
    if (packet.end) {
        host_.deliver_end(time, packet.to, packet.dimension);
    } else {
        host_.deliver(time, packet.to, packet.dimension, payloads_.data() + id * payload_words_, packet.words);
    }
    packets_[id].next = free_;
    free_ = id;
}

void TorusLinks::release(double time, int rank, int dimension) {
    Reception& place = reception(rank, dimension);
    --place.taken;
    for (int back = 0; back < 2; ++back) {
        if ((place.waited >> back & 1) == 0) continue;
        const std::uint32_t last = before_[link_of(node_of(rank), dimension - inside_, back)];
        wake(last, std::max(time, links_[last].free_at));
    }
    place.waited = 0;
    if (!place.refused) return;
    place.refused = false;
    const int first = node_of(rank) * grid_.ranks_per_node;
    for (int other = first; other < first + grid_.ranks_per_node; ++other) host_.room(time, other);
}

bool TorusLinks::exists(int link) const {
    const auto d = static_cast<std::size_t>(dimension_of(link));
    const int size = grid_.shape[d];
    if (size == 1 || (grid_.wraps[d] && size > 2)) return size > 1;
    const int at = link / 2 / dimensions() / strides_[d] % size;
    return link % 2 == 0 ? at + 1 < size : at > 0;
}

void TorusLinks::forget() {
    for (Link& link : links_) link.busy = 0;
    passed_ = 0;
}

}  // namespace narrows
