#include "model/program/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/messages/collective_rounds.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr PatternNumber bytes_each = {"bytes", Dimension::data, "", "of each message"};
constexpr PatternNumber bytes_of_pair = {"bytes", Dimension::data, "", "from each rank to each other"};
constexpr PatternNumber bytes_of_vector = {"bytes", Dimension::data, "", "of the vector"};
constexpr PatternNumber bytes_of_block = {"bytes", Dimension::data, "", "that each rank gives"};
constexpr std::int64_t most_whole = std::int64_t{1} << 40;
constexpr PatternNumber wrap = {
    "wrap", Dimension::number, "1", "0: none goes across the ends of a dimension", {{0, 1}}};

bool wraps(const PatternInputs& inputs) {
    return inputs.number("wrap") == 1;
}

std::int64_t whole(const PatternInputs& inputs, std::string_view name) {
    return static_cast<std::int64_t>(inputs.number(name));
}

Data payload(const PatternInputs& inputs) {
    return bytes(std::ceil(inputs.number("bytes")));
}

// Ranks between two neighbours along the dimension.
std::int64_t stride_of(const std::vector<int>& grid, int dimension) {
    std::int64_t stride = 1;
    for (int d = 0; d < dimension; ++d) stride *= grid[static_cast<std::size_t>(d)];
    return stride;
}

std::vector<Round> in_groups(const PatternInputs& inputs, const std::vector<Round>& rounds) {
    return of_groups(rounds, inputs.group(), stride_of(inputs.grid, inputs.along.value_or(0)), inputs.ranks());
}

PatternRounds compute(const PatternInputs& /*inputs*/) {
    return {};
}

PatternRounds collective(const PatternInputs& inputs) {
    const Data size = inputs.numbers.contains("bytes") ? payload(inputs) : Data();
    // Of a group's ranks, so many in a row are of a node.
    const std::int64_t stride = stride_of(inputs.grid, inputs.along.value_or(0));
    const std::int64_t of_node = inputs.ranks_per_node % stride == 0 ? inputs.ranks_per_node / stride : 1;
    return {
        in_groups(inputs, collective_rounds(inputs.pattern->name, inputs.algorithm, inputs.group(), size, of_node))};
}

PatternRounds listed(const PatternInputs& inputs) {
    const RankMessages& file = *inputs.messages;
    if (file.largest >= inputs.ranks()) {
        file.largest_at.fail(fmt::format("there is no rank {}: the {} ranks have the numbers 0 to {}", file.largest,
                                         inputs.ranks(), inputs.ranks() - 1));
    }
    std::vector<RankPair> messages;
    for (const RankMessages::Message& message : file.messages) {
        messages.push_back({message.from, message.to, bytes(std::ceil(message.amount * inputs.number("bytes")))});
    }
    return {matched_rounds(std::move(messages))};
}

PatternRounds uniform(const PatternInputs& inputs) {
    const std::int64_t others = inputs.group() - 1;
    if (others == 0) return {};
    return {in_groups(inputs, all_to_all_rounds(others + 1, payload(inputs))),
            inputs.number("count") / static_cast<double>(others)};
}

PatternRounds neighbours(const PatternInputs& inputs) {
    const bool joined = wraps(inputs);
    int count = 0;
    std::vector<int> grid = inputs.grid;
    if (inputs.along) grid = {static_cast<int>(inputs.group())};
    for (const int size : grid) count += std::min(size - 1, 2);
    if (count == 0) return {};
    const Round round = halo_round(grid, std::vector<bool>(grid.size(), joined), count, payload(inputs));
    return {in_groups(inputs, {round})};
}

PatternRounds shift(const PatternInputs& inputs) {
    const std::int64_t ranks = inputs.group();
    const std::int64_t by = whole(inputs, "by");
    const bool joined = wraps(inputs);
    if (by % ranks == 0 || (!joined && std::abs(by) >= ranks)) return {};
    return {in_groups(inputs, {{1, payload(inputs), {{ranks, 1, ranks, by % ranks, joined}}}})};
}

PatternRounds butterfly(const PatternInputs& inputs) {
    const std::int64_t ranks = inputs.group();
    const std::int64_t by = whole(inputs, "by");
    Round round{1, payload(inputs), {}};
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        if ((rank ^ by) < ranks) round.pairs.push_back({rank, rank ^ by, round.payload});
    }
    if (round.pairs.empty()) return {};
    return {in_groups(inputs, {round})};
}

PatternRounds pipeline(const PatternInputs& inputs) {
    const double count = inputs.number("count");
    const std::int64_t ranks = inputs.group();
    PatternRounds found{{}, 1, count + static_cast<double>(ranks - 1), static_cast<std::int64_t>(count)};
    if (ranks == 1) return found;
    found.times = found.computes - 1;
    const auto add = [&](double size, int step) {
        found.rounds.push_back({1, bytes(std::ceil(size)), {{ranks, 1, ranks, step, false}}});
    };
    add(inputs.number("bytes"), 1);
    if (inputs.number("back") > 0) add(inputs.number("back"), -1);
    found.rounds = in_groups(inputs, found.rounds);
    return found;
}

PatternRounds wavefront(const PatternInputs& inputs) {
    const double count = inputs.number("count");
    PatternRounds found{{}, 1, count, static_cast<std::int64_t>(count)};
    Round round{1, payload(inputs), {}};
    for (int d = 0; d < static_cast<int>(inputs.grid.size()); ++d) {
        const int size = inputs.grid[static_cast<std::size_t>(d)];
        if (size == 1 || (inputs.along && d != *inputs.along)) continue;
        found.computes += size - 1;
        round.moves.push_back({inputs.ranks(), stride_of(inputs.grid, d), size, 1, false});
    }
    if (round.moves.empty()) return found;
    found.times = found.computes - 1;
    found.rounds.push_back(round);
    return found;
}

const std::vector<Pattern>& all_patterns() {
    static const std::vector<Pattern> all = {
        {.name = "compute", .help = "computing alone", .computes = true, .has_messages = false, .rounds = compute},
        {.name = "uniform",
         .help = "messages to random other ranks",
         .numbers = {{"count", Dimension::number, "1", "messages of each rank"}, bytes_each},
         .draws = true,
         .measured = MessagePhase::all_to_all,
         .rounds = uniform},
        {.name = "neighbours",
         .help = "a message to each neighbour in the grid",
         .numbers = {bytes_each, wrap},
         .measured = MessagePhase::halo_exchange,
         .rounds = neighbours},
        {.name = "shift",
         .help = "a message to the rank so many on",
         .numbers = {bytes_each,
                     {"by", Dimension::number, "1", "ranks from one to the other", {{-most_whole, most_whole}}},
                     wrap},
         .measured = MessagePhase::halo_exchange,
         .rounds = shift},
        {.name = "butterfly",
         .help = "a message to rank XOR a number",
         .numbers = {bytes_each, {"by", Dimension::number, "", "the number", {{1, most_whole}}}},
         .measured = MessagePhase::halo_exchange,
         .rounds = butterfly},
        {.name = "permutation",
         .help = "the messages of a file's lines 'from to', of each rank one at most",
         .numbers = {bytes_each},
         .has_groups = false,
         .file = PatternFile::permutation,
         .rounds = listed},
        {.name = "matrix",
         .help = "the messages of a file's lines 'from to amount'",
         .numbers = {{"bytes", Dimension::data, "1 B", "of an amount of one"}},
         .has_groups = false,
         .file = PatternFile::matrix,
         .rounds = listed},
        {.name = "all-to-all",
         .help = "a message to each other rank",
         .numbers = {bytes_of_pair},
         .has_algorithms = true,
         .rounds = collective},
        {.name = "allreduce",
         .help = "the sum of all ranks' vectors, known to all",
         .numbers = {bytes_of_vector},
         .has_algorithms = true,
         .rounds = collective},
        {.name = "broadcast",
         .help = "one rank's vector, known to all",
         .numbers = {bytes_of_vector},
         .has_algorithms = true,
         .rounds = collective},
        {.name = "allgather",
         .help = "each rank's block, known to all",
         .numbers = {bytes_of_block},
         .has_algorithms = true,
         .rounds = collective},
        {.name = "reduce-scatter",
         .help = "the sum of all ranks' vectors, a part known to each",
         .numbers = {bytes_of_vector},
         .has_algorithms = true,
         .rounds = collective},
        {.name = "barrier", .help = "all wait for all", .has_algorithms = true, .rounds = collective},
        {.name = "pipeline",
         .help = "pieces that pass all ranks in a line",
         .numbers = {{"count", Dimension::number, "", "pieces", {{1, most_whole}}},
                     {"bytes", Dimension::data, "", "of a piece, from rank to rank"},
                     {"back", Dimension::data, "0", "of the piece that comes back"}},
         .computes = true,
         .rounds = pipeline},
        {.name = "wavefront",
         .help = "blocks that pass the grid from a corner to the opposite one",
         .numbers = {{"count", Dimension::number, "", "blocks of a rank", {{1, most_whole}}},
                     {"bytes", Dimension::data, "", "of a block, along each dimension"}},
         .computes = true,
         .rounds = wavefront},
    };
    return all;
}

constexpr std::array compute_numbers = {
    PatternNumber{"time", Dimension::time, "0", "of a rank, whatever the machine"},
    PatternNumber{"flops", Dimension::number, "0",
                  "floating-point operations of a rank (compute.flops of the machine)"},
    PatternNumber{"memory", Dimension::data, "0", "that a rank moves to and from its node's memory"},
};

}  // namespace

std::int64_t PatternInputs::ranks() const {
    return shape_nodes(grid);
}

std::int64_t PatternInputs::group() const {
    return along ? grid[static_cast<std::size_t>(*along)] : ranks();
}

std::span<const Pattern> patterns() {
    return all_patterns();
}

const Pattern& pattern_named(const std::string& name) {
    return record_called(name, patterns(), "there is no pattern", Offered::all);
}

std::span<const PatternNumber> numbers_of_computing() {
    return compute_numbers;
}

}  // namespace narrows
