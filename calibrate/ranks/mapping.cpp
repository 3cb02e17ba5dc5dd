#include "calibrate/ranks/mapping.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "calibrate/ranks/sanitizer.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

[[noreturn]] void refuse(const char* doing, std::size_t bytes, const char* remedy) {
    const int error = errno;
    constexpr double mebibyte = 1024.0 * 1024.0;
    throw InputError(fmt::format("the system refuses to {} {:.0f} MiB of memory ({}) with {:.0f} MiB free: {}", doing,
                                 static_cast<double>(bytes) / mebibyte, std::generic_category().message(error),
                                 static_cast<double>(available_memory()) / mebibyte, remedy));
}

// What a limit of this process ('ulimit') leaves it, of which it has taken so many pages.
std::size_t left_by_limit(__rlimit_resource limit, std::size_t pages_taken) {
    rlimit most{};
    if (getrlimit(limit, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return std::numeric_limits<std::size_t>::max();
    const std::size_t taken = pages_taken * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return most.rlim_cur > taken ? most.rlim_cur - taken : 0;
}

std::size_t allowed_memory() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, resident = 0, shared = 0, code = 0, unused = 0, data = 0;
    file >> all >> resident >> shared >> code >> unused >> data;
    return std::min(left_by_limit(RLIMIT_AS, all), left_by_limit(RLIMIT_DATA, data));
}

// What the machine has free.
std::size_t free_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    std::string unit;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") return kibibytes * 1024;
        std::getline(file, unit);
    }
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

Mapping::Mapping(std::size_t bytes, PageSize pages) {
    size_ = (bytes + large_page - 1) / large_page * large_page;
    mapped_bytes_ = size_ + large_page;
    mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) {
        mapped_ = nullptr;
        refuse("give", mapped_bytes_,
               "ask for smaller tables or messages or fewer ranks, or raise the limit (ulimit -v)");
    }
    const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    const std::size_t skip = (large_page - address % large_page) % large_page;
    data_ = static_cast<std::byte*>(mapped_) + skip;
    // Advice only: a kernel without large pages still gives right answers, more slowly.
    madvise(data_, size_, pages == PageSize::large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Mapping::Mapping(Mapping&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

Mapping::~Mapping() {
    if (mapped_ == nullptr) return;
    forget_frames(mapped_, mapped_bytes_);
    munmap(mapped_, mapped_bytes_);
}

void Mapping::protect(std::size_t offset, std::size_t bytes) {
    if (mprotect(data_ + offset, bytes, PROT_NONE) != 0)
        refuse("protect a part of", mapped_bytes_, "ask for fewer ranks, or raise vm.max_map_count");
}

std::size_t available_memory() {
    return std::min(free_memory(), allowed_memory());
}

}  // namespace narrows
