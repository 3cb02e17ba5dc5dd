#include "model/program/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/messages/collective_rounds.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr PatternNumber bytes_each = {"bytes", Dimension::data, "", "of each message"};
constexpr PatternNumber bytes_of_pair = {"bytes", Dimension::data, "", "from each rank to each other"};
constexpr PatternNumber bytes_of_vector = {"bytes", Dimension::data, "", "of the vector"};
constexpr PatternNumber bytes_of_block = {"bytes", Dimension::data, "", "that each rank gives"};
constexpr PatternNumber wrap = {"wrap", Dimension::number, "1", "0: none goes across the ends of a dimension"};

std::int64_t whole(const PatternInputs& inputs, std::string_view name, std::int64_t least, std::int64_t most) {
    const double number = inputs.number(name);
    if (number == std::floor(number) && number >= static_cast<double>(least) && number <= static_cast<double>(most)) {
        return static_cast<std::int64_t>(number);
    }
    throw InputError(fmt::format("'{}' is {:g}: give a whole number from {} to {}", name, number, least, most));
}

bool wraps(const PatternInputs& inputs) {
    return whole(inputs, "wrap", 0, 1) == 1;
}

Data payload(const PatternInputs& inputs) {
    return bytes(std::ceil(inputs.number("bytes")));
}

// Ranks between two neighbours along the dimension.
std::int64_t stride_of(const PatternInputs& inputs) {
    std::int64_t stride = 1;
    for (int d = 0; d < inputs.along.value_or(0); ++d) stride *= inputs.grid[static_cast<std::size_t>(d)];
    return stride;
}

std::vector<Round> in_groups(const PatternInputs& inputs, const std::vector<Round>& rounds) {
    return of_groups(rounds, inputs.group(), stride_of(inputs), inputs.ranks());
}

PatternRounds compute(const PatternInputs& /*inputs*/) {
    return {};
}

template <const std::string_view& name>
PatternRounds collective(const PatternInputs& inputs) {
    const Data size = name == "barrier" ? Data() : payload(inputs);
    return {in_groups(inputs, collective_algorithm(name, inputs.algorithm).rounds(inputs.group(), size))};
}

constexpr std::string_view all_to_all = "all-to-all";
constexpr std::string_view allreduce = "allreduce";
constexpr std::string_view broadcast = "broadcast";
constexpr std::string_view allgather = "allgather";
constexpr std::string_view reduce_scatter = "reduce-scatter";
constexpr std::string_view barrier = "barrier";

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
    const std::int64_t by = whole(inputs, "by", -(std::int64_t{1} << 40), std::int64_t{1} << 40);
    const bool joined = wraps(inputs);
    if (by % ranks == 0 || (!joined && std::abs(by) >= ranks)) return {};
    return {in_groups(inputs, {{1, payload(inputs), {{ranks, 1, ranks, by % ranks, joined}}}})};
}

PatternRounds butterfly(const PatternInputs& inputs) {
    const std::int64_t ranks = inputs.group();
    const std::int64_t by = whole(inputs, "by", 1, std::int64_t{1} << 40);
    Round round{1, payload(inputs), {}};
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        if ((rank ^ by) < ranks) round.pairs.emplace_back(rank, rank ^ by);
    }
    if (round.pairs.empty()) return {};
    if (ranks == inputs.ranks()) return {{round}};
    // Groups of a grid, each with its own pairs.
    Round all{1, round.payload, {}};
    const std::int64_t stride = stride_of(inputs);
    for (std::int64_t high = 0; high < inputs.ranks(); high += ranks * stride) {
        for (std::int64_t low = high; low < high + stride; ++low) {
            for (const auto& [from, to] : round.pairs) all.pairs.emplace_back(low + from * stride, low + to * stride);
        }
    }
    return {{all}};
}

// From rank to rank through one dimension, without wrap.
Move step_along(const std::vector<int>& grid, std::size_t dimension, std::int64_t ranks, int step) {
    std::int64_t stride = 1;
    for (std::size_t d = 0; d < dimension; ++d) stride *= grid[d];
    return {ranks, stride, grid[dimension], step, false};
}

PatternRounds pipeline(const PatternInputs& inputs) {
    const double count = static_cast<double>(whole(inputs, "count", 1, std::int64_t{1} << 40));
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
    const double count = static_cast<double>(whole(inputs, "count", 1, std::int64_t{1} << 40));
    PatternRounds found{{}, 1, count, static_cast<std::int64_t>(count)};
    Round round{1, payload(inputs), {}};
    for (std::size_t d = 0; d < inputs.grid.size(); ++d) {
        if (inputs.grid[d] == 1 || (inputs.along && static_cast<int>(d) != *inputs.along)) continue;
        found.computes += inputs.grid[d] - 1;
        round.moves.push_back(step_along(inputs.grid, d, inputs.ranks(), 1));
    }
    if (round.moves.empty()) return found;
    found.times = found.computes - 1;
    found.rounds.push_back(round);
    return found;
}

const std::vector<Pattern>& all_patterns() {
    static const std::vector<Pattern> all = {
        {"compute", "computing alone", {}, true, false, compute},
        {"uniform",
         "messages to random other ranks",
         {{"count", Dimension::number, "1", "messages of each rank"}, bytes_each},
         false,
         false,
         uniform},
        {"neighbours", "a message to each neighbour in the grid", {bytes_each, wrap}, false, false, neighbours},
        {"shift",
         "a message to the rank so many on",
         {bytes_each, {"by", Dimension::number, "1", "ranks from one to the other"}, wrap},
         false,
         false,
         shift},
        {"butterfly",
         "a message to rank XOR a number",
         {bytes_each, {"by", Dimension::number, "", "the number"}},
         false,
         false,
         butterfly},
        {all_to_all, "a message to each other rank", {bytes_of_pair}, false, true, collective<all_to_all>},
        {allreduce,
         "the sum of all ranks' vectors, known to all",
         {bytes_of_vector},
         false,
         true,
         collective<allreduce>},
        {broadcast, "one rank's vector, known to all", {bytes_of_vector}, false, true, collective<broadcast>},
        {allgather, "each rank's block, known to all", {bytes_of_block}, false, true, collective<allgather>},
        {reduce_scatter,
         "the sum of all ranks' vectors, a part known to each",
         {bytes_of_vector},
         false,
         true,
         collective<reduce_scatter>},
        {barrier, "all wait for all", {}, false, true, collective<barrier>},
        {"pipeline",
         "pieces that pass all ranks in a line",
         {{"count", Dimension::number, "", "pieces"},
          {"bytes", Dimension::data, "", "of a piece, from rank to rank"},
          {"back", Dimension::data, "0", "of the piece that comes back"}},
         true,
         false,
         pipeline},
        {"wavefront",
         "blocks that pass the grid from a corner to the opposite one",
         {{"count", Dimension::number, "", "blocks of a rank"},
          {"bytes", Dimension::data, "", "of a block, along each dimension"}},
         true,
         false,
         wavefront},
    };
    return all;
}

constexpr std::array computing = {
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
    std::vector<std::string_view> names;
    for (const Pattern& pattern : patterns()) {
        if (pattern.name == name) return pattern;
        names.push_back(pattern.name);
    }
    throw InputError(fmt::format("there is no pattern '{}'{} (there are: {})", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

std::span<const PatternNumber> numbers_of_computing() {
    return computing;
}

}  // namespace narrows
