#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/variable.hpp"
#include "model/explore/grid.hpp"

namespace narrows {

/// A variable and the values that it takes.
struct SweptAxis {
    Variable variable;
    Values values;
};

/// What is swept: the axes whose values need plans first, and the machine and words of all else.
struct Sweep {
    const Workload& workload;
    OptionWords words;
    Machine machine;
    std::vector<SweptAxis> axes;
    std::size_t planned = 0;  // of the axes

    std::int64_t size(std::size_t begin, std::size_t end) const {
        std::int64_t points = 1;
        for (std::size_t i = begin; i < end; ++i) points *= axes[i].values.size();
        return points;
    }
    std::int64_t plans() const { return size(0, planned); }
    std::int64_t costs() const { return size(planned, axes.size()); }

    /// Calls `visit(axis, position)` for axes from `begin` on, whose last one varies fastest.
    template <class Visit>
    void each(std::size_t begin, std::size_t end, std::int64_t number, Visit visit) const {
        std::int64_t left = size(begin, end);
        for (std::size_t i = begin; i < end; ++i) {
            left /= axes[i].values.size();
            visit(axes[i], number / left % axes[i].values.size());
        }
    }
    template <class Visit>
    void each(const GridPoint& point, Visit visit) const {
        each(0, planned, point.plan, visit);
        each(planned, axes.size(), point.costs, visit);
    }
};

/// How it is.
struct GridOptions {
    std::string threads;
    bool skip_impossible = false;
};

/// The lists and ranges of options and of --set, where what is no list is a change of the machine as everywhere.
/// InputError where nothing is swept, or too much, and for values that cannot be.
Sweep sweep_of(const AskedWorkload& asked);

/// The same of these, all else as the words say. `network` and `hosts` cannot be swept: their machine is another one.
Sweep sweep_over(const Workload& workload, OptionWords words, const std::vector<TypedAxis>& axes);

/// A value for a reader.
std::string shown(const SweptAxis& axis, std::int64_t position);
/// All values of a point: `nodes = 64, network.link.bandwidth = 1 GB/s`.
std::string place_of(const Sweep& sweep, const GridPoint& point);

/// The words and the machine of a point.
std::pair<OptionWords, Machine> setting_at(const Sweep& sweep, const GridPoint& point);

/// The prediction of a point as other commands print it.
Answer answer_at(const Sweep& sweep, const GridPoint& point);

/// Predicts every point, as `predict_grid` does with these two; tells how far it is and what was left out. InputError
/// for a point without a prediction, unless such are to be left out and there are others.
void predict_sweep(const Sweep& sweep, const GridOptions& options, const decltype(Grid::tell)& tell,
                   const decltype(Grid::write)& write, const Output& output);

/// All points that have a prediction, in order, kept in memory.
std::vector<FoundPoint> predicted_points(const Sweep& sweep, const GridOptions& options, const Output& output);

}  // namespace narrows
