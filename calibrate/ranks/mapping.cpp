#include "calibrate/ranks/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <new>
#include <string>
#include <utility>

#include "calibrate/ranks/sanitizer.hpp"

namespace narrows {

namespace {
constexpr std::size_t large_page = std::size_t{2} << 20;
}

Mapping::Mapping(std::size_t bytes, PageSize pages) {
    size_ = (bytes + large_page - 1) / large_page * large_page;
    mapped_bytes_ = size_ + large_page;
    mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) {
        mapped_ = nullptr;
        throw std::bad_alloc();
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
    if (mprotect(data_ + offset, bytes, PROT_NONE) != 0) throw std::bad_alloc();
}

std::size_t available_memory() {
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

}  // namespace narrows
