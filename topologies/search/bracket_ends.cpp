#include "topologies/search/bracket_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace narrows {

double cut_floor(double phi, double inside, double hosts, double unit) {
    constexpr double below = 1 - 1e-12;  // so that rounding of this line does not carry over a whole multiple
    const double least = phi * inside * (hosts - inside) * below;
    return unit > 0 ? unit * std::ceil(least / unit) : least;
}

Bracket sharper(const Bracket& known, const Bracket& found) {
    Bracket both = known;
    both.lower_method = known.method_of_lower();
    both.upper_method = known.method_of_upper();
    if (found.upper < known.upper) {
        both.upper = found.upper;
        both.certificate = found.certificate;
        both.method = found.method;
        both.upper_method = found.method_of_upper();
    }
    if (found.lower > known.lower) {
        both.lower = found.lower;
        both.method = found.method;
        both.lower_method = found.method_of_lower();
        if (both.certificate.empty()) both.certificate = found.certificate;
    }
    return both;
}

void raise_lower_end(Bracket& number, double lower, const std::string& method) {
    if (number.exact() || lower <= number.lower) return;
    number.upper_method = number.method_of_upper();
    number.lower = lower <= number.upper * (1 + contradiction) ? std::min(lower, number.upper) : lower;
    number.lower_method = method;
    number.method += fmt::format(", bounded by {}", method);
}

std::string describe_cut(const Cut& cut, int hosts, const std::vector<std::string>& names) {
    constexpr int listed_hosts = 16;
    const bool smaller_is_inside = 2 * cut.inside <= hosts;
    const int smaller = std::min(cut.inside, hosts - cut.inside);
    if (smaller > listed_hosts) {
        return fmt::format("cut of capacity {:.6g} between {} and {} nodes", cut.capacity, smaller, hosts - smaller);
    }
    std::vector<std::string> listed;
    for (int host = 0; host < hosts; ++host) {
        if ((cut.side[host] != 0) != smaller_is_inside) continue;
        listed.push_back(names.empty() ? std::to_string(host) : names[host]);
    }
    return fmt::format("cut of capacity {:.6g} separates nodes {{{}}} from the other {}", cut.capacity,
                       fmt::join(listed, ", "), hosts - smaller);
}

}  // namespace narrows
