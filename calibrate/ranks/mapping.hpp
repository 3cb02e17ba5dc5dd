#pragma once

#include <cstddef>

namespace narrows {

/// The size of the pages behind a mapping. `large` asks the kernel for 2 MiB pages, `small` forbids them.
enum class PageSize { large, small };

/// What memory holds at first: zeros, or anything, for who writes it before it is read.
enum class Contents { zeros, anything };

/// Anonymous memory of one `mmap`, released on destruction. Movable, not copyable.
class Mapping {
  public:
    Mapping() = default;
    /// Maps at least `bytes` bytes, aligned to 2 MiB, of which so many have the contents. Throws InputError with the
    /// amount and the remedy when the kernel refuses.
    Mapping(std::size_t bytes, PageSize pages, Contents contents = Contents::zeros);
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();

    /// What the kernel gave, and the part of it that is used.
    struct Block {
        void* mapped = nullptr;
        std::size_t mapped_bytes = 0;
        std::byte* data = nullptr;
        std::size_t size = 0;
        PageSize pages = PageSize::large;
        bool has_protected = false;
    };

    std::byte* data() const { return block_.data; }
    std::size_t size() const { return block_.size; }

    /// Makes `bytes` bytes at `offset` (both multiples of 4 KiB) fault on any access. Throws InputError when the kernel
    /// refuses.
    void protect(std::size_t offset, std::size_t bytes);

  private:
    Block block_;
};

/// While one lives, memory of mappings that end is kept for later ones: what a virtual machine has given back to its
/// host takes a second a GiB to come again, and is slower for a while. One within another keeps what the outer one
/// does.
class KeptMemory {
  public:
    /// Keeps up to so many bytes, of mappings of 2 GiB at most, the largest first; fewer when another mapping needs
    /// most of what is free.
    explicit KeptMemory(std::size_t most_bytes);
    ~KeptMemory();
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;

    /// What is kept now, by whichever.
    static std::size_t kept_bytes();

  private:
    std::size_t outer_bytes_ = 0;  // that are kept without it
};

/// Accesses every page of [from, to), whose contents stay. Where a virtual machine's memory has just come from its
/// host, the second access to each page is slow as well: updates of 4 GiB took 25 to 57 ns instead of 22 until it was
/// done.
void touch_pages(std::byte* from, const std::byte* to);

/// Bytes of memory that can be had without swapping, and that limits of this process and its control groups leave it
/// (`memory_limits.hpp`), with what `KeptMemory` keeps.
std::size_t available_memory();

/// Bytes as people are told of them.
constexpr double mebibytes(long double bytes) {
    return static_cast<double>(bytes / (1024.0L * 1024.0L));
}

}  // namespace narrows
