// The sweep as the equations have it, an angle and a cell at a time: what the others are compared with.
#include "calibrate/kernels/sweep3d/fixed_angle.hpp"
#include "calibrate/kernels/sweep3d/sweep_variants.hpp"

namespace narrows {
namespace {

bool inside(const SourceRange& range, int index) {
    return index >= range.from && index < range.to;
}

template <int moments, bool fixups>
class ScalarSweep {
  public:
    explicit ScalarSweep(const BlockSweep& block) : block_(block), terms_(*block.terms) {}

    std::int64_t run() {
        std::int64_t fixed = 0;
        for (int k = 0; k < block_.nk; ++k) {
            for (int j = 0; j < block_.nj; ++j) {
                for (int i = 0; i < block_.ni; ++i) {
                    for (int m = 0; m < block_.angles; ++m) fixed += cell(i, j, k, m) ? 1 : 0;
                }
            }
        }
        return fixed;
    }

  private:
    double source(const double* before, bool external, std::size_t m) const {
        double sum = external ? terms_.external_of_d[m] : 0;
        for (std::size_t n = 0; n < moments; ++n) sum += terms_.source_of_d[n][m] * before[n];
        return sum * terms_.denominator[m];
    }

    // What flows in from the left is what the cell before left in the outgoing face of the row.
    bool cell(int i, int j, int k, int angle) {
        const auto m = static_cast<std::size_t>(angle);
        const std::ptrdiff_t at = (i * block_.step_i + j * block_.step_j + k * block_.step_k) * moments;
        const std::ptrdiff_t face_i = (static_cast<std::ptrdiff_t>(k) * block_.nj + j) * block_.angles + angle;
        const std::ptrdiff_t face_j = (static_cast<std::ptrdiff_t>(k) * block_.ni + i) * block_.angles + angle;
        double& z = block_.k_faces[(static_cast<std::ptrdiff_t>(j) * block_.ni + i) * angle_lanes + angle];
        const Inflows in{i == 0 ? block_.in_i[face_i] : block_.out_i[face_i],
                         j == 0 ? block_.in_j[face_j] : block_.out_j[face_j], z};
        const bool external = inside(block_.source_i, i) && inside(block_.source_j, j) && inside(block_.source_k, k);
        const CellAngle solved = solve(source(block_.before + at, external, m), m, in);
        block_.out_i[face_i] = solved.out_x;
        block_.out_j[face_j] = solved.out_y;
        z = solved.out_z;
        for (std::size_t n = 0; n < moments; ++n)
            block_.flux[at + static_cast<int>(n)] += terms_.flux[n][m] * solved.flux;
        return solved.fixed;
    }

    CellAngle solve(double s, std::size_t m, const Inflows& in) const {
        if constexpr (fixups) {
            return fixed_angle(s, terms_.a[m], terms_.b[m], terms_.c[m], terms_.denominator[m], in);
        }
        const double flux = (s + terms_.a[m] * in.x + terms_.b[m] * in.y + terms_.c[m] * in.z) / terms_.denominator[m];
        return {flux, 2 * flux - in.x, 2 * flux - in.y, 2 * flux - in.z, false};
    }

    const BlockSweep& block_;
    const AngleTerms& terms_;
};

template <int moments, bool fixups>
std::int64_t sweep(const BlockSweep& block) {
    return ScalarSweep<moments, fixups>(block).run();
}

}  // namespace

SweepBlock scalar_sweep(int /*angles*/, int moments, bool fixups) {
    if (moments == 1) return fixups ? sweep<1, true> : sweep<1, false>;
    return fixups ? sweep<4, true> : sweep<4, false>;
}

}  // namespace narrows
