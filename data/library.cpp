#include "data/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_data_directory(const std::filesystem::path& path) {
    std::error_code ignored;
    return !path.empty() && std::filesystem::is_directory(path / "machines", ignored);
}

std::filesystem::path program_directory() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::filesystem::path& chosen_directory() {
    static std::filesystem::path folder;
    return folder;
}

std::filesystem::path from_environment(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

bool is_file(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

std::filesystem::path file_in(const std::filesystem::path& folder, const std::string& name) {
    return folder / (name + ".yaml");
}

bool describes_machine(const std::filesystem::path& file) {
    try {
        read_machine(file);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

// What a bare name may mean, for a suggestion.
std::vector<std::string> known_names() {
    std::vector<std::string> names = machine_ids();
    for (const std::filesystem::path& file : own_machine_files()) names.push_back(file.stem().string());
    return names;
}

}  // namespace

bool names_yaml_file(const std::string& word) {
    return word.ends_with(".yaml") || word.ends_with(".yml") || word.find('/') != std::string::npos;
}

std::vector<std::string> yaml_names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator(folder, ignored)) {
        if (file.path().extension() == ".yaml" && is_file(file.path())) names.push_back(file.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

std::filesystem::path data_directory() {
    if (const char* chosen = std::getenv("NARROWS_DATA"); chosen != nullptr && *chosen != '\0') {
        if (is_data_directory(chosen)) return chosen;
        throw InputError(
            fmt::format("NARROWS_DATA is '{}', which has no folder 'machines': correct or unset it", chosen));
    }
    const std::filesystem::path beside = program_directory().parent_path() / "share" / "narrows";
    for (const std::filesystem::path& place :
         {chosen_directory(), beside, std::filesystem::path(NARROWS_DATA_SOURCE)}) {
        if (is_data_directory(place)) return place;
    }
    throw InputError(fmt::format("the machine files are neither in '{}' nor in '{}': set NARROWS_DATA to their folder",
                                 beside.string(), NARROWS_DATA_SOURCE));
}

void use_data_directory(std::filesystem::path folder) {
    chosen_directory() = std::move(folder);
}

std::filesystem::path published_directory() {
    return data_directory() / "published";
}

std::vector<std::string> machine_ids() {
    const std::filesystem::path folder = data_directory() / "machines";
    std::error_code error;
    const std::filesystem::directory_iterator files(folder, error);
    if (error) {
        throw InputError(fmt::format("cannot read the folder '{}' ({}): check its permissions, or set NARROWS_DATA",
                                     folder.string(), error.message()));
    }
    return yaml_names_in(folder);
}

std::filesystem::path user_machines() {
    const std::filesystem::path below = std::filesystem::path("narrows") / "machines";
    // A relative path is to be ignored, says the XDG Base Directory Specification.
    const std::filesystem::path data = from_environment("XDG_DATA_HOME");
    if (data.is_absolute()) return data / below;
    const std::filesystem::path home = from_environment("HOME");
    return home.is_absolute() ? home / ".local" / "share" / below : "";
}

std::vector<std::filesystem::path> own_machine_files() {
    std::vector<std::filesystem::path> files;
    const std::filesystem::path users = user_machines();
    for (const std::filesystem::path& folder : {std::filesystem::path("."), users}) {
        if (folder.empty()) continue;
        for (const std::string& name : yaml_names_in(folder)) {
            const std::filesystem::path file = file_in(folder, name);
            if (find_machine(name) == file && (folder == users || describes_machine(file))) files.push_back(file);
        }
    }
    return files;
}

std::optional<std::filesystem::path> find_machine(const std::string& name) {
    for (const std::filesystem::path& folder :
         {data_directory() / "machines", std::filesystem::path("."), user_machines()}) {
        if (folder.empty() || name.empty() || name.find('/') != std::string::npos) continue;
        if (std::filesystem::path file = file_in(folder, name); is_file(file)) return file;
    }
    return std::nullopt;
}

Machine load_machine(const std::string& name) {
    if (name == "-") return parse_machine(standard_input(), "standard input", "stdin");
    if (names_yaml_file(name)) return read_machine(name);
    if (const auto file = find_machine(name)) return read_machine(*file);
    throw InputError(
        fmt::format("there is no machine '{}'{} ('narrows machines' lists those shipped and your own; any other file's "
                    "name ends in '.yaml')",
                    name, did_you_mean(name, known_names())));
}

}  // namespace narrows
