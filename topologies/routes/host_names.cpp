#include "topologies/routes/host_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"
#include "topologies/text.hpp"

namespace narrows {

namespace {

std::optional<int> number_in(std::string_view word, int below) {
    const std::optional<std::int64_t> number = to_count(word);
    return number && *number < below ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// The number of the place of a grid that coordinates such as "(3,0,1)" are; nothing when they are of no place.
std::optional<int> place_of(std::string_view word, const std::vector<int>& shape) {
    if (word.size() < 2 || word.front() != '(' || word.back() != ')') return std::nullopt;
    word = word.substr(1, word.size() - 2);
    int place = 0, stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t end = i + 1 < shape.size() ? word.find(',') : word.size();
        if (end == std::string_view::npos) return std::nullopt;
        const auto coordinate = number_in(word.substr(0, end), shape[i]);
        if (!coordinate) return std::nullopt;
        place += *coordinate * stride;
        stride *= shape[i];
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return place;
}

int breaks_in(std::string_view name) {
    return static_cast<int>(
        std::ranges::count_if(name, [](char c) { return name_breaks.find(c) != std::string_view::npos; }));
}

}  // namespace

HostFinder::HostFinder(int hosts, const std::vector<std::string>& names, HostLabels labels)
    : hosts_(hosts), labels_(std::move(labels)), most_breaks_(std::max(1, static_cast<int>(labels_.shape.size()) - 1)) {
    if (hosts < 1) throw std::logic_error("HostFinder: no host");
    if (names.empty()) return;
    if (static_cast<int>(names.size()) < hosts) throw std::logic_error("HostFinder: a host without a name");
    names_.assign(names.begin(), names.begin() + hosts);
    for (int host = 0; host < hosts; ++host) {
        numbers_.emplace(names_[host], host);
        most_breaks_ = std::max(most_breaks_, breaks_in(names_[host]));
    }
}

std::optional<int> HostFinder::find(std::string_view word) const {
    const auto found = numbers_.find(word);
    if (found != numbers_.end()) return found->second;
    if (const auto number = number_in(word, hosts_)) return number;
    return labelled(word);
}

std::optional<int> HostFinder::labelled(std::string_view word) const {
    constexpr std::string_view host = "host ";
    std::optional<int> number;
    if (word.starts_with(host)) {
        number = number_in(word.substr(host.size()), std::numeric_limits<int>::max());
    } else if (!labels_.shape.empty()) {
        number = place_of(word, labels_.shape);
    }
    if (!number) return std::nullopt;
    if (labels_.numbers_in_whole.empty()) return *number < hosts_ ? number : std::nullopt;
    const auto end = labels_.numbers_in_whole.begin() + hosts_;
    const auto at = std::lower_bound(labels_.numbers_in_whole.begin(), end, *number);
    if (at == end || *at != *number) return std::nullopt;
    return static_cast<int>(at - labels_.numbers_in_whole.begin());
}

std::string HostFinder::complaint(std::string_view word) const {
    const std::string name(word);
    const std::string range = hosts_ == 1 ? "the only one is 0" : fmt::format("they are 0 to {}", hosts_ - 1);
    if (names_.empty()) return fmt::format("there is no host '{}': {}", name, range);
    const std::string suggestion = did_you_mean(name, names_);
    if (!suggestion.empty()) return fmt::format("there is no host '{}'{}", name, suggestion);
    return fmt::format("there is no host '{}': give one's name or number, {}", name, range);
}

std::string vertex_label(const Network& network, int vertex, const std::vector<std::string>& names,
                         const std::vector<int>& shape) {
    if (vertex < 0 || vertex >= network.vertices()) throw std::logic_error("vertex_label: no such vertex");
    if (vertex < static_cast<int>(names.size()) && !names[vertex].empty()) return names[vertex];
    if (vertex >= network.hosts) return fmt::format("switch {}", vertex - network.hosts);
    if (shape.empty() || network.switches > 0 || shape_nodes(shape) != network.hosts) {
        return fmt::format("host {}", vertex);
    }
    std::vector<int> coordinates;
    for (const int size : shape) {
        coordinates.push_back(vertex % size);
        vertex /= size;
    }
    return fmt::format("({})", fmt::join(coordinates, ","));
}

}  // namespace narrows
