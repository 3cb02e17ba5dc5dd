#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/unit.hpp"
#include "topologies/origin.hpp"

namespace narrows {

/// A number in SI units with the exponents of its seconds and its bytes.
struct Amount {
    double value = 0;
    int seconds = 0;
    int bytes = 0;
    bool any_unit = false;  ///< a zero that is written without a unit

    /// What is written as `25 ns`, `8 MiB` or `12`. InputError as `parse_measure`, and for cycles.
    static Amount parse(std::string_view text);
    /// InputError for cycles, which have no clock.
    static Amount of(const Measure& measure);
    template <int S, int B>
    static Amount of(Quantity<S, B> quantity) {
        return {quantity.si(), S, B};
    }
    /// What it measures, where that has a name.
    std::optional<Dimension> dimension() const { return dimension_of({seconds, bytes}); }
    bool is(Dimension wanted) const { return dimension() == wanted; }

    friend bool operator==(const Amount&, const Amount&) = default;
};

/// Values of names, those of units among them.
using Amounts = std::map<std::string, Amount>;

/// A formula over names and quantities: `16 B * n^3 / P / Px`, `max(2 us, rows * 3 ns)`. It has + - * / ^, comparisons,
/// && ||, `a ? b : c`, min, max, abs, sqrt, exp, ln, log2, log10, floor, ceil, rint and mod, parsed by muParser; a
/// number may have any unit of a machine file but cycles.
class Expression {
  public:
    /// InputError for what is not an expression.
    explicit Expression(std::string text, Origin origin = {});

    const std::string& text() const { return text_; }
    const Origin& origin() const { return origin_; }
    /// Those it uses, in alphabetical order.
    const std::vector<std::string>& names() const { return names_; }

    /// Its value. InputError for a name that `names` does not have, for one that is not finite, and where what is
    /// added, compared, chosen from or given to a function has different units, whatever is chosen.
    Amount at(const Amounts& names) const;
    /// The same for what must be `dimension`.
    double at(const Amounts& names, Dimension dimension) const;

  private:
    template <class Work>
    void evaluated(const Work& work) const;

    std::string text_;
    Origin origin_;
    std::vector<std::string> names_;
};

}  // namespace narrows
