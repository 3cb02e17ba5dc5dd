#include "topologies/importers/ibnetdiscover_cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace narrows::ibnetdiscover {
namespace {

struct LaneSpeed {
    std::string_view name;
    float rate;
};

constexpr std::array<LaneSpeed, 9> lane_speeds{{{"SDR", 2},
                                                {"DDR", 4},
                                                {"QDR", 8},
                                                {"FDR10", 10},
                                                {"FDR", 64.0F / 66 * 14.0625F},
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
    return source.line(source.text().substr(static_cast<std::size_t>(place - source.text().data())));
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

/// The commonest rate of a group, the higher of two equally common ones. `rates` is sorted.
float commonest(const std::vector<float>& rates) {
    float best = 0;
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
    float rate;
    int cable;

    auto group() const { return std::pair(node, to_switch); }
};

}  // namespace

float link_rate(const Source& source, std::string_view words) {
    while (const std::optional<std::string_view> word = cut_word(words)) {
        const std::size_t times = word->find('x');
        const std::optional<std::int64_t> lanes = times == word->npos ? std::nullopt : to_count(word->substr(0, times));
        if (!lanes) continue;
        const std::string_view speed = word->substr(times + 1);
        const auto* found = std::find_if(lane_speeds.begin(), lane_speeds.end(),
                                         [&](const LaneSpeed& known) { return known.name == speed; });
        if (found == lane_speeds.end() || *lanes < 1 || *lanes > 12) {
            throw source.error(*word, fmt::format("{} is no width and speed of InfiniBand: 1, 2, 4, 8 or 12 lanes of "
                                                  "SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR",
                                                  quoted(*word)));
        }
        return static_cast<float>(*lanes) * found->rate;
    }
    return 0;
}

std::vector<Cable> match_ends(const Source& source, std::vector<CableEnd> ends,
                              const std::function<std::string(const CableEnd&)>& name,
                              std::vector<std::string>& warnings) {
    std::sort(ends.begin(), ends.end(), [](const CableEnd& a, const CableEnd& b) {
        return std::tuple(both_ends(a), a.place) < std::tuple(both_ends(b), b.place);
    });
    Tally seen_once;
    Tally repeated;
    Tally unequal;
    std::size_t cables = 0;
    for (std::size_t i = 0; i < ends.size();) {
        Cable cable = ends[i];
        bool both = false;
        std::size_t next = i + 1;
        for (; next < ends.size() && both_ends(ends[next]) == both_ends(cable); ++next) {
            const CableEnd& other = ends[next];
            if (both || std::pair(other.node, other.port) == std::pair(cable.node, cable.port))
                repeated.add(other.place);
            both = both || std::pair(other.node, other.port) != std::pair(cable.node, cable.port);
            if (cable.rate > 0 && other.rate > 0 && other.rate != cable.rate) unequal.add(other.place);
            cable.rate = std::min(cable.rate, other.rate) > 0 ? std::min(cable.rate, other.rate)
                                                              : std::max(cable.rate, other.rate);
        }
        if (!both) seen_once.add(cable.place);
        ends[cables++] = cable;
        i = next;
    }
    ends.resize(cables);
    std::sort(ends.begin(), ends.end(), [](const Cable& a, const Cable& b) { return a.place < b.place; });
    seen_once.report(source, "cables are seen from one end only and are kept", warnings);
    if (seen_once.count > 0)
        warnings.back() += fmt::format(
            " (from {})", quoted(name(*std::find_if(ends.begin(), ends.end(),
                                                    [&](const Cable& c) { return c.place == seen_once.first; }))));
    repeated.report(source, "lines repeat a cable and are left out", warnings);
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
    std::sort(ports.begin(), ports.end(), [](const Port& a, const Port& b) {
        return std::tuple(a.group(), a.rate, a.cable) < std::tuple(b.group(), b.rate, b.cable);
    });
    std::vector<float> usual(cables.size());
    for (std::size_t i = 0; i < ports.size();) {
        std::vector<float> rates;
        const std::size_t begin = i;
        for (; i < ports.size() && ports[i].group() == ports[begin].group(); ++i) rates.push_back(ports[i].rate);
        const float most = commonest(rates);
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
