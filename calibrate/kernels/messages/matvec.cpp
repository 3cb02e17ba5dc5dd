#include "calibrate/kernels/messages/matvec.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "calibrate/messaging/collectives.hpp"

namespace narrows {

void matvec(Member& member, const SamplePlan& plan, RankRecord& record) {
    const int me = member.me();
    const int ranks = member.size();
    record.prepare(plan);
    auto* vector = reinterpret_cast<double*>(record.in.data());
    auto* product = reinterpret_cast<double*>(record.out.data());
    std::vector<double> matrix;  // the rank's rows
    for (const auto& [bytes, times] : plan.samples) {
        const std::size_t n = bytes / sizeof(double);
        const std::size_t rows = n / static_cast<std::size_t>(ranks);
        const std::size_t first = rows * static_cast<std::size_t>(me);
        matrix.assign(rows * n, 0);
        for (std::size_t row = 0; row < rows; ++row) matrix[row * n + (first + row + 1) % n] = 1;
        for (std::size_t i = 0; i < n; ++i) vector[i] = static_cast<double>(i);
        double start = 0;
        for (int time = -1; time < times; ++time) {
            if (time == 0) start = wall_seconds();
            for (std::size_t row = 0; row < rows; ++row) {
                const double* of_row = matrix.data() + row * n;
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i) sum += of_row[i] * vector[i];
                product[first + row] = sum;
            }
            allgather(member, reinterpret_cast<std::byte*>(product), rows * sizeof(double));
            std::swap(vector, product);
        }
        record.add_sample((wall_seconds() - start) / times);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
            wrong += vector[i] != static_cast<double>((i + static_cast<std::size_t>(times) + 1) % n) ? 1 : 0;
        }
        record.check(wrong == 0);
    }
}

}  // namespace narrows
