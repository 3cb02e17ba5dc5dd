#include "topologies/importers/name_table.hpp"

#include <functional>

namespace narrows {

std::size_t NameTable::slot(std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = std::hash<std::string_view>()(name) & mask;
    while (slots_[place] >= 0 && names_[static_cast<std::size_t>(slots_[place])] != name) place = (place + 1) & mask;
    return place;
}

int NameTable::find(std::string_view name) const {
    return slots_[slot(name)];
}

int NameTable::number(std::string_view name) {
    const std::size_t place = slot(name);
    if (slots_[place] >= 0) return slots_[place];
    const int added = size();
    slots_[place] = added;
    names_.emplace_back(name);
    if (2 * names_.size() > slots_.size()) grow();
    return added;
}

void NameTable::grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (int added = 0; added < size(); ++added) slots_[slot(name(added))] = added;
}

}  // namespace narrows
