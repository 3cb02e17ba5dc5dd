#include "calibrate/study/message_residuals.hpp"

#include <array>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "calibrate/measure/core_distance.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr int properties = message_properties - 2;  // of a phase and a protocol

struct Share {
    MessagePhase phase;
    int cases;  // of a round
};

constexpr std::array shares = {Share{MessagePhase::ping_pong, 2}, Share{MessagePhase::halo_exchange, 2},
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

MessageRunLength length_for(double expected) {
    constexpr MessageRunLength usual{0.006, 7, 1};
    constexpr MessageRunLength of_long_ones{0.006, 3, 1};
    return expected * usual.samples > usual.seconds ? of_long_ones : usual;
}

std::size_t taken_from(std::deque<std::size_t>& queue) {
    const std::size_t first = queue.front();
    queue.pop_front();
    return first;
}

constexpr int most_rounds = 32;
constexpr int first_rounds = 4;  // give every surface the 8 points that it needs, where all cases are predicted

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

double times_as_long(double here, double spent, double all) {
    constexpr double where_rare = 4;
    if (2 * here >= all) return 0;
    return 2 * here < spent ? where_rare : 1;
}

PhaseSampling::PhaseSampling(Machine machine, const CaseLimits& limits, double seconds, std::vector<Sample> earlier,
                             std::function<void(const Sample&)> sink, std::function<bool()> stopped)
    : machine_(std::move(machine)),
      seconds_(seconds),
      samples_(std::move(earlier)),
      sink_(std::move(sink)),
      stopped_(std::move(stopped)) {
    const std::map<std::string, std::vector<double>> known = times_by_case(samples_);
    std::set<std::string> names;
    int rounds = 0;
    for (const auto& round : message_design(limits, most_rounds)) {
        for (const MessageStudyCase& what : round) {
            if (!names.insert(what.name()).second) continue;
            const auto times = known.find(what.name());
            design_.push_back({what, times == known.end() ? std::vector<double>() : times->second});
        }
        if (++rounds == first_rounds) first_ = design_.size();
    }
    std::stable_partition(design_.begin(), design_.end(), [](const Visited& one) { return !one.times.empty(); });
    for (; begun_ < design_.size() && !design_[begun_].times.empty(); ++begun_) line_up(begun_);
}

// Whether the times of its two shortest visits differ by more than those of undisturbed ones do.
bool PhaseSampling::Visited::disagrees() const {
    constexpr double alike = 1.08;
    std::vector<double> sorted = times;
    std::ranges::sort(sorted);
    return sorted[1] > alike * sorted[0];
}

// Of five turns two are for new cases, two for those that were visited once, and one for the doubtful ones, unless
// there are none. Visits of a case are far apart: what disturbs one has passed at the next.
std::optional<std::size_t> PhaseSampling::next_case() {
    constexpr std::size_t turns = 5;
    const std::size_t turn = turns_++ % turns;
    const bool begins = begun_ < design_.size();
    const bool revisits = begun_ >= first_;
    if (turn == turns - 1 && !doubtful_.empty()) return taken_from(doubtful_);
    if ((!begins || (revisits && turn % 2 == 1)) && !once_.empty()) return taken_from(once_);
    if (begins) return begun_++;
    if (!doubtful_.empty()) return taken_from(doubtful_);
    return std::nullopt;
}

// For a further visit, if it is to have one.
void PhaseSampling::line_up(std::size_t index) {
    constexpr std::size_t most_visits = 5;
    const Visited& one = design_[index];
    if (one.times.size() == 1) once_.push_back(index);
    if (one.times.size() >= 2 && one.times.size() < most_visits && one.disagrees()) doubtful_.push_back(index);
}

void PhaseSampling::visit(Visited& one) {
    try {
        const double expected = one.times.empty() ? prediction_of(machine_, one.what).time.si() : one.times.front();
        const StudyCase run = study_case(one.what, expected, length_for(expected));
        samples_.push_back(run_in_one_state(run, cores_, distance_));
        one.times.push_back(seconds_of(samples_.back()));
        sink_(samples_.back());
    } catch (const InputError&) {  // left out
    }
}

// Seconds of the visits when cores were as far from each other as they are now.
double PhaseSampling::spent_here() const {
    double all = 0;
    double here = 0;
    for (const Sample& taken : samples_) {
        all += taken.whole_seconds;
        if (taken.core_distance == distance_ || about_as_far(taken.core_distance, distance_))
            here += taken.whole_seconds;
    }
    return all > 0 ? spent_ * here / all : 0;
}

void PhaseSampling::go_on(double seconds) {
    if (left() == 0) return;
    distance_ = core_distance(cores_);
    if (distance_ == 0 && cores_.count() > 1) return;  // others use the cores
    const double times = times_as_long(spent_here(), spent_, seconds_);
    if (times == 0) return;
    allowed_ = std::min(seconds_, allowed_ + times * seconds);
    visit_until_allowed();
}

void PhaseSampling::finish(const TimeLimit& limit) {
    distance_ = core_distance(cores_);
    allowed_ = spent_ + limit.at_most(left());
    visit_until_allowed();
}

void PhaseSampling::visit_until_allowed() {
    const TimeLimit own(0);
    const double before = spent_;
    while (spent_ < allowed_ && !stopped_()) {
        const auto next = next_case();
        if (!next) break;
        visit(design_[*next]);
        line_up(*next);
        spent_ = before + own.elapsed();
    }
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
