#include "calibrate/measure/page_time.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/memory_limits.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace narrows;

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;

bool zeroed(const Mapping& mapping, std::size_t bytes) {
    return std::all_of(mapping.data(), mapping.data() + bytes, [](std::byte each) { return each == std::byte{0}; });
}

std::byte* place_of_written(std::size_t bytes, PageSize pages) {
    const Mapping mapping(bytes, pages);
    std::memset(mapping.data(), 1, mapping.size());
    return mapping.data();
}

}  // namespace

TEST_CASE("memory of mappings that have ended serves those that follow, zeroed") {
    const KeptMemory kept(16 * mebi);
    const std::byte* first = place_of_written(8 * mebi, PageSize::large);
    const Mapping again(6 * mebi, PageSize::large);
    CHECK(again.data() == first);
    CHECK(again.size() >= 6 * mebi);
    CHECK(zeroed(again, 6 * mebi));
    const Mapping other(6 * mebi, PageSize::large);
    CHECK(other.data() != first);
    CHECK(zeroed(other, 6 * mebi));
}

TEST_CASE("memory that will be written all over is not zeroed when it serves again") {
    const KeptMemory kept(16 * mebi);
    const std::byte* first = place_of_written(4 * mebi, PageSize::large);
    const Mapping again(4 * mebi, PageSize::large, Contents::anything);
    CHECK(again.data() == first);
    CHECK(again.data()[again.size() - 1] == std::byte{1});
}

TEST_CASE("memory that is kept serves neither small pages nor much smaller mappings") {
    const KeptMemory kept(16 * mebi);
    const std::size_t before = KeptMemory::kept_bytes();
    place_of_written(8 * mebi, PageSize::small);
    CHECK(KeptMemory::kept_bytes() == before);
    const std::byte* first = place_of_written(8 * mebi, PageSize::large);
    CHECK(KeptMemory::kept_bytes() == before + 8 * mebi);
    const Mapping small_pages(8 * mebi, PageSize::small);
    CHECK(small_pages.data() != first);
    const Mapping smaller(2 * mebi, PageSize::large);
    CHECK(smaller.data() != first);
    const Mapping larger(10 * mebi, PageSize::large);
    CHECK(larger.data() != first);
    const Mapping same(8 * mebi, PageSize::large);
    CHECK(same.data() == first);
}

TEST_CASE("large memory is kept in place of small") {
    const KeptMemory kept(16 * mebi);
    place_of_written(6 * mebi, PageSize::large);
    const std::byte* large = place_of_written(12 * mebi, PageSize::large);
    CHECK(KeptMemory::kept_bytes() == 12 * mebi);
    place_of_written(6 * mebi, PageSize::large);  // in the larger one, whose place it leaves
    CHECK(KeptMemory::kept_bytes() == 12 * mebi);
    const Mapping again(12 * mebi, PageSize::large);
    CHECK(again.data() == large);
    const Mapping other(6 * mebi, PageSize::large);
    CHECK(KeptMemory::kept_bytes() == 0);
    place_of_written(20 * mebi, PageSize::large);
    CHECK(KeptMemory::kept_bytes() == 0);
}

TEST_CASE("memory that is kept within what another keeps stays for that") {
    const KeptMemory outer(16 * mebi);
    {
        const KeptMemory inner(4 * mebi);
        place_of_written(8 * mebi, PageSize::large);
    }
    CHECK(KeptMemory::kept_bytes() == 8 * mebi);
    {
        const KeptMemory inner(32 * mebi);
        place_of_written(24 * mebi, PageSize::large);
        CHECK(KeptMemory::kept_bytes() == 32 * mebi);
    }
    CHECK(KeptMemory::kept_bytes() <= 16 * mebi);
    place_of_written(24 * mebi, PageSize::large);
    CHECK(KeptMemory::kept_bytes() <= 16 * mebi);
}

TEST_CASE("a first write to small pages takes some time, and less than a disk's") {
    CHECK(first_write_seconds() > 1e-12);
    CHECK(first_write_seconds() < 1e-6);
}

TEST_CASE("a mapping whose pages were protected is not kept") {
    const KeptMemory kept(16 * mebi);
    {
        Mapping guarded(4 * mebi, PageSize::large);
        guarded.protect(0, 4096);
    }
    const Mapping next(4 * mebi, PageSize::large);
    std::memset(next.data(), 1, next.size());  // would end the program
    CHECK(next.data()[0] == std::byte{1});
}

TEST_CASE("control groups of either version leave the least of limit less what is taken, cached files apart") {
    const std::filesystem::path root = std::filesystem::temp_directory_path() / "narrows_control_groups";
    std::filesystem::remove_all(root);
    const auto put = [&root](const std::string& name, const std::string& text) {
        std::filesystem::create_directories((root / name).parent_path());
        std::ofstream(root / name) << text << '\n';
        return (root / name).string();
    };
    const std::string second = put("second", "0::/job_7/step_0");
    const std::string first = put("first", "11:cpu,cpuacct:/job_7\n4:hugetlb,memory:/job_7\n0::/");
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    CHECK(left_by_control_groups(second, root.string()) == none);
    CHECK(left_by_control_groups((root / "absent").string(), root.string()) == none);
    put("job_7/step_0/memory.max", "max");
    put("job_7/step_0/memory.current", "700");
    CHECK(left_by_control_groups(second, root.string()) == none);
    put("job_7/memory.max", "1000");
    put("job_7/memory.current", "800");
    CHECK(left_by_control_groups(second, root.string()) == 200);
    put("job_7/memory.stat", "anon 400\ninactive_file 300\nslab 1");
    CHECK(left_by_control_groups(second, root.string()) == 500);
    put("job_7/memory.current", "1400");
    CHECK(left_by_control_groups(second, root.string()) == 0);
    put("memory/memory.limit_in_bytes", "9223372036854771712");
    put("memory/memory.usage_in_bytes", "5000");
    CHECK(left_by_control_groups(first, root.string()) == 9223372036854766712);
    put("memory/job_7/memory.limit_in_bytes", "2000");
    put("memory/job_7/memory.usage_in_bytes", "1500");
    put("memory/job_7/memory.stat", "cache 900\ntotal_inactive_file 100");
    CHECK(left_by_control_groups(first, root.string()) == 600);
    std::filesystem::remove_all(root);
}
