#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "cli/run.hpp"

namespace {

#ifdef NARROWS_MPI_PROGRAM
bool asks_for_mpi(const std::vector<std::string>& words) {
    const auto option = std::ranges::find(words, "--transport");
    return (option != words.end() && option + 1 != words.end() && option[1] == "mpi") ||
           std::ranges::count(words, "--transport=mpi") != 0;
}

// MPI takes long to load and few questions need it, so another program has it, which is installed beside this one.
int become_program_with_mpi(char** words) {
    std::error_code error;
    const auto other = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / NARROWS_MPI_PROGRAM;
    if (!error) {
        execv(other.c_str(), words);
        error = {errno, std::system_category()};
    }
    std::cerr << "narrows: '" << other.string() << "', which has MPI, cannot be started: " << error.message()
              << ": install it beside narrows\n";
    return 1;
}
#endif

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
#ifdef NARROWS_MPI_PROGRAM
    if (asks_for_mpi(arguments)) return become_program_with_mpi(words);
#endif
    setenv("HWLOC_PLUGINS_PATH", "/dev/null", 0);  // they look for graphics cards, for 5 ms
    return narrows::run(arguments, std::cout, std::cerr, std::cerr);
}
