#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/reference_pages.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

int write_reference(const std::string& language, const std::filesystem::path& folder, const Repertoire& known,
                    Output& output) {
    const std::vector<std::string> languages = {"man", "markdown"};
    if (std::ranges::find(languages, language) == languages.end()) {
        throw InputError(fmt::format("there are no pages as '{}'{} (there are: {})", language,
                                     did_you_mean(language, languages), fmt::join(languages, ", ")));
    }
    const PageFormat format = language == "man" ? PageFormat::man : PageFormat::markdown;
    const std::vector<ReferencePage> pages = reference_pages(format, known);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    for (const auto& [file, text] : pages) write_whole_file(folder / file, text);
    output.remarks << fmt::format("wrote {} pages into {}\n", pages.size(), folder.string());
    return 0;
}

}  // namespace

Command reference_command() {
    Command command = {
        "reference",
        "pages of all commands and options, as manual pages or Markdown, written into a folder",
        {"reference man pages", "reference markdown pages"},
        [](CLI::App& app, const Arguments& arguments) {
            const auto words = std::make_shared<std::pair<std::string, std::string>>();
            app.add_option("man|markdown", words->first, "the language")->type_name("")->required();
            app.add_option("FOLDER", words->second, "made where there is none")->type_name("")->required();
            return [words, &known = arguments.known](Output& output) {
                return write_reference(words->first, words->second, known, output);
            };
        }};
    command.has_document = false;
    return command;
}

}  // namespace narrows
