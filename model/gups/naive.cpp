#include "model/gups/naive.hpp"

#include <algorithm>

namespace narrows {

double naive_messages(int k, double ranks, double updates) {
    return std::min(1.0, 1.0 / k + (k - 1.0) / (2.0 * k) * ranks * (ranks - 1) / updates);
}

Prediction naive_gups(const NaiveGups& inputs) {
    const double remote = (inputs.ranks - 1) / inputs.ranks * inputs.messages;
    const Time per_update = inputs.update + (inputs.send + inputs.receive + inputs.other) * remote;
    std::vector<Bound> bounds =
        message_bounds(inputs, per_update, "W / (t_u + (P - 1) / P * m * (t_s + t_r + t_o))", "garg2006 (1)",
                       {{"W", "processors that work at once", inputs.workers},
                        {"P", "ranks", inputs.ranks},
                        {"m", "messages a remote update", inputs.messages},
                        {"t_u", "generating and applying an update", inputs.update},
                        {"t_s", "sending a message, the mean of all", inputs.send},
                        {"t_r", "receiving a message, the mean of all", inputs.receive},
                        {"t_o", "other processor time of a message, the mean of all", inputs.other}});
    std::vector<Term> terms = {{"update", inputs.update},
                               {"send", inputs.send * remote},
                               {"receive", inputs.receive * remote},
                               {"other", inputs.other * remote}};
    Prediction prediction = overlapped(std::move(terms), inputs.workers, std::move(bounds));
    prediction.assumptions = "uniform destinations; sends are asynchronous; latency is hidden";
    return prediction;
}

}  // namespace narrows
