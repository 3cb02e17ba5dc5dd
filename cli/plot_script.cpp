#include "cli/plot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "cli/byte_sizes.hpp"
#include "cli/formats.hpp"
#include "model/unit.hpp"

namespace narrows {

// gnuplot reads nothing into a text between single quotes, but in one between double quotes runs what stands between
// backquotes. Only the quote itself has to be doubled.
std::string gnuplot_text(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) {
        if (c == '\'') safe += '\'';
        safe += c == '\n' ? ' ' : c;
    }
    return safe + "'";
}

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// In grey, terms that touch differ in lightness, and those of like lightness in pattern.
constexpr std::array fills = {"'#23456b' fs solid 1", "'#e9a93c' fs solid 1",   "'#a33b2a' fs solid 1",
                              "'#d8f0f7' fs solid 1", "'#2f6e1f' fs pattern 4", "'#555555' fs pattern 1",
                              "'#6d4e9c' fs solid 1", "'#f7d9e6' fs solid 1",   "'#111111' fs pattern 5",
                              "'#c79a78' fs solid 1", "'#00635d' fs pattern 2", "'#ffffff' fs solid 1"};

// In grey, bounds differ in dashes and markers, and so do curves where there are several.
constexpr std::array dashes = {"'#a33b2a' dt (12,5) pt 4",         "'#2f6e1f' dt (3,4) pt 8",
                               "'#6d4e9c' dt (12,4,3,4) pt 6",     "'#8a5a00' dt (6,6) pt 10",
                               "'#00635d' dt (20,6) pt 12",        "'#444444' dt (3,4,3,12) pt 1",
                               "'#b0307a' dt (12,4,3,4,3,4) pt 2", "'#23456b' dt (6,3) pt 3"};

constexpr const char* curve_style = "linespoints lw 3.5 pt 7 ps 0.5 lc rgb '#5b8fc9'";
constexpr const char* interval_name = "95 % interval";

/// The values along an axis.
struct Extent {
    double low = infinite;
    double high = 0;

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool is_wide() const { return high > 10 * low; }
};

using LegendEntry = std::pair<double, std::string>;  // height and text

bool has_intervals(const Series& series) {
    return series.low != series.high;
}

class Script {
  public:
    explicit Script(const Plot& plot) : plot_(plot) {
        for (const Series& series : plot.series) {
            stacked_ = stacked_ || series.look == Look::term;
            curves_in_all_ += series.look == Look::curve ? 1 : 0;
            for (const double x : series.x) has_zero_x_ = has_zero_x_ || x <= 0;
            for (const double y : series.y) all_zero_ = all_zero_ && y <= 0;
        }
        for (const Series& series : plot.series) {
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                if (is_drawn(series, i)) totals_[series.x[i]] += series.look == Look::term ? series.y[i] : 0;
            }
        }
        measure_sizes();
        measure_values();
        add_terms();
        if (shares_) add_totals();
        for (const Series& series : plot.series) {
            if (series.look != Look::term) add(series);
        }
    }

    std::string text() {
        // From the top as the curves end, or as the terms lie on each other.
        if (plot_.legend.empty()) std::ranges::stable_sort(legend_, std::ranges::greater(), &LegendEntry::first);
        for (const auto& [height, entry] : legend_) curves_ += ", " + entry;
        if (curves_.empty()) curves_ = ", 0 notitle";  // an empty diagram
        return axes() + data_ + "plot " + curves_.substr(2) + "\n";
    }

  private:
    // A value of 0 has no place on a logarithmic axis, and no height: it is drawn where all are that.
    bool is_drawn(const Series& series, std::size_t i) const { return series.y[i] > 0 || all_zero_; }

    // Sizes that multiply have a logarithmic axis, those that are counted, from 0 on too, have not.
    void measure_sizes() {
        double last = 0, ratio = infinite;
        for (const auto& [size, total] : totals_) {
            x_.add(size);
            if (last > 0) ratio = std::min(ratio, size / last);
            last = size;
        }
        constexpr double multiplies = 1.5;
        log_x_ = plot_.x_names.empty() && !has_zero_x_ && (x_.is_wide() || ratio >= multiplies);
        double gap = infinite;
        for (const auto& [size, total] : totals_) {
            if (x_.low < size) gap = std::min(gap, place(size) - last);
            last = place(size);
        }
        if (gap < infinite) gap_ = gap;
    }

    // Where x stands along the axis.
    double place(double x) const { return log_x_ ? std::log2(x) : x; }

    // So many gaps between the closest sizes beside x.
    double beside(double x, double gaps) const { return log_x_ ? x * std::exp2(gaps * gap_) : x + gaps * gap_; }

    void measure_values() {
        Extent bars;
        for (const auto& [size, total] : totals_) {
            if (total > 0) bars.add(total);
        }
        constexpr double too_short = 20;  // times as short as the longest bar
        const bool stand_alone = std::ranges::all_of(
            plot_.series, [](const Series& one) { return one.look == Look::term || one.look == Look::curve; });
        shares_ = stacked_ && stand_alone && !all_zero_ && bars.high > too_short * bars.low;
        for (const Series& series : plot_.series) {
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                if (!is_drawn(series, i) || series.look == Look::term) continue;
                y_.add(series.y[i]);
                if (!has_intervals(series)) continue;
                if (series.low[i] > 0) y_.add(series.low[i]);
                y_.add(series.high[i]);
            }
        }
        log_y_ = !stacked_ && !all_zero_ && y_.is_wide();
        if (stacked_) y_.high = std::max(y_.high, bars.high);
        if (all_zero_) y_.high = 1;
    }

    // What a value at x is multiplied by.
    double scale(double x) const {
        const auto total = totals_.find(x);
        return shares_ && total->second > 0 ? 100 / total->second : 1;
    }

    std::string tick(double x) const {
        if (!plot_.x_names.empty()) return plot_.x_names.at(static_cast<std::size_t>(x));
        return plot_.x_is_bytes ? size_text(bytes(x)) : fmt::format("{:.10g}", x);
    }

    // Where so few decades are drawn that their ends alone say too little.
    std::string ticks_within_decades() const {
        constexpr double wide = 100;
        if (!log_x_ || x_.high > wide * x_.low) return "";
        std::vector<std::string> places;
        for (double decade = std::pow(10, std::floor(std::log10(x_.low))); decade <= x_.high; decade *= 10) {
            for (const double x : {decade, 2 * decade, 5 * decade}) {
                if (x >= x_.low && x <= x_.high) places.push_back(fmt::format("{:.10g}", x));
            }
        }
        return places.size() < 2 ? "" : fmt::format("set xtics ({})\n", fmt::join(places, ", "));
    }

    std::string ticks() const {
        if (!plot_.x_is_size) return "set format x '%g'\n" + ticks_within_decades();
        std::vector<double> sizes;
        for (double size = 1; plot_.x_is_bytes && size <= x_.high; size *= 2) {
            if (size >= x_.low) sizes.push_back(size);
        }
        if (sizes.empty()) {
            for (const auto& [size, total] : totals_) sizes.push_back(size);
        }
        constexpr double most = 13;
        constexpr int most_level = 6;
        std::string places;
        int count = 0;
        double last = -infinite;
        for (const double size : sizes) {
            if (place(size) - last < (place(x_.high) - place(x_.low)) / most) continue;
            last = place(size);
            places += fmt::format("{}{} {:.10g}", count++ == 0 ? "" : ", ", gnuplot_text(tick(size)), size);
        }
        return fmt::format("set xtics ({}){}\n", places, count > most_level ? " rotate by -45" : "");
    }

    std::string axes() const {
        const std::string y_label =
            shares_ ? "share of the " + plot_.quantity + ", %" : plot_.quantity + ", " + plot_.unit;
        std::string text = fmt::format(
            "set encoding utf8\nset termoption noenhanced\nset title {}\nset xlabel {}\nset "
            "ylabel {}\nset grid {}ytics back lt 1 lw 0.5 lc rgb '#cccccc'\n",
            gnuplot_text(plot_.title), gnuplot_text(plot_.x_label), gnuplot_text(y_label), stacked_ ? "" : "xtics ");
        text += "set key outside right center reverse Left samplen 3 spacing 1.2\nset format y '%g'\n";
        if (!plot_.legend.empty()) text += fmt::format("set key title {} left\n", gnuplot_text(plot_.legend));
        if (log_x_) text += plot_.x_is_size ? "set logscale x 2\n" : "set logscale x 10\n";
        if (log_y_) text += "set logscale y 10\n";
        if (totals_.empty()) return text;
        // Half a bar and more, or a little of the axis.
        const double room = std::max(0.6, 0.03 * (place(x_.high) - place(x_.low)) / gap_);
        text += ticks() + fmt::format("set xrange [{:.9g}:{:.9g}]\n", beside(x_.low, -room), beside(x_.high, room));
        if (shares_) return text + fmt::format("set yrange [0:{:.4g}]\nset ytics 0,20,100\n", top_of_shares_);
        return text +
               fmt::format("set yrange [{:.9g}:{:.9g}]\n", log_y_ ? y_.low / 1.5 : 0, (log_y_ ? 1.5 : 1.1) * y_.high);
    }

    // The curve that is drawn of these lines of data.
    void draw(const std::string& lines, const std::string& with) {
        data_ += fmt::format("$data{} << EOD\n{}EOD\n", blocks_, lines);
        curves_ += fmt::format(", $data{} {} notitle", blocks_++, with);
    }

    void add_to_legend(double height, const std::string& with, const std::string& name) {
        legend_.emplace_back(height, fmt::format("keyentry with {} title {}", with, gnuplot_text(name)));
    }

    // A box at x, of this part of the gap between sizes.
    std::string box(double x, double part, double low, double high) const {
        return fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", x, low, beside(x, -part / 2),
                           beside(x, part / 2), scale(x) * low, scale(x) * high);
    }

    // Those that can be seen.
    void add_terms() {
        constexpr double wide = 0.72, seen = 0.005;
        std::map<double, double> heights;
        std::size_t index = 0;
        for (const Series& series : plot_.series) {
            if (series.look != Look::term) continue;
            std::string boxes;
            double most = 0;
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                if (!is_drawn(series, i)) continue;
                double& height = heights[series.x[i]];
                boxes += box(series.x[i], wide, height, height + series.y[i]);
                height += series.y[i];
                if (series.y[i] > 0) most = std::max(most, series.y[i] / totals_.at(series.x[i]));
            }
            if (most < seen) continue;
            const std::string fill = fmt::format("lc rgb {} border lc rgb '#222222'", fills[index++ % fills.size()]);
            draw(boxes, "using 1:2:3:4:5:6 with boxxyerror " + fill);
            add_to_legend(static_cast<double>(index), "boxes " + fill, series.name);
        }
    }

    // What bars of shares are shares of: times, each in a unit of its size.
    void add_totals() {
        std::string labels;
        std::size_t letters = 0;
        for (const auto& [size, total] : totals_) {
            if (total <= 0) continue;
            std::string text = print(parse_time(fmt::format("{:.3g} {}", total, plot_.unit)));
            letters = std::max(letters, text.size());
            text.replace(text.find(' '), 1, "\u00a0");
            labels += fmt::format("{:.9g} 103 \"{}\"\n", size, text);
        }
        constexpr double foot = 105, letter = 0.025;  // of the axis, in percent; of its height
        top_of_shares_ = foot / (1 - letter * static_cast<double>(letters + 1));
        draw(labels, "using 1:2:3 with labels left rotate by 90 font ',11'");
    }

    void add(const Series& series) {
        // A single point is drawn as a line that can be seen.
        const bool line_of_one = totals_.size() == 1 && (series.look == Look::curve || series.look == Look::bound);
        std::string lines, boxes;
        double last = 0;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!is_drawn(series, i)) continue;
            const double x = series.x[i], low = has_intervals(series) ? series.low[i] : series.y[i];
            const double high = has_intervals(series) ? series.high[i] : series.y[i];
            last = scale(x) * series.y[i];
            for (const double part : line_of_one ? std::vector{-0.4, 0.0, 0.4} : std::vector{0.0}) {
                lines += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", beside(x, part), last, scale(x) * low,
                                     scale(x) * high);
            }
            constexpr double narrow = 0.4;
            boxes += box(x, narrow, low, high);
        }
        if (lines.empty()) return;
        std::string with = curve_style;
        if (series.look == Look::curve) {
            if (has_intervals(series)) add_band(lines, boxes, last);
            if (stacked_) return;  // the prediction is the sum of the terms
            if (curves_in_all_ > 1) {
                with = fmt::format("linespoints lw 2.5 ps 1 lc rgb {}", dashes[lines_++ % dashes.size()]);
            }
        } else if (series.look == Look::bound) {
            with = fmt::format("linespoints lw 1.6 ps 1 lc rgb {}", dashes[lines_++ % dashes.size()]);
        } else {
            with = fmt::format("points lc rgb '#111111' pt {} ps 1", series.look == Look::rings ? 6 : 7);
            if (has_intervals(series)) draw(lines, "using 1:2:3:4 with yerrorbars lc rgb '#111111' pt -1");
        }
        draw(lines, "using 1:2 with " + with);
        add_to_legend(last, with, series.name);
    }

    // A single point's interval is a box, too, to be seen.
    void add_band(const std::string& lines, const std::string& boxes, double last) {
        const bool of_bars = stacked_ || totals_.size() == 1;
        const std::string fill = fmt::format("lc rgb {} noborder", stacked_ ? "'#111111' fs transparent solid 0.45"
                                                                            : "'#23456b' fs transparent solid 0.22");
        draw(of_bars ? boxes : lines,
             (of_bars ? "using 1:2:3:4:5:6 with boxxyerror " : "using 1:3:4 with filledcurves ") + fill);
        if (!told_band_) add_to_legend(stacked_ ? infinite : last, "boxes " + fill, interval_name);
        told_band_ = true;
    }

    const Plot& plot_;
    std::map<double, double> totals_;  // of the terms at each x
    Extent x_, y_;
    double gap_ = 1;            // between the closest places
    double top_of_shares_ = 0;  // of the axis, with room for what they are of
    bool stacked_ = false, shares_ = false, log_x_ = false, log_y_ = false;
    bool has_zero_x_ = false, all_zero_ = true;
    bool told_band_ = false;
    int curves_in_all_ = 0;
    std::size_t blocks_ = 0, lines_ = 0;
    std::string data_, curves_;
    std::vector<LegendEntry> legend_;
};

}  // namespace

std::string plot_script(const Plot& plot) {
    return Script(plot).text();
}

}  // namespace narrows
