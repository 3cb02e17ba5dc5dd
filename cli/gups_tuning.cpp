#include "cli/gups_tuning.hpp"

#include "cli/choice_tuning.hpp"
#include "cli/gups_workload.hpp"
#include "model/gups/tune.hpp"
#include "topologies/shape.hpp"

namespace narrows {

Document tuned_gups(const Workload& workload, const OptionWords& words, const Machine& machine,
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
        OptionWords routed = words;
        routed["--variant"] = code;
        routed["--shape"].clear();
        routed["--bucket"].clear();
        const Placement usual = place(machine, chosen_query(routed, machine, nodes));
        std::vector<std::string> shapes;
        for (const std::vector<int>& shape : routed_shapes(usual)) shapes.push_back(format_shape(shape));
        for (const std::string& shape : asked_or(words, "--shape", shapes)) {
            std::vector<std::string> buckets;
            for (const int bucket : routed_buckets(parse_shape(shape))) buckets.push_back(std::to_string(bucket));
            for (const std::string& bucket : asked_or(words, "--bucket", buckets)) {
                choices.words.push_back({code, shape, bucket});
            }
        }
    }
    if (choices.words.empty()) chosen_variant(words, machine);  // says what is missing
    return tuned_choices(workload, words, machine, choices, progress);
}

}  // namespace narrows
