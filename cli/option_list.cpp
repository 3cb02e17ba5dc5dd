#include "cli/option_list.hpp"

#include <sstream>

namespace narrows {
namespace {

ListedOption listed(const CLI::Option& option) {
    ListedOption found;
    found.positional = option.get_positional();
    if (found.positional) found.names.push_back(option.get_single_name());
    for (const std::string& name : option.get_snames()) found.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) found.names.push_back("--" + name);
    const bool is_flag = option.get_type_size() == 0;
    const std::string& text = option.get_option_text();
    if (!is_flag) found.takes = text.empty() ? option.get_type_name() : text.substr(0, text.find(" ..."));
    if (found.positional) found.takes = found.names.front();
    found.help = option.get_description();
    found.required = option.get_required();
    found.repeats = option.get_items_expected_max() > 1 && option.get_allow_extra_args();
    return found;
}

}  // namespace

std::vector<ListedOption> option_list(const Command& command, const std::vector<std::string>& words,
                                      const Repertoire& known) {
    std::ostringstream unused;
    Output output{unused, unused, unused, unused, "", ""};
    CLI::App app(command.summary, command.name);
    add_command(app, command, {words, known}, output);
    std::vector<ListedOption> found;
    for (const CLI::Option* option : app.get_options()) found.push_back(listed(*option));
    return found;
}

std::vector<ListedOption> option_list(const Options& options) {
    CLI::App app;
    app.set_help_flag();
    OptionWords words;
    words.add_options(app, options);
    std::vector<ListedOption> found;
    for (const CLI::Option* option : app.get_options()) found.push_back(listed(*option));
    return found;
}

}  // namespace narrows
