#include "calibrate/study/message_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "calibrate/kernels/messages/exchange.hpp"
#include "calibrate/study/case_words.hpp"
#include "calibrate/study/sampling.hpp"

namespace narrows {
namespace {

constexpr std::array phases = {MessagePhase::ping_pong, MessagePhase::halo_exchange, MessagePhase::allreduce,
                               MessagePhase::all_to_all};
constexpr std::array algorithms = {"recursive-doubling", "tree", "ring"};
constexpr std::size_t least_size = 8;
constexpr std::size_t most_size = std::size_t{16} << 20;

// `options.messages` for samples of so many messages: what kernels and sizes take off it is put on. Few are taken as
// they are.
int messages_for(const MessageOptions& options, double wanted) {
    constexpr double few = 4;
    constexpr double most = 1e9;
    constexpr int many = 1 << 20;
    if (wanted <= few) return static_cast<int>(wanted);
    MessageOptions usual = options;
    usual.messages = many;
    const double planned = message_plan(usual).samples.front().messages;
    return static_cast<int>(std::clamp(many * wanted / planned, 1.0, most));
}

}  // namespace

std::string MessageStudyCase::name() const {
    return fmt::format("{} protocol={} algorithm={} neighbours={} ranks={} bytes={}", name_of(phase), name_of(protocol),
                       algorithm, neighbours, ranks, bytes);
}

MessageQuery MessageStudyCase::query() const {
    MessageQuery query{.protocol = std::string(name_of(protocol)),
                       .payload = narrows::bytes(static_cast<double>(bytes)),
                       .nodes = 1,
                       .ranks_per_node = ranks,
                       .neighbours = neighbours};
    if (phase == MessagePhase::allreduce) query.algorithm = algorithm;
    return query;
}

MessageOptions MessageStudyCase::options() const {
    MessageOptions options{
        .kernel = message_kernel(name_of(phase)).value(), .protocol = protocol, .neighbours = neighbours};
    if (phase == MessagePhase::allreduce) choose_algorithm(options, algorithm);
    options.ranks = ranks;
    options.sizes = {bytes};
    return options;
}

std::optional<MessageStudyCase> message_case_named(const std::string& name) {
    MessageStudyCase found;
    const CaseWords words(name);
    found.neighbours = words.number("neighbours=");
    found.ranks = words.number("ranks=");
    found.bytes = words.number<std::size_t>("bytes=");
    found.phase = message_phase(words.first()).value_or(found.phase);
    const std::string algorithm = words.value("algorithm="), protocol = words.value("protocol=");
    for (const char* each : algorithms) found.algorithm = each == algorithm ? each : found.algorithm;
    for (const KnownProtocol& each : protocols()) {
        found.protocol = each.name == protocol ? each.protocol : found.protocol;
    }
    const bool is_run = found.ranks >= 2 && found.neighbours >= 0 && found.neighbours <= 2 * (found.ranks - 1) &&
                        found.bytes > 0 && (found.phase != MessagePhase::halo_exchange || found.neighbours > 0);
    if (!is_run || found.name() != name) return std::nullopt;
    return found;
}

std::optional<MessagePhase> message_phase(std::string_view name) {
    for (const MessagePhase each : phases) {
        if (name_of(each) == name) return each;
    }
    return std::nullopt;
}

MessageStudyCase message_case_at(const UnitNumbers& next, const CaseLimits& limits, MessagePhase phase,
                                 Protocol protocol) {
    const double size = next();
    const double ranks = next();
    const double kind = next();
    MessageStudyCase made;
    made.phase = phase;
    made.protocol = protocol;
    made.ranks = log_uniform<int>(ranks, 2, std::max(2, std::min(limits.workers, limits.most_ranks)));
    if (phase == MessagePhase::allreduce) {
        made.algorithm = algorithms[static_cast<std::size_t>(one_of(kind, algorithms.size()))];
    } else if (phase == MessagePhase::halo_exchange) {
        made.neighbours = 1 + one_of(kind, std::min(most_neighbours, 2 * (made.ranks - 1)));
    }
    const MessageOptions options = made.options();
    const auto of_ranks = static_cast<double>(buffer_bytes(options, 1)) * made.ranks;
    const double fits = std::clamp<double>(static_cast<double>(limits.memory) / 2 / of_ranks, least_size, most_size);
    made.bytes = log_uniform<std::size_t>(size, least_size, std::floor(fits));
    const std::size_t unit = unit_bytes(options);
    made.bytes = std::max(least_size, made.bytes / unit * unit);
    return made;
}

MessageStudyCase message_case_at(const UnitNumbers& next, const CaseLimits& limits, std::optional<MessagePhase> phase) {
    const double of_phase = next();
    const double of_protocol = next();
    return message_case_at(next, limits,
                           phase.value_or(phases[static_cast<std::size_t>(one_of(of_phase, phases.size()))]),
                           protocols()[static_cast<std::size_t>(one_of(of_protocol, protocols().size()))].protocol);
}

StudyCase study_case(const MessageStudyCase& what, double expected, const MessageRunLength& length) {
    MessageOptions options = what.options();
    constexpr double shortest = 20e-9;
    options.repeats = length.samples;
    const double wanted = length.seconds / (std::max(expected, shortest) * length.samples);
    options.messages = messages_for(options, std::max<double>(length.least, wanted));
    return study_case(what.name(), options);
}

StudyCase study_case(const std::string& name, const MessageOptions& options) {
    return {name, [name, options] {
                const MessageRun run = measure_messages(options);
                if (run.errors != 0)
                    throw std::runtime_error(name + ": messages arrived with other contents than were sent");
                Sample taken;
                taken.name = name;
                for (const TakenSample& one : run.samples) taken.updates += static_cast<std::uint64_t>(one.messages);
                taken.seconds = run.points.front().seconds.value * static_cast<double>(taken.updates);
                taken.workers = run.workers;
                taken.cpu_seconds = std::min(1.0, run.cpu_seconds / run.awake_seconds) * taken.seconds * run.workers;
                taken.involuntary_switches = run.involuntary_switches;
                return taken;
            }};
}

}  // namespace narrows
