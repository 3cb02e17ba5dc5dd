#include "cli/import_session.hpp"

#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/parameter_cells.hpp"
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
        json["parameters"].push_back(json_of_parameter(one));
    }
    json["missing"] = nlohmann::ordered_json::array();
    for (const auto& [path, remedy] : import.missing) json["missing"].push_back({{"path", path}, {"remedy", remedy}});
    return json;
}

}  // namespace

bool are_samples(const std::vector<std::string>& files) {
    return files.size() == 1 && has_samples(files.front());
}

Import import_files(const CalibrationWords& words) {
    std::vector<BenchmarkOutput> outputs;
    std::string samples;
    for (const std::string& file : words.from) {
        if (!has_samples(file)) {
            outputs.push_back(read_benchmarks(file));
        } else if (samples.empty()) {
            samples = file;
        } else {
            throw InputError(
                fmt::format("--from {}: there are samples in {} already: give one of them", file, samples));
        }
    }
    Import import{with_option_context("--from", [&] { return imported_machine(outputs); }), {}};
    if (!samples.empty()) {
        add_node(import.imported, calibrate_from(words, samples).machine);
    }
    import.missing = missing_keys(import.imported.machine, outputs);
    return import;
}

std::vector<MissingKey> missing_keys(const Machine& machine, const std::vector<BenchmarkOutput>& outputs) {
    std::string memory = "of STREAM on all ranks of a node, such as '350 GB/s'";
    for (const BenchmarkOutput& output : outputs) {
        const auto triad = output.summary.find("StarSTREAM_Triad");
        if (triad == output.summary.end()) continue;
        memory = fmt::format("the ranks of a node times the {:.4g} GB/s of each (StarSTREAM_Triad in {})",
                             triad->second, output.file);
    }
    const std::vector<MissingKey> all = {
        {"node.processors", "the ranks that a node runs, such as '64'"},
        {"compute.gups.update", "for gups: give an hpccoutf.txt too, or the samples of calibrate on a node"},
        {"node.memory.bandwidth", memory},
        {"paths.mpi.send.overhead", "the calls of both ends: give osu_mbw_mr of one pair too, which bounds them"},
        {"network_interface.message_rate", "give osu_mbw_mr of many pairs between two nodes too, or IMB Uniband"},
        {"network_interface.bandwidth", "give osu_bw or osu_mbw_mr too"},
        {"network.link.bandwidth", "of a node's port by its data sheet, such as '100 Gbit/s'"},
        {"network.topology", "such as 'fat-tree ports=36 levels=3', or --network with each prediction"},
    };
    std::vector<MissingKey> missing;
    for (const MissingKey& key : all) {
        if (!has(machine, key.path)) missing.push_back(key);
    }
    return missing;
}

std::vector<std::string> missing_lines(const Import& import) {
    std::vector<std::string> lines;
    for (const MissingKey& key : import.missing) lines.push_back(fmt::format("missing: {}: {}", key.path, key.remedy));
    return lines;
}

Document import_document(const Import& import, const std::string& file) {
    const ImportedMachine& made = import.imported;
    Document document{json_of_import(import, file)};
    document.notes.push_back(fmt::format("imported, written to {}: messages between two nodes", file));
    for (const std::string& line : made.used) document.notes.push_back("from " + line);
    Table table{"", {"parameter", value_column(), "source"}, {}};
    for (const Parameter& one : made.machine.parameters) {
        if (std::ranges::find(made.paths, one.path) == made.paths.end()) continue;
        if (one.path.starts_with("protocols.") || one.path.ends_with(".piece")) continue;
        table.rows.push_back({one.path, value_cell(one), one.source});
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
