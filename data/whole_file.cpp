#include "data/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "data/inputs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::string reason(int error) {
    return std::generic_category().message(error);
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error) {
    std::string remedy = "choose another place";
    if (error == ENOENT || error == ENOTDIR) remedy = "create its folder first";
    if (error == EACCES || error == EPERM || error == EROFS) remedy = "choose a place that you may write to";
    const bool full = error == ENOSPC || error == EDQUOT;
    if (full) remedy = "make room or choose another disk";
    const std::string text = fmt::format("cannot write '{}' ({}): {}", path.string(), reason(error), remedy);
    if (full) throw std::runtime_error(text);
    throw InputError(text);
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    int number() const { return number_; }
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// What a new file gets: the permissions of the one it replaces, else those that the user's mask allows.
mode_t permissions_for(const struct stat* existing) {
    if (existing != nullptr) return existing->st_mode & 07777U;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666U & ~mask;
}

using Fill = std::function<void(const WritePiece& write)>;

// Whether all of it could be written; else errno says why not.
bool filled(int file, const Fill& fill) {
    int error = 0;
    fill([&](const std::string& text) {
        if (error == 0 && !write_all(file, text)) error = errno;
        return error == 0;
    });
    errno = error;
    return error == 0;
}

void write_directly(const std::filesystem::path& path, const Fill& fill) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0 || !filled(file.number(), fill)) fail_to_write(path, errno);
}

void replace_file(const std::filesystem::path& path, const Fill& fill, mode_t permissions) {
    std::string temporary = (path.parent_path() / ("." + path.filename().string() + ".XXXXXX")).string();
    Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.number() < 0) fail_to_write(path, errno);
    bool complete = false;
    try {
        complete = filled(file.number(), fill);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    const bool written = complete && ::fchmod(file.number(), permissions) == 0 && ::fsync(file.number()) == 0 &&
                         file.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
    if (!written) {
        const int error = errno;
        ::unlink(temporary.c_str());
        fail_to_write(path, error);
    }
    // The name is durable once its folder is; a file system that cannot promise it has still kept the file whole.
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.number() >= 0) ::fsync(directory.number());
}

// Where a path leads to.
struct Target {
    std::filesystem::path path;
    bool exists = false;
    struct stat status {};

    bool replaced() const { return !exists || S_ISREG(status.st_mode); }  // a device or a pipe is written into
};

// Fails where no file can be written, or not the one that is there.
Target target_of(const std::filesystem::path& path) {
    if (path.empty() || !path.has_filename()) fail_to_write(path, EISDIR);
    Target target;
    target.path = path;
    target.exists = ::stat(path.c_str(), &target.status) == 0;
    if (target.exists && S_ISDIR(target.status.st_mode)) fail_to_write(path, EISDIR);
    if (target.exists && ::access(path.c_str(), W_OK) != 0) fail_to_write(path, errno);
    std::error_code ignored;
    if (target.replaced() && std::filesystem::is_symlink(path, ignored)) {
        target.path = std::filesystem::weakly_canonical(path, ignored);
        if (target.path.empty()) fail_to_write(path, ELOOP);
    }
    return target;
}

// Nobody may ever write into a pipe that has a name. /dev/stdin and a shell's <(...) are pipes that somebody fills.
void refuse_pipe(const std::filesystem::path& path) {
    struct stat status {};
    const bool known = ::stat(path.c_str(), &status) == 0;
    if (!known || !S_ISFIFO(status.st_mode) || path.native().starts_with("/dev/")) return;
    throw InputError(
        fmt::format("cannot read '{}' (it is a pipe, which may never end): give a regular file", path.string()));
}

[[noreturn]] void fail_to_read(const std::string& what, int error, const std::string& meant = "") {
    throw InputError(fmt::format("cannot read {} ({}{}): check its name and permissions", what, reason(error), meant));
}

// Which file beside the path may have been meant, where there is none of its name: of many files one is a little alike.
std::string file_meant_by(const std::filesystem::path& path) {
    constexpr int most_files = 4096;
    const std::string wanted = path.string();
    const int most = 1 + static_cast<int>(path.filename().string().size()) / 12;
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator file(path.has_parent_path() ? path.parent_path() : ".", error);
    for (int i = 0; !error && file != std::filesystem::directory_iterator() && i < most_files; ++i) {
        std::filesystem::path other = path;
        const std::string name = other.replace_filename(file->path().filename()).string();
        const int longer = static_cast<int>(name.size()) - static_cast<int>(wanted.size());
        if (name != wanted && std::abs(longer) <= most && edit_distance(wanted, name) <= most) names.push_back(name);
        file.increment(error);
    }
    return did_you_mean(wanted, names);
}

std::string read_all(int file, const std::string& what, std::size_t most) {
    std::string text;
    struct stat status {};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {  // exactly what it needs, instead of by doubling
        text.reserve(std::min(most, static_cast<std::size_t>(std::max<off_t>(0, status.st_size))) + 1);
    }
    std::array<char, 65536> buffer{};
    ssize_t count = 1;
    while (count > 0 && text.size() <= most) {
        count = ::read(file, buffer.data(), buffer.size());
        if (count < 0 && errno != EINTR) fail_to_read(what, errno);
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
        if (count < 0) count = 1;
    }
    if (text.size() > most) throw InputError(fmt::format("{} has more than {} bytes: it is not read", what, most));
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    return text;
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::string_view text) {
    write_whole_file(path, [text](const WritePiece& write) { write(std::string(text)); });
}

void write_whole_file(const std::filesystem::path& path, const std::function<void(const WritePiece& write)>& fill) {
    const Target target = target_of(path);
    if (!target.replaced()) return write_directly(target.path, fill);
    replace_file(target.path, fill, permissions_for(target.exists ? &target.status : nullptr));
}

void require_writable(const std::filesystem::path& path) {
    const Target target = target_of(path);
    if (!target.replaced()) return;
    const std::filesystem::path folder = target.path.has_parent_path() ? target.path.parent_path() : ".";
    if (::access(folder.c_str(), W_OK | X_OK) != 0) fail_to_write(path, errno);
}

bool is_there(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

std::string read_whole_file(const std::filesystem::path& path, std::size_t most) {
    refuse_pipe(path);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) {
        const int error = errno;
        fail_to_read(fmt::format("'{}'", path.string()), error, error == ENOENT ? file_meant_by(path) : "");
    }
    std::string text = read_all(file.number(), fmt::format("'{}'", path.string()), most);
    record_input(path.string(), text);
    return text;
}

const std::string& standard_input() {
    constexpr std::size_t most = std::size_t{1} << 30;
    static const std::string text = read_all(STDIN_FILENO, "standard input", most);
    record_input("-", text);
    return text;
}

}  // namespace narrows
