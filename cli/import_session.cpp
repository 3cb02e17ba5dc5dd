#include "cli/import_session.hpp"

#include <fmt/format.h>

#include "calibrate/study/messaging_machine.hpp"
#include "cli/repertoire.hpp"
#include "data/benchmark_output.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Lines of JSON, or nothing at all.
bool has_samples(const std::string& file) {
    const std::string text = read_whole_file(file);
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos || text[first] == '{';
}

// What the samples say goes behind the messages between nodes, which stay the default.
void add_node(Machine& machine, const std::string& samples) {
    CalibrationWords words;
    words.choice.kernels = calibrated_kernels(repertoire());
    const Machine node = calibrate_from(words, samples).machine;
    for (const Parameter& one : node.parameters) {
        if (find(machine, one.path) == nullptr) machine.parameters.push_back(one);
    }
    for (Parameter& one : machine.parameters) {
        if (one.source.empty()) one.source = node.source;
    }
    machine.residuals = node.residuals;
    machine.environment.insert(machine.environment.end(), node.environment.begin(), node.environment.end());
    group_sections(machine);
}

nlohmann::ordered_json json_of_import(const Import& import, const std::string& file) {
    const ImportedMachine& made = import.imported;
    nlohmann::ordered_json json = json_of("calibrate");
    json["machine"] = made.machine.id;
    json["file"] = file;
    json["imported"] = made.used;
    json["unused"] = made.unused;
    json["summary"] = nullptr;
    if (made.judgement.sizes > 0) {
        json["summary"] = {{"sizes", made.judgement.sizes},
                           {"median_error", made.judgement.median_error},
                           {"worst_error", made.judgement.worst_error}};
    }
    json["parameters"] = nlohmann::ordered_json::array();
    for (const Parameter& one : made.machine.parameters) {
        json["parameters"].push_back({{"path", one.path},
                                      {"value", one.measure.value},
                                      {"unit", base_unit(one.measure.dimension)},
                                      {"source", one.source}});
    }
    json["missing"] = nlohmann::ordered_json::array();
    for (const auto& [path, remedy] : import.missing) json["missing"].push_back({{"path", path}, {"remedy", remedy}});
    return json;
}

}  // namespace

bool are_samples(const std::vector<std::string>& files) {
    return files.size() == 1 && has_samples(files.front());
}

Import import_files(const std::vector<std::string>& files) {
    std::vector<BenchmarkOutput> outputs;
    std::string samples;
    for (const std::string& file : files) {
        if (!has_samples(file)) {
            outputs.push_back(read_benchmarks(file));
        } else if (samples.empty()) {
            samples = file;
        } else {
            throw InputError(
                fmt::format("--from {}: there are samples in {} already: give one of them", file, samples));
        }
    }
    Import import{imported_machine(outputs), {}};
    Machine& machine = import.imported.machine;
    if (!samples.empty()) add_node(machine, samples);
    import.missing = missing_keys(machine, outputs);
    return import;
}

std::vector<std::string> missing_lines(const Import& import) {
    std::vector<std::string> lines;
    for (const MissingKey& key : import.missing) lines.push_back(fmt::format("missing: {}: {}", key.path, key.remedy));
    return lines;
}

Document import_document(const Import& import, const std::string& file) {
    const ImportedMachine& made = import.imported;
    Document document;
    document.json = json_of_import(import, file);
    document.notes.push_back(fmt::format("imported, written to {}: messages between two nodes", file));
    for (const std::string& line : made.used) document.notes.push_back("from " + line);
    Table table{"", {"parameter", "value", "source"}, {}};
    for (const Parameter& one : made.machine.parameters) {
        if (std::find(made.paths.begin(), made.paths.end(), one.path) == made.paths.end()) continue;
        if (one.path.starts_with("protocols.") || one.path.ends_with(".piece")) continue;
        table.rows.push_back({one.path, print(one.measure), one.source});
    }
    document.tables.push_back(table);
    if (made.judgement.sizes > 0) {
        document.remarks.push_back(
            fmt::format("{} sizes by fits that did not see them: median error {:.1f} %, worst {:.1f} %",
                        made.judgement.sizes, 100 * made.judgement.median_error, 100 * made.judgement.worst_error));
    } else {
        document.remarks.push_back("too few sizes to judge the fit by those that it does not see");
    }
    for (const std::string& line : made.unused) document.remarks.push_back("not used: " + line);
    for (const std::string& line : missing_lines(import)) document.remarks.push_back(line);
    return document;
}

}  // namespace narrows
