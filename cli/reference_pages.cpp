#include "cli/reference_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "cli/commands.hpp"
#include "cli/formats.hpp"
#include "cli/option_list.hpp"

namespace narrows {
namespace {

/// A line of a list: what is typed, what stands for something in it, and what it means.
struct Entry {
    std::string typed;
    std::string stands;
    std::string meaning;
    std::string page = {};  ///< the command that it names, in place of the first two
};

std::string capitals(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

/// Writes a page as troff of the `man` macros or as Markdown.
class PageWriter {
  public:
    explicit PageWriter(PageFormat format) : man_(format == PageFormat::man) {}

    /// The file of a command's page; of the program's where `command` is empty.
    std::string file(const std::string& command) const {
        if (man_) return name_of_page(command) + ".1";
        return (command.empty() ? "index" : command) + ".md";
    }
    void title(const std::string& command, const std::string& summary) {
        if (man_) {
            text_ += fmt::format(".TH {} 1 \"\" \"narrows {}\" \"narrows\"\n.SH NAME\n{} \\- {}\n",
                                 capitals(name_of_page(command)), NARROWS_VERSION, escaped(name_of_page(command)),
                                 escaped(summary));
        } else {
            text_ += fmt::format("# narrows{}{}\n\n{}.\n", command.empty() ? "" : " ", command,
                                 escaped(capitals(summary.substr(0, 1)) + summary.substr(1)));
        }
    }
    void heading(const std::string& text) {
        text_ += man_ ? ".SH " + escaped(capitals(text)) + "\n" : "\n## " + text + "\n";
    }
    void list(const std::vector<Entry>& entries) {
        if (!man_) text_ += "\n";
        for (const auto& [typed, stands, meaning, page] : entries) {
            const std::string first = man_ && !page.empty() ? name_of_page(page) + "(1)" : typed;
            const std::string gap = first.empty() || stands.empty() ? "" : " ";
            if (man_) {
                text_ += fmt::format(".TP\n{}{}{}\n", in_font('B', first), gap, in_font('I', stands));
            } else {
                text_ += page.empty() ? fmt::format("- `{}{}{}`: ", first, gap, stands)
                                      : fmt::format("- [{0}]({0}.md): ", page);
            }
            text_ += escaped(meaning) + "\n";
        }
    }
    void commands_typed(const std::vector<std::string>& lines) {
        text_ += man_ ? ".nf\n" : "\n```sh\n";
        for (const std::string& line : lines) text_ += (man_ ? escaped(line) : line) + "\n";
        text_ += man_ ? ".fi\n" : "```\n";
    }

    std::string take() { return std::exchange(text_, ""); }

  private:
    static std::string name_of_page(const std::string& command) {
        return command.empty() ? "narrows" : "narrows-" + command;
    }
    std::string in_font(char font, const std::string& text) const {
        return text.empty() ? "" : fmt::format("\\f{}{}\\fR", font, escaped(text));
    }
    // In troff a bare hyphen is set as a dash, a backslash begins an escape, as a dot or an apostrophe does before a
    // line.
    std::string escaped(const std::string& text) const {
        if (!man_) return markdown_text(text);
        std::string all = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
        for (const char c : text) {
            if (c == '\\' || c == '-') all += '\\';
            all += c == '\\' ? 'e' : c;
        }
        return all;
    }

    bool man_;
    std::string text_;
};

std::vector<Entry> entries_of(const std::vector<ListedOption>& options) {
    std::vector<Entry> entries;
    for (const ListedOption& one : options) {
        entries.push_back({one.positional ? "" : fmt::format("{}", fmt::join(one.names, ", ")),
                           one.takes + (one.repeats ? " ..." : ""), one.help + (one.required ? " (required)" : "")});
    }
    return entries;
}

std::string program_page(PageWriter& writer, const std::vector<Command>& all) {
    writer.title("", "predicts how communication-bound programs scale on parallel machines");
    writer.heading("Synopsis");
    writer.commands_typed({"narrows COMMAND [OPTIONS]", "narrows help COMMAND"});
    writer.heading("Commands");
    std::vector<Entry> entries;
    for (const Command& one : all) entries.push_back({"", "", one.summary, one.name});
    writer.list(entries);
    writer.heading("Environment");
    writer.list({{"NARROWS_DATA", "",
                  "the folder of machines, workloads and published tables, in place of the one beside the program"},
                 {"XDG_DATA_HOME", "",
                  "your own machine files are in narrows/machines below it; without it below ~/.local/share"},
                 {"NO_COLOR", "", "set to something: no colours but by --color always"}});
    writer.heading("Exit status");
    writer.list({{"0", "", "done"},
                 {"1", "", "failed: a run lost something, what was compared differs, or there is no solution or proof"},
                 {"2", "", "misuse: the message says what is wrong, where, and what to do"},
                 {"3", "", "this machine is too noisy to measure"}});
    return writer.take();
}

bool is_about(const std::vector<ListedOption>& options, const std::string& word) {
    return std::ranges::any_of(options,
                               [&word](const ListedOption& one) { return one.positional && one.takes == word; });
}

/// The options that a command has before its words name anything; of one about a workload those beside the workload's.
std::vector<ListedOption> own_options(const Command& command, const Repertoire& known) {
    std::vector<ListedOption> options = option_list(command, {}, known);
    if (!is_about(options, "WORKLOAD")) return options;
    const Workload& first = known.workloads.front();
    options = option_list(command, {first.name}, known);
    options.erase(std::remove_if(options.begin(), options.end(),
                                 [&first](const ListedOption& one) { return first.has_option(one.names.back()); }),
                  options.end());
    return options;
}

void write_groups(PageWriter& writer, const std::string& name, const Options& options) {
    if (options.empty()) return;
    writer.heading("Options of " + name);
    writer.list(entries_of(option_list(options)));
}

/// The options of all workloads or kernels that the command may name; of workloads on the page of the first such
/// command, which others refer to.
void write_all_groups(PageWriter& writer, const Command& command, const std::vector<ListedOption>& options,
                      const Repertoire& known, std::string& with_workloads) {
    if (is_about(options, "KERNEL")) {
        for (const Kernel& kernel : known.kernels) write_groups(writer, kernel.name, kernel.options);
    }
    const bool takes_workload =
        std::ranges::any_of(options, [](const ListedOption& one) { return one.takes == "WORKLOAD"; });
    if (!takes_workload) return;
    if (with_workloads.empty()) {
        with_workloads = command.name;
        for (const auto& [name, workload] : all_workloads(known)) write_groups(writer, name, workload.options);
    } else {
        writer.heading("Options of the workload");
        writer.list({{"", "", "lists those of each", with_workloads}});
    }
}

std::string command_page(PageWriter& writer, const Command& command, const Repertoire& known,
                         std::string& with_workloads) {
    const std::vector<ListedOption> options = own_options(command, known);
    std::string synopsis = "narrows " + command.name + " [OPTIONS]";
    for (const ListedOption& one : options) {
        if (!one.positional) continue;
        const std::string word = one.takes + (one.repeats ? "..." : "");
        synopsis += one.required ? " " + word : " [" + word + "]";
    }
    writer.title(command.name, command.summary);
    writer.heading("Synopsis");
    writer.commands_typed({synopsis});
    writer.heading("Options");
    writer.list(entries_of(options));
    write_all_groups(writer, command, options, known, with_workloads);
    writer.heading(command.examples.size() == 1 ? "Example" : "Examples");
    std::vector<std::string> lines;
    for (const std::string& example : command.examples) lines.push_back("narrows " + example);
    writer.commands_typed(lines);
    return writer.take();
}

}  // namespace

std::vector<ReferencePage> reference_pages(PageFormat format, const Repertoire& known) {
    PageWriter writer(format);
    const std::vector<Command> all = commands(known);
    std::vector<ReferencePage> pages = {{writer.file(""), program_page(writer, all)}};
    std::string with_workloads;
    for (const Command& one : all)
        pages.push_back({writer.file(one.name), command_page(writer, one, known, with_workloads)});
    return pages;
}

}  // namespace narrows
