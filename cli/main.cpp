#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "cli/run.hpp"

namespace {

bool asks_for_mpi(const std::vector<std::string>& words) {
    const auto option = std::ranges::find(words, "--transport");
    return (option != words.end() && option + 1 != words.end() && option[1] == "mpi") ||
           std::ranges::count(words, "--transport=mpi") != 0;
}

// To load MPI takes a fifth of a start: a second program beside this one has it. Where there is none this one goes on,
// and says what is missing.
void become_program_with_mpi(char** words) {
    std::error_code ignored;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", ignored);
    execv((own.parent_path() / "narrows-mpi").c_str(), words);
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    if (!narrows::MpiJob::possible() && asks_for_mpi(arguments)) become_program_with_mpi(words);
    return narrows::run(arguments, std::cout, std::cerr, std::cerr);
}
