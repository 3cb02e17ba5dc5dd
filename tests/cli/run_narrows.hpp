#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace narrows {

/// What a command printed and how it ended.
struct Ran {
    int exit = 0;
    std::string out;
    std::string err;
};

/// The words of a command line as a shell splits them: at spaces, quotes hold words together.
std::vector<std::string> words_of(const std::string& command_line);

/// Runs `narrows COMMAND_LINE` in this process. Searches in networks get the time that they need on any machine, unless
/// the command says how much.
Ran run_narrows(const std::string& command_line);

/// The error with which `narrows COMMAND_LINE` refuses what was asked. Fails the test unless it exits 2 and prints
/// nothing.
std::string refusal_of(const std::string& command_line);

/// The JSON that `narrows COMMAND_LINE --format json` prints. Fails the test unless it exits 0 and prints JSON with
/// `schema` 1 and the command's name, as docs/output.schema.json says.
nlohmann::json json_from(const std::string& command_line);

/// The same without the members with which the JSON of every command begins.
nlohmann::json answer_from(const std::string& command_line);

/// docs/output.schema.json.
const nlohmann::json& output_schema();

/// Fails the test unless `json` is as docs/output.schema.json says of its command.
void check_schema(const nlohmann::json& json);

/// A folder of the test's own in which relative file names are meant; it and its files are gone at the end.
class ScratchDirectory {
  public:
    ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory();

    /// Names of the files in it, in alphabetical order.
    std::vector<std::string> files() const;

  private:
    std::filesystem::path path_;
    std::filesystem::path before_;
};

}  // namespace narrows
