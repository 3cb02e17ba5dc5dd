#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "model/schema.hpp"

namespace narrows {

TEST_CASE("schema.md mentions every place of a machine file with its meaning") {
    const std::string document = read_whole_file(data_directory() / "schema.md");
    for (const SchemaRow& row : schema()) {
        INFO(row.path);
        const auto line = document.find("| `" + std::string(row.path) + "` |");
        REQUIRE(line != std::string::npos);
        CHECK(document.substr(line, document.find('\n', line) - line).find(row.help) != std::string::npos);
    }
}

TEST_CASE("the example in schema.md is a machine file") {
    const std::string document = read_whole_file(data_directory() / "schema.md");
    const auto start = document.find("```yaml\n") + 8;
    const Machine machine =
        parse_machine(document.substr(start, document.find("```", start) - start), "schema.md", "mine");
    CHECK(machine.name == "My cluster");
    CHECK(machine.parameters.size() == 15);
}

}  // namespace narrows
