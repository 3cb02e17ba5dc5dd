#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "data/machine_file.hpp"
#include "model/schema.hpp"

namespace narrows {
namespace {

// The file as a tree: a section has children, a leaf has a parameter.
struct Section {
    std::string word;
    const Parameter* leaf = nullptr;
    std::vector<Section> children;
};

std::vector<std::string> words_of(const Parameter& parameter) {
    const SchemaRow* row = schema_row(parameter.path);
    if (row == nullptr) throw std::logic_error(fmt::format("no machine file has '{}'", parameter.path));
    std::string_view rest = parameter.path;
    std::string size;
    if (row->kind == Kind::curve && rest != curve_of(*row, rest)) {
        const std::string_view curve = curve_of(*row, rest);
        size = rest.substr(curve.size() + 1);
        rest = curve;
    }
    std::vector<std::string> words;
    while (true) {
        const auto dot = rest.find('.');
        words.emplace_back(rest.substr(0, dot));
        if (dot == std::string_view::npos) break;
        rest.remove_prefix(dot + 1);
    }
    if (!size.empty()) words.push_back(size);
    return words;
}

Section tree_of(const Machine& machine) {
    Section root;
    for (const Parameter& parameter : machine.parameters) {
        Section* section = &root;
        for (const std::string& word : words_of(parameter)) {
            auto found = std::ranges::find(section->children, word, &Section::word);
            if (found == section->children.end()) {
                section->children.push_back({word, nullptr, {}});
                found = section->children.end() - 1;
            }
            section = &*found;
            if (section->leaf != nullptr) throw std::logic_error(section->leaf->path + " is given twice");
        }
        if (!section->children.empty()) throw std::logic_error(parameter.path + " is both a value and a curve");
        section->leaf = &parameter;
    }
    return root;
}

// What all leaves below have alike, empty when they differ.
std::string common(const Section& section, std::string Parameter::*member) {
    if (section.leaf != nullptr) return section.leaf->*member;
    std::string value = common(section.children.front(), member);
    for (const Section& child : section.children) {
        if (common(child, member) != value) return "";
    }
    return value;
}

bool is_plain(std::string_view text) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    constexpr std::string_view others = "0123456789 _./()+-=*%^;";
    const bool starts_well = !text.empty() && (letters.find(text[0]) != std::string_view::npos ||
                                               std::string_view("0123456789(").find(text[0]) != std::string_view::npos);
    const bool is_null = text == "null" || text == "Null" || text == "NULL";
    return starts_well && !is_null && text.back() != ' ' && std::ranges::all_of(text, [&](char c) {
               return letters.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
           });
}

std::string yaml_text(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += {'\\', c};
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string exact(const Measure& measure) {
    if (!std::isfinite(measure.value)) throw std::logic_error("a machine file holds finite numbers only");
    return print(measure, true);
}

using Fields = std::vector<std::pair<std::string, std::string>>;

Fields fields_of(const Parameter& parameter, const std::string& source, const std::string& note) {
    Fields fields;
    const Measure& measure = parameter.measure;
    fields.emplace_back("value", yaml_text(parameter.text.empty() ? exact(measure) : parameter.text));
    if (parameter.interval) {
        fields.emplace_back("low", yaml_text(exact({parameter.interval->low, measure.dimension, measure.unit})));
        fields.emplace_back("high", yaml_text(exact({parameter.interval->high, measure.dimension, measure.unit})));
    }
    if (!parameter.correlated_with.empty()) {
        const std::string text = fmt::format("{} with {}", parameter.correlation, parameter.correlated_with);
        fields.emplace_back("correlated", yaml_text(text));
    }
    if (parameter.source != source) fields.emplace_back("source", yaml_text(parameter.source));
    if (parameter.note != note) fields.emplace_back("note", yaml_text(parameter.note));
    return fields;
}

std::string leaf_text(const Fields& fields, const std::string& indent) {
    if (fields.size() == 1) return fmt::format(" {}\n", fields[0].second);
    std::string flow;
    std::string block = "\n";
    for (const auto& [key, value] : fields) {
        flow += fmt::format("{}{}: {}", flow.empty() ? "" : ", ", key, value);
        block += fmt::format("{}  {}: {}\n", indent, key, value);
    }
    return flow.size() < 90 ? fmt::format(" {{{}}}\n", flow) : block;
}

// `source` and `note` are those that the sections above have said already.
std::string section_text(const Section& section, const std::string& indent, std::string source, std::string note) {
    std::string text = fmt::format("{}{}:", indent, yaml_text(section.word));
    if (section.leaf != nullptr) return text + leaf_text(fields_of(*section.leaf, source, note), indent);
    text += '\n';
    const std::string below = indent + "  ";
    const std::string common_source = common(section, &Parameter::source);
    const std::string common_note = common(section, &Parameter::note);
    if (common_source != source && !common_source.empty()) {
        source = common_source;
        text += fmt::format("{}source: {}\n", below, yaml_text(source));
    }
    if (common_note != note && !common_note.empty()) {
        note = common_note;
        text += fmt::format("{}note: {}\n", below, yaml_text(note));
    }
    for (const Section& child : section.children) text += section_text(child, below, source, note);
    return text;
}

std::string line_text(const std::vector<double>& numbers) {
    return fmt::format("      {}\n", fmt::join(numbers, " "));
}

// Each point is a line: its variables and its residual. A block of lines is what is read most quickly.
std::string residuals_text(const std::vector<ResidualSurface>& surfaces) {
    std::string text = surfaces.empty() ? "" : "residuals:\n";
    for (const ResidualSurface& surface : surfaces) {
        const MeasuredResiduals& measured = surface.measured();
        text += fmt::format("  {}:\n    scales: \"{}\"\n", measured.name, fmt::join(measured.scales, " "));
        text += fmt::format("    mean: {}\n    spread: {}\n    shared_spread: {}\n    noise: {}\n    quantile: {}\n",
                            measured.mean, measured.spread, measured.shared_spread, measured.noise, measured.quantile);
        text += fmt::format("    trend: {}\n    by_distance: {}\n", measured.trend, measured.by_distance);
        if (!measured.states.empty()) text += "    states: |\n";
        for (const std::vector<double>& state : measured.states) text += line_text(state);
        text += fmt::format("    sessions: {}\n    session_spread: {}\n", measured.sessions, measured.session_spread);
        text += "    points: |\n";
        for (const MeasuredResiduals::Point& point : measured.points) {
            std::vector<double> numbers = point.at;
            numbers.push_back(point.residual);
            text += line_text(numbers);
        }
    }
    return text;
}

}  // namespace

std::string write_machine(const Machine& machine) {
    if (machine.name.empty()) throw std::logic_error("a machine has a name");
    std::string text = fmt::format("name: {}\n", yaml_text(machine.name));
    if (!machine.source.empty()) text += fmt::format("source: {}\n", yaml_text(machine.source));
    if (!machine.environment.empty()) text += "environment:\n";
    for (const auto& [key, value] : machine.environment)
        text += fmt::format("  {}: {}\n", yaml_text(key), yaml_text(value));
    for (const Section& section : tree_of(machine).children) text += section_text(section, "", "", "");
    return text + residuals_text(machine.residuals);
}

}  // namespace narrows
