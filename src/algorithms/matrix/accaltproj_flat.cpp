// Notation, as in Algorithms 1 to 3 of Cai et al. (2019):
//   D        the matrix, m x n
//   L        low-rank estimate, U diag(sigma) V^T, of rank r from the start
//   S        HT_zeta(D - L); never stored, since it is a function of D, L and zeta
//   T        tangent space of the matrices of rank r at L: all U X^T + Y V^T
//   P_T(Z)   its projection of Z = D - S, of rank 2 r
//   zeta     threshold
//   beta     mu r / (2 sqrt(m n)), and twice that in the initialisation
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/matrix/truncated_svd.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"
#include "core/dense.hpp"
#include "sunder/algorithms/accaltproj.hpp"

namespace sunder {

namespace {

/// Singular values and vectors of left middle right^T.
struct Product {
  Matrix left;
  Vector values;
  Matrix right;

  Product(const Matrix& l, const Matrix& middle, const Matrix& r) {
    const Qr a = thin_qr(l);
    const Qr b = thin_qr(r);
    const Svd small = jacobi_svd(a.triangle * middle * b.triangle.transpose());
    left = a.basis * small.u;
    values = small.values;
    right = b.basis * small.v;
  }
};

/// Shortens every row that is longer than `longest` to that length.
Matrix with_short_rows(Matrix rows, double longest) {
  for (auto row : rows.rowwise()) row *= std::min(1.0, longest / std::max(row.norm(), 1e-300));
  return rows;
}

class AccAltProj {
 public:
  AccAltProj(const TensorView& matrix, const RunOptions& run, const AccAltProjOptions& options)
      : options_(options),
        rounding_(rounding_of(matrix.type(), Precision::f64)),
        run_(matrix, run, "accaltproj-flat") {}

  Decomposition solve() {
    return run_.solve([this] { iterate(); }, [this] { find_sparse(); });
  }

 private:
  /// Algorithm 3: two steps of plain alternating projections, with full singular value
  /// decompositions.
  void initialise() {
    Rng rng(run_.options().seed);
    SingularTriplets triplets = random_triplets(run_.shape(), run_.rank() + oversampling, rng);
    project(triplets, Rule::keep_all());
    const double zeta = 2 * beta(triplets.left, triplets.right) * triplets.values[0];
    project(triplets, Rule::hard_threshold(zeta));  // S = HT_zeta(D), as L is still zero
    run_.replace_low_rank(triplets.leading(run_.rank()));
    zeta_ = threshold(run_.low_rank().weights()[0]);
  }

  void project(SingularTriplets& triplets, Rule rule) {
    CleanedTensor cleaned(run_.engine(), run_.low_rank(), rule);
    refine(cleaned, triplets,
           {.leading = run_.rank(), .reduction = 1e-3, .max_products = max_products});
  }

  /// Algorithm 1.
  void iterate() {
    data_norm_ = std::sqrt(run_.measure_data().data_square_sum);
    if (!(data_norm_ > 0)) return;
    initialise();
    const auto r = static_cast<Index>(run_.rank());
    double vanishing = 1;  // gamma^t
    double change = 1;
    for (int t = 1; t <= options_.max_iterations; ++t) {
      const auto [u, v] = trimmed();
      // One pass gives Z V and Z^T U, since Z = L + K does not change in between. It also measures
      // S, and with it how far the last iteration came.
      CleanedTensor z(run_.engine(), run_.low_rank(), Rule::hard_threshold(zeta_));
      const std::vector<Matrix> products = z.mttkrps({u, v}, all_modes(2));
      record(t, change, z.statistics());
      if (residual_ < std::max(options_.tolerance, 16 * rounding_)) return;
      const Product projected = tangent_projection(u, v, products[0], products[1]);
      const Index kept = std::min(r, projected.values.size());
      change =
          run_.replace_low_rank({projected.values.head(kept),
                                 {projected.left.leftCols(kept), projected.right.leftCols(kept)}});
      vanishing *= options_.gamma;
      const double next = kept < projected.values.size() ? projected.values[kept] : 0;
      zeta_ = threshold(next + vanishing * projected.values[0]);
    }
    run_.result().outcome = Outcome::iteration_limit;
  }

  /// With G = U^T Z V, W = Z V - U G and X = Z^T U - V G^T
  ///
  ///     P_T(Z) = U G V^T + W V^T + U X^T = [U W] [G I; I 0] [V X]^T,
  ///
  /// so that its singular values are those of a matrix of 2 r rows and columns.
  static Product tangent_projection(const Matrix& u, const Matrix& v, const Matrix& zv,
                                    const Matrix& ztu) {
    const Index r = u.cols();
    const Matrix g = u.transpose() * zv;
    Matrix left(u.rows(), 2 * r);
    left << u, zv - u * g;
    Matrix right(v.rows(), 2 * r);
    right << v, ztu - v * g.transpose();
    Matrix middle(2 * r, 2 * r);
    middle << g, Matrix::Identity(r, r), Matrix::Identity(r, r), Matrix::Zero(r, r);
    return {left, middle, right};
  }

  /// Algorithm 2: the singular vectors of L with its rows cut to the length that incoherence
  /// allows.
  std::pair<Matrix, Matrix> trimmed() const {
    const CpModel& l = run_.low_rank();
    if (!options_.trim) return {l.factor(0), l.factor(1)};
    const auto longest = [&](const Matrix& vectors) {
      return std::sqrt(*options_.mu * run_.rank() / static_cast<double>(vectors.rows()));
    };
    const Product svd(with_short_rows(l.factor(0), longest(l.factor(0))), l.weights().asDiagonal(),
                      with_short_rows(l.factor(1), longest(l.factor(1))));
    return {svd.left, svd.right};
  }

  /// mu r / (2 sqrt(m n)). Measured, sqrt(mu r / m) is the length of the longest row of U, and that
  /// of V likewise; a tenth is added, as the authors do to the true value. Twice beta is at most
  /// 1/2, as no entry exceeds the norm of its matrix, but above that of a flat matrix.
  double beta(const Matrix& u, const Matrix& v) const {
    const double root_entries = std::sqrt(static_cast<double>(run_.shape().entries()));
    if (options_.mu) return *options_.mu * run_.rank() / (2 * root_entries);
    return 0.5 * std::max(std::min(1.1 * longest_row(u) * longest_row(v), 0.5), 1.1 / root_entries);
  }

  /// beta sigma, but a residual below a multiple of the rounding is no reason to be in S.
  double threshold(double sigma) const {
    const CpModel& l = run_.low_rank();
    return std::max(beta(l.factor(0), l.factor(1)) * sigma, 32 * rounding_ * run_.data().data_max);
  }

  void record(int t, double change, const PassStatistics& seen) {
    residual_ = std::sqrt(seen.kept_square_sum) / data_norm_;
    run_.record({.stage = fmt::format("iteration {}", t),
                 .threshold = zeta_,
                 .kept_residual = residual_,
                 .sparse_fraction = rejected_share(seen),
                 .change = change});
    // The residual falls by a constant factor for each iteration.
    run_.set_fraction(std::clamp(std::log(residual_) / std::log(options_.tolerance), 0.0, 1.0));
  }

  /// L is known to the tolerance only, so that nothing smaller belongs to S. A matrix of zeros has
  /// an empty S.
  void find_sparse() {
    if (data_norm_ > 0) {
      run_.find_sparse(std::max(zeta_, options_.tolerance * run_.data().data_max));
    }
  }

  static constexpr int oversampling = 5;
  static constexpr int max_products = 20;  // for each projection of the initialisation

  AccAltProjOptions options_;
  double rounding_;
  Run run_;
  double data_norm_ = 0;
  double zeta_ = std::numeric_limits<double>::infinity();
  double residual_ = 1;
};

}  // namespace

Decomposition accaltproj_flat(const TensorView& tensor, const RunOptions& run,
                              const AccAltProjOptions& options) {
  require_option(!options.mu || *options.mu > 0, "mu", "positive, or measured",
                 options.mu.value_or(0));
  require_option(options.gamma > 0 && options.gamma < 1, "gamma", "between 0 and 1", options.gamma);
  if (options.trim && !options.mu) {
    throw OptionError("`trim` needs `mu`, the incoherence that sets the length to cut to");
  }
  require_relative_tolerance(options.tolerance);
  require_iterations(options.max_iterations);
  return decompose_flattening(
      tensor, run, options.flatten_mode, "accaltproj-flat",
      [&](const TensorView& matrix, const RunOptions& matrix_run, std::uint64_t) {
        return MatrixParts{AccAltProj(matrix, matrix_run, options).solve(), 0};
      });
}

}  // namespace sunder
