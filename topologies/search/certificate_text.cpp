#include "topologies/search/certificate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

Json json_of_claim(const Bracket& claim) {
    Json json{{"lower", claim.lower}, {"upper", nullptr}};
    if (std::isfinite(claim.upper)) json["upper"] = claim.upper;
    return json;
}

Bracket claim_of(const Json& json) {
    Bracket claim;
    claim.lower = json.at("lower");
    claim.upper = json.at("upper").is_null() ? std::numeric_limits<double>::infinity() : json.at("upper").get<double>();
    return claim;
}

std::string text_of_cut(const Cut& cut) {
    std::string sides;
    for (const char side : cut.side) sides += side != 0 ? '1' : '0';
    return sides;
}

Cut cut_of_text(const Json& json, const Network& network) {
    Cut cut;
    const auto sides = json.get<std::string>();
    if (sides.empty()) return cut;
    if (std::ssize(sides) != network.vertices() || sides.find_first_not_of("01") != std::string::npos) {
        throw InputError("a cut is not one 0 or 1 for each vertex");
    }
    for (const char side : sides) cut.side.push_back(side == '1' ? 1 : 0);
    return cut_of(network, cut.side);
}

/// Numbers whose products and sums neither overflow nor vanish: a proof must not rest on what rounding swallowed.
bool is_usable(double number) {
    constexpr double most = 1e100;
    return number >= 1 / most && number <= most;
}

std::vector<double> positive_numbers(const Json& json) {
    auto numbers = json.get<std::vector<double>>();
    for (const double number : numbers) {
        if (!is_usable(number))
            throw InputError(fmt::format("a length or weight, {}, is not from 1e-100 to 1e100", number));
    }
    return numbers;
}

/// A whole number from 0 to `most`; JSON's own conversion takes fractions and wraps what is too large.
int count_of(const Json& json, std::int64_t most, const char* what) {
    if (!json.is_number_integer() || json.get<std::int64_t>() < 0 || json.get<std::int64_t>() > most) {
        throw InputError(fmt::format("{} is not a whole number from 0 to {}", what, most));
    }
    return json.get<int>();
}

Network network_of(const Json& json) {
    Network network;
    network.hosts = count_of(json.at("hosts"), graph_limit, "the number of hosts");
    network.switches = count_of(json.at("switches"), graph_limit, "the number of switches");
    if (network.hosts < 2) throw InputError("the network has fewer than two hosts");
    for (const Json& link : json.at("links")) {
        const int last = network.vertices() - 1;
        const int u = count_of(link.at(0), last, "the end of a link"),
                  v = count_of(link.at(1), last, "the end of a link");
        const double capacity = link.at(2);
        if (u == v || !is_usable(capacity)) {
            throw InputError(fmt::format("link {} is impossible", link.dump()));
        }
        network.connect(u, v, capacity);
    }
    return network;
}

Json json_of_flow(const UniformFlow& flow) {
    Json parts = Json::array();
    for (const auto& [share, spread] : flow.parts) {
        parts.push_back(
            {{"share", share}, {"length", spread.length}, {"weight", spread.weight}, {"by_hop", spread.by_hop}});
    }
    Json json{{"parts", parts}, {"length", flow.length}};
    if (flow.arcs.empty()) return json;
    json["arcs"] = Json::array();
    for (const auto& [source, edge, amount] : flow.arcs) json["arcs"].push_back(Json::array({source, edge, amount}));
    return json;
}

/// [source, link, amount]: the amount goes from the link's first end to its second, or back when it is negative.
FlowArc arc_of_json(const Json& json, const Network& network) {
    if (!json.is_array() || json.size() != 3) throw InputError(fmt::format("arc {} is not of 3 numbers", json.dump()));
    FlowArc arc;
    arc.source = count_of(json.at(0), network.hosts - 1, "the source of an arc");
    arc.edge = count_of(json.at(1), std::ssize(network.edges) - 1, "the link of an arc");
    arc.amount = json.at(2);
    if (!std::isfinite(arc.amount)) throw InputError(fmt::format("arc {} is not finite", json.dump()));
    return arc;
}

UniformFlow flow_of_json(const Json& json, const Network& network) {
    UniformFlow flow;
    for (const Json& part : json.at("parts")) {
        const double share = part.at("share");
        if (!(share >= 0 && share <= 1)) throw InputError("a part's share is not from 0 to 1");
        const bool by_hop = part.at("by_hop");
        flow.parts.push_back(
            {share, {positive_numbers(part.at("length")), positive_numbers(part.at("weight")), by_hop}});
    }
    flow.length = positive_numbers(json.at("length"));
    if (!json.contains("arcs")) return flow;
    for (const Json& arc : json.at("arcs")) flow.arcs.push_back(arc_of_json(arc, network));
    return flow;
}

/// Vertices by number, each below `count`.
std::vector<int> vertices_of_json(const Json& json, int count, const char* what) {
    std::vector<int> vertices;
    for (const Json& vertex : json) vertices.push_back(count_of(vertex, count - 1, what));
    return vertices;
}

Json json_of_symmetries(const std::vector<Automorphism>& automorphisms) {
    Json all = Json::array();
    for (const Automorphism& automorphism : automorphisms) {
        Json moved = Json::array();
        for (const auto& [vertex, image] : automorphism.moved) moved.push_back(Json::array({vertex, image}));
        all.push_back(std::move(moved));
    }
    return all;
}

/// Lists of [vertex, image] of those that move.
std::vector<Automorphism> symmetries_of_json(const Json& json, const Network& network) {
    std::vector<Automorphism> automorphisms;
    const int last = network.vertices() - 1;
    for (const Json& moved : json) {
        automorphisms.emplace_back();
        for (const Json& pair : moved) {
            automorphisms.back().moved.emplace_back(count_of(pair.at(0), last, "a vertex of a symmetry"),
                                                    count_of(pair.at(1), last, "a vertex of a symmetry"));
        }
    }
    return automorphisms;
}

Certificate certificate_of(const Json& json) {
    Certificate certificate;
    certificate.network = network_of(json.at("network"));
    const Json& claims = json.at("claims");
    certificate.claims = {claim_of(claims.at("bisection")), claim_of(claims.at("alpha")), claim_of(claims.at("phi")),
                          claim_of(claims.at("uniform_flow"))};
    const Json& proofs = json.at("proofs");
    if (proofs.contains("cuts")) {
        const Json& cuts = proofs.at("cuts");
        const Network& network = certificate.network;
        certificate.proofs.cuts =
            BestCuts{cut_of_text(cuts.at("bisection"), network), cut_of_text(cuts.at("alpha"), network),
                     cut_of_text(cuts.at("phi"), network)};
        const bool searched = proofs.contains("least");  // what needs no cut
        if (!searched && (certificate.proofs.cuts->alpha.side.empty() || certificate.proofs.cuts->phi.side.empty())) {
            throw InputError("the cut of alpha or phi is empty");
        }
    }
    if (proofs.contains("flow")) certificate.proofs.flow = flow_of_json(proofs.at("flow"), certificate.network);
    if (proofs.contains("least")) certificate.proofs.least = proofs.at("least").get<std::vector<double>>();
    certificate.proofs.spectral = proofs.at("spectral");
    const Network& network = certificate.network;
    if (proofs.contains("spectral_order")) {
        certificate.proofs.spectral_order =
            vertices_of_json(proofs.at("spectral_order"), network.vertices(), "a vertex of the order of elimination");
    }
    if (proofs.contains("hubs")) {
        certificate.proofs.hubs = vertices_of_json(proofs.at("hubs"), network.hosts, "a hub");
    }
    if (proofs.contains("symmetries")) {
        certificate.proofs.automorphisms = symmetries_of_json(proofs.at("symmetries"), network);
    }
    return certificate;
}

constexpr const char* writer = "certificate";  // the setting that writes one

InputError damaged(const std::string& file, const std::string& why) {
    return InputError(file, 0, 0, "", fmt::format("the certificate is damaged ({}): write it again", why))
        .of_setting(writer);
}

/// An error at a byte of the text, from 1.
InputError error_at(const std::string& text, const std::string& file, std::size_t byte, const std::string& message) {
    const std::string before = text.substr(0, std::max<std::size_t>(byte, 1) - 1);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t begin = before.rfind('\n') + 1;  // 0 where there is none
    return {file, static_cast<int>(line), static_cast<int>(before.size() - begin) + 1, "", message};
}

/// An error at the number of the text that is too large for one. The parser does not say where it is, but it has read
/// no further than the character behind it.
InputError error_at_number(const std::string& text, const std::string& file) {
    std::istringstream stream(text);
    const Json ignored = Json::parse(stream, nullptr, false);
    const auto read = static_cast<std::size_t>(stream.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in));
    const std::size_t last = text.find_last_of("0123456789", std::min(read, text.size()) - 1);
    const std::size_t before = text.find_last_not_of("+-.0123456789eE", last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    return error_at(text, file, first + 1,
                    fmt::format("'{}' is too large for a number: write the certificate again",
                                text.substr(first, last + 1 - first)))
        .of_setting(writer);
}

Json parse_json(const std::string& text, const std::string& file) {
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw error_at(text, file, error.byte, "this is not JSON from here on, as a certificate is: write it again")
            .of_setting(writer);
    } catch (const Json::out_of_range&) {
        throw error_at_number(text, file);
    }
}

}  // namespace

std::string certificate_text(const Certificate& certificate) {
    const auto& [network, claims, proofs] = certificate;
    Json json{{"schema", 1}, {"certificate", "network"}};
    Json links = Json::array();
    for (const auto& [u, v, capacity] : network.edges) links.push_back(Json::array({u, v, capacity}));
    json["network"] = {{"hosts", network.hosts}, {"switches", network.switches}, {"links", links}};
    json["claims"] = {{"bisection", json_of_claim(claims.bisection)},
                      {"alpha", json_of_claim(claims.alpha)},
                      {"phi", json_of_claim(claims.phi)},
                      {"uniform_flow", json_of_claim(claims.uniform_flow)}};
    json["proofs"] = {{"spectral", proofs.spectral}};
    if (proofs.cuts) {
        const auto text = [&](const Cut& cut, const Bracket& claim, const CutMeasure& measure) {
            constexpr double rounding = 1 + 1e-9;
            const bool meets = measure(cut.capacity, cut.inside, network.hosts) <= claim.upper * rounding;
            return meets || proofs.least.empty() ? text_of_cut(cut) : "";  // another one proves nothing
        };
        const auto capacity = [](double of_cut, double, double) { return of_cut; };
        json["proofs"]["cuts"] = {{"bisection", text(proofs.cuts->bisection, claims.bisection, capacity)},
                                  {"alpha", text(proofs.cuts->alpha, claims.alpha, expansion_of)},
                                  {"phi", text(proofs.cuts->phi, claims.phi, sparsity_of)}};
    }
    if (proofs.flow) json["proofs"]["flow"] = json_of_flow(*proofs.flow);
    if (!proofs.least.empty()) json["proofs"]["least"] = proofs.least;
    if (!proofs.spectral_order.empty()) json["proofs"]["spectral_order"] = proofs.spectral_order;
    if (!proofs.hubs.empty()) json["proofs"]["hubs"] = proofs.hubs;
    if (!proofs.automorphisms.empty()) json["proofs"]["symmetries"] = json_of_symmetries(proofs.automorphisms);
    return json.dump() + "\n";
}

Certificate read_certificate(const std::string& text, const std::string& file) {
    const Json json = parse_json(text, file);
    const bool ours = json.is_object() && json.value("certificate", Json()) == "network";
    if (!ours) {
        throw InputError(file, 0, 0, "", "this is not a certificate of a network: write one").of_setting(writer);
    }
    if (json.value("schema", Json()) != 1) {
        throw InputError(file, 0, 0, "", "the certificate's schema is not 1: write it again with this release");
    }
    try {
        return certificate_of(json);
    } catch (const Json::exception& error) {
        const std::string what = error.what();
        throw damaged(file, what.substr(what.find("] ") == std::string::npos ? 0 : what.find("] ") + 2));
    } catch (const InputError& error) {
        throw damaged(file, error.what());
    }
}

}  // namespace narrows
