#include "topologies/importers/name_table.hpp"

#include <functional>

namespace narrows {
namespace {

std::size_t hash_of(std::string_view name) {
    return std::hash<std::string_view>()(name);
}

std::uint32_t tag_of(std::size_t hash) {
    return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::size_t NameTable::slot(std::string_view name, std::size_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    const auto is_other = [&](const Slot& slot) {
        return slot.number >= 0 && (slot.tag != tag_of(hash) || names_[static_cast<std::size_t>(slot.number)] != name);
    };
    std::size_t place = hash & mask;
    while (is_other(slots_[place])) place = (place + 1) & mask;
    return place;
}

int NameTable::find(std::string_view name) const {
    return slots_[slot(name, hash_of(name))].number;
}

int NameTable::number(std::string_view name) {
    const std::size_t hash = hash_of(name);
    Slot& found = slots_[slot(name, hash)];
    if (found.number >= 0) return found.number;
    const int added = size();
    found = {added, tag_of(hash)};
    names_.emplace_back(name);
    if (2 * names_.size() > slots_.size()) grow();
    return added;
}

void NameTable::grow() {
    slots_.assign(2 * slots_.size(), {});
    for (int added = 0; added < size(); ++added) {
        const std::size_t hash = hash_of(name(added));
        slots_[slot(name(added), hash)] = {added, tag_of(hash)};
    }
}

}  // namespace narrows
