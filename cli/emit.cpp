#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>

#include "cli/check_numbers.hpp"
#include "cli/command.hpp"
#include "cli/formats.hpp"
#include "cli/printable.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

struct Format {
    std::string name;    // of --format; empty for those that only a file can hold
    std::string ending;  // of -o
    std::string (*text)(const Document&);
};

const std::vector<Format>& formats() {
    static const std::vector<Format> all = {
        {"table", ".txt", [](const Document& document) { return format_table(document, Colours::none); }},
        {"json", ".json", format_json},
        {"csv", ".csv", format_csv},
        {"markdown", ".md", format_markdown},
        {"", ".html", format_html},
        {"", ".svg", [](const Document& document) { return format_plot(document, Picture::svg); }},
        {"", ".png", [](const Document& document) { return format_plot(document, Picture::png); }},
    };
    return all;
}

const Format& by_name(const std::string& name, const std::string& own_format = "") {
    for (const Format& format : formats()) {
        if (!format.name.empty() && format.name == name) return format;
    }
    std::vector<std::string> names = format_names();
    if (!own_format.empty()) names.push_back(own_format);
    throw InputError(fmt::format("--format {}: unknown format{} (there are: {})", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

bool is_picture(const std::string& file) {
    return file.ends_with(".svg") || file.ends_with(".png");
}

std::string ending_of(const std::string& file) {
    return std::filesystem::path(file).extension().string();
}

// Null where no format has the ending.
const Format* by_ending(const std::string& ending) {
    for (const Format& format : formats()) {
        if (format.ending == ending) return &format;
    }
    return nullptr;
}

// InputError with what the command can write.
const Format& by_ending(const std::string& file, const Command& command) {
    if (is_picture(file) && !command.draws) throw_no_plot();
    const std::string ending = ending_of(file);
    if (const Format* const format = by_ending(ending)) return *format;
    std::vector<std::string> endings;
    for (const Format& format : formats()) {
        if (command.draws || !is_picture(format.ending)) endings.push_back(format.ending);
    }
    if (!command.own_ending.empty()) endings.push_back(command.own_ending);
    throw InputError(
        fmt::format("-o {}: the ending '{}' names no format (there are: {})", file, ending, fmt::join(endings, ", ")));
}

// The version of the program, what was changed by --set, and the files that were read: what it takes to repeat it.
nlohmann::ordered_json with_origin(const nlohmann::ordered_json& found, const Output& output) {
    nlohmann::ordered_json json = json_of(found.at("command"));
    json["version"] = NARROWS_VERSION;
    json["set"] = output.changes;
    json["inputs"] = nlohmann::ordered_json::array();
    const std::vector<Input> inputs = output.inputs == nullptr ? std::vector<Input>() : output.inputs->inputs();
    for (const auto& [file, sha256] : inputs) json["inputs"].push_back({{"file", file}, {"sha256", sha256}});
    json.update(found);
    return json;
}

}  // namespace

const std::vector<std::string>& format_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const Format& format : formats()) {
            if (!format.name.empty()) found.push_back(format.name);
        }
        return found;
    }();
    return names;
}

void check_output(Output& output, const Command& command) {
    const std::string asked = output.format;
    if (output.file == "-") output.file.clear();
    if (asked.empty()) output.format = "table";
    const std::string own_format = command.own_format ? command.own_ending.substr(1) : "";
    if (own_format.empty() || output.format != own_format) by_name(output.format, own_format);
    const bool own = !command.own_ending.empty() && output.file.ends_with(command.own_ending);
    if (output.file.empty()) return;
    const std::string of_file = own ? own_format : by_ending(output.file, command).name;
    if (asked.empty() || of_file == output.format || (own && own_format.empty())) return;
    throw InputError(fmt::format("-o {}: its ending names another format than --format {}: leave one of them out",
                                 output.file, asked));
}

void require_output(const Output& output, Draws draws) {
    if (output.file.empty()) return;
    require_writable(output.file);
    const bool picture = is_picture(output.file);
    if (picture && draws != Draws::yes) throw_no_plot();
    if (picture || (draws != Draws::no && output.file.ends_with(".html"))) require_gnuplot();
}

void require_apart(const std::vector<OutputPlace>& places) {
    std::map<std::filesystem::path, std::string> taken;
    for (const auto& [option, file] : places) {
        if (file.empty() || file == "-") continue;
        std::error_code ignored;  // of a path that cannot be: writing tells it
        const auto [other, is_new] = taken.emplace(std::filesystem::weakly_canonical(file, ignored), option);
        if (is_new) continue;
        throw InputError(fmt::format("{} {}: {} names this file too: give another name", option, file, other->second));
    }
}

std::string rendered(Document document, const Output& output) {
    check_numbers(document);
    document.json = with_origin(document.json, output);
    const Format* const format = output.file.empty() ? &by_name(output.format) : by_ending(ending_of(output.file));
    if (format == nullptr) throw std::logic_error("a command writes its own endings itself");
    document = printable(std::move(document));
    const bool coloured = output.coloured && output.file.empty() && output.format == "table";
    return coloured ? format_table(document, Colours::some) : format->text(document);
}

void deliver(const std::string& text, Output& output) {
    if (output.file.empty()) {
        output.out << text;
        return;
    }
    write_whole_file(output.file, text);
    output.remarks << "wrote " << output.file << "\n";
}

int emit(const Document& document, Output& output, bool good) {
    deliver(rendered(document, output), output);
    return good ? 0 : 1;
}

}  // namespace narrows
