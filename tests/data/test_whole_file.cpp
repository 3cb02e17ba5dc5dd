#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>

#include "data/whole_file.hpp"
#include "error_text.hpp"

namespace narrows {
namespace {

namespace fs = std::filesystem;

// A new empty folder that goes away with its content.
class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "narrows-test-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path_); }

    fs::path operator/(const std::string& name) const { return path_ / name; }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }
    std::string string() const { return path_.string(); }

  private:
    fs::path path_;
};

// No file may grow beyond `bytes` while this lives: what a full disk does.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

}  // namespace

TEST_CASE("a file is written and read back whole") {
    const Folder folder;
    const std::string text = std::string(200000, 'x') + std::string("\0\n", 2);
    write_whole_file(folder / "a", text);
    CHECK(read_whole_file(folder / "a") == text);
    write_whole_file(folder / "a", "");
    CHECK(read_whole_file(folder / "a").empty());
    CHECK(folder.files() == 1);
}

TEST_CASE("a write that fails leaves the old content and nothing else") {
    const Folder folder;
    write_whole_file(folder / "a", "old");
    {
        const FileSizeLimit limit(1000);
        const std::string error = error_text([&] { write_whole_file(folder / "a", std::string(100000, 'x')); });
        CHECK(error == "cannot write '" + folder.string() + "/a' (File too large): choose another place");
        CHECK(error_text([&] { write_whole_file(folder / "b", std::string(100000, 'x')); }) != "no error");
    }
    CHECK(read_whole_file(folder / "a") == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("what cannot be written is named with the remedy") {
    const Folder folder;
    CHECK(error_text([&] { write_whole_file(folder / "no/a", "x"); }) ==
          "cannot write '" + folder.string() + "/no/a' (No such file or directory): create its folder first");
    CHECK(error_text([&] { write_whole_file(folder.string(), "x"); }) ==
          "cannot write '" + folder.string() + "' (Is a directory): choose another place");
    CHECK(error_text([&] { write_whole_file("", "x"); }) == "cannot write '' (Is a directory): choose another place");
    CHECK(folder.files() == 0);
}

TEST_CASE("permissions and links stay as they are") {
    const Folder folder;
    write_whole_file(folder / "a", "1");
    fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
    write_whole_file(folder / "a", "2");
    CHECK(fs::status(folder / "a").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    fs::create_symlink("a", folder / "link");
    write_whole_file(folder / "link", "3");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(read_whole_file(folder / "a") == "3");
    const mode_t mask = ::umask(027);
    write_whole_file(folder / "b", "4");
    ::umask(mask);
    CHECK(fs::status(folder / "b").permissions() == static_cast<fs::perms>(0640));
}

TEST_CASE("a device is written to, not replaced") {
    write_whole_file("/dev/null", "x");
    CHECK(fs::is_character_file("/dev/null"));
    const Folder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
    write_whole_file(folder / "pipe", "abc");
    char buffer[8] = {};
    CHECK(::read(reader, buffer, sizeof buffer) == 3);
    ::close(reader);
    CHECK(fs::is_fifo(folder / "pipe"));
}

TEST_CASE("a named pipe is refused, not waited for") {
    const Folder folder;
    const fs::path pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(error_text([&] {
              read_whole_file(pipe);
          }).ends_with("/pipe' (it is a pipe, which may never end): give a regular file"));
}

TEST_CASE("what cannot be read is named") {
    const Folder folder;
    CHECK(error_text([&] { read_whole_file(folder / "none"); }) ==
          fmt::format("cannot read '{}/none' (No such file or directory): check its name and permissions",
                      folder.string()));
    CHECK(error_text([&] { read_whole_file(folder.string()); }) ==
          fmt::format("cannot read '{}' (Is a directory): check its name and permissions", folder.string()));
    write_whole_file(folder / "genoa.yaml", "");
    CHECK(error_text([&] { read_whole_file(folder / "genao.yaml"); }) ==
          fmt::format("cannot read '{0}/genao.yaml' (No such file or directory, did you mean '{0}/genoa.yaml'?): check "
                      "its name and permissions",
                      folder.string()));
    CHECK(error_text([&] { read_whole_file(folder / "genoas"); }).find("did you mean") == std::string::npos);
    write_whole_file(folder / "a", "12345");
    CHECK(read_whole_file(folder / "a", 5) == "12345");
    CHECK(error_text([&] { read_whole_file(folder / "a", 4); }) ==
          fmt::format("'{}/a' has more than 4 bytes: it is not read", folder.string()));
    CHECK(error_text([&] { read_whole_file("/dev/zero", 1000); }) ==
          "'/dev/zero' has more than 1000 bytes: it is not read");
}

}  // namespace narrows
