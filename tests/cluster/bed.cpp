#include "tests/cluster/bed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "cli/options.hpp"
#include "data/whole_file.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

double rate_of(const std::string& text) {
    const bool of_tc = text.ends_with("bit") || text.ends_with("bit ");
    return with_option_context("--rate", [&] { return parse_bandwidth(of_tc ? text + "/s" : text).si(); });
}

void require_size(const Network& network) {
    constexpr int most = 1024;
    if (network.edges.empty()) throw InputError("the network has no links: give one with two hosts or more");
    if (network.vertices() > most) {
        throw InputError(
            fmt::format("{} hosts and switches are too many namespaces: give at most {}", network.vertices(), most));
    }
}

void change_tables(Bed& bed, const Adjacency& arcs) {
    std::istringstream lines(read_whole_file(bed.words.tables));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string at, target, next, more;
        if (!(words >> at)) continue;
        const auto wrong = [&](const std::string& what) {
            return InputError(fmt::format("{}:{}: {}", bed.words.tables, number, what));
        };
        if (!(words >> target >> next) || words >> more) throw wrong("write AT TARGET NEXT, such as 'h0 h5 h1'");
        const int v = bed.vertex_called(at), to = bed.vertex_called(target), by = bed.vertex_called(next);
        if (to >= bed.hosts()) throw wrong(fmt::format("'{}' is a switch: routes lead to hosts", target));
        const auto first = arcs.target.begin() + arcs.first[v];
        const auto last = arcs.target.begin() + arcs.first[v + 1];
        const auto found = std::find(first, last, by);
        if (found == last) throw wrong(fmt::format("no link joins {} and {}", at, next));
        bed.tables.next[v][to] = static_cast<int>(found - arcs.target.begin());
    }
}

/// Tables of a file may lead in circles or nowhere.
void require_routes(const Bed& bed, const Adjacency& arcs) {
    for (int source = 0; source < bed.hosts(); ++source) {
        for (int target = 0; target < bed.hosts(); ++target) {
            try {
                route(arcs, bed.tables, source, target);
            } catch (const std::logic_error&) {
                throw InputError(
                    fmt::format("{}: what h{} sends to h{} does not come there", bed.words.tables, source, target));
            }
        }
    }
}

Traffic halves_traffic(int hosts) {
    if (hosts % 2 != 0) throw InputError(fmt::format("halves: {} hosts have none: give an even number", hosts));
    Traffic traffic;
    traffic.hosts = hosts;
    for (int host = 0; host < hosts; ++host) traffic.demands.push_back({host, (host + hosts / 2) % hosts, 1});
    return traffic;
}

}  // namespace

std::string host_address(int host) {
    constexpr int a_row = 250;
    return fmt::format("10.77.{}.{}", 1 + host / a_row, 1 + host % a_row);
}

std::string Bed::host_name(int vertex) const {
    return vertex < hosts() ? fmt::format("h{}", vertex) : fmt::format("s{}", vertex - hosts());
}

std::string Bed::namespace_prefix(const std::string& name) {
    return fmt::format("narrows-{}.", name);
}

std::string Bed::namespace_of(int vertex) const {
    return namespace_prefix(words.name) + host_name(vertex);
}

int Bed::vertex_called(const std::string& called) const {
    for (int v = 0; v < network().vertices(); ++v) {
        if (host_name(v) == called) return v;
    }
    throw InputError(fmt::format("there is no '{}': hosts are h0 to h{}{}", called, hosts() - 1,
                                 network().switches > 0 ? ", switches s0, s1, …" : ""));
}

std::string table_lines(const Bed& bed) {
    const Adjacency arcs(bed.network());
    std::string text;
    for (int v = 0; v < bed.network().vertices(); ++v) {
        for (int target = 0; target < bed.hosts(); ++target) {
            const int arc = bed.tables.next[v][target];
            if (arc < 0) continue;
            fmt::format_to(std::back_inserter(text), "{} {} {}\n", bed.host_name(v), bed.host_name(target),
                           bed.host_name(arcs.target[arc]));
        }
    }
    return text;
}

Traffic Bed::traffic(const std::string& pattern) const {
    if (pattern == "halves") return halves_traffic(hosts());
    if (is_there(pattern)) return read_traffic(read_whole_file(pattern), pattern, given.host_finder());
    return traffic_pattern(pattern, network(), given.grid_shape());
}

Bed plan_bed(const BedWords& words) {
    const auto fits = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-';
    };
    constexpr std::size_t longest = 32;
    if (words.name.empty() || words.name.size() > longest || !std::ranges::all_of(words.name, fits)) {
        throw InputError(fmt::format("--name '{}': give up to {} letters, digits and '-'", words.name, longest));
    }
    Bed bed;
    bed.words = words;
    bed.bytes_a_second = rate_of(words.rate);
    bed.given = given_network(words.network);
    require_size(write_out(bed.given));
    const std::vector<int> shape = bed.given.part ? std::vector<int>{} : bed.given.grid_shape();
    if (words.routing.empty()) bed.words.routing = shape.empty() ? "shortest" : "dimension-order";
    bed.routing = with_option_context("--routing", [&] { return parse_routing(bed.words.routing); });
    const std::vector<bool> wraps = shape.empty() ? std::vector<bool>{} : bed.given.topology->grid_wraps();
    bed.tables =
        with_option_context("--routing", [&] { return route_tables(bed.network(), bed.routing, shape, wraps); });
    if (!words.tables.empty()) {
        const Adjacency arcs(bed.network());
        change_tables(bed, arcs);
        require_routes(bed, arcs);
    }
    return bed;
}

}  // namespace narrows::cluster
