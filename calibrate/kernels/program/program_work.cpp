#include "calibrate/kernels/program/program_work.hpp"

#include <cstring>

#include "calibrate/ranks/thread_time.hpp"

namespace narrows {
namespace {

using Vector [[gnu::vector_size(32)]] = double;
constexpr std::size_t vectors = 8;  // as many as two multiplications at once, of four cycles each, need
constexpr std::size_t doubles = sizeof(Vector) / sizeof(double);

void work_on(double* numbers, std::uint64_t passes) {
    const Vector factor = Vector{} + 0.999999, addend = Vector{} + 1e-6;
    Vector own[vectors];
    // Unrolled all of it is in registers; a loop would go by the stack.
#pragma GCC unroll 8
    for (std::size_t i = 0; i < vectors; ++i) std::memcpy(&own[i], numbers + i * doubles, sizeof own[i]);
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 8
        for (Vector& one : own) one = one * factor + addend;
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < vectors; ++i) std::memcpy(numbers + i * doubles, &own[i], sizeof own[i]);
}

}  // namespace

void ProgramWork::begin(const Repeated& work) {
    if (work.seconds > 0) tasks_.push_back({work.seconds, 0, 0, 0, 0});
    if (work.flops == 0 && work.memory == 0) return;
    const std::uint64_t passes = (work.flops + 2 * block - 1) / (2 * block);
    const std::uint64_t blocks = std::max<std::uint64_t>(1, (work.memory + bytes_of_block / 2) / bytes_of_block);
    tasks_.push_back({0, blocks, passes / blocks, passes % blocks, 0});
}

bool ProgramWork::step() {
    constexpr double seconds = 5e-6;
    constexpr std::uint64_t passes = 1024;
    return step(seconds, passes);
}

// False when nothing is left to begin.
bool ProgramWork::begin_next() {
    while (tasks_.empty() && !later_.empty()) {
        Repeated& next = later_.back();
        if (next.left > 0) begin(next);
        if (--next.left <= 0 || tasks_.empty()) later_.pop_back();
    }
    return !tasks_.empty();
}

bool ProgramWork::step(double seconds, std::uint64_t passes) {
    if (tasks_.empty() && !begin_next()) return false;
    Task& task = tasks_.back();
    if (task.seconds > 0) {
        const double now = std::min(seconds, task.seconds);
        const double end = wall_seconds() + now;
        while (wall_seconds() < end) {
        }
        task.seconds -= now;
    } else {
        for (std::uint64_t done = 0; done < passes && task.blocks > 0;) done += go_on(task, passes - done);
    }
    if (task.seconds <= 0 && task.blocks == 0) tasks_.pop_back();
    return true;
}

// Goes on with the first block of the task, up to so many passes. Returns what it did, where a block counts too.
std::uint64_t ProgramWork::go_on(Task& task, std::uint64_t most) {
    static_assert(vectors * doubles == block);
    constexpr std::uint64_t passes_of_block = 4;  // that take as long as reading and writing it, about
    const std::uint64_t due = task.passes + (task.more > 0 ? 1 : 0) - task.begun;
    const std::uint64_t now = std::min(due, most);
    work_on(memory_.data() + at_, now);
    task.begun += now;
    if (now == due) {
        task.begun = 0;
        --task.blocks;
        if (task.more > 0) --task.more;
        at_ = at_ + block < memory_.size() ? at_ + block : 0;
    }
    return now + passes_of_block;
}

}  // namespace narrows
