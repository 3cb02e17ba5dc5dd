#include "topologies/cut/sparse_spectral_bound.hpp"

// clang-format off
#include "topologies/eigen.hpp"
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
// clang-format on

#include <algorithm>
#include <cmath>
#include <limits>

#include "topologies/components.hpp"
#include "topologies/cut/largest_eigenvalue.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Factorisation = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>>;

/// Eigen's factors with the count of their entries before they are computed.
class Factors : public Factorisation {
  public:
    /// Multiplications that `factorize` will make.
    double work() const {
        double sum = 0;
        for (Eigen::Index column = 0; column < m_nonZerosPerCol.size(); ++column) {
            sum += std::pow(m_nonZerosPerCol[column], 2);
        }
        return sum;
    }
};

/// The Laplacian without the row and column of one vertex, in the order of elimination, and what it takes to change it.
class GroundedForm {
  public:
    explicit GroundedForm(const Network& network)
        : network_(network), at_(capacity_at(network)), place_(network.vertices(), -1) {
        ground_ = static_cast<int>(std::ranges::max_element(at_) - at_.begin());
        for (int v = 0, next = 0; v < network.vertices(); ++v) {
            if (v != ground_) place_[v] = next++;
        }
        order_by_fill();
        border_ = at_[ground_];
    }

    /// In a given order, without the vertex that it lacks.
    GroundedForm(const Network& network, const std::vector<int>& order)
        : network_(network), at_(capacity_at(network)), place_(network.vertices(), -1), order_(order) {
        for (int i = 0; i < size() && i < network.vertices(); ++i) {
            const int v = order[i];
            if (v >= 0 && v < network.vertices() && place_[v] < 0) place_[v] = i;
        }
        if (std::ssize(order) + 1 != network.vertices() || std::ranges::count(place_, -1) != 1) {
            throw InputError("the order of elimination does not have every vertex but one, once");
        }
        ground_ = static_cast<int>(std::ranges::find(place_, -1) - place_.begin());
        border_ = *std::ranges::max_element(at_);
    }

    const std::vector<int>& order() const { return order_; }
    int place(int vertex) const { return place_[vertex]; }
    int size() const { return static_cast<int>(order_.size()); }

    Sparse laplacian() const {
        return lower(
            size(), [](int) { return 0.0; }, 0);
    }

    /// Whether K of the bound of `phi` has no more than one negative eigenvalue, by factors analysed with `bordered()`.
    bool proves(double phi, Factors& factors) const {
        const double largest = border_ + phi * network_.hosts;
        constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
        const double of_entries = 8 * unit * (largest_degree(network_) + 8.0) * largest;
        double shift = 2 * of_entries;
        for (int attempt = 0; attempt < 3; ++attempt) {
            factors.factorize(bordered(phi, shift));
            if (factors.info() != Eigen::Success) return false;
            const Eigen::VectorXd pivots = factors.vectorD();
            if (!pivots.allFinite() || (pivots.array() == 0).any() || (pivots.array() < 0).count() > 1) return false;
            const double off = of_entries + error_of(factors);
            if (off <= shift) return true;
            shift = 2 * off;
        }
        return false;
    }

    /// K − shift·I, lower half.
    Sparse bordered(double phi, double shift) const {
        const int n = size();
        const double of_host = phi * network_.hosts;
        Sparse matrix = lower(
            n + 1, [&](int v) { return -shift - (v < network_.hosts ? of_host : 0); }, std::sqrt(phi * border_));
        matrix.coeffRef(n, n) = -border_ - shift;
        return matrix;
    }

  private:
    void order_by_fill() {
        Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
        order_.resize(at_.size() - 1);
        const Sparse pattern = Sparse(laplacian().selfadjointView<Eigen::Lower>());
        Eigen::AMDOrdering<int>()(pattern, permutation);
        std::vector<int> vertex(order_.size());
        for (int v = 0; v < network_.vertices(); ++v) {
            if (v != ground_) vertex[place_[v]] = v;
        }
        for (int i = 0; i < size(); ++i) order_[i] = vertex[permutation.indices()[i]];
        for (int i = 0; i < size(); ++i) place_[order_[i]] = i;
    }

    template <class Shift>
    Sparse lower(int rows, Shift shift, double border) const {
        std::vector<Eigen::Triplet<double>> entries;
        entries.reserve(network_.edges.size() + 2 * at_.size());
        for (const auto& [u, v, capacity] : network_.edges) {
            if (u == ground_ || v == ground_) continue;
            entries.emplace_back(std::max(place_[u], place_[v]), std::min(place_[u], place_[v]), -capacity);
        }
        for (int v = 0; v < network_.vertices(); ++v) {
            if (v == ground_) continue;
            entries.emplace_back(place_[v], place_[v], at_[v] + shift(v));
            if (border > 0 && v < network_.hosts) entries.emplace_back(rows - 1, place_[v], border);
        }
        if (rows > size()) entries.emplace_back(rows - 1, rows - 1, 0.0);
        Sparse matrix(rows, rows);
        matrix.setFromTriplets(entries.begin(), entries.end());
        return matrix;
    }

    /// γ‖|L||D||Lᵀ|‖∞, which no eigenvalue is off by more.
    static double error_of(const Factors& factors) {
        const Sparse below = factors.matrixL();
        std::vector<int> in_row(below.rows(), 1);
        Eigen::VectorXd sums = Eigen::VectorXd::Ones(below.rows());
        for (int column = 0; column < below.outerSize(); ++column) {
            for (Sparse::InnerIterator entry(below, column); entry; ++entry) {
                if (entry.row() == column) continue;
                ++in_row[entry.row()];
                sums[column] += std::abs(entry.value());
            }
        }
        sums.array() *= factors.vectorD().array().abs();
        Eigen::VectorXd rows = sums;
        for (int column = 0; column < below.outerSize(); ++column) {
            for (Sparse::InnerIterator entry(below, column); entry; ++entry) {
                if (entry.row() != column) rows[entry.row()] += std::abs(entry.value()) * sums[column];
            }
        }
        constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
        const double most = *std::ranges::max_element(in_row);
        constexpr double of_these_sums = 1.01;
        return of_these_sums * 4 * (most + 4) * unit * rows.maxCoeff();
    }

    const Network& network_;
    std::vector<double> at_;
    int ground_ = 0;
    std::vector<int> place_;
    std::vector<int> order_;
    double border_ = 0;  ///< β
};

/// 1/λ₂ seen from the hosts, from below: the largest eigenvalue of the inverse of the grounded Laplacian there.
double largest_inverse(const Network& network, const GroundedForm& form, const Factors& laplacian, const Stop& stop) {
    const int hosts = network.hosts;
    const auto apply = [&](const Eigen::VectorXd& at_hosts) {
        Eigen::VectorXd right = Eigen::VectorXd::Zero(form.size());
        for (int host = 0; host < hosts; ++host) {
            if (form.place(host) >= 0) right[form.place(host)] = at_hosts[host];
        }
        const Eigen::VectorXd potential = laplacian.solve(right);
        Eigen::VectorXd seen(hosts);
        for (int host = 0; host < hosts; ++host) seen[host] = form.place(host) >= 0 ? potential[form.place(host)] : 0;
        seen.array() -= seen.mean();
        return seen;
    };
    return largest_eigenvalue(hosts, apply, stop);
}

}  // namespace

std::optional<SparseSpectralBound> sparse_spectral_bound(const Network& network, const FactorLimits& limits) {
    require_valid(network);
    if (network.hosts < 3 || component_count(network) > 1 || limits.stop()) return std::nullopt;
    const GroundedForm form(network);
    const double hosts = network.hosts;
    double near = 0;
    {
        const Sparse laplacian = form.laplacian();
        Factors factors;
        factors.analyzePattern(laplacian);
        if (factors.work() > limits.work) return std::nullopt;
        factors.factorize(laplacian);
        if (factors.info() != Eigen::Success || factors.vectorD().minCoeff() <= 0) return std::nullopt;
        const double inverse = largest_inverse(network, form, factors, limits.stop);
        if (!(inverse > 0)) return std::nullopt;
        near = 1 / (inverse * hosts);
    }
    Factors factors;
    factors.analyzePattern(form.bordered(near, 0));
    for (double slack = 1e-9; slack < 0.5 && !limits.stop(); slack *= 100) {
        const double phi = near * (1 - slack);
        if (form.proves(phi, factors)) return SparseSpectralBound{phi, form.order()};
    }
    return std::nullopt;
}

bool proves_sparsity(const Network& network, const SparseSpectralBound& bound, const FactorLimits& limits) {
    const GroundedForm form(network, bound.order);
    Factors factors;
    factors.analyzePattern(form.bordered(bound.phi, 0));
    return factors.work() <= limits.work && !limits.stop() && form.proves(bound.phi, factors);
}

}  // namespace narrows
