#include "topologies/importers/ibnetdiscover_cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace narrows::ibnetdiscover {
namespace {

struct LaneSpeed {
    std::string_view name;
    double rate;
};

constexpr std::array<LaneSpeed, 9> lane_speeds{{{"SDR", 2},
                                                {"DDR", 4},
                                                {"QDR", 8},
                                                {"FDR10", 10},
                                                {"FDR", 64.0 / 66 * 14.0625},
                                                {"EDR", 25},
                                                {"HDR", 50},
                                                {"NDR", 100},
                                                {"XDR", 200}}};

/// The ends of a cable, lower first: equal for both of its lines.
auto both_ends(const CableEnd& end) {
    const std::pair near{end.node, end.port};
    const std::pair far{end.peer, end.peer_port};
    return std::pair(std::min(near, far), std::max(near, far));
}

int line_of(const Source& source, const char* place) {
    return source.line(source.from(place));
}

/// How often something happened, and where first.
struct Tally {
    int count = 0;
    const char* first = nullptr;

    void add(const char* place) {
        if (count++ == 0 || place < first) first = place;
    }
    void report(const Source& source, std::string_view what, std::vector<std::string>& warnings) const {
        if (count > 0)
            warnings.push_back(fmt::format("{} {}, the first at line {}", count, what, line_of(source, first)));
    }
};

std::pair<int, int> near_port(const CableEnd& end) {
    return {end.node, end.port};
}

std::pair<int, int> far_port(const CableEnd& end) {
    return {end.peer, end.peer_port};
}

/// The line of `at` gives a second cable to a port that has one.
InputError second_cable(const Source& source, const CableEnd& at, std::pair<int, int> port, const char* first,
                        const std::function<std::string(int)>& name) {
    return source.error(source.from(at.place),
                        fmt::format("port {} of {} stands at line {} already, and a port has one cable: keep the line "
                                    "that is true, or run ibnetdiscover again",
                                    port.second, quoted(name(port.first)), line_of(source, first)));
}

/// Throws InputError when two lines are of one port, or lead to one port that does not lead back. Sorts `ends`.
void require_ports_once(const Source& source, std::vector<CableEnd>& ends,
                        const std::function<std::string(int)>& name) {
    std::ranges::sort(ends, [](const CableEnd& a, const CableEnd& b) {
        return std::tuple(near_port(a), a.place) < std::tuple(near_port(b), b.place);
    });
    const auto twice = std::ranges::adjacent_find(
        ends, [](const CableEnd& a, const CableEnd& b) { return near_port(a) == near_port(b); });
    if (twice != ends.end()) throw second_cable(source, twice[1], near_port(*twice), twice->place, name);
    std::vector<const CableEnd*> one_way;
    for (const CableEnd& end : ends) {
        const auto back = std::ranges::lower_bound(ends, far_port(end), {}, near_port);
        if (back == ends.end() || near_port(*back) != far_port(end)) {
            one_way.push_back(&end);
        } else if (far_port(*back) != near_port(end)) {
            const bool later = back->place < end.place;
            throw second_cable(source, later ? end : *back, far_port(end), later ? back->place : end.place, name);
        }
    }
    std::ranges::sort(one_way, [](const CableEnd* a, const CableEnd* b) {
        return std::tuple(far_port(*a), a->place) < std::tuple(far_port(*b), b->place);
    });
    for (std::size_t i = 1; i < one_way.size(); ++i) {
        if (far_port(*one_way[i]) != far_port(*one_way[i - 1])) continue;
        throw second_cable(source, *one_way[i], far_port(*one_way[i]), one_way[i - 1]->place, name);
    }
}

/// The commonest rate of a group, the higher of two equally common ones. `rates` is sorted.
double commonest(const std::vector<double>& rates) {
    double best = 0;
    std::ptrdiff_t most = 0;
    for (auto begin = rates.begin(); begin != rates.end();) {
        const auto end = std::upper_bound(begin, rates.end(), *begin);
        if (end - begin >= most) {
            most = end - begin;
            best = *begin;
        }
        begin = end;
    }
    return best;
}

/// A cable as one of its nodes sees it.
struct Port {
    int node;
    bool to_switch;
    double rate;
    int cable;

    auto group() const { return std::pair(node, to_switch); }
};

}  // namespace

double link_rate(const Source& source, std::string_view words) {
    while (const std::optional<std::string_view> word = cut_word(words)) {
        const std::size_t times = word->find('x');
        const std::optional<std::int64_t> lanes = times == word->npos ? std::nullopt : to_count(word->substr(0, times));
        if (!lanes) continue;
        const std::string_view speed = word->substr(times + 1);
        const auto* found = std::ranges::find(lane_speeds, speed, &LaneSpeed::name);
        if (found == lane_speeds.end() || *lanes < 1 || *lanes > 12) {
            throw source.error(*word,
                               fmt::format("{} is not a width and speed of InfiniBand: 1, 2, 4, 8 or 12 lanes of "
                                           "SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR",
                                           quoted(*word)));
        }
        return static_cast<double>(*lanes) * found->rate;
    }
    return 0;
}

std::vector<Cable> match_ends(const Source& source, std::vector<CableEnd> ends,
                              const std::function<std::string(int)>& name, std::vector<std::string>& warnings) {
    require_ports_once(source, ends, name);
    std::ranges::sort(ends, [](const CableEnd& a, const CableEnd& b) {
        return std::tuple(both_ends(a), a.place) < std::tuple(both_ends(b), b.place);
    });
    Tally seen_once;
    Tally unequal;
    std::size_t cables = 0;
    for (std::size_t i = 0; i < ends.size();) {
        Cable cable = ends[i++];
        if (i < ends.size() && both_ends(ends[i]) == both_ends(cable)) {
            const double rate = ends[i].rate;
            if (cable.rate > 0 && rate > 0 && rate != cable.rate) unequal.add(ends[i].place);
            cable.rate = std::min(cable.rate, rate) > 0 ? std::min(cable.rate, rate) : std::max(cable.rate, rate);
            ++i;
        } else {
            seen_once.add(cable.place);
        }
        ends[cables++] = cable;
    }
    ends.resize(cables);
    std::ranges::sort(ends, {}, &Cable::place);
    seen_once.report(source, "cables are seen from one end only and are kept", warnings);
    if (seen_once.count > 0)
        warnings.back() +=
            fmt::format(" (from {})", quoted(name(std::ranges::find(ends, seen_once.first, &Cable::place)->node)));
    unequal.report(source, "cables have ends of different speed and count with the lower", warnings);
    return ends;
}

std::vector<std::string> degraded_links(const Source& source, const std::vector<Cable>& cables,
                                        const std::vector<bool>& is_switch,
                                        const std::function<std::string(int)>& name) {
    std::vector<Port> ports;
    ports.reserve(2 * cables.size());
    for (std::size_t i = 0; i < cables.size(); ++i) {
        const auto& cable = cables[i];
        ports.push_back({cable.node, is_switch[cable.peer], cable.rate, static_cast<int>(i)});
        ports.push_back({cable.peer, is_switch[cable.node], cable.rate, static_cast<int>(i)});
    }
    std::ranges::sort(ports, [](const Port& a, const Port& b) {
        return std::tuple(a.group(), a.rate, a.cable) < std::tuple(b.group(), b.rate, b.cable);
    });
    std::vector<double> usual(cables.size());
    for (std::size_t i = 0; i < ports.size();) {
        std::vector<double> rates;
        const std::size_t begin = i;
        for (; i < ports.size() && ports[i].group() == ports[begin].group(); ++i) rates.push_back(ports[i].rate);
        const double most = commonest(rates);
        for (std::size_t j = begin; j < i; ++j) usual[ports[j].cable] = std::max(usual[ports[j].cable], most);
    }
    constexpr int named = 10;
    std::vector<std::string> warnings;
    int slow = 0;
    for (std::size_t i = 0; i < cables.size(); ++i) {
        const Cable& cable = cables[i];
        if (cable.rate >= usual[i] || slow++ >= named) continue;
        warnings.push_back(
            fmt::format("degraded link between {} port {} and {} port {}: {:.4g} Gbit/s beside {:.4g}, line {}",
                        quoted(name(cable.node)), cable.port, quoted(name(cable.peer)), cable.peer_port, cable.rate,
                        usual[i], line_of(source, cable.place)));
    }
    if (slow > named) warnings.push_back(fmt::format("{} more degraded links", slow - named));
    return warnings;
}

}  // namespace narrows::ibnetdiscover
