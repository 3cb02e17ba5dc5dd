#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "calibrate/study/validated_kernel.hpp"

namespace narrows {

/// SHA-256 in hexadecimal digits.
using Sha256 = std::function<std::string(std::string_view content)>;

/// By whom predictions are frozen, and of what.
struct FrozenBy {
    std::string program;  ///< hash of the program that runs
    std::string machine;  ///< hash of the machine's file as it is written
    std::string machine_id;
    Sha256 sha256;
};

/// The predictions of a plan that has not run, and the choice that draws its cases again.
struct FrozenPredictions {
    ValidationChoice choice;
    std::string text;    ///< of their file
    std::string sha256;  ///< of all that the file has beside it

    /// InputError unless the plan has the same predictions of the same cases.
    void require_of(const ValidationPlan& plan) const;
};

/// The plan's predictions, to be written before anything runs.
FrozenPredictions freeze(const ValidationPlan& plan, const FrozenBy& by);

/// Whether the text is that of a file of frozen predictions, changed or not.
bool has_frozen_predictions(const std::string& text);

/// Those of a file. InputError when it was changed, or is of another program or machine. Precondition: it has some.
FrozenPredictions read_frozen(const std::string& text, const FrozenBy& by);

}  // namespace narrows
