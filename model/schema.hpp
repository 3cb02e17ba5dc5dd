#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/unit.hpp"

namespace narrows {

/// What a place in a machine file may hold. `time` also takes cycles, `time_per_byte` cycles per byte.
/// A `curve` is a time, or a map from sizes to times. A `count` is a whole number of at least 1, a `name` that of a
/// protocol.
enum class Kind {
    time,
    curve,
    data,
    bandwidth,
    frequency,
    time_per_byte,
    number,
    count,
    topology,
    routing,
    name,
    money,
    power
};

/// Whether the value is a text.
constexpr bool is_text(Kind kind) {
    return kind == Kind::topology || kind == Kind::routing || kind == Kind::name;
}

/// No machine has a larger value, in base units, nor one nearer to zero than its inverse.
inline constexpr double largest_value = 1e30;

/// One place in a machine file. In `path` a `*` stands for a name that the file chooses: a path, a mode.
struct SchemaRow {
    std::string_view path;
    Kind kind;
    std::string_view help;
    /// Range of the value. Without a least one it is above zero, or zero where the kind takes it.
    std::optional<double> at_least = std::nullopt;
    double at_most = largest_value;
};

/// Every place that a machine file may have, in the order in which they are documented.
std::span<const SchemaRow> schema();

/// The row for `path`, or nullptr. A point of a curve (`compute.gups.update.32 MiB`) has its curve's row. Places of
/// older files have rows too, which `schema` leaves out.
const SchemaRow* schema_row(std::string_view path);

/// Where a file says now what older ones said at `path`: `paths.mpi.send.overhead` for
/// `messaging.mpi.send.per_message`. Of a section, what its first value is now. Empty where it is no longer said;
/// nothing for places of no older file.
std::optional<std::string> newer_place(std::string_view path);

/// What may follow a section, for suggestions.
struct WordsBelow {
    std::vector<std::string> words;
    bool any_name = false;  ///< a row has `*` there: any name is right
};
WordsBelow words_below(std::string_view path);

/// The largest value that a row takes.
double most_of(const SchemaRow& row);

/// Throws InputError when the measure has the wrong dimension for `row`, or is a value that no machine has: a negative
/// or zero clock, bandwidth or count, a negative time, a fraction of a processor, one outside the row's range, anything
/// beyond 1e30 or nearer to zero than 1e-30 base units.
void check_value(const SchemaRow& row, const Measure& measure);

/// What is written at a place of `row`. Throws InputError as `parse_measure` and `check_value` do.
Measure parse_value(const SchemaRow& row, std::string_view text);

/// Throws InputError when the text is no topology or routing, as `row` wants it, or when `path` is a partition whose
/// name is not its number of nodes.
void check_text(const SchemaRow& row, std::string_view path, std::string_view text);

/// The curve that `path` is, or is a point of: `compute.gups.update` for `compute.gups.update.1.5 MiB`;
/// empty where it is not of this `row`, which is a curve's.
std::string_view curve_of(const SchemaRow& row, std::string_view path);

/// The size that a point of a curve is named after: `32 MiB` in `compute.gups.update.32 MiB`.
/// InputError when it is not an amount of data above zero. Precondition: `path` lies below the path of a curve's `row`.
Data curve_size(const SchemaRow& row, std::string_view path);

/// What to write at a place of this kind: `a time such as '25 ns' or '86 cycles'`.
std::string_view expectation(Kind kind);

}  // namespace narrows
