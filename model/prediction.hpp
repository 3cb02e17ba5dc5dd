#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/formula.hpp"
#include "model/quantity.hpp"
#include "model/residual_surface.hpp"

namespace narrows {

/// What bounds a rate.
enum class Resource {
    processor,
    memory,
    host_interface,
    network_interface,
    gateway,
    flight,     ///< of a path whose messages follow each other
    router,     ///< of a node
    network,    ///< phi, t or a cut
    injection,  ///< a host's link
    uplinks,    ///< those of a leaf, a pod or a group
    link        ///< the fullest, by a known routing
};

/// As the design names it: `host interface`.
std::string_view name_of(Resource resource);

/// A limit that one resource sets: capacity over demand. The texts are literals, so that a prediction costs no strings.
struct Bound {
    Resource resource = Resource::processor;
    Rate limit;
    std::string_view formula;
    std::string_view source;           ///< paper and equation, or `derived`
    std::vector<Symbol> symbols = {};  ///< all those of the formula
};

/// A share of the time that one operation takes on the processor that handles it.
struct Term {
    std::string_view name;
    Time time;
};

/// A throughput that is predicted: never above its tightest bound, and its terms sum to `workers / rate`.
struct Prediction {
    Rate rate;
    std::optional<Rate> low;  ///< 95 % interval from the intervals of the machine's parameters, if they have any
    std::optional<Rate> high;
    MeasuredBeside beside;         ///< which measured runs say; the interval is theirs where there are any
    std::vector<Bound> bounds;     ///< in the order in which the model states them
    std::vector<Term> terms;       ///< one operation of one worker
    double workers = 1;            ///< processors that work at once
    std::string_view bottleneck;   ///< name of the tightest bound's resource
    std::string_view estimate;     ///< how the rate follows from the bounds
    std::string_view assumptions;  ///< where the model holds
};

/// The prediction with its times as long as runs beside it say.
Prediction corrected(Prediction prediction, MeasuredBeside beside);

/// The tightest of `bounds`, which is not empty; the first of those that are equal but for rounding.
const Bound& tightest(std::span<const Bound> bounds);

/// A rate that meets the tightest bound: everything overlaps, however long the queues have to be for that.
/// Terms are those of one operation on one of `workers` processors; what they leave of the time becomes the term
/// `wait`. Test: tests/model/test_prediction.cpp
Prediction overlapped(std::vector<Term> terms, double workers, std::vector<Bound> bounds);

/// Throughput of a processor and a link that exchange work through a few buffers.
///
/// Statement: X = P * (1 - r^n) / (1 - r^(n+1)), r = P / L; P * n / (n + 1) where r = 1.
/// Symbols:   P what the processor alone sustains, L what the link alone sustains (1/s), n places for a packet.
/// Source:    closed cyclic queue of two exponential servers with n customers (Gordon and Newell 1967); n from the
///            algorithm: garg2006 Section 5.3 keeps at most one full bucket a dimension, so n = 3: the bucket being
///            filled, the full one, the one being injected.
/// Range:     service times about as variable as exponential ones; n = 1 is no overlap, n to infinity the bare minimum.
/// Test:      tests/model/test_prediction.cpp (limits, monotone, against a simulation of the queue)
Rate queued_rate(Rate processor, Rate link, int places);

/// As `overlapped`, with the processor and the tightest of the servers that packets pass coupled by `places` buffers.
/// No packet waits for the memory: its bound alone may make the rate smaller.
Prediction queued(std::vector<Term> terms, double workers, std::vector<Bound> bounds, int places);

}  // namespace narrows
