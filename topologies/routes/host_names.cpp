#include "topologies/routes/host_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <stdexcept>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {

HostFinder::HostFinder(int hosts, const std::vector<std::string>& names) : hosts_(hosts) {
    if (hosts < 1) throw std::logic_error("HostFinder: no host");
    if (names.empty()) return;
    if (static_cast<int>(names.size()) < hosts) throw std::logic_error("HostFinder: a host without a name");
    names_.assign(names.begin(), names.begin() + hosts);
    for (int host = 0; host < hosts; ++host) numbers_.emplace(names_[host], host);
}

std::optional<int> HostFinder::find(std::string_view word) const {
    const auto found = numbers_.find(std::string(word));
    if (found != numbers_.end()) return found->second;
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool whole = error == std::errc() && end == word.data() + word.size();
    if (!whole || number < 0 || number >= hosts_ || word.front() == '-') return std::nullopt;
    return number;
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
