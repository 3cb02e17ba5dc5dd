#include "run_narrows.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "cli/run.hpp"
#include "data/whole_file.hpp"
#include "json_schema.hpp"

namespace narrows {

std::vector<std::string> words_of(const std::string& command_line) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (const char c : command_line) {
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            in_word = true;
        } else if (quote == 0 && c == ' ') {
            if (in_word) words.push_back(word);
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (quote != 0) throw std::logic_error("an open quote in: " + command_line);
    if (in_word) words.push_back(word);
    return words;
}

namespace {

// The machines of the user who tests are none of the tests'.
[[maybe_unused]] const int isolated = setenv("XDG_DATA_HOME", "/nowhere", 1);

// How far a search comes in the usual budget depends on the machine; what it finds in the end does not.
std::vector<std::string> with_time_for_searches(std::vector<std::string> words) {
    const bool searches = words.size() > 1 && words.front() == "topology" && !words[1].starts_with("-");
    if (searches && std::ranges::find(words, "--budget") == words.end()) {
        words.insert(words.begin() + 2, {"--budget", "3000 s"});
    }
    return words;
}

}  // namespace

Ran run_narrows(const std::string& command_line) {
    std::ostringstream out;
    std::ostringstream err;
    std::ostringstream progress;  // how far work has come is only told where it is slow
    Ran ran;
    ran.exit = run(with_time_for_searches(words_of(command_line)), out, err, progress);
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}

std::string refusal_of(const std::string& command_line) {
    const Ran ran = run_narrows(command_line);
    CAPTURE(command_line, ran.out, ran.err);
    CHECK(ran.exit == 2);
    CHECK(ran.out.empty());
    return ran.err;
}

nlohmann::json json_from(const std::string& command_line) {
    CAPTURE(command_line);
    const Ran ran = run_narrows(command_line + " --format json");
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    nlohmann::json json = nlohmann::json::parse(ran.out);
    CHECK(json.at("schema") == 1);
    CHECK(json.at("command") == words_of(command_line).front());
    check_schema(json);
    return json;
}

nlohmann::json answer_from(const std::string& command_line) {
    nlohmann::json json = json_from(command_line);
    for (const char* of_document : {"schema", "command", "version", "set", "inputs"}) json.erase(of_document);
    return json;
}

const nlohmann::json& output_schema() {
    static const nlohmann::json schema = nlohmann::json::parse(read_whole_file(NARROWS_OUTPUT_SCHEMA));
    return schema;
}

void check_schema(const nlohmann::json& json) {
    const nlohmann::json& schema = output_schema();
    const std::string command = json.at("command");
    const std::vector<std::string> violations =
        schema_violations(schema, schema.at("$defs").at(command), json, command);
    CAPTURE(violations);
    CHECK(violations.empty());
}

ScratchDirectory::ScratchDirectory() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "narrows-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + name);
    path_ = name;
    std::filesystem::current_path(path_);
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> ScratchDirectory::files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(path_))
        names.push_back(file.path().filename().string());
    std::ranges::sort(names);
    return names;
}

}  // namespace narrows
