#include "cli/words.hpp"

#include <stdexcept>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {

Options options_named(const Options& rows, const std::vector<std::string>& names) {
    Options found;
    for (const std::string& name : names) {
        const auto row = std::ranges::find(rows, name, &Option::name);
        if (row == rows.end()) throw std::logic_error("no option is called " + name);
        found.push_back(*row);
    }
    return found;
}

Options together(const std::vector<Options>& lists) {
    Options all;
    for (const Options& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

const std::string& OptionWords::operator[](std::string_view option) const {
    static const std::string none;
    const auto found = words_.find(option);
    return found == words_.end() ? none : found->second;
}

std::int64_t OptionWords::whole(const std::string& option) const {
    if (!has(option)) return 0;
    const Option row = options_named(options_, {option}).front();
    const std::string shown = row.flags.substr(0, row.flags.find(','));  // `-n` of `-n,--nodes`
    return parse_count((*this)[option], shown, row.least, row.most);
}

void OptionWords::add_options(CLI::App& app, const Options& options) {
    for (const Option& option : options) {
        const std::string name = option.name();
        if (app.get_option_no_throw(name) != nullptr) {
            throw InputError("the workload file has an option '" + name.substr(2) + "', which is one of " +
                             app.get_name() + "'s own: give it another name");
        }
        if (option.is_flag) {
            app.add_flag_callback(
                option.flags, [&word = words_[name]] { word = "true"; }, option.help);
        } else {
            app.add_option(option.flags, words_[name], option.help)->type_name(option.takes);
        }
        options_.push_back(option);
    }
}

}  // namespace narrows
