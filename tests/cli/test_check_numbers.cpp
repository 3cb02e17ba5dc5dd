#include <catch2/catch.hpp>
#include <limits>

#include "cli/check_numbers.hpp"

namespace narrows {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const Document& document) {
    try {
        check_numbers(document);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

Document with(const nlohmann::ordered_json& json) {
    Document document;
    document.json = json;
    return document;
}

}  // namespace

TEST_CASE("numbers of a result: finite, and no time or rate below zero") {
    CHECK(refusal(with({{"seconds", 0.5}, {"result", {{"unit", "1/s"}, {"value", 3}, {"low", nullptr}}}})).empty());
    CHECK(refusal(with({{"fit", {{"value", -1.0}}}, {"relative_error", -0.5}})).empty());
    CHECK(refusal(with({{"loads", {{"mean_hops", nan}}}}))
              .starts_with("the result is not printed because loads.mean_hops is not finite: "));
    CHECK(refusal(with({{"rows", {1.0, -infinity}}})).find("because rows.1 is not finite") != std::string::npos);
    CHECK(refusal(with({{"seconds", -0.5}})).find("because seconds is below zero") != std::string::npos);
    CHECK(refusal(with({{"result", {{"unit", "1/s"}, {"value", -3}}}})).find("because result.value is below zero") !=
          std::string::npos);
}

TEST_CASE("numbers of a result: those of its tables too") {
    Document document = with({});
    document.tables.push_back({"", {"N", "GUPS"}, {{count_cell(1), number_cell(infinity)}}});
    CHECK(refusal(document).find("because 'GUPS' of a table is not finite") != std::string::npos);
    document.tables.front().rows = {{count_cell(1), "-"}};
    CHECK(refusal(document).empty());
}

}  // namespace narrows
