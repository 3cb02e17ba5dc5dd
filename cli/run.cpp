#include "cli/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

#include "calibrate/ranks/mapping.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/printable.hpp"
#include "cli/repertoire.hpp"
#include "cli/version.hpp"
#include "data/workload_file.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int misuse = 2;

bool may_have_colours(const std::string& when, const std::ostream& out) {
    if (when == "always" || when == "never") return when == "always";
    if (when != "auto") {
        const std::vector<std::string> known = {"auto", "always", "never"};
        throw InputError(fmt::format("--color {}: unknown word{} (there are: {})", when, did_you_mean(when, known),
                                     fmt::join(known, ", ")));
    }
    const auto is_set = [](const char* name, std::string_view but) {
        const char* const value = std::getenv(name);
        return value != nullptr && value != but;
    };
    return out.rdbuf() == std::cout.rdbuf() && isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR", "") &&
           is_set("TERM", "dumb");
}

// Those of what is asked for, a workload or a kernel; of a workload file those of any; else all.
std::vector<std::string> examples_of(const Command& command, const std::vector<std::string>& arguments) {
    const auto with = [&command](const auto& is_asked) {
        std::vector<std::string> found;
        for (const std::string& example : command.examples) {
            const auto words = split(example, ' ');
            if (std::any_of(words.begin() + 1, words.end(), is_asked)) found.push_back(example);
        }
        return found;
    };
    const auto is_file = [](std::string_view word) { return is_workload_file(std::string(word)); };
    auto found = with([&arguments](std::string_view word) {
        return !word.starts_with('-') && std::find(arguments.begin() + 1, arguments.end(), word) != arguments.end();
    });
    if (found.empty() && std::any_of(arguments.begin() + 1, arguments.end(), is_file)) found = with(is_file);
    return found.empty() ? command.examples : found;
}

std::string footer(const std::vector<std::string>& examples) {
    std::string text = examples.size() == 1 ? "Example:" : "Examples:";
    for (const std::string& example : examples) text += "\n  narrows " + example;
    return text;
}

// What CLI11 says of a wrong option, with the option that may have been meant.
std::string explain(const CLI::ParseError& error, const CLI::App& app) {
    std::string message = error.what();
    const CLI::App* used = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
        std::vector<std::string> known;
        for (const CLI::Option* option : used->get_options()) {
            for (const std::string& name : option->get_lnames()) {
                if (name != "help") known.push_back("--" + name);
            }
        }
        message.clear();
        for (const std::string& word : app.remaining(true)) {
            const std::string name = word.substr(0, word.find('='));
            if (word.starts_with("-")) {
                message = fmt::format("unknown option '{}'{}", name, did_you_mean(name, known));
                break;
            }
            if (message.empty()) message = fmt::format("unexpected word '{}'", word);
        }
    }
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
        message = message.substr(0, message.find(':')) + " needs a value";
        for (const CLI::Option* option : used->get_options()) {
            const std::size_t given = option->results().size();
            if (given <= static_cast<std::size_t>(option->get_items_expected_max())) continue;
            message = fmt::format("{} is given {} times: give it once", option->get_name(), given);
        }
    }
    std::string subject = used->get_parent() == nullptr ? "" : used->get_name() + " ";
    for (const std::string named : {"WORKLOAD", "KERNEL", "--workload"}) {
        const CLI::Option* const option = used->get_option_no_throw(named);
        if (option == nullptr || option->count() == 0) continue;
        subject += (named.starts_with("-") ? named + " " : "") + option->results().front() + " ";
    }
    return fmt::format("{} ('narrows {}--help' shows the options)", message, subject);
}

void check_command_name(const std::vector<std::string>& arguments, const std::vector<Command>& known) {
    if (arguments.empty() || arguments.front().starts_with("-")) return;
    std::vector<std::string> names;
    for (const Command& command : known) names.push_back(command.name);
    if (std::ranges::find(names, arguments.front()) != names.end()) return;
    throw InputError(fmt::format("there is no command '{}'{} ('narrows --help' lists them)", arguments.front(),
                                 did_you_mean(arguments.front(), names)));
}

// Most are variables that the shell does not know; a default in their place would answer another question.
void refuse_empty_words(const std::vector<std::string>& arguments) {
    std::string before;
    for (const std::string& word : arguments) {
        const bool lacks_value = word.starts_with("--") && word.find('=') + 1 == word.size();
        if (word.empty() || lacks_value) {
            const std::string& option = lacks_value ? word : before;
            throw InputError(fmt::format("{} is empty: give a value or leave it out",
                                         option.starts_with("-") ? option.substr(0, option.find('=')) : "an argument"));
        }
        before = word;
    }
}

int parse_and_act(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
                  std::ostream& progress, const Repertoire& repertoire) {
    CLI::App app("narrows predicts how communication-bound programs scale, and names what holds them back.", "narrows");
    app.set_version_flag("--version", std::function<std::string()>(version_text),
                         "print the version, and what it was built with");
    app.require_subcommand(0, 1);
    const InputRecord inputs;
    std::ostream remarks(err.rdbuf());
    std::ostream steps(progress.rdbuf());
    Output output{out, err, remarks, steps, "", "", {}, &inputs};
    std::function<int(Output&)> action;
    const std::vector<Command> known = commands(repertoire);
    check_command_name(arguments, known);
    refuse_empty_words(arguments);
    app.footer(fmt::format("Example:\n  narrows {}", record_called("predict", known, "").examples.front()));
    for (const Command& command : known) {
        CLI::App* sub = app.add_subcommand(command.name, command.summary);
        if (arguments.empty() || command.name != arguments.front()) continue;
        sub->footer(footer(examples_of(command, arguments)));
        action = add_command(*sub, command, {{arguments.begin() + 1, arguments.end()}, repertoire}, output);
    }
    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        app.parse(reversed);
    } catch (const CLI::Success& asked) {
        app.exit(asked, out, err);
        return done;
    } catch (const CLI::ParseError& error) {
        throw InputError(explain(error, app));
    }
    if (app.get_subcommands().empty()) {
        out << app.help();
        return done;
    }
    const CLI::App* sub = app.get_subcommands().front();
    const std::string chosen = sub->get_name();
    if (const CLI::Option* set = sub->get_option_no_throw("--set")) output.changes = set->results();
    const auto command = std::ranges::find(known, chosen, &Command::name);
    if (output.quiet) {
        for (std::ostream* const stream : {&remarks, &steps}) stream->rdbuf(nullptr);
    }
    check_output(output, *command);
    output.coloured = may_have_colours(output.color, out);
    return action(output);
}

}  // namespace

std::function<int(Output&)> add_command(CLI::App& app, const Command& command, const Arguments& arguments,
                                        Output& output) {
    if (command.has_document) {
        const std::string own = command.own_format ? "|" + command.own_ending.substr(1) : "";
        app.add_option("--format", output.format, "format of what is printed; default: table")
            ->type_name(fmt::format("{}{}", fmt::join(format_names(), "|"), own));
        app.add_option("-o,--output", output.file,
                       "write to FILE: its ending chooses the format; - is standard output, as --format says")
            ->type_name("FILE");
        app.add_option("--color", output.color,
                       "colours in tables; default auto: on a terminal, unless NO_COLOR is set to something")
            ->type_name("auto|always|never");
        app.add_flag("--quiet", output.quiet, "no progress, remarks and warnings on standard error; errors stay");
    }
    return command.setup(app, arguments);
}

void print_error(const InputError& error, std::ostream& err) {
    const std::string what =
        error.setting().empty() ? error.what() : fmt::format("{} (--{})", error.what(), error.setting());
    if (error.file().empty()) {
        err << "narrows: " << what << "\n";
        return;
    }
    if (error.line() < 1) {
        err << error.file() << ": " << what << "\n";
        return;
    }
    err << fmt::format("{}:{}:{}: {}\n", error.file(), error.line(), error.column(), what);
    if (error.text().empty()) return;
    const auto [text, caret] = quoted_line(error.text(), error.column());
    err << "  " << text << "\n  " << caret << "\n";
}

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors, std::ostream& steps) {
    return run(arguments, out, errors, steps, repertoire());
}

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors, std::ostream& steps,
        const Repertoire& known) {
    PrintableStream err(errors);
    PrintableStream progress(steps);
    try {
        if (!arguments.empty() && arguments.front() == completion_request) {
            out << completion_text(completion({arguments.begin() + 1, arguments.end()}, known));
            return done;
        }
        const int code = parse_and_act(arguments, out, err, progress, known);
        if (out.flush()) return code;
        throw std::runtime_error("the output cannot be written: is the disk full, or the output closed?");
    } catch (const InputError& error) {
        print_error(error, err);
        return misuse;
    } catch (const std::bad_alloc&) {
        err << fmt::format(
            "narrows: '{}' needs more than the {} of memory that are free: ask for a smaller network, table or file, "
            "or raise the limit (ulimit -v)\n",
            arguments.front(), print(Data(static_cast<double>(available_memory()))));
        return failed;
    } catch (const std::exception& error) {
        err << "narrows: " << error.what() << "\n";
        return failed;
    }
}

}  // namespace narrows
