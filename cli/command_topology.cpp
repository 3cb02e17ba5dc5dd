#include <fmt/format.h>

#include "cli/certificate_file.hpp"
#include "cli/commands.hpp"
#include "cli/given_network.hpp"
#include "cli/load_report.hpp"
#include "cli/options.hpp"
#include "data/whole_file.hpp"
#include "topologies/distance.hpp"
#include "topologies/exporters/export.hpp"

namespace narrows {
namespace {

struct TopologyWords {
    NetworkWords network;
    LoadWords loads;
    std::string budget;
    std::string seed;
    std::string certificate;
    std::string verify;
    std::string export_to;
};

nlohmann::ordered_json json_of_number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr;
}

nlohmann::ordered_json json_of_bracket(const Bracket& bracket) {
    return {{"lower", json_of_number(bracket.lower)},
            {"upper", json_of_number(bracket.upper)},
            {"method", bracket.method},
            {"certificate", bracket.certificate}};
}

std::string value_of(const Bracket& bracket) {
    constexpr double as_printed = 1e-7;
    if (bracket.exact() || bracket.upper - bracket.lower <= as_printed * bracket.upper) {
        return fmt::format("{:.6g}", bracket.upper);
    }
    if (std::isinf(bracket.upper)) return fmt::format("at least {:.6g}", bracket.lower);
    return fmt::format("{:.6g} to {:.6g}", bracket.lower, bracket.upper);
}

std::optional<Distances> distances_of(const GivenNetwork& given) {
    constexpr double affordable = 4e8;  // hosts · links
    if (given.topology && !given.part) return given.topology->distances();
    const Network& network = *given.graph;
    if (static_cast<double>(network.hosts) * static_cast<double>(network.edges.size()) > affordable) {
        return std::nullopt;
    }
    return host_distances(network);
}

NetworkAnalysis numbers_of(GivenNetwork& given, const TopologyWords& words, const Stop& stop, Output& output) {
    NetworkAnalysis found;
    const bool with_proofs = !words.certificate.empty();
    const NetworkNumbers nothing{not_known(), not_known(), not_known(), not_known()};
    found.numbers = with_proofs ? nothing : known_numbers(given);
    if (all_exact(found.numbers)) return found;
    AnalysisOptions options;
    options.threads = search_threads();
    options.stop = stop;
    options.recognise = !with_proofs;
    if (!words.seed.empty()) options.seed = static_cast<std::uint64_t>(whole_number("--seed", words.seed));
    const Stop a_second = stop_after(1);
    options.progress = [&output, a_second](const std::string& doing) {
        if (a_second()) output.err << "topology: " << doing << '\n' << std::flush;
    };
    return analyse(write_out(given), found.numbers, options);
}

void describe(const GivenNetwork& given, Document& document) {
    const bool by_name = given.topology && !given.part;
    const std::int64_t links = by_name ? given.topology->links() : std::ssize(given.graph->edges);
    const int degree = by_name ? given.topology->degree() : largest_degree(*given.graph);
    const int switches = given.graph ? given.graph->switches : 0;
    const std::optional<Distances> distances = distances_of(given);
    auto& json = document.json;
    json["spec"] = given.name;
    json["nodes"] = given.nodes();
    if (given.graph) json["switches"] = switches;
    json["links"] = links;
    json["degree"] = degree;
    json["diameter"] = distances ? nlohmann::ordered_json(distances->diameter) : nullptr;
    json["mean_distance"] = distances ? nlohmann::ordered_json(distances->mean) : nullptr;
    json["capacity_unit"] = given.capacity_unit;
    if (!given.warnings.empty()) json["warnings"] = given.warnings;
    document.notes.push_back(fmt::format(
        "{}: {} nodes, {}{} links, degree {}{}", given.name, given.nodes(),
        switches > 0 ? fmt::format("{} switches, ", switches) : "", links, degree,
        distances ? fmt::format(", diameter {}, mean distance {:.4g}", distances->diameter, distances->mean) : ""));
}

void add_numbers(const GivenNetwork& given, const NetworkAnalysis& found, Document& document) {
    Table table{"", {"number", "in " + given.capacity_unit, "method", "certificate"}, {}};
    const auto add = [&](const std::string& key, const std::string& name, const Bracket& bracket) {
        document.json[key] = json_of_bracket(bracket);
        table.rows.push_back({name, value_of(bracket), bracket.method, bracket.certificate});
    };
    add("bisection", "bisection B", found.numbers.bisection);
    add("alpha", "α = min C/|S|", found.numbers.alpha);
    add("phi", "φ = min C/(|S||S̄|)", found.numbers.phi);
    add("uniform_flow", "uniform flow t", found.numbers.uniform_flow);
    document.json["complete"] = found.complete;
    document.tables.push_back(table);
    if (!found.complete) {
        document.remarks.push_back(
            "The budget ended the search: these are the best bounds so far (--budget gives more).");
    }
}

void write_export(GivenNetwork& given, const std::string& file) {
    const Network& network = write_out(given);
    LabelledNetwork labelled = number_vertices(network);
    if (!given.names.empty()) labelled.names = given.names;
    labelled.capacity_unit = given.capacity_unit;
    std::vector<std::string> endings;
    for (const ExportFormat& format : export_formats()) {
        if (file.ends_with(format.ending)) return write_whole_file(file, export_network(labelled, format.name));
        endings.push_back(fmt::format("{} ({})", format.ending, format.name));
    }
    throw InputError(fmt::format("--export {}: the name's ending says the format: {}", file, fmt::join(endings, ", ")));
}

int check_certificate(const std::string& file, Output& output) {
    const Certificate certificate = read_certificate(read_whole_file(file), file);
    Document document;
    document.json = json_of("topology");
    document.json["certificate"] = file;
    document.json["nodes"] = certificate.network.hosts;
    document.json["claims"] = nlohmann::ordered_json::array();
    Table table{"", {"claim", "claimed", "worked out again", "holds", "how"}, {}};
    bool all = true;
    for (const auto& [claim, claimed, proven, holds, how] : verify(certificate, search_threads())) {
        all = all && holds;
        document.json["claims"].push_back({{"claim", claim},
                                           {"claimed", json_of_number(claimed)},
                                           {"proven", json_of_number(proven)},
                                           {"holds", holds},
                                           {"how", how}});
        table.rows.push_back(
            {claim, fmt::format("{:.9g}", claimed), fmt::format("{:.9g}", proven), holds ? "yes" : "NO", how});
    }
    document.json["holds"] = all;
    document.notes.push_back(fmt::format("{}: {} hosts, {} links; {}", file, certificate.network.hosts,
                                         certificate.network.edges.size(),
                                         all ? "every claim is proven" : "NOT every claim is proven"));
    document.tables.push_back(table);
    emit(document, output);
    return all ? 0 : 1;
}

int print_topology(const TopologyWords& words, Output& output) {
    if (!words.certificate.empty()) require_writable(words.certificate);
    if (!words.export_to.empty()) require_writable(words.export_to);
    constexpr double usual_budget = 60;
    const Stop stop = stop_after(words.budget.empty() ? usual_budget : positive_seconds("--budget", words.budget));
    GivenNetwork given = given_network(words.network);
    if (given.nodes() < 2) throw InputError(fmt::format("'{}' is a single node: there is nothing to cut", given.name));
    for (const std::string& warning : given.warnings) output.err << "narrows: warning: " << warning << '\n';
    Document document;
    document.json = json_of("topology");
    if (!words.export_to.empty()) write_export(given, words.export_to);
    describe(given, document);
    const NetworkAnalysis found = numbers_of(given, words, stop, output);
    add_numbers(given, found, document);
    if (!words.certificate.empty()) {
        write_whole_file(words.certificate, certificate_text({write_out(given), found.numbers, found.proofs}));
        document.remarks.push_back(
            fmt::format("The proofs are in {0}: narrows topology --verify {0}", words.certificate));
    }
    if (words.loads.any()) add_loads(given, write_out(given), words.loads, stop, document);
    emit(document, output);
    return 0;
}

}  // namespace

Command topology_command() {
    return {"topology",
            "size, distances, cuts and link loads of a network given by name or by file",
            {"topology 'torus 64x32x32'", "topology 'fat-tree ports=36 levels=3 taper=2:1' --format json",
             "topology 'dragonfly a=4 p=2 h=2' --traffic tornado --hottest 3"},
            [](CLI::App& app) {
                const auto parts = std::make_shared<std::vector<std::string>>();
                const auto words = std::make_shared<TopologyWords>();
                app.add_option("SPEC|FILE", *parts, "such as 'torus 64x32x32', 'slim-fly 5', or a file of a network")
                    ->option_text("TEXT ...");
                app.add_option("--from", words->network.from, "the file's format; default: recognised by its content");
                app.add_option("--cables", words->network.cables,
                               "cables between two switches, where the file omits them (Slurm)");
                app.add_option("--hosts", words->network.hosts,
                               "a job's hosts: first:512, random:512:seed, or a file that lists them");
                app.add_flag("--without-host-links", words->network.without_host_links,
                             "let no host's own link to its switch be what is narrow");
                app.add_option("--budget", words->budget, "time for searches; default: '60 s'");
                app.add_option("--seed", words->seed, "of the searches; default: 1");
                app.add_option("--certificate", words->certificate,
                               "write the proofs of all four numbers to this file");
                app.add_option("--verify", words->verify, "work out again the proofs in this file");
                app.add_option("--traffic", words->loads.traffic,
                               "lay traffic on the links: uniform (default), nearest-neighbour, bit-complement, "
                               "transpose, tornado, or a file of 'source target demand'");
                app.add_option("--routing", words->loads.routing,
                               "dimension-order (default on grids), shortest (default elsewhere), valiant, up-down");
                app.add_option("--hottest", words->loads.hottest, "list this many of the fullest links; default: 10");
                app.add_option("--export", words->export_to, "write the network: .xml (SimGrid), .dot, .graphml, .txt");
                return [parts, words](Output& output) {
                    words->network.network = fmt::format("{}", fmt::join(*parts, " "));
                    const bool verifies = !words->verify.empty();
                    if (verifies == !parts->empty()) {
                        throw InputError(verifies ? "--verify FILE takes no network: the certificate has its own"
                                                  : "topology lacks a network: write it like 'torus 64x32x32'");
                    }
                    return verifies ? check_certificate(words->verify, output) : print_topology(*words, output);
                };
            }};
}

}  // namespace narrows
