#pragma once

#include <cstddef>

namespace narrows {

/// The size of the pages behind a mapping. `large` asks the kernel for 2 MiB pages, `small` forbids them.
enum class PageSize { large, small };

/// Anonymous zeroed memory of one `mmap`, released on destruction. Movable, not copyable.
class Mapping {
  public:
    Mapping() = default;
    /// Maps at least `bytes` bytes, aligned to 2 MiB. Throws InputError with the amount and the remedy when
    /// the kernel refuses.
    Mapping(std::size_t bytes, PageSize pages);
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();

    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }

    /// Makes `bytes` bytes at `offset` (both multiples of 4 KiB) fault on any access. Throws InputError when the kernel
    /// refuses.
    void protect(std::size_t offset, std::size_t bytes);

  private:
    void* mapped_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Bytes of memory that the kernel says can be had without swapping (`MemAvailable`), and that the limits of this
/// process (`ulimit -v` and `-d`) leave it.
std::size_t available_memory();

}  // namespace narrows
