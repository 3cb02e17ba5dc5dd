#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"

namespace narrows {

/// What a machine of so many nodes is built of.
struct NetworkParts {
    std::int64_t nodes = 1;
    std::int64_t links = 0;
    std::int64_t ports = 0;  ///< ends of links at switches, or at nodes where these are linked to each other
};

/// The parts of so many nodes with the network between them, that of the partition which predictions are of.
///
/// Statement: ports = 2 links - nodes where each node hangs on a switch by one link of its own, else 2 links.
/// Range:     a network of a file has a link for each of its edges, whatever their capacity. InputError where the
///            machine has no network of so many nodes.
/// Test:      tests/model/test_expense.cpp
NetworkParts network_parts(const Machine& machine, std::int64_t nodes);

/// What is spent on a machine: money, or power.
struct Expense {
    /// On one sort of things: nodes, links or ports.
    struct Item {
        std::string_view thing;  ///< `node`, `link`, `port`
        std::int64_t count = 0;
        std::optional<Measure> each;  ///< nothing where the machine's file leaves it out
        double sum() const { return each ? each->value * static_cast<double>(count) : 0; }
    };
    std::array<Item, 3> items;
    double sum = 0;
    std::string unit;  ///< of the sum: a currency, or W

    /// The part of the sum that goes to the things that the parameter at `path` is a property of: `network.link` of
    /// links, `network.router` of ports, nodes of all else that a node has. Nothing where that has no price.
    std::optional<double> share_of(const Machine& machine, std::string_view path) const;
};

/// The section of a machine file that expenses are in.
enum class Spent { price, power };
std::string_view name_of(Spent spent);
/// InputError with a suggestion for another name.
Spent spent_named(std::string_view name);

/// Whether the machine says what any of its parts costs.
bool has_expense(const Machine& machine, Spent spent);

/// What so many nodes cost with the network between them, which is counted only where its links or ports have a price.
/// InputError when the machine has none of the section's values or prices in two currencies, and as `network_parts`.
Expense expense_of(const Machine& machine, Spent spent, std::int64_t nodes);

/// A setting with what it costs and what it brings.
struct Offer {
    double cost = 0;
    double result = 0;
};

/// The offers that no other beats: none costs as much or less and brings a better result, or costs less and brings one
/// as good. By increasing cost, so by better results; of equal ones the first.
///
/// Test: tests/model/test_expense.cpp (each pair of a random set)
std::vector<std::size_t> frontier(const std::vector<Offer>& offers, bool less_is_better);

}  // namespace narrows
