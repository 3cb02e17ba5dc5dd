#include "model/read_costs.hpp"

namespace narrows {

Time time_or_zero(const Machine& machine, const std::string& path) {
    return find(machine, path) != nullptr ? time_at(machine, path) : Time();
}

Data data_or_zero(const Machine& machine, const std::string& path) {
    return find(machine, path) != nullptr ? data_at(machine, path) : Data();
}

Framing read_framing(const Machine& machine, const std::string& path) {
    Framing framing;
    framing.header = data_or_zero(machine, path + ".header");
    framing.granule = data_or_zero(machine, path + ".granule");
    framing.packet = data_or_zero(machine, path + ".packet");
    framing.gap = data_or_zero(machine, path + ".gap");
    if (find(machine, path + ".code") != nullptr) framing.code = number_at(machine, path + ".code");
    return framing;
}

}  // namespace narrows
