#include "topologies/spec.hpp"

#include <fmt/format.h>

#include <sstream>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

void add_word(TopologySpec& spec, const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
        if (spec.size) {
            throw InputError(
                fmt::format("topology '{}' has two sizes, '{}' and '{}': give one", spec.family, *spec.size, word));
        }
        spec.size = word;
        return;
    }
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (name.empty() || value.empty()) {
        throw InputError(fmt::format("'{}' in topology '{}' is not name=value: write it without spaces around '='",
                                     word, spec.family));
    }
    if (!spec.parameters.emplace(name, value).second) {
        throw InputError(fmt::format("topology '{}' has two values of '{}': give one", spec.family, name));
    }
}

}  // namespace

TopologySpec split_spec(std::string_view text) {
    std::istringstream words{std::string(text)};
    TopologySpec spec;
    if (!(words >> spec.family)) {
        throw InputError("a topology's specification is empty: write one like 'torus 64x32x32'");
    }
    for (std::string word; words >> word;) add_word(spec, word);
    return spec;
}

std::int64_t TopologySpec::count(const std::string& name, std::int64_t low, std::int64_t high,
                                 std::int64_t otherwise) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? otherwise : parse_count(found->second, name, low, high);
}

}  // namespace narrows
