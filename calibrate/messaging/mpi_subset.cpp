#include "calibrate/messaging/mpi_subset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace narrows {
namespace {

constexpr std::array call_names{"init",    "finalize", "comm_rank", "comm_size", "comm_get_attr", "send",  "recv",
                                "barrier", "bcast",    "reduce",    "allreduce", "wtime",         "wtick", "abort"};

const char* name_of(MpiCall call) {
    return call_names[static_cast<std::size_t>(call)];
}

template <class T>
T combined(Reduction reduction, T a, T b) {
    switch (reduction) {
        case Reduction::sum:
            return static_cast<T>(a + b);
        case Reduction::product:
            return static_cast<T>(a * b);
        case Reduction::minimum:
            return std::min(a, b);
        case Reduction::maximum:
            return std::max(a, b);
    }
    return a;
}

// The buffers may have any alignment.
template <class T>
void combine_all(Reduction reduction, void* into, const void* with, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        T a;
        T b;
        std::memcpy(&a, static_cast<const std::byte*>(into) + i * sizeof(T), sizeof(T));
        std::memcpy(&b, static_cast<const std::byte*>(with) + i * sizeof(T), sizeof(T));
        a = combined(reduction, a, b);
        std::memcpy(static_cast<std::byte*>(into) + i * sizeof(T), &a, sizeof(T));
    }
}

}  // namespace

std::size_t bytes_of(Datatype type) {
    switch (type) {
        case Datatype::byte:
            return 1;
        case Datatype::int32:
            return sizeof(std::int32_t);
        case Datatype::int64:
            return sizeof(std::int64_t);
        case Datatype::float32:
            return sizeof(float);
        case Datatype::float64:
            return sizeof(double);
    }
    return 1;
}

void combine_elements(Datatype type, Reduction reduction, void* into, const void* with, std::size_t count) {
    switch (type) {
        case Datatype::byte:
            throw MessagingError(
                "bytes cannot be reduced, as they may stand for anything: give int32, int64, float32 "
                "or float64");
        case Datatype::int32:
            return combine_all<std::int32_t>(reduction, into, with, count);
        case Datatype::int64:
            return combine_all<std::int64_t>(reduction, into, with, count);
        case Datatype::float32:
            return combine_all<float>(reduction, into, with, count);
        case Datatype::float64:
            return combine_all<double>(reduction, into, with, count);
    }
}

void check_count(MpiCall call, int rank, int count) {
    if (count >= 0) return;
    throw MessagingError(
        fmt::format("rank {} calls {} with a count of {}: give 0 or more", rank, name_of(call), count));
}

void refuse_call(MpiCall call, int rank) {
    if (call == MpiCall::init) throw MessagingError(fmt::format("rank {} calls init twice: call it once", rank));
    throw MessagingError(
        fmt::format("rank {} calls {} before init or after finalize: call it between them", rank, name_of(call)));
}

void abort_run(int rank, int code) {
    throw MessagingError(fmt::format("rank {} aborts the run with code {}", rank, code));
}

}  // namespace narrows
