#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace narrows {

/// A topology's specification split into words: `family [size] [name=value …]`, such as `torus 64x32x32` or
/// `fat-tree ports=36 levels=3`. Nothing is judged yet but the grammar; the registry knows which words a family takes.
struct TopologySpec {
    std::string family;
    /// The word without '=', if there is one.
    std::optional<std::string> size;
    std::map<std::string, std::string> parameters;

    /// The parameter `name` as a whole number in [low, high], or `otherwise` when it is not given.
    /// Throws InputError for anything else.
    std::int64_t count(const std::string& name, std::int64_t low, std::int64_t high, std::int64_t otherwise) const;
};

/// Splits `text` at spaces. Throws InputError when it is empty, has two sizes, or names a parameter twice or by no
/// name.
TopologySpec split_spec(std::string_view text);

}  // namespace narrows
