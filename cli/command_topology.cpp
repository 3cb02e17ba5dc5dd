#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/commands.hpp"
#include "cli/family_list.hpp"
#include "cli/given_network.hpp"
#include "cli/load_report.hpp"
#include "cli/network_report.hpp"
#include "cli/options.hpp"
#include "data/whole_file.hpp"
#include "model/unit.hpp"
#include "topologies/exporters/export.hpp"
#include "topologies/importers/import.hpp"
#include "topologies/search/certificate_text.hpp"

namespace narrows {
namespace {

double seconds_of(const OptionWords& words) {
    constexpr double usual_budget = 60;
    return words.has("--budget") ? positive_seconds("--budget", words["--budget"]) : usual_budget;
}

AnalysisOptions search_options(const OptionWords& words) {
    AnalysisOptions options;
    constexpr double work_a_second = 1.5e9;  // of exact search, so that other bounds have time left
    options.exact_work = std::min(options.exact_work, work_a_second * seconds_of(words));
    constexpr double factor_work_a_second = 5e7;  // a twentieth of what a processor does: there are several factors
    options.factor_work = factor_work_a_second * seconds_of(words);
    options.threads = search_threads();
    options.recognise = !words.has("--certificate");
    if (words.has("--memory")) options.memory = positive_bytes("--memory", words["--memory"]);
    if (words.has("--seed")) options.seed = words.count<std::uint64_t>("--seed");
    return options;
}

NetworkAnalysis numbers_of(const GivenNetwork& given, const NetworkNumbers& known, AnalysisOptions options) {
    NetworkAnalysis found;
    found.numbers = known;
    if (all_exact(known)) return found;
    options.names = given.words_for_vertices();
    found = analyse(*given.graph, known, options);
    Bracket& bisection = found.numbers.bisection;
    if (given.widened > 0 && bisection.upper >= given.widened) {
        const bool proven = bisection.lower >= given.widened;
        bisection = {proven ? 0 : bisection.lower, std::numeric_limits<double>::infinity(), "none",
                     proven ? "every half of the nodes separates a node from its own switch"
                            : "no half was found that separates no node from its own switch"};
    }
    return found;
}

const ExportFormat& format_of_export(const std::string& file) {
    std::vector<std::string> endings;
    for (const ExportFormat& format : export_formats()) {
        if (file.ends_with(format.ending)) return format;
        endings.push_back(fmt::format("{} ({})", format.ending, format.name));
    }
    throw InputError(fmt::format("--export {}: the name's ending says the format: {}", file, fmt::join(endings, ", ")));
}

std::string export_text(GivenNetwork& given, const std::string& file, std::ostream& warnings) {
    LabelledNetwork labelled = number_vertices(write_out(given));
    if (!given.names.empty()) labelled.names = given.names;
    labelled.capacity_unit = given.capacity_unit;
    const ExportFormat& format = format_of_export(file);
    std::string text = export_network(labelled, format.name);
    if (!format.changed) return text;
    for (const std::string& change : format.changed(labelled))
        warnings << fmt::format("narrows: warning: {}: {}\n", file, change);
    return text;
}

int check_certificate(const std::string& file, const Stop& stop, Output& output) {
    const Certificate certificate = read_certificate(read_whole_file(file), file);
    const int hosts = certificate.network.hosts;
    Document document{json_of("topology")};
    document.json["certificate"] = file;
    document.json["nodes"] = hosts;
    document.json["claims"] = nlohmann::ordered_json::array();
    Table table{"", {"claim", "claimed", "worked out again", "holds", "how"}, {}};
    const auto number = [](double value) {
        return TableCell(std::isfinite(value) ? fmt::format("{:.9g}", value) : "none", {json_of_number(value)});
    };
    bool all = true;
    for (const auto& [claim, claimed, proven, holds, how] : verify(certificate, stop)) {
        all = all && holds;
        document.json["claims"].push_back({{"claim", claim},
                                           {"claimed", json_of_number(claimed)},
                                           {"proven", json_of_number(proven)},
                                           {"holds", holds},
                                           {"how", how}});
        table.rows.push_back({claim, number(claimed), number(proven), TableCell(holds ? "yes" : "NO", {holds}), how});
    }
    document.json["holds"] = all;
    document.notes.push_back(fmt::format("{}: {} nodes, {} links; {}", file, hosts, certificate.network.edges.size(),
                                         all ? "every claim is proven" : "NOT every claim is proven"));
    document.tables.push_back(table);
    return emit(document, output, all);
}

/// Refuses places that cannot be written to before minutes of searching.
void check_places(const OptionWords& words, const Output& output) {
    require_output(output, Draws::no);
    require_apart({{"-o", output.file}, {"--certificate", words["--certificate"]}, {"--export", words["--export"]}});
    if (words.has("--certificate")) require_writable(words["--certificate"]);
    if (!words.has("--export")) return;
    format_of_export(words["--export"]);
    require_writable(words["--export"]);
}

int print_topology(const std::string& network, const OptionWords& words, Output& output) {
    check_places(words, output);
    const bool with_proofs = words.has("--certificate");
    AnalysisOptions options = search_options(words);
    const Stop a_second = stop_after(1);
    GivenNetwork given = given_network(
        {network, words["--from"], words["--cables"], words["--hosts"], words.has("--without-host-links")});
    for (const std::string& warning : given.warnings) output.remarks << "narrows: warning: " << warning << '\n';
    const std::string exported = words.has("--export") ? export_text(given, words["--export"], output.remarks) : "";
    const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
    const NetworkNumbers known = with_proofs ? nothing : known_numbers(given);
    if (asks_for_loads(words) || !all_exact(known)) write_out(given);
    std::optional<FoundLoads> loads;
    if (asks_for_loads(words)) loads = read_loads(given, words);
    // From here on, as what is read and written out is not searched. Traffic before cuts, which may take all of it.
    options.stop = stop_after(seconds_of(words));
    options.left = left_of(seconds_of(words));
    options.progress = [&output, a_second, left = options.left](const std::string& doing) {
        if (a_second())
            output.progress << fmt::format("topology: {}, at most {:.0f} s left\n", doing, std::max(0.0, left()))
                            << std::flush;
    };
    if (loads) find_loads(given, options.stop, *loads);
    std::optional<Distances> distances = measured_distances(given, seconds_of(words), options.stop);
    const NetworkAnalysis found = numbers_of(given, known, options);
    if (!distances && !found.recognised.empty()) distances = parse_topology(found.recognised).distances(options.stop);
    Document document{json_of("topology")};
    describe(given, distances, document);
    add_numbers(given, found, document);
    if (loads) add_loads(given, *loads, document);
    if (with_proofs) {
        document.remarks.push_back(
            fmt::format("The proofs are in {0}: narrows topology --verify {0}", words["--certificate"]));
    }
    const std::string text = rendered(document, output);  // what fails here leaves no file behind
    if (with_proofs)
        write_whole_file(words["--certificate"], certificate_text({write_out(given), found.numbers, found.proofs}));
    if (!exported.empty()) write_whole_file(words["--export"], exported);
    deliver(text, output);
    return 0;
}

std::string names_of_imports(const char* between) {
    std::vector<std::string> names;
    for (const ImportFormat& format : import_formats()) names.push_back(format.name);
    return fmt::format("{}", fmt::join(names, between));
}

std::string endings_of_exports() {
    std::vector<std::string> endings;
    for (const ExportFormat& format : export_formats()) {
        endings.push_back(fmt::format("{} ({})", format.ending, format.name));
    }
    return fmt::format("{}", fmt::join(endings, ", "));
}

Options topology_options() {
    return {
        {"--families", "list the families that SPEC names, with their parameters", 0, 1, true},
        Option{"--from", "the file's format; default: recognised by its content. There are: " + names_of_imports(", ")}
            .taking(names_of_imports("|")),
        Option{"--cables", "cables between two switches, where the file omits them (Slurm)"}.taking_count(),
        Option{"--hosts",
               "a job's hosts: first:512, random:512:SEED, or a file that lists them; only these are nodes then"}
            .taking("first:N|random:N:SEED|FILE"),
        {"--without-host-links", "do not count hosts' own links to their switches as bottlenecks", 0, 1, true},
        Option{"--budget",
               "time for the searches, once the network and the traffic are read or built; default: '60 s'. However "
               "short it is, they find a first cut and a flow by way of some nodes: a second for 10^6 links"}
            .taking("TIME"),
        Option{"--memory", "memory that exact search or a matrix may use; default: '4 GiB'"}.taking_bytes(),
        {"--seed", "seed of the searches; default: 1", std::int64_t{1} << 62, 0},
        Option{"--certificate", "write the proofs of all four numbers to this file"}.taking("FILE"),
        Option{"--verify", "check the proofs in this file"}.taking("FILE"),
        Option{"--traffic",
               "route traffic over the links: uniform (default), nearest-neighbour, bit-complement, transpose, "
               "tornado, or a file of 'source target demand'"}
            .taking(fmt::format("{}|FILE", fmt::join(traffic_patterns(), "|"))),
        Option{"--routing",
               "dimension-order (default on grids; 'dimension-order ties=onwards' splits nothing), shortest (default "
               "elsewhere), valiant, up-down"}
            .taking("dimension-order|shortest|valiant|up-down"),
        {"--hottest", "list this many of the fullest links; default: 10", 1 << 30},
        Option{"--export", "write the network; the ending says the format: " + endings_of_exports()}.taking("FILE")};
}

/// Whether an option is given beside these.
bool says_more(const OptionWords& words, const std::vector<std::string>& than) {
    return std::any_of(words.options().begin(), words.options().end(), [&](const Option& option) {
        return words.has(option.name()) && std::ranges::find(than, option.name()) == than.end();
    });
}

int act(const std::vector<std::string>& parts, const OptionWords& words, Output& output) {
    if (words.has("--families")) {
        if (!parts.empty() || says_more(words, {"--families"})) {
            throw InputError("--families lists all families and takes nothing else: leave out the rest");
        }
        return emit(family_list(), output);
    }
    if (words.has("--verify")) {
        if (!parts.empty() || says_more(words, {"--verify", "--budget"})) {
            throw InputError("--verify FILE takes no network, the certificate has its own: leave out all but --budget");
        }
        return check_certificate(words["--verify"], stop_after(seconds_of(words)), output);
    }
    if (parts.empty()) {
        throw InputError(
            "topology lacks a network: write it like 'torus 64x32x32' (--families lists all), or give a file");
    }
    return print_topology(fmt::format("{}", fmt::join(parts, " ")), words, output);
}

}  // namespace

Command topology_command() {
    return {"topology",
            "size, distances, cuts and link loads of a network given by name or by file",
            {"topology 'torus 64x32x32'", "topology 'fat-tree ports=36 levels=3 taper=2:1' --format json",
             "topology 'dragonfly a=4 p=2 h=2' --traffic tornado --hottest 3", "topology --families"},
            [](CLI::App& app, const Arguments&) {
                const auto parts = std::make_shared<std::vector<std::string>>();
                const auto words = std::make_shared<OptionWords>();
                app.add_option("SPEC|FILE", *parts,
                               "such as 'torus 64x32x32' or 'slim-fly 5' (--families lists all), or a network's file")
                    ->option_text("TEXT ...");
                words->add_options(app, topology_options());
                return [parts, words](Output& output) { return act(*parts, *words, output); };
            }};
}

}  // namespace narrows
