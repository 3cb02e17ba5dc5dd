#pragma once

#include <cstddef>
#include <string>

#include "topologies/input_error.hpp"

namespace narrows {

/// A time above zero such as `60 s`, in seconds. Throws InputError that names `option`.
double positive_seconds(const std::string& option, const std::string& text);

/// An amount of memory of a byte or more such as `4 GiB`, in bytes. Throws InputError that names `option`.
std::size_t positive_bytes(const std::string& option, const std::string& text);

/// `work()`, with `option` put in front of what an InputError says.
template <class Work>
auto with_option_context(const std::string& option, Work work) {
    try {
        return work();
    } catch (const InputError& error) {
        if (!error.file().empty()) throw;
        throw InputError(option + ": " + error.what());
    }
}

}  // namespace narrows
