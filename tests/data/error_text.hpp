#pragma once

#include <functional>
#include <string>

namespace narrows {

/// The InputError that `action` throws, as the command line shows it: `file:line:column: message`, the line, a caret.
/// An error without a place is its message alone; `no error` when nothing is thrown.
std::string error_text(const std::function<void()>& action);

/// `error_text` of reading `text` as the machine file `x.yaml`.
std::string machine_error(const std::string& text);

}  // namespace narrows
