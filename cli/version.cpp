#include "cli/version.hpp"

#include <fmt/format.h>

#include "data/library.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string place_of_data() {
    try {
        return data_directory().string();
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

std::string version_text() {
    return fmt::format("narrows {}\nbuilt with {}\nlibraries {}\ndata {}", NARROWS_VERSION, NARROWS_BUILT_WITH,
                       NARROWS_LIBRARIES, place_of_data());
}

}  // namespace narrows
