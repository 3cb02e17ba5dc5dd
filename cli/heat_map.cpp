#include "cli/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace narrows {
namespace {

// Some of the values along an axis, by their numbers: of as many as lie between two of them, but not too near to the
// one before, the shortest text, as that is the roundest value. Where factors are 1 has a tick of its own.
std::string ticks(const std::vector<std::string>& values, std::optional<double> now) {
    const std::size_t step = std::max<std::size_t>(1, (values.size() + 7) / 8);
    std::string text = now ? fmt::format("'1x' {:.4g}", *now) : "";
    std::size_t least = 0;
    for (std::size_t first = 0; first < values.size(); first += step) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(std::max(first, least));
        const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, values.size()));
        if (begin == end) break;
        const auto shortest =
            std::min_element(begin, end, [](const auto& a, const auto& b) { return a.size() < b.size(); });
        const auto at = static_cast<std::size_t>(shortest - values.begin());
        least = at + (step + 1) / 2;
        if (now && std::abs(static_cast<double>(at) - *now) < 0.6 * static_cast<double>(step)) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", gnuplot_text(*shortest), at);
    }
    return text;
}

// 1, 2 and 5 of each power of ten, or powers alone where there are many.
std::string colour_ticks(double low, double high) {
    constexpr double many = 1e4;
    std::string text;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            if (digit > 1 && high > many * low) continue;
            if (digit * power < low || digit * power > high) continue;
            text += fmt::format("{}{:g}", text.empty() ? "" : ", ", digit * power);
        }
    }
    return text;
}

class Drawing {
  public:
    explicit Drawing(const HeatMap& map) : map_(map), width_(map.columns.size()), height_(map.rows.size()) {}

    std::string script(Picture kind) const {
        std::string text = gnuplot_terminal(kind) + "set encoding utf8\nset termoption noenhanced\n";
        text += fmt::format("set title {}\nset xlabel {}\nset ylabel {}\nset cblabel {}\n", gnuplot_text(map_.title),
                            gnuplot_text(map_.x_label), gnuplot_text(map_.y_label), gnuplot_text(map_.value_label));
        text += fmt::format("set xtics ({}) rotate by -45 out nomirror\nset ytics ({}) out nomirror\n",
                            ticks(map_.columns, map_.now_at_x), ticks(map_.rows, map_.now_at_y));
        text += fmt::format("set xrange [-0.5:{}]\nset yrange [-0.5:{}]\n", static_cast<double>(width_) - 0.5,
                            static_cast<double>(height_) - 0.5);
        // From dark to light without a turn, so that it reads the same in grey.
        text += "set palette defined (0 '#20124d', 1 '#2a6f8f', 2 '#5cb37a', 3 '#fdf3b0')\nunset key\n";
        const auto [low, high] = extent();
        if (high > 4 * low) text += fmt::format("set logscale cb\nset cbtics ({})\n", colour_ticks(low, high));
        text += "set format cb '%g'\nset style textbox opaque fillcolor rgb '#ffffff' noborder\n" + labels();
        text += "$cells << EOD\n";
        for (std::size_t i = 0; i < map_.cells.size(); ++i) {
            const double value = map_.cells[i].value;
            text += fmt::format("{} {} {}\n", i % width_, i / width_, value > 0 ? fmt::format("{:.6g}", value) : "NaN");
        }
        const std::string lines = borders();
        text += "EOD\n$borders << EOD\n" + lines + "EOD\nplot $cells using 1:2:3 with image";
        if (lines.empty()) return text + "\n";
        return text + ", $borders with lines lw 4 lc rgb '#ffffff', $borders with lines lw 1.5 lc rgb '#000000'\n";
    }

  private:
    const HeatMap::Cell& at(std::size_t column, std::size_t row) const { return map_.cells[row * width_ + column]; }

    // The least and the largest value.
    std::pair<double, double> extent() const {
        double low = std::numeric_limits<double>::infinity(), high = 0;
        for (const HeatMap::Cell& cell : map_.cells) {
            if (cell.value <= 0) continue;
            low = std::min(low, cell.value);
            high = std::max(high, cell.value);
        }
        return {low, high};
    }

    // Between neighbours of different regions.
    std::string borders() const {
        std::string text;
        for (std::size_t row = 0; row < height_; ++row) {
            for (std::size_t column = 0; column < width_; ++column) {
                const auto x = static_cast<double>(column), y = static_cast<double>(row);
                if (column + 1 < width_ && at(column, row).region != at(column + 1, row).region) {
                    text += fmt::format("{0} {1}\n{0} {2}\n\n", x + 0.5, y - 0.5, y + 0.5);
                }
                if (row + 1 < height_ && at(column, row).region != at(column, row + 1).region) {
                    text += fmt::format("{0} {2}\n{1} {2}\n\n", x - 0.5, x + 0.5, y + 0.5);
                }
            }
        }
        return text;
    }

    // Each region's name, at its cell that is nearest to the middle of all its cells.
    std::string labels() const {
        struct Sum {
            double x = 0, y = 0, count = 0;
        };
        std::map<std::string, Sum> sums;
        const auto each = [&](auto visit) {
            for (std::size_t i = 0; i < map_.cells.size(); ++i) {
                if (map_.cells[i].region.empty()) continue;
                const std::size_t row = i / width_;
                visit(map_.cells[i].region, static_cast<double>(i % width_), static_cast<double>(row));
            }
        };
        each([&](const std::string& region, double x, double y) {
            Sum& sum = sums[region];
            sum = {sum.x + x, sum.y + y, sum.count + 1};
        });
        std::string text;
        for (const auto& [region, sum] : sums) {
            double best_x = 0, best_y = 0, nearest = std::numeric_limits<double>::infinity();
            each([&, &name = region, &middle = sum](const std::string& other, double x, double y) {
                const double far = std::hypot((x - middle.x / middle.count) / static_cast<double>(width_),
                                              (y - middle.y / middle.count) / static_cast<double>(height_));
                if (other != name || far >= nearest) return;
                best_x = x;
                best_y = y;
                nearest = far;
            });
            text += label(region, best_x, best_y);
        }
        return text;
    }

    // At the cell, but inside the frame.
    std::string label(const std::string& region, double x, double y) const {
        constexpr double letter = 0.018, line = 0.05;  // of the frame's width and height
        const double wide = letter * static_cast<double>(region.size() + 1) * static_cast<double>(width_);
        const double right = static_cast<double>(width_) - 0.5, top = static_cast<double>(height_) - 0.5;
        const double room = 0.5 * line * static_cast<double>(height_);
        const bool at_left = x - wide / 2 < -0.5, at_right = x + wide / 2 > right;
        const double place = at_left ? -0.5 : at_right ? right : x;
        const char* const side = at_left    ? "left offset character 0.6,0"
                                 : at_right ? "right offset character -0.6,0"
                                            : "center";
        return fmt::format("set label {} at {:.4g},{:.4g} {} front boxed\n", gnuplot_text(region), place,
                           std::clamp(y, room - 0.5, top - room), side);
    }

    const HeatMap& map_;
    std::size_t width_;
    std::size_t height_;
};

}  // namespace

std::string format_heat_map(const HeatMap& map, Picture kind) {
    return drawn_by_gnuplot(Drawing(map).script(kind));
}

}  // namespace narrows
