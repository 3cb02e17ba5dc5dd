#include "model/read_costs.hpp"

namespace narrows {

double number_or(const Machine& machine, std::string_view path, double usual) {
    const Parameter* const found = find(machine, path);
    return found != nullptr ? found->measure.value : usual;
}

Time time_or_zero(const Machine& machine, std::string_view path) {
    const Parameter* const found = find(machine, path);
    return found != nullptr ? time_of(machine, *found) : Time();
}

Data data_or_zero(const Machine& machine, std::string_view path) {
    return Data(number_or(machine, path, 0));
}

Framing read_framing(const Machine& machine, const std::string& path) {
    Framing framing;
    framing.header = data_or_zero(machine, path + ".header");
    framing.granule = data_or_zero(machine, path + ".granule");
    framing.packet = data_or_zero(machine, path + ".packet");
    framing.gap = data_or_zero(machine, path + ".gap");
    framing.code = number_or(machine, path + ".code", framing.code);
    return framing;
}

}  // namespace narrows
