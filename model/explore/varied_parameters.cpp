#include "model/explore/varied_parameters.hpp"

#include <algorithm>

#include "model/schema.hpp"

namespace narrows {

VariedParameters::VariedParameters(const Machine& machine, std::string path) : path_(std::move(path)) {
    for (const Parameter& parameter : machine.parameters) {
        if (!changes_with(parameter, path_)) continue;
        places_.push_back(static_cast<std::size_t>(&parameter - machine.parameters.data()));
        usual_.push_back(parameter);
        if (parameter.path == core_distance_path) usual_residuals_ = machine.residuals;
    }
    // Says which there are where it is unknown, and which have no factor.
    if (places_.size() != 1) with_change(machine, path_, "2x");
}

bool VariedParameters::are_costs() const {
    return std::ranges::all_of(usual_, is_cost);
}

void VariedParameters::scale(double factor, Machine& machine) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        Parameter& parameter = machine.parameters[places_[i]];
        parameter.measure.value = usual_[i].measure.value * factor;
        if (!usual_[i].interval) continue;
        parameter.interval = Interval{usual_[i].interval->low * factor, usual_[i].interval->high * factor};
    }
    follow(machine);
}

void VariedParameters::set(const Measure& value, Machine& machine) const {
    Parameter& parameter = machine.parameters[places_.front()];
    parameter.measure.value = value.value;
    parameter.measure.dimension = value.dimension;
    if (value.dimension == Dimension::money) parameter.measure.unit = value.unit;
    parameter.interval.reset();
    follow(machine);
}

void VariedParameters::follow(Machine& machine) const {
    if (usual_residuals_.empty()) return;
    machine.residuals = usual_residuals_;
    follow_core_distance(machine);
}

void VariedParameters::check(const Machine& machine) const {
    for (const std::size_t place : places_) {
        const Parameter& parameter = machine.parameters[place];
        check_value(*schema_row(parameter.path), parameter.measure);
    }
}

}  // namespace narrows
