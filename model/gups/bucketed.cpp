#include "model/gups/bucketed.hpp"

#include <algorithm>
#include <cmath>

namespace narrows {

Prediction bucketed_gups(const BucketedGups& inputs) {
    const double remote = (inputs.ranks - 1) / inputs.ranks;
    const double levels = (1 + 1 / inputs.mean_bucket) * std::log2(inputs.ranks);
    const double missing = inputs.cache.si() > 0 ? std::max(0.0, 1 - inputs.cache / inputs.state) : 0.0;
    std::vector<Term> terms = {{"update", inputs.update},
                               {"insert", inputs.insert * remote + inputs.own / inputs.ranks},
                               {"test", inputs.test * (remote / inputs.test_interval)},
                               {"heap", inputs.heap_level * (remote * levels)},
                               {"cache misses", inputs.miss * (remote * levels * missing)},
                               {"messages", inputs.message * (remote / inputs.mean_bucket)}};
    Time per_update;
    for (const Term& term : terms) per_update += term.time;
    std::vector<Bound> bounds = message_bounds(
        inputs, per_update,
        "W / (t_u + t_own / P + (P - 1) / P * (t_insert + t_test / i + (1 + 1 / m) * log2(P) * (t_level + f * t_miss) "
        "+ t_message / m))",
        "derived from garg2006 Section 6.1",
        {{"W", "processors that work at once", inputs.workers},
         {"P", "ranks", inputs.ranks},
         {"t_u", "generating and applying an update", inputs.update},
         {"t_own", "putting an update of the rank's own into its bucket", inputs.own},
         {"t_insert", "putting another update into its bucket", inputs.insert},
         {"t_test", "testing whether the previous send has finished", inputs.test},
         {"i", "updates between two such tests", inputs.test_interval},
         {"m", "updates a message", inputs.mean_bucket},
         {"t_level", "moving a bucket one level in the heap", inputs.heap_level},
         {"f", "share of the buckets' state that misses the first-level cache", missing},
         {"t_miss", "latency of the next level of cache", inputs.miss},
         {"t_message", "sending and receiving a message, the mean of all", inputs.message}});
    Prediction prediction = overlapped(std::move(terms), inputs.workers, std::move(bounds));
    prediction.assumptions = "uniform destinations; the code's state fits the second level of cache";
    return prediction;
}

}  // namespace narrows
