#include "cli/gups_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/choice_tuning.hpp"
#include "cli/gups_workload.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/routed.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// Shapes of so many places by rising sizes of at least `least`, behind those that `first` has. Those of which no bucket
// would hold an update are left out.
void add_shapes(std::vector<std::vector<int>>& shapes, std::vector<int> first, std::int64_t places, std::int64_t least,
                int dimensions) {
    if (places <= held_updates && places >= least) {
        shapes.push_back(first);
        shapes.back().push_back(static_cast<int>(places));
    }
    if (dimensions == 1) return;
    first.push_back(0);
    for (std::int64_t size = least; size * size <= places && size <= held_updates; ++size) {
        if (places % size != 0) continue;
        first.back() = static_cast<int>(size);
        add_shapes(shapes, first, places / size, size, dimensions - 1);
    }
}

// The usual shape first, then all of up to four dimensions, and those whose first one is a node.
std::vector<std::string> shapes_to_try(const Placement& usual) {
    constexpr int most_dimensions = 4;
    std::vector<std::vector<int>> shapes = {usual.shape};
    add_shapes(shapes, {}, usual.ranks(), 2, most_dimensions);
    if (usual.nodes > 1 && usual.ranks_per_node > 1 && usual.ranks_per_node <= held_updates) {
        add_shapes(shapes, {static_cast<int>(usual.ranks_per_node)}, usual.nodes, 2, most_dimensions - 1);
    }
    const std::size_t dimensions = usual.network.shape().size();
    std::vector<std::string> texts;
    for (const std::vector<int>& shape : shapes) {
        // A shape of the nodes with the network's dimensions is another network.
        const bool bends = usual.nodes > 1 && shape_nodes(shape) == usual.nodes && shape.size() == dimensions;
        const std::string text = format_shape(shape);
        const bool is_new = std::find(texts.begin(), texts.end(), text) == texts.end();
        if (is_new && (!bends || shape == usual.shape)) texts.push_back(text);
    }
    return texts;
}

// The largest bucket of a shape, and its halves.
std::vector<std::string> buckets_to_try(const std::string& shape) {
    std::vector<std::string> buckets;
    for (int bucket = routed_bucket(parse_shape(shape)); bucket > 0; bucket /= 2) {
        buckets.push_back(std::to_string(bucket));
    }
    return buckets;
}

}  // namespace

Document tuned_gups(const Workload& workload, const WorkloadWords& words, const Machine& machine,
                    const ReportProgress& progress) {
    const std::int64_t nodes = chosen_nodes(words, machine);
    std::vector<std::string> codes;
    for (const GupsCode code : gups_variants(machine)) codes.emplace_back(name_of(code));
    Choices choices{{"--variant", "--shape", "--bucket"}, {}};
    for (const std::string& code : asked_or(words, "--variant", codes)) {
        if (code != name_of(GupsCode::routed)) {
            choices.words.push_back({code, words["--shape"], words["--bucket"]});
            continue;
        }
        WorkloadWords routed = words;
        routed["--variant"] = code;
        routed["--shape"].clear();
        routed["--bucket"].clear();
        const Placement usual = place(machine, chosen_query(routed, machine, nodes));
        for (const std::string& shape : asked_or(words, "--shape", shapes_to_try(usual))) {
            for (const std::string& bucket : asked_or(words, "--bucket", buckets_to_try(shape))) {
                choices.words.push_back({code, shape, bucket});
            }
        }
    }
    if (choices.words.empty()) chosen_variant(words, machine);  // says what is missing
    return tuned_choices(workload, words, machine, choices, progress);
}

}  // namespace narrows
