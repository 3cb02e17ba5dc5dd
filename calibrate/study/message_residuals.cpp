#include "calibrate/study/message_residuals.hpp"

#include <algorithm>
#include <array>
#include <boost/random/sobol.hpp>
#include <chrono>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "calibrate/measure/core_distance.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/ranks/cores.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr int properties = message_properties - 2;  // of a phase and a protocol

struct Share {
    MessagePhase phase;
    int cases;  // of a round
};

constexpr std::array shares = {Share{MessagePhase::ping_pong, 1}, Share{MessagePhase::halo_exchange, 2},
                               Share{MessagePhase::allreduce, 4}, Share{MessagePhase::all_to_all, 2}};

double seconds_of(const Sample& taken) {
    return taken.per_update() / taken.workers;
}

// Times by the name of their case.
std::map<std::string, std::vector<double>> times_by_case(const std::vector<Sample>& samples) {
    std::map<std::string, std::vector<double>> times;
    for (const Sample& taken : samples) times[taken.name].push_back(seconds_of(taken));
    return times;
}

// Visits cases, each at moments far apart: what disturbs one visit has passed at the next.
class DesignRun {
  public:
    DesignRun(const Machine& machine, std::vector<Sample> earlier, std::function<void(const Sample&)> sink,
              std::function<bool()> stopped)
        : machine_(machine), samples_(std::move(earlier)), sink_(std::move(sink)), stopped_(std::move(stopped)) {
        for (const Sample& taken : samples_) times_[taken.name].push_back(seconds_of(taken));
    }

    bool is_over(double seconds) const {
        return stopped_() || std::chrono::duration<double>(Clock::now() - begin_).count() > seconds;
    }

    // Unless it was visited so often. What the machine cannot predict is left out.
    void visit(const MessageStudyCase& what, std::size_t visits) {
        std::vector<double>& times = times_[what.name()];
        if (times.size() >= visits || stopped_()) return;
        try {
            const double expected = times.empty() ? prediction_of(machine_, what).time.si() : times.front();
            const StudyCase run = study_case(what, expected, length_for(expected));
            samples_.push_back(run_in_one_state(run, cores_, distance_));
        } catch (const InputError&) {
            return;
        }
        times.push_back(seconds_of(samples_.back()));
        sink_(samples_.back());
    }

    // Whether the times of its two shortest visits differ by more than those of undisturbed ones do.
    bool disagrees(const MessageStudyCase& what) const {
        constexpr double alike = 1.08;
        const auto known = times_.find(what.name());
        if (known == times_.end() || known->second.size() < 2) return false;
        std::vector<double> sorted = known->second;
        std::sort(sorted.begin(), sorted.end());
        return sorted[1] > alike * sorted[0];
    }

    std::vector<Sample> take() { return std::move(samples_); }

  private:
    using Clock = std::chrono::steady_clock;

    static MessageRunLength length_for(double expected) {
        constexpr MessageRunLength usual{0.006, 7, 1};
        constexpr MessageRunLength of_long_ones{0.006, 3, 1};
        return expected * usual.samples > usual.seconds ? of_long_ones : usual;
    }

    const Machine& machine_;
    Cores cores_;
    double distance_ = core_distance(cores_);
    std::vector<Sample> samples_;
    std::map<std::string, std::vector<double>> times_;
    std::function<void(const Sample&)> sink_;
    std::function<bool()> stopped_;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace

TimePrediction prediction_of(const Machine& machine, const MessageStudyCase& what) {
    if (what.phase == MessagePhase::ping_pong) return predict_ping_pong(machine, what.query());
    if (what.phase == MessagePhase::halo_exchange) return predict_halo_exchange(machine, what.query());
    return predict_collective(machine, name_of(what.phase), what.query());
}

std::vector<std::vector<MessageStudyCase>> message_design(const CaseLimits& limits, int rounds) {
    std::vector<std::vector<MessageStudyCase>> design(static_cast<std::size_t>(rounds));
    std::mt19937_64 random(1);
    for (const auto& [phase, cases] : shares) {
        for (const KnownProtocol& protocol : protocols()) {
            boost::random::sobol sequence(properties);
            // Sizes of another protocol lie between those of this one.
            std::array<double, properties> shift{};
            for (double& each : shift) each = std::ldexp(static_cast<double>(random() >> 11), -53);
            std::size_t taken = 0;
            const UnitNumbers next = [&] {
                const double place =
                    static_cast<double>(sequence()) / (static_cast<double>(boost::random::sobol::max()) + 1);
                const double shifted = place + shift[taken++ % properties];
                return shifted - std::floor(shifted);
            };
            for (auto& round : design) {
                for (int i = 0; i < cases; ++i) {
                    round.push_back(message_case_at(next, limits, phase, protocol.protocol));
                }
            }
        }
    }
    for (auto& round : design) std::shuffle(round.begin(), round.end(), random);
    return design;
}

std::vector<Sample> sample_messages_design(const Machine& machine, const CaseLimits& limits, double seconds,
                                           std::vector<Sample> earlier, const std::function<void(const Sample&)>& sink,
                                           const std::function<bool()>& stopped) {
    constexpr int most_rounds = 32;
    constexpr std::size_t least_rounds = 4;  // that give most surfaces points enough
    constexpr double share_of_first_visits = 0.48;
    DesignRun run(machine, std::move(earlier), sink, stopped);
    std::vector<MessageStudyCase> visited;
    const auto design = message_design(limits, most_rounds);
    for (std::size_t round = 0; round < design.size(); ++round) {
        if (round >= least_rounds && run.is_over(seconds * share_of_first_visits)) break;
        for (const MessageStudyCase& what : design[round]) {
            if (!run.is_over(seconds)) run.visit(what, 1);
        }
        visited.insert(visited.end(), design[round].begin(), design[round].end());
    }
    for (const MessageStudyCase& what : visited) {
        if (!run.is_over(seconds)) run.visit(what, 2);
    }
    constexpr int most_visits = 5;
    for (int visits = 3; visits <= most_visits; ++visits) {
        for (const MessageStudyCase& what : visited) {
            if (!run.is_over(seconds) && run.disagrees(what)) run.visit(what, visits);
        }
    }
    return run.take();
}

std::optional<Coefficient> combining_of(const Machine& machine, const std::vector<Sample>& samples) {
    constexpr std::size_t least = std::size_t{4} << 10;
    constexpr std::size_t most = std::size_t{256} << 10;
    std::vector<double> each;
    for (const auto& [name, times] : times_by_case(samples)) {
        const auto what = message_case_named(name);
        if (!what || what->phase != MessagePhase::allreduce || what->algorithm != "tree") continue;
        if (what->bytes < least || what->bytes > most) continue;
        const double combined = std::ceil(std::log2(what->ranks)) * static_cast<double>(what->bytes);
        each.push_back((lower_median(times) - prediction_of(machine, *what).time.si()) / combined);
    }
    if (each.empty()) return std::nullopt;
    const OrderEstimate found = median_estimate(each);
    if (found.value <= 0) return std::nullopt;
    return Coefficient{found.value, found.low, found.high};
}

CaseSpace message_space() {
    return {{},
            [](const Machine& machine, const std::string& name) -> std::optional<PredictedRun> {
                const auto what = message_case_named(name);
                if (!what) return std::nullopt;
                return PredictedRun{residuals_of(what->phase, std::string(name_of(what->protocol))),
                                    values_of(residual_variables(what->phase, what->query())),
                                    prediction_of(machine, *what).time.si() * what->ranks};
            },
            // Lines on their way are what short messages take; of long ones many are on their way at once.
            0.75};
}

}  // namespace narrows
