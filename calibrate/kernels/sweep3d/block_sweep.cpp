#include "calibrate/kernels/sweep3d/block_sweep.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "calibrate/kernels/sweep3d/sweep_variants.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

std::string_view name_of(SweepVectors vectors) {
    constexpr std::array<std::string_view, 4> names = {"scalar", "sse2", "avx2", "avx512"};
    return names.at(static_cast<std::size_t>(vectors));
}

std::vector<SweepVectors> available_vectors() {
    std::vector<SweepVectors> all = {SweepVectors::scalar, SweepVectors::sse2};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(SweepVectors::avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        all.push_back(SweepVectors::avx512);
    }
#endif
    return all;
}

SweepVectors parse_vectors(const std::string& name) {
    std::vector<std::string_view> names;
    for (const SweepVectors vectors : available_vectors()) {
        names.push_back(name_of(vectors));
        if (names.back() == name) return vectors;
    }
    throw InputError(fmt::format("this processor has no vectors '{}' (it has: {})", name, fmt::join(names, ", ")));
}

SweepBlock sweep_block(SweepVectors vectors, int angles, int moments, bool fixups) {
    switch (vectors) {
        case SweepVectors::scalar:
            return scalar_sweep(angles, moments, fixups);
        case SweepVectors::sse2:
            return sse2_sweep(angles, moments, fixups);
#if defined(__x86_64__)
        case SweepVectors::avx2:
            return avx2_sweep(angles, moments, fixups);
        case SweepVectors::avx512:
            return avx512_sweep(angles, moments, fixups);
#else
        default:
            break;
#endif
    }
    throw std::logic_error("sweep_block: not available here");
}

}  // namespace narrows
