#include "cli/counters_csv.hpp"

#include <fmt/format.h>

#include <map>

namespace narrows {
namespace {

std::string unit_of(const std::string& counter) {
    static const std::map<std::string, std::string> units = {{"grind_time", "s"}, {"message_bytes", "B"}};
    const auto found = units.find(counter);
    return found != units.end() ? found->second : "1";
}

TableCell value(const nlohmann::ordered_json& json) {
    return {"", {nlohmann::json(json)}};
}

}  // namespace

Table counters_csv(const nlohmann::ordered_json& run) {
    Table table{"", {"counter", "value", "unit"}, {}};
    const auto& result = run.at("result");
    table.rows.push_back({value(result.at("quantity")), value(result.at("value")), value(result.at("unit"))});
    table.rows.push_back({"seconds", value(run.at("seconds")), "s"});
    table.rows.push_back({"errors", run.at("verified") ? value(run.at("errors")) : "-", "1"});
    for (const auto& [name, counter] : run.at("counters").items()) {
        if (!counter.is_structured()) table.rows.push_back({name, value(counter), unit_of(name)});
    }
    return table;
}

Table counters_table(const nlohmann::ordered_json& counters, int digits) {
    Table table{"", {"counter", "value"}, {}};
    for (const auto& [name, counter] : counters.items()) {
        if (counter.is_null()) continue;
        table.rows.push_back({name, counter.is_number_float() ? fmt::format("{:.{}g}", counter.get<double>(), digits)
                                    : counter.is_string()     ? counter.get<std::string>()
                                                              : counter.dump()});
    }
    return table;
}

}  // namespace narrows
