#pragma once

#include <string>

#include "topologies/input_error.hpp"

namespace narrows {

/// Where something was written, for errors; no file for a word of the command line.
struct Origin {
    std::string file;
    int line = 0;
    int column = 0;
    std::string text{};  ///< of the line

    /// Throws InputError with this place.
    [[noreturn]] void fail(const std::string& message) const;

    /// What `ask` returns, which knows no files: an InputError of its own without a place gets this one.
    template <class Ask>
    auto located(const Ask& ask) const {
        try {
            return ask();
        } catch (const InputError& error) {
            if (!error.file().empty()) throw;
            fail(error.what());
        }
    }
};

}  // namespace narrows
