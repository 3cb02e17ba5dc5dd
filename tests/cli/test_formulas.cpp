#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/workload_file.hpp"
#include "model/program/expression.hpp"
#include "run_narrows.hpp"

// Every formula that a prediction prints is evaluated from the symbols beside it.
namespace narrows {
namespace {

// Predictions of all workloads and files for a machine; those that it cannot answer fail.
std::vector<std::string> commands(const std::string& machine) {
    std::vector<std::string> all;
    const auto add = [&](const std::string& words) { all.push_back(fmt::format("predict {} -m {}", words, machine)); };
    for (const Workload& workload : repertoire().workloads) {
        if (workload.name == "gups") {
            for (const char* variant : {"naive", "bucketed", "routed", "shmem", "sequential"}) {
                add(fmt::format("gups -n {} --variant {}", std::string("sequential") == variant ? 1 : 8, variant));
            }
            add("gups -n 32 --bucket 4");
            continue;
        }
        const auto has = [&](const char* option) {
            return std::ranges::any_of(workload.options, [option](const Option& one) { return one.name() == option; });
        };
        const std::string words =
            workload.name + (has("--nodes") ? " -n 2" : "") + (has("--neighbours") ? " --neighbours 2" : "");
        add(words);
        if (has("--bytes")) add(words + " --bytes 100000");
    }
    for (const std::string& file : workload_file_names()) add(file + " -n 4");
    return all;
}

double evaluated(const nlohmann::json& formula) {
    Amounts known;
    for (const nlohmann::json& symbol : formula.at("symbols")) {
        CHECK(!symbol.at("meaning").get<std::string>().empty());
        const std::string unit = symbol.at("unit");
        known[symbol.at("name")] = unit == "1"
                                       ? Amount{symbol.at("value").get<double>(), 0, 0}
                                       : Amount::parse(fmt::format("{} {}", symbol.at("value").get<double>(), unit));
    }
    const Expression expression(formula.at("formula").get<std::string>());
    CHECK(expression.names().size() == known.size());  // none is there that the formula has not
    return expression.at(known).value;
}

void check_formulas(const std::string& command, std::size_t& checked) {
    CAPTURE(command);
    const Ran ran = run_narrows(command + " --format json");
    if (ran.exit != 0) return;
    const nlohmann::json json = nlohmann::json::parse(ran.out);
    const std::string explained = run_narrows(command + " --explain").out;
    for (const char* key : {"bounds", "formulas"}) {
        for (const nlohmann::json& formula : json.value(key, nlohmann::json::array())) {
            CAPTURE(formula.dump());
            const auto value = formula.at("value").get<double>();
            CHECK(evaluated(formula) == Approx(value).epsilon(1e-9).margin(1e-30));
            CHECK(explained.find(formula.at("formula").get<std::string>() + " = ") != std::string::npos);
            for (const nlohmann::json& symbol : formula.at("symbols")) {
                CHECK(explained.find(symbol.at("meaning").get<std::string>()) != std::string::npos);
            }
            ++checked;
        }
    }
}

}  // namespace

TEST_CASE("every formula gives its value from its symbols, all of which --explain defines") {
    std::size_t checked = 0;
    for (const std::string& machine : machine_ids()) {
        for (const std::string& command : commands(machine)) check_formulas(command, checked);
    }
    CHECK(checked > 400);
}

}  // namespace narrows
