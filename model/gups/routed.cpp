#include "model/gups/routed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/demand/line_traffic.hpp"
#include "model/gups/bucket_size.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// The bucket being filled, and the one full bucket that a dimension may have.
constexpr int buckets_kept = 2;

}  // namespace

double routed_hops(std::span<const int> shape) {
    return hops({{shape.begin(), shape.end()}});
}

double finishing_packets(std::span<const int> shape, double bucket, double updates_of_rank) {
    double packets = 0;
    for (const int size : shape) {
        const double of_peer = updates_of_rank / size;
        packets += (size - 1) * -std::expm1(-of_peer) * (1 - std::min(of_peer / bucket, 0.5));
    }
    return packets * (1 - 1 / bucket) / updates_of_rank;
}

double lines_of_packet(int updates) {
    constexpr int of_line = 8;
    return std::max(1, (updates + of_line - 1) / of_line);
}

int routed_bucket(std::span<const int> shape) {
    const long long sum = std::accumulate(shape.begin(), shape.end(), 0LL);
    return static_cast<int>(std::max(1LL, held_updates / std::max(1LL, sum)));
}

int checked_bucket(std::span<const int> shape, std::optional<int> asked) {
    const long long buckets = std::accumulate(shape.begin(), shape.end(), 0LL);
    if (buckets > held_updates) {
        throw InputError(
            fmt::format("the shape's sizes add up to {}, but a rank may hold {} updates, one a bucket: "
                        "give more dimensions of smaller sizes",
                        buckets, held_updates));
    }
    const int most = routed_bucket(shape);
    if (asked && (*asked < 1 || *asked > most)) {
        throw InputError(
            fmt::format("a bucket of {} updates is not possible: the shape needs {} buckets, and a rank may "
                        "hold {} updates, so give 1 to {}",
                        *asked, buckets, held_updates, most));
    }
    return asked.value_or(most);
}

double missing_share(const RoutedGups& inputs) {
    return inputs.cache.si() > 0 ? std::max(0.0, 1 - inputs.cache / inputs.lookup_state) : 0.0;
}

Prediction routed_gups(const RoutedGups& inputs) {
    const double missing = missing_share(inputs);
    std::vector<Term> terms = {{"update", inputs.update * (1 + inputs.alone / inputs.updates_per_packet)},
                               {"route", inputs.per_update * (inputs.hops + inputs.first)},
                               {"routing table misses", inputs.miss * (inputs.hops * missing)},
                               {"packets", inputs.per_packet * (inputs.hops / inputs.updates_per_packet)},
                               {"finishing", inputs.per_packet * inputs.flushed_packets},
                               {"once a run", inputs.per_run / inputs.updates_of_rank}};
    Time per_update;
    for (const Term& term : terms) per_update += term.time;
    const char* formula =
        "W / (t_u * (1 + e / k) + a * t_route + h * (t_route + f * t_miss + t_packet / k) + F * t_packet + t_run / u)";
    std::vector<Bound> bounds =
        message_bounds(inputs, per_update, formula, "derived from garg2006 Section 6.2",
                       {{"W", "processors that work at once", inputs.workers},
                        {"t_u", "generating and applying an update", inputs.update},
                        {"e", "what an update alone in its packet takes more, in updates", inputs.alone},
                        {"a", "hops that routing an update costs where it is made", inputs.first},
                        {"t_route", "moving an update one hop", inputs.per_update},
                        {"h", "hops of an update in software", inputs.hops},
                        {"f", "share of the routing state that misses the first-level cache", missing},
                        {"t_miss", "latency of the next level of cache", inputs.miss},
                        {"t_packet", "sending and receiving a packet, the mean of all", inputs.per_packet},
                        {"k", "updates a packet", inputs.updates_per_packet},
                        {"F", "packets of the finishing phase, for each update", inputs.flushed_packets},
                        {"t_run", "what a rank takes once a run, whatever its length", inputs.per_run},
                        {"u", "updates of a rank", inputs.updates_of_rank}});
    Prediction prediction =
        queued(std::move(terms), inputs.workers, std::move(bounds), buckets_kept + inputs.under_way);
    if (inputs.end_of_run > Time()) {
        prediction.rate = 1 / (1 / prediction.rate + inputs.end_of_run / inputs.workers);
        prediction.terms.push_back({"end of run", inputs.end_of_run});
    }
    prediction.assumptions = "uniform destinations; no congestion inside the network beyond its sparsest cut";
    return prediction;
}

}  // namespace narrows
