#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/machine.hpp"

namespace narrows {

/// The parameters at or below a path of a machine, which vary together: one takes values, several a factor of what each
/// is. Machines that they are put into have the same parameters in the same places.
class VariedParameters {
  public:
    VariedParameters() = default;
    /// InputError as `with_change` has it where there are none, or where they have no factor.
    VariedParameters(const Machine& machine, std::string path);

    /// Whether they take factors alone.
    bool by_factor() const { return usual_.size() > 1 || usual_.front().path != path_; }
    const Parameter& first() const { return usual_.front(); }
    /// Whether no other plan follows from other values (`is_cost`).
    bool are_costs() const;

    /// Each so many times what it was, its interval too.
    void scale(double factor, Machine& machine) const;
    /// This value of the only one, without an interval.
    void set(const Measure& value, Machine& machine) const;
    /// InputError where the machine cannot have what it has now. Test: tests/model/explore/test_varied_parameters.cpp
    void check(const Machine& machine) const;

  private:
    void follow(Machine& machine) const;

    std::string path_;
    std::vector<std::size_t> places_;
    std::vector<Parameter> usual_;
    std::vector<ResidualSurface> usual_residuals_;  ///< where they follow the distance of cores
};

}  // namespace narrows
