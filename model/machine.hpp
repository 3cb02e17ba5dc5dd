#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/residual_surface.hpp"
#include "model/unit.hpp"
#include "topologies/boundaries.hpp"

namespace narrows {

/// Where the true value lies with 95 % confidence, in the base unit of the parameter's measure.
struct Interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// One number or text of a machine, with its place in the machine file and where it came from.
struct Parameter {
    std::string path;  ///< `paths.mpi.send.overhead`; a point of a curve ends in its size: `update.32 MiB`
    Measure measure;   ///< the value, unless `text` is given
    std::string text;  ///< a topology SPEC; empty for a number
    std::optional<Interval> interval;
    double correlation = 0;       ///< of its error with that of the parameter `correlated_with`, -1 to 1
    std::string correlated_with;  ///< a path; empty when errors are independent
    std::string source;  ///< paper key, `derived`, `assumed`, `fitted`, `calibrated`, each perhaps with more words
    std::string note;    ///< what else a reader should know; may be empty

    friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct FoundProtocols;  // of model/path

/// A parallel machine as data: every number that a prediction uses, in the order of its file.
struct Machine {
    std::string id;      ///< the name it is chosen by: the file's name without `.yaml`
    std::string name;    ///< `Blue Gene/L`
    std::string source;  ///< where its values come from unless a parameter says otherwise
    std::vector<std::pair<std::string, std::string>> environment;  ///< of the calibration: processor, compiler, ...
    std::vector<Parameter> parameters;
    std::vector<ResidualSurface> residuals;  ///< what its calibration's runs took beside the models; of one node alone
    std::string network_name;                ///< of the network that its nodes were put on, for readers; empty: its own
    std::string id_of_nodes;                 ///< `id` before they were
    std::vector<std::string> remarks;        ///< what readers of its predictions should know, beside what it is
    /// Whether messages between nodes are those of another machine, whose network it was put on.
    bool composed = false;
    std::shared_ptr<const BoundedNetwork> graph;  ///< of its nodes, where it was put on a network without formulas
    /// By parameter, whether its value was read: it tells what a prediction depends on. None of a machine that nobody
    /// watches.
    std::shared_ptr<std::vector<char>> seen;
    std::shared_ptr<const FoundProtocols> protocols;  ///< `with_protocols_found`; none of a machine just read

    friend bool operator==(const Machine&, const Machine&) = default;
};

/// A value that depends on a size (a table, a working set), linear in log(size) between points, constant outside.
/// A curve of one point is a constant; its size is then 0 and says nothing.
struct Curve {
    struct Point {
        Data size;
        Time value;
    };
    std::vector<Point> points;  ///< by increasing size, at least one

    Time at(Data size) const;
};

/// Whether `path` begins with all words of `ancestor` and has more.
bool is_below(std::string_view path, std::string_view ancestor);
/// Whether it is that path or below it.
bool is_within(std::string_view path, std::string_view ancestor);

/// The paths of the machine that are nearest to a word or the end of a path by edit distance, up to three: `, did you
/// mean 'network.link.bandwidth'?`, or nothing when none is near.
std::string nearest_paths(const Machine& machine, const std::string& path);

/// The parameter at `path`, or nullptr.
const Parameter* find(const Machine& machine, std::string_view path);

/// Whether a change of `path` is one of the parameter: it is there, or below it and has a scale. Numbers of a range
/// with an end, such as a probability, have none.
bool changes_with(const Parameter& parameter, std::string_view path);

/// Whether it is a number that may have any value between two: no text and no count. Where ranks and messages lie
/// depends on none of these.
bool is_cost(const Parameter& parameter);

/// The residuals of that name, or nullptr.
const ResidualSurface* residuals_named(const Machine& machine, std::string_view name);

/// How far cores are from each other, where machine files know that.
inline constexpr std::string_view core_distance_path = "node.core_distance";

/// The machine when its cores are so far from each other, in seconds, where its file knows of their distance: what its
/// models have of that, without what runs measured beside tell.
Machine at_core_distance(Machine machine, double distance);

/// Lets the runs measured beside be those at the distance of cores that the machine has now. Sensitivities and the
/// intervals of parameters leave them at the distance of their calibration.
void follow_core_distance(Machine& machine);

/// The machine at moments at which it is in a state (`MeasuredResiduals::states`).
Machine in_state(Machine machine, const std::vector<double>& state);

/// How often the machine's state changes, where machine files know that.
inline constexpr std::string_view state_change_path = "node.state_change";

/// That probability; 0 where it is not known.
double state_change(const Machine& machine);

/// The machine in the states like this one that its calibration met; `change`: as for `ResidualSurface::like_state`.
Machine like_state(Machine machine, const std::vector<double>& state, double change = 0);
/// The same of the state that it is in now, which changes as often as it did while it was calibrated.
Machine in_state_now(Machine machine, const std::vector<double>& state);

/// Whether any parameter is at `path` or below it.
bool has(const Machine& machine, std::string_view path);

/// The parameter at this position of `machine.parameters`, looked at as by `find`.
const Parameter& nth_parameter(const Machine& machine, std::size_t position);

/// The value of a parameter of this machine; cycles are turned into time by `node.clock`. InputError without a clock.
Time time_of(const Machine& machine, const Parameter& parameter);
TimePerByte time_per_byte_of(const Machine& machine, const Parameter& parameter);

/// The value at `path`; cycles are turned into time by `node.clock`.
/// InputError names machine and path, and what a file would say, when it is missing or there is no clock.
Time time_at(const Machine& machine, std::string_view path);
TimePerByte time_per_byte_at(const Machine& machine, std::string_view path);
Data data_at(const Machine& machine, std::string_view path);
Bandwidth bandwidth_at(const Machine& machine, std::string_view path);
Rate rate_at(const Machine& machine, std::string_view path);
double number_at(const Machine& machine, std::string_view path);
std::string text_at(const Machine& machine, std::string_view path);

/// The curve at `path`: either one value, or a value for each size below it.
Curve curve_at(const Machine& machine, std::string_view path);

/// Names at the level below `path`, in file order: the protocols below `protocols`, the partitions, the modes.
std::vector<std::string> names_below(const Machine& machine, std::string_view path);

/// Whether a path of the protocol passes a network beside the main one (`other_networks`), which does a whole
/// allreduce: it then is one, and no message.
bool is_whole_allreduce(const Machine& machine, std::string_view protocol);

/// What contradicts something else in the machine: where, and what to do about it.
struct Contradiction {
    std::string path;
    std::string message;
};

/// What is wrong between parameters that are right each on its own: cycles without a clock, a packet no larger than its
/// header, a curve with two points of one size, prices in two currencies, messages that reach to whole allreduces or
/// the other way round. Nothing when the machine is sound.
std::optional<Contradiction> contradiction_in(const Machine& machine);

/// Names the machine after the network that its nodes are put on: `bluegene-l on torus 8x8x8`.
void name_on_network(Machine& machine, const std::string& network);

/// The machine with everything below and at `path` changed as `change` says: `2x`, `+10%`, `-20%`, or a new value such
/// as `2.8 Gbit/s` or `torus 8x8x8`. A path that leads to several values (a curve) takes factors and percentages only.
/// The changed values' source becomes `set to <change>` and intervals scale or vanish.
/// A path that the machine leaves out is added when the schema has it and its path, mode or cache exists.
/// Of another distance of cores the runs measured beside are those at that distance.
/// A place of older files (`newer_place`) is today's. InputError for an unknown path (with a suggestion), a wrong
/// dimension, an impossible value, a bad topology, and another topology where the cuts of a network were searched.
Machine with_change(Machine machine, std::string_view path, std::string_view change);

}  // namespace narrows
