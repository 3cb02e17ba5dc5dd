#include "calibrate/kernels/program/program_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Of all ranks together: some 100 bytes each.
constexpr double most_messages = 1 << 24;

class Maker {
  public:
    explicit Maker(int ranks) : ranks_(ranks) { made_.phases.resize(static_cast<std::size_t>(ranks)); }

    void add(const PhaseWork& phase) {
        RankPhase common;
        common.seconds = phase.compute.seconds;
        constexpr double most_work = 1e15;
        constexpr double most_times = 1e9;
        common.flops = whole(up_to(phase, "operations", phase.compute.flops, most_work));
        common.memory = whole(up_to(phase, "bytes of memory", phase.compute.memory, most_work));
        common.pieces =
            static_cast<std::int64_t>(up_to(phase, "pieces", static_cast<double>(phase.pieces), most_times));
        if (phase.repeat != std::floor(phase.repeat)) {
            phase.origin.fail(fmt::format("phase '{}' repeats {:g} times: to be run it must be a whole number",
                                          phase.name, phase.repeat));
        }
        common.overlap = phase.overlap;
        common.repeat = static_cast<std::int64_t>(up_to(phase, "repetitions", phase.repeat, most_times));
        made_.most_memory = std::max(made_.most_memory, common.memory);
        for (auto& own : made_.phases) own.push_back(common);
        for (const Round& round : phase.rounds) add_round(phase, round);
        for (auto& own : made_.phases) {
            if (own.back().steps.empty()) continue;
            // Of all ranks in the same order, so that each round still is one.
            if (phase.pattern != nullptr && phase.pattern->draws)
                std::shuffle(own.back().steps.begin(), own.back().steps.end(), std::mt19937_64());
            const double steps = static_cast<double>(own.back().steps.size()) * phase.times;
            const auto count = static_cast<std::uint64_t>(std::round(up_to(phase, "messages", steps, most_times)));
            constexpr double exact = 1e-6;
            if (std::abs(steps - static_cast<double>(count)) > exact) {
                phase.origin.fail(fmt::format("phase '{}' has {:g} messages of a rank: to be run give a whole number",
                                              phase.name, steps));
            }
            own.back().turns = count / own.back().steps.size();
            own.back().rest = count % own.back().steps.size();
        }
        for (const char letter : phase.name) mix(static_cast<std::uint64_t>(letter));
        for (const double number : {phase.compute.seconds, phase.compute.flops, phase.compute.memory, phase.times,
                                    phase.repeat, static_cast<double>(phase.overlap)}) {
            mix(std::hash<double>()(number));
        }
    }

    std::shared_ptr<const ProgramRanks> take() { return std::make_shared<const ProgramRanks>(std::move(made_)); }

  private:
    static double up_to(const PhaseWork& phase, const char* of_what, double number, double most) {
        if (number <= most) return number;
        phase.origin.fail(
            fmt::format("phase '{}' has {:g} {}: to be run give at most {:g}", phase.name, number, of_what, most));
    }
    static std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::ceil(number)); }

    void mix(std::uint64_t word) { made_.digest = (made_.digest ^ word) * 0x9e3779b97f4a7c15U + (made_.digest >> 29); }

    // A column of steps, one for each rank, for each move of each turn.
    void add_round(const PhaseWork& phase, const Round& round) {
        for (double k = 0; k < round.times; ++k) {
            for (const Move& move : round.moves) {
                Round one{1, round.payload, {move}, round.combines};
                if (round.rotates) one.moves.front().step += static_cast<std::int64_t>(k);
                add_column(phase, one);
            }
            if (!round.pairs.empty()) add_column(phase, {1, round.payload, {}, round.combines, false, round.pairs});
        }
    }

    // Messages of which a rank sends one and receives one at most.
    void add_column(const PhaseWork& phase, const Round& one) {
        messages_ += ranks_;
        if (messages_ > most_messages) {
            phase.origin.fail(
                fmt::format("phase '{}' has more than {:.0f} messages of all ranks: to run it give fewer ranks",
                            phase.name, most_messages));
        }
        ProgramStep nothing;
        nothing.combines = one.combines;
        constexpr double most_payload = 0x1p40;  // more than any process can send
        const auto bytes_of = [&phase](Data payload) {
            return whole(up_to(phase, "bytes a message", payload.si(), most_payload));
        };
        made_.most_bytes = std::max(made_.most_bytes, bytes_of(one.payload));
        for (auto& own : made_.phases) own.back().steps.push_back(nothing);
        for_each_message(one, ranks_, [&](std::int64_t from, std::int64_t to, Data payload) {
            if (step(from).to >= 0 || step(to).from >= 0) throw std::logic_error("two messages of a rank at once");
            step(from).to = static_cast<std::int32_t>(to);
            step(to).from = static_cast<std::int32_t>(from);
            step(from).bytes = step(to).bytes_in = bytes_of(payload);
            mix(static_cast<std::uint64_t>(from * ranks_ + to));
            mix(step(from).bytes);
        });
        choose_who_sends_first();
    }

    // Sends may wait for their receives: along every chain and ring of messages one of each two ranks sends first, but
    // perhaps where a ring closes.
    void choose_who_sends_first() {
        std::vector<bool> known(static_cast<std::size_t>(ranks_));
        const auto follow = [&](std::int64_t rank) {
            for (bool first = true; rank >= 0 && !known[static_cast<std::size_t>(rank)]; first = !first) {
                known[static_cast<std::size_t>(rank)] = true;
                step(rank).sends_first = first;
                rank = step(rank).to;
            }
        };
        for (std::int64_t rank = 0; rank < ranks_; ++rank) {
            if (step(rank).from < 0) follow(rank);
        }
        for (std::int64_t rank = 0; rank < ranks_; ++rank) follow(rank);
    }

    ProgramStep& step(std::int64_t rank) { return made_.phases[static_cast<std::size_t>(rank)].back().steps.back(); }

    int ranks_;
    double messages_ = 0;
    ProgramRanks made_;
};

}  // namespace

std::shared_ptr<const ProgramRanks> program_ranks(const std::vector<PhaseWork>& phases, int ranks) {
    Maker maker(ranks);
    for (const PhaseWork& phase : phases) maker.add(phase);
    return maker.take();
}

}  // namespace narrows
