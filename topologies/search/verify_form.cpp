#include "topologies/search/verify_form.hpp"

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/Cholesky>
// clang-format on

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Column = std::vector<std::pair<int, double>>;  ///< rows ascending

/// The lower half of K = [A, w; wᵀ, −β] − shift·I, and how far its rounded entries may be off.
struct BorderedForm {
    std::vector<Column> columns;
    double off = 0;
};

std::vector<int> places_in(const std::vector<int>& order, int vertices) {
    std::vector<int> place(vertices, -1);
    const bool long_enough = std::ssize(order) + 1 == vertices;
    for (int i = 0; long_enough && i < std::ssize(order); ++i) {
        const int v = order[i];
        if (v < 0 || v >= vertices || place[v] >= 0) break;
        place[v] = i;
    }
    if (long_enough && std::count(place.begin(), place.end(), -1) == 1) return place;
    throw InputError("the certificate's order of elimination does not have every vertex but one, once");
}

BorderedForm bordered_form(const Network& network, double phi, const std::vector<int>& place, double shift) {
    const int last = network.vertices() - 1;
    std::vector<std::map<int, double>> entries(network.vertices());
    std::vector<double> at(network.vertices());
    std::vector<int> links(network.vertices());
    for (const auto& [u, v, capacity] : network.edges) {
        for (const int end : {u, v}) {
            at[end] += capacity;
            ++links[end];
        }
        if (place[u] >= 0 && place[v] >= 0) {
            const auto [low, high] = std::minmax(place[u], place[v]);
            entries[low][high] -= capacity;
        }
    }
    const double border = *std::max_element(at.begin(), at.end());
    for (int v = 0; v < network.vertices(); ++v) {
        if (place[v] < 0) continue;
        entries[place[v]][place[v]] = at[v] - (v < network.hosts ? phi * network.hosts : 0) - shift;
        if (v < network.hosts) entries[place[v]][last] = std::sqrt(phi * border);
    }
    entries[last][last] = -border - shift;
    BorderedForm form;
    for (const auto& column : entries) form.columns.emplace_back(column.begin(), column.end());
    const double most = *std::max_element(links.begin(), links.end());
    form.off = 4 * std::numeric_limits<double>::epsilon() * (most + 8) * (border + phi * network.hosts);
    return form;
}

/// LDLᵀ of a matrix, each column from those before it that reach its row.
class LeftLooking {
  public:
    explicit LeftLooking(const std::vector<Column>& matrix)
        : matrix_(matrix), columns_(matrix.size()), pivots_(matrix.size()) {}

    /// Whether all pivots are finite and not zero, within memory and time.
    bool run(const Stop& stop) {
        constexpr std::size_t most_entries = 150'000'000;
        const std::size_t n = matrix_.size();
        std::vector<std::vector<std::pair<int, std::size_t>>> reach(n);  // columns with an entry in this row, and where
        std::vector<double> sum(n);
        std::vector<char> is_set(n);
        std::vector<int> rows;
        std::size_t entries = 0;
        for (std::size_t j = 0; j < n; ++j) {
            if (j % 64 == 0 && stop()) return false;
            rows.clear();
            const auto add = [&](int row, double value) {
                if (is_set[row] == 0) rows.push_back(row);
                is_set[row] = 1;
                sum[row] += value;
            };
            for (const auto& [row, value] : matrix_[j]) add(row, value);
            for (const auto& [k, at] : reach[j]) {
                const Column& column = columns_[k];
                const double factor = column[at].second * pivots_[k];
                for (std::size_t i = at; i < column.size(); ++i) add(column[i].first, -factor * column[i].second);
                if (at + 1 < column.size()) reach[column[at + 1].first].emplace_back(k, at + 1);
            }
            reach[j] = {};
            std::sort(rows.begin(), rows.end());
            pivots_[j] = sum[j];
            for (const int row : rows) {
                if (row > static_cast<int>(j)) columns_[j].emplace_back(row, sum[row] / pivots_[j]);
                sum[row] = 0;
                is_set[row] = 0;
            }
            entries += columns_[j].size();
            if (!std::isfinite(pivots_[j]) || pivots_[j] == 0 || entries > most_entries) return false;
            if (!columns_[j].empty()) reach[columns_[j].front().first].emplace_back(static_cast<int>(j), 0);
        }
        return true;
    }

    std::ptrdiff_t negative_pivots() const {
        return std::count_if(pivots_.begin(), pivots_.end(), [](double pivot) { return pivot < 0; });
    }

    /// What the product of the factors may differ from the matrix by: 4(m+4)·2⁻⁵³·‖|L||D||Lᵀ|‖∞.
    double error() const {
        std::vector<double> row_sum(pivots_.size());
        std::vector<int> in_row(pivots_.size(), 1);
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            double sum = 1;
            for (const auto& [row, value] : columns_[j]) {
                sum += std::abs(value);
                ++in_row[row];
            }
            sum *= std::abs(pivots_[j]);
            row_sum[j] += sum;
            for (const auto& [row, value] : columns_[j]) row_sum[row] += std::abs(value) * sum;
        }
        const double most = *std::max_element(in_row.begin(), in_row.end());
        const double norm = *std::max_element(row_sum.begin(), row_sum.end());
        return 1.01 * 2 * (most + 4) * std::numeric_limits<double>::epsilon() * norm;
    }

  private:
    const std::vector<Column>& matrix_;
    std::vector<Column> columns_;
    std::vector<double> pivots_;
};

}  // namespace

bool form_is_positive(const Network& network, double phi) {
    const int n = network.vertices();
    const double hosts = network.hosts;
    Eigen::MatrixXd form = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < network.hosts; ++i) {
        for (int j = 0; j < network.hosts; ++j) form(i, j) += phi;
        form(i, i) -= phi * hosts;
    }
    for (const auto& [u, v, capacity] : network.edges) {
        form(u, u) += capacity;
        form(v, v) += capacity;
        form(u, v) -= capacity;
        form(v, u) -= capacity;
    }
    const double lift = form.diagonal().maxCoeff() / n;
    form.array() += lift;  // takes the constant vector out of the kernel
    const double margin = 2 * std::numeric_limits<double>::epsilon() * n * form.diagonal().cwiseAbs().sum();
    form.diagonal().array() -= margin;
    const Eigen::LDLT<Eigen::MatrixXd> factors(form);
    return factors.info() == Eigen::Success && factors.vectorD().minCoeff() > 0;
}

bool sparse_form_is_positive(const Network& network, double phi, const std::vector<int>& order, const Stop& stop) {
    const std::vector<int> place = places_in(order, network.vertices());
    double shift = 2 * bordered_form(network, phi, place, 0).off;
    for (int attempt = 0; attempt < 3; ++attempt) {
        const BorderedForm form = bordered_form(network, phi, place, shift);
        LeftLooking factors(form.columns);
        if (!factors.run(stop) || factors.negative_pivots() > 1) return false;
        const double off = form.off + factors.error();
        if (off <= shift) return true;
        shift = 2 * off;
    }
    return false;
}

}  // namespace narrows
