#pragma once

#include <fmt/format.h>

#include <string>

#include "topologies/input_error.hpp"

namespace narrows {

/// What the InputError says that `action` throws, behind its `file:line:column: ` where it has a place; `no error` when
/// nothing is thrown.
template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        if (error.file().empty()) return error.what();
        return fmt::format("{}:{}:{}: {}", error.file(), error.line(), error.column(), error.what());
    }
    return "no error";
}

}  // namespace narrows
