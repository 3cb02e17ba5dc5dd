#include "cli/cell_functions.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/given_network.hpp"
#include "cli/gups_workload.hpp"
#include "cli/repertoire.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// The words of a workload, as `predict` takes them.
class Asked {
  public:
    explicit Asked(const CellCall& call) : arguments_(words_of(call)), workload_(app_, arguments_) {
        try {
            app_.parse(std::vector<std::string>(arguments_.rbegin(), arguments_.rend()));
        } catch (const CLI::ParseError& error) {
            throw InputError(error.what());
        }
        nodes_ = chosen_nodes(workload_.words(), call.machine());
    }
    const Workload& workload() const { return workload_.workload(); }
    const OptionWords& words() const { return workload_.words(); }
    std::int64_t nodes() const { return nodes_; }

  private:
    static Arguments words_of(const CellCall& call) {
        std::istringstream text(call.words(0));
        std::vector<std::string> words;
        for (std::string word; text >> word;) words.push_back(word);
        words.insert(words.end(), {"-m", call.machine().id});
        return {words, repertoire()};
    }

    CLI::App app_;
    Arguments arguments_;
    AskedWorkload workload_;
    std::int64_t nodes_ = 1;
};

// What `predict` says: its value, a bound or a term, or a number of its JSON.
Amount predicted_amount(const CellCall& call) {
    const std::string part = call.arguments.size() > 1 ? call.words(1) : "";
    const std::string key =
        fmt::format("{}|{}|{}|{}", call.words(0), part, call.machine_name, fmt::join(call.changes, "|"));
    return call.values.once(key, [&]() -> Amount {
        const Asked asked(call);
        const Workload& workload = asked.workload();
        const int seconds = workload.is_rate ? -1 : 1;
        if (part.empty())
            return {workload.outcome(asked.words(), call.machine(), asked.nodes())(call.machine()).value, seconds};
        const Answer answer = workload.answer(asked.words(), call.machine(), asked.nodes(), {});
        std::vector<std::string> names;
        for (const Part& one : answer.parts) {
            if (one.name == part) return {one.value, seconds};
            names.push_back(one.name);
        }
        if (answer.json.contains(part) && answer.json[part].is_number()) return {answer.json[part].get<double>()};
        throw InputError(fmt::format("the prediction has no '{}' (its parts: {})", part, fmt::join(names, ", ")));
    });
}

// RandomAccess as a paper has it that takes every destination for remote and leaves the memory's bandwidth out.
Amount remote_updates(const CellCall& call) {
    const Asked asked(call);
    GupsQuery query = chosen_query(asked.words(), call.machine(), asked.nodes());
    query.without_memory = query.all_remote = true;
    return Amount::of(predict_gups(call.machine(), query).rate);
}

// α from nothing but the list of links. Where searching takes longer, the links are recognised as a grid's first.
Amount alpha_of_links(const CellCall& call) {
    constexpr std::int64_t searched_nodes = 512;
    const Topology network = partition(call.machine(), call.count(0));
    AnalysisOptions options{.threads = search_threads(), .recognise = network.nodes() > searched_nodes};
    const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
    const Bracket found = analyse(network.graph(), nothing, options).numbers.alpha;
    call.values.method = found.method;
    return {found.exact() ? found.upper : 0};
}

}  // namespace

const CellLanguage& cell_language() {
    static const CellLanguage language = [] {
        CellLanguage made{model_functions(), with_changes};
        made.functions.push_back({"predict", 1, 2, "WORDS, BOUND OR TERM", predicted_amount});
        made.functions.push_back({"remote_updates", 1, 1, "WORDS", remote_updates});
        made.functions.push_back({"alpha_of_links", 1, 1, "NODES", alpha_of_links});
        return made;
    }();
    return language;
}

}  // namespace narrows
