#include "model/explore/changes.hpp"

#include <algorithm>
#include <cmath>

namespace narrows {
namespace {

struct Labelled {
    double value = 0;
    std::string label;
};

class Search {
  public:
    Search(const Range& range, const LabelAt& label) : range_(range), label_(label) {}

    std::vector<double> samples() const {
        const double length = std::abs(range_.to - range_.from);
        const bool each = is_looked_at_one_by_one(range_);
        const double doublings = by_ratio() ? std::abs(std::log2(range_.to / range_.from)) : 0;
        const double steps = each ? length : std::ceil(std::clamp(4 * doublings, 64.0, 256.0));
        std::vector<double> found = {range_.from};
        for (double i = 1; i <= steps; ++i) {
            const double value = i == steps ? range_.to : between(range_.from, range_.to, i / steps, each);
            if (value != found.back()) found.push_back(value);
        }
        return found;
    }

    std::optional<Labelled> at(double value) const {
        auto label = label_(value);
        if (!label) return std::nullopt;
        return Labelled{value, std::move(*label)};
    }

    // The first change behind `low`, whose label is not that of `high`.
    Change first_change(Labelled low, Labelled high) const {
        while (const auto middle = middle_of(low, high)) {
            (middle->label == low.label ? low : high) = *middle;
        }
        return {low.value, high.value, low.label, high.label};
    }

  private:
    bool by_ratio() const { return range_.from > 0 && range_.to > 0; }

    double between(double a, double b, double share, bool evenly = false) const {
        const double value = by_ratio() && !evenly ? a * std::pow(b / a, share) : a + (b - a) * share;
        return range_.whole ? std::round(value) : value;
    }

    // Something between them that has an answer; nothing where they are neighbours.
    std::optional<Labelled> middle_of(const Labelled& low, const Labelled& high) const {
        if (!range_.whole) {
            if (std::abs(high.value - low.value) <= 1e-12 * std::max(std::abs(high.value), std::abs(low.value))) {
                return std::nullopt;
            }
            const double middle = between(low.value, high.value, 0.5);
            if (middle == low.value || middle == high.value) return std::nullopt;
            return at(middle);
        }
        const double least = std::min(low.value, high.value), most = std::max(low.value, high.value);
        const double middle = std::floor((least + most) / 2);
        for (double away = 0; away < most - least; ++away) {
            for (const double value : {middle + away, middle - away}) {
                if (value <= least || value >= most) continue;
                if (auto found = at(value)) return found;
            }
        }
        return std::nullopt;
    }

    const Range& range_;
    const LabelAt& label_;
};

}  // namespace

bool is_looked_at_one_by_one(const Range& range) {
    return range.whole && std::abs(range.to - range.from) < range.each_up_to;
}

std::vector<Change> changes_along(const Range& range, const LabelAt& label, std::size_t most) {
    const Search search(range, label);
    std::vector<Change> found;
    std::optional<Labelled> before;
    for (const double value : search.samples()) {
        const auto now = search.at(value);
        if (!now) continue;
        while (before && before->label != now->label && found.size() < most) {
            found.push_back(search.first_change(*before, *now));
            before = Labelled{found.back().next, found.back().after};
        }
        if (found.size() >= most) break;
        before = now;
    }
    return found;
}

std::optional<double> just_holding(const Surroundings& around,
                                   const std::function<std::optional<bool>(double value)>& holds) {
    const LabelAt label = [&holds](double value) -> std::optional<std::string> {
        const auto answer = holds(value);
        if (!answer) return std::nullopt;
        return *answer ? "yes" : "no";
    };
    for (const double end : {around.most, around.least}) {
        Range range{around.now, end, around.whole, around.each_up_to};
        std::optional<Change> found;
        for (bool again = true; again;) {
            const auto changes = changes_along(range, label, 1);
            if (changes.empty()) break;
            found = changes.front();
            again = range.whole && !is_looked_at_one_by_one(range) && range.to != found->next;
            range.to = found->next;
        }
        if (found) return found->after == "yes" ? found->next : found->last;
    }
    return std::nullopt;
}

}  // namespace narrows
