#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/document.hpp"
#include "cli/words.hpp"
#include "data/inputs.hpp"

namespace narrows {

/// Where a command's result goes, as `--format` and `-o` say.
struct Output {
    std::ostream& out;
    std::ostream& err;
    std::ostream& remarks;   ///< warnings, and what was written where; nothing with --quiet
    std::ostream& progress;  ///< lines that only slow work prints; nothing with --quiet
    std::string format;
    std::string file;
    std::vector<std::string> changes{};   ///< `PATH=VALUE` of --set
    const InputRecord* inputs = nullptr;  ///< what files the command has read; none are told without
    std::string color = "auto";           ///< `auto`, `always` or `never`
    bool coloured = false;                ///< whether a table may have the escapes of a terminal
    bool quiet = false;
};

/// What names a machine in every command.
inline constexpr const char* machine_help =
    "a shipped machine; NAME for NAME.yaml in this folder or in $XDG_DATA_HOME/narrows/machines "
    "(~/.local/share/narrows/machines); a file; or - for standard input";

/// One command: how it is described, what options it takes, what it does.
struct Command {
    std::string name;
    std::string summary;
    std::vector<std::string> examples;  ///< runnable as they stand; a test runs each
    /// Adds the options to `app`, those of what `arguments` name, and returns what the command does once they are read;
    /// that returns the exit code.
    std::function<std::function<int(Output&)>(CLI::App& app, const Arguments& arguments)> setup;
    /// Its examples run for many seconds and print other numbers each time, since it measures this machine.
    bool measures = false;
    /// An ending of `-o` that this command writes itself, beside those of every command; without its dot a --format too
    /// where `own_format`.
    std::string own_ending = {};
    bool own_format = false;
    bool has_document = true;  ///< else it takes none of the common options
    bool draws = false;        ///< its document may have a picture
};

/// Adds to `app` all that `command` takes where `arguments` follow its name, what says where its result goes to
/// `output` included; returns what it does, as `Command::setup`.
std::function<int(Output&)> add_command(CLI::App& app, const Command& command, const Arguments& arguments,
                                        Output& output);

/// Whether a command's document has a plot.
enum class Draws { no, in_pages, yes };

/// For a command that works long: InputError before it begins when `emit` could not write what it will have found, or
/// has no picture to draw where one is asked for.
void require_output(const Output& output, Draws draws);

/// A file that a command is going to write, and the option that names it.
struct OutputPlace {
    std::string option;
    std::string file;  ///< may be empty
};

/// InputError where two options name one file: the second would be written over the first.
void require_apart(const std::vector<OutputPlace>& places);

/// The document in the format that was asked for; JSON gets what it takes to repeat the command. InputError when it
/// cannot be in that one; throws as `check_numbers` does.
std::string rendered(Document document, const Output& output);

/// Prints what was rendered to the output's stream, or writes its file whole.
void deliver(const std::string& text, Output& output);

/// Renders and delivers. The exit code of a command that found something `good`, or not.
int emit(const Document& document, Output& output, bool good = true);

/// The formats of `--format`.
const std::vector<std::string>& format_names();

/// Chooses the format when none was asked for, and takes `-o -` for none. Throws InputError when it is not one of them,
/// or when `-o` has another ending than those it knows and the command's own, that of a picture where the command draws
/// none, or one of another format.
void check_output(Output& output, const Command& command);

}  // namespace narrows
