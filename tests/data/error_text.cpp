#include "error_text.hpp"

#include <fmt/format.h>

#include "data/machine_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

std::string error_text(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        if (error.file().empty()) return error.what();
        return fmt::format("{}:{}:{}: {}\n{}\n{:>{}}", error.file(), error.line(), error.column(), error.what(),
                           error.text(), '^', error.column());
    }
    return "no error";
}

std::string machine_error(const std::string& text) {
    return error_text([&text] { parse_machine(text, "x.yaml", "x"); });
}

}  // namespace narrows
