#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// Numbers names from 0 in the order in which they come. A node-based map takes three times the memory and twice the
/// time, which counts with a million names and six million mentions.
class NameTable {
  public:
    /// The number of `name`, which is added when it is new.
    int number(std::string_view name);
    /// The number of `name`, or -1.
    int find(std::string_view name) const;
    int size() const { return static_cast<int>(names_.size()); }
    const std::string& name(int number) const { return names_[static_cast<std::size_t>(number)]; }
    std::vector<std::string> take() && { return std::move(names_); }

  private:
    /// A number, and a part of its name's hash that spares looking at most other names.
    struct Slot {
        int number = -1;
        std::uint32_t tag = 0;
    };

    std::size_t slot(std::string_view name, std::size_t hash) const;
    void grow();

    std::vector<std::string> names_;
    // Open addressing: a power of two of slots, at most half of them taken.
    std::vector<Slot> slots_ = std::vector<Slot>(64);
};

}  // namespace narrows
