#include "data/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "data/machine_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_data_directory(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path / "machines", ignored);
}

std::filesystem::path program_directory() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

bool names_a_file(const std::string& name) {
    return name.ends_with(".yaml") || name.ends_with(".yml") || name.find('/') != std::string::npos;
}

}  // namespace

std::filesystem::path data_directory() {
    if (const char* chosen = std::getenv("NARROWS_DATA"); chosen != nullptr && *chosen != '\0') {
        if (is_data_directory(chosen)) return chosen;
        throw InputError(
            fmt::format("NARROWS_DATA is '{}', which has no folder 'machines': correct or unset it", chosen));
    }
    const std::filesystem::path beside = program_directory().parent_path() / "share" / "narrows";
    for (const std::filesystem::path& place : {std::filesystem::path(NARROWS_DATA_SOURCE), beside}) {
        if (is_data_directory(place)) return place;
    }
    throw InputError(fmt::format("the machine files are neither in '{}' nor in '{}': set NARROWS_DATA to their folder",
                                 NARROWS_DATA_SOURCE, beside.string()));
}

std::filesystem::path published_directory() {
    return data_directory() / "published";
}

std::vector<std::string> machine_ids() {
    std::vector<std::string> ids;
    for (const auto& file : std::filesystem::directory_iterator(data_directory() / "machines")) {
        if (file.path().extension() == ".yaml") ids.push_back(file.path().stem().string());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

Machine load_machine(const std::string& name) {
    if (names_a_file(name)) return read_machine(name);
    const std::vector<std::string> ids = machine_ids();
    if (std::find(ids.begin(), ids.end(), name) != ids.end()) {
        return read_machine(data_directory() / "machines" / (name + ".yaml"));
    }
    throw InputError(
        fmt::format("there is no machine '{}'{} ('narrows machines' lists those shipped; a file of your own "
                    "ends in '.yaml')",
                    name, did_you_mean(name, ids)));
}

}  // namespace narrows
