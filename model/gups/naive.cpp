#include "model/gups/naive.hpp"

#include <algorithm>

namespace narrows {

double naive_messages(int k, double ranks, double updates) {
    return std::min(1.0, 1.0 / k + (k - 1.0) / (2.0 * k) * ranks * (ranks - 1) / updates);
}

Prediction naive_gups(const NaiveGups& inputs) {
    const double remote = (inputs.ranks - 1) / inputs.ranks * inputs.messages;
    const Time per_update = inputs.update + (inputs.send + inputs.receive + inputs.other) * remote;
    const bool together = inputs.messages < 1;
    std::vector<Bound> bounds;
    bounds.reserve(2 + inputs.servers.size());
    bounds.push_back(
        {"processor", processor_bound(inputs.workers, per_update),
         together ? "W / (t_u + ((P-1)/P) m (t_s + t_r + t_o))" : "W / (t_u + ((P-1)/P) (t_s + t_r + t_o))",
         "garg2006 (1)"});
    add_bounds(bounds, inputs.network, inputs.bytes, inputs.servers);
    std::vector<Term> terms;
    terms.reserve(5);
    terms.push_back({"update", inputs.update});
    terms.push_back({"send", inputs.send * remote});
    terms.push_back({"receive", inputs.receive * remote});
    terms.push_back({"other", inputs.other * remote});
    Prediction prediction = overlapped(std::move(terms), inputs.workers, std::move(bounds));
    prediction.assumptions = "uniform destinations; sends are asynchronous; latency is hidden";
    return prediction;
}

}  // namespace narrows
