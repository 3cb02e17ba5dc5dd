#include "cli/processor_costs.hpp"

#include <fmt/format.h>

#include "cli/options.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

ProcessorCosts parse_processor_costs(std::string_view text) {
    ProcessorCosts costs;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        const std::size_t equals = word.find('=');
        const std::string_view name = word.substr(0, equals);
        double* cost = name == "update"    ? &costs.update
                       : name == "send"    ? &costs.send
                       : name == "receive" ? &costs.receive
                                           : nullptr;
        if (cost == nullptr || equals == std::string_view::npos) {
            throw InputError(fmt::format("--processor: '{}': write update=1us,send=50us,receive=50us", word));
        }
        const Time time = with_option_context("--processor", [&] { return parse_time(word.substr(equals + 1)); });
        *cost = time / seconds(1);
        if (*cost < 0) throw InputError(fmt::format("--processor: '{}': give a time of 0 or more", word));
    }
    return costs;
}

}  // namespace narrows
