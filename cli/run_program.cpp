#include "cli/run_program.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace narrows {
namespace {

[[noreturn]] void fail(int error, const char* doing) {
    throw std::system_error(error, std::generic_category(), doing);
}

/// A file without a name. It takes any amount without a reader, as a pipe does not.
class NamelessFile {
  public:
    explicit NamelessFile(const char* use) : number_(memfd_create(use, MFD_CLOEXEC)) {
        if (number_ < 0) fail(errno, "cannot make a file in memory");
    }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;
    ~NamelessFile() { close(number_); }

    int number() const { return number_; }

    void fill(const std::string& text) const {
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t written = pwrite(number_, &text[at], text.size() - at, static_cast<off_t>(at));
            if (written < 0 && errno != EINTR) fail(errno, "cannot write to memory");
            if (written > 0) at += static_cast<std::size_t>(written);
        }
    }

    std::string text() const {
        std::string all;
        std::array<char, 65536> buffer{};
        for (;;) {
            const ssize_t got = pread(number_, buffer.data(), buffer.size(), static_cast<off_t>(all.size()));
            if (got < 0 && errno != EINTR) fail(errno, "cannot read from memory");
            if (got == 0) return all;
            if (got > 0) all.append(buffer.data(), static_cast<std::size_t>(got));
        }
    }

  private:
    int number_;
};

}  // namespace

std::optional<ProgramEnd> run_program(const std::vector<std::string>& words, const std::string& input) {
    const NamelessFile in("input"), out("output"), err("error");
    in.fill(input);
    std::vector<std::string> own = words;
    std::vector<char*> arguments;
    for (std::string& word : own) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = 0;
    posix_spawn_file_actions_t files{};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err.number(), STDERR_FILENO);
    const int refused = posix_spawnp(&process, arguments.front(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (refused == ENOENT || refused == ENOTDIR || refused == EACCES) return std::nullopt;
    if (refused != 0) fail(refused, "cannot start a program");
    int ended = 0;
    while (waitpid(process, &ended, 0) < 0 && errno == EINTR) continue;
    return ProgramEnd{WIFEXITED(ended) && WEXITSTATUS(ended) == 0, out.text(), err.text()};
}

}  // namespace narrows
