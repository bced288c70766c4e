// Notation, for one row:
//   y  its entries    K  the design    a  coefficients    r = y - K a
//   c  scale of the Geman-McClure weights w               q  low quantile of |r|
#include "algorithms/robust_cp/core/row_fit.hpp"

#include <omp.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "core/region_failure.hpp"
#include "engine/kernels/regression.hpp"

namespace sunder::robust {

namespace {

constexpr double tiny = 1e-300;
constexpr double quartile_of_normal = 0.3186;
constexpr Index padding = 8;
constexpr Index rows_between_heartbeats = 512;

/// Columns on which the model is identically zero carry no information.
RowProblem without_dead_columns(const RowProblem& problem) {
  const Vector size = problem.design.topRows(problem.columns).rowwise().squaredNorm();
  const double least = 1e-12 * (size.size() > 0 ? size.maxCoeff() : 0);
  std::vector<Index> alive;
  for (Index j = 0; j < size.size(); ++j) {
    if (size[j] > least) alive.push_back(j);
  }
  const auto count = static_cast<Index>(alive.size());
  if (count == size.size()) return problem;
  RowProblem smaller(problem.rows(), count, problem.rank());
  smaller.values.leftCols(count) = problem.values(Eigen::all, alive);
  smaller.design.topRows(count) = problem.design(alive, Eigen::all);
  if (!problem.complete()) {
    smaller.observed = RowMatrix::Zero(smaller.values.rows(), smaller.values.cols());
    smaller.observed.leftCols(count) = problem.observed(Eigen::all, alive);
  }
  return smaller;
}

enum class Start { least_squares, beside_constant, warm };

/// What all rows share.
class Regression {
 public:
  explicit Regression(const RowProblem& problem)
      : problem_(problem),
        design_{problem.design.data(), problem.design.rows(), problem.design.rows(),
                problem.rank()},
        gram_(problem.design.transpose() * problem.design) {
    const Index rank = problem.rank();
    shift_ = 1e-12 * gram_.trace() / static_cast<double>(rank) + tiny;
    factor_.compute(gram_ + shift_ * Matrix::Identity(rank, rank));
  }

  const RowProblem& problem() const { return problem_; }
  const kernels::Design& design() const { return design_; }
  const Matrix& gram() const { return gram_; }
  double shift() const { return shift_; }
  /// Least squares on everything, which the outliers spoil: a place to begin.
  Vector least_squares(Index row, double observed_share) const {
    const Vector right_side = problem_.design.transpose() * problem_.values.row(row).transpose();
    return factor_.solve(right_side) / observed_share;
  }
  /// The same with a constant beside the model, which takes the mean of outliers of one sign.
  Vector least_squares_beside_constant(Index row, double observed_share) const {
    const auto columns = static_cast<double>(problem_.columns);
    const auto values = problem_.values.row(row);
    const Vector mean = problem_.design.colwise().sum().transpose() / columns;
    const Matrix centred = gram_ - columns * mean * mean.transpose() +
                           shift_ * Matrix::Identity(gram_.rows(), gram_.cols());
    const Vector right_side =
        problem_.design.transpose() * values.transpose() - values.sum() * mean;
    return centred.ldlt().solve(right_side) / observed_share;
  }

 private:
  const RowProblem& problem_;
  kernels::Design design_;
  Matrix gram_;
  double shift_ = 0;
  Eigen::LLT<Matrix> factor_;
};

/// One row at a time; a thread's room for it.
class RowFit {
 public:
  RowFit(const Regression& shared, const RowFitOptions& options)
      : shared_(shared),
        sigma_(options.sigma),
        nonnegative_(options.nonnegative),
        length_(shared.design().length),
        r_(length_),
        w_(length_),
        normal_(shared.design().rank, shared.design().rank),
        gradient_(shared.design().rank) {}

  /// Geman-McClure weights of shrinking scale, then least squares on the inliers.
  void solve(Index row, double share, Start start, const Vector& warm = {}) {
    y_ = shared_.problem().values.row(row).data();
    observed_ = shared_.problem().complete() ? nullptr : shared_.problem().observed.row(row).data();
    count_ = observed_ == nullptr ? static_cast<double>(shared_.problem().columns)
                                  : std::max(shared_.problem().observed.row(row).sum(), 1.0);
    const double seen = count_ / static_cast<double>(std::max<Index>(shared_.problem().columns, 1));
    switch (start) {
      case Start::least_squares:
        a_ = shared_.least_squares(row, seen);
        break;
      case Start::beside_constant:
        a_ = shared_.least_squares_beside_constant(row, seen);
        break;
      case Start::warm:
        a_ = warm;
        break;
    }
    update_residual();
    held_ = false;
    shrink(share);
    // Only now: coefficients that are zero from the start would fit every entry to which the others
    // contribute nothing, whatever the others are, and the scale of the weights would collapse.
    held_ = nonnegative_;
    double limit = 0;
    for (int round = 0; round < 2; ++round) {
      if (round == 0 || !held_) {
        limit = std::max(5 / quartile_of_normal * low_quantile(share), tiny);
      }
      kernels::threshold_weights(length_, r_.data(), observed_, limit, w_.data());
      step();
    }
  }

  const Vector& coefficients() const { return a_; }

  /// Share of the row's entries within `limit` of the model.
  double share_within(double limit) const {
    double inside = 0;
    for (Index j = 0; j < shared_.problem().columns; ++j) {
      if (std::abs(r_[j]) <= limit) inside += observed_ == nullptr ? 1 : observed_[j];
    }
    return inside / count_;
  }

 private:
  void update_residual() {
    kernels::row_residual(shared_.design(), y_, a_.data(), r_.data());
    if (observed_ != nullptr) r_.array() *= Eigen::Map<const Entries>(observed_, length_);
  }

  /// Of |r| over the observed entries; on a part of them where there are many.
  double low_quantile(double share) {
    constexpr Index enough = 128;
    const Index columns = shared_.problem().columns;
    const Index every = std::max<Index>(1, columns / enough);
    magnitudes_.clear();
    for (Index j = 0; j < columns; j += every) {
      if (observed_ == nullptr || observed_[j] > 0) magnitudes_.push_back(std::abs(r_[j]));
    }
    return quantile(magnitudes_, share) + tiny;
  }

  /// One step of weighted least squares, by the normal equations of the residual: two of them are
  /// iterative refinement.
  void step() {
    kernels::weighted_normal(shared_.design(), r_.data(), w_.data(), normal_.data(),
                             gradient_.data());
    normal_.diagonal().array() += shared_.shift();
    if (held_) {
      const Matrix whole = normal_.selfadjointView<Eigen::Lower>();
      delta_ = nonnegative_solution(whole, gradient_ + whole * a_) - a_;
    } else {
      solver_.compute(normal_);
      delta_ = solver_.solve(gradient_);
    }
    if (!delta_.allFinite()) delta_.setZero();
    a_ += delta_;
    if (held_) a_ = a_.cwiseMax(0);  // rounding
    update_residual();
  }

  void shrink(double share) {
    double c = 0;
    for (int k = 0; k < 30; ++k) {
      const double q = low_quantile(share);
      if (q < 0.4 * sigma_) return;  // as small as the inliers' can be
      if (k == 0) {
        c = std::max(3 * std::sqrt(r_.squaredNorm() / count_), 4 * q) + tiny;
      } else {
        c = std::min(c, std::max(4 * q, std::min(0.7 * c, std::sqrt(4 * c * q))));
      }
      kernels::geman_mcclure_weights(length_, r_.data(), observed_, c, w_.data());
      step();
      const double moved = delta_.dot(shared_.gram() * delta_);
      const double size = a_.dot(shared_.gram() * a_);
      if (moved < 1e-20 * (size + tiny)) return;
    }
  }

  const Regression& shared_;
  double sigma_;
  bool nonnegative_;
  bool held_ = false;  ///< no coefficient may be negative at present
  Index length_;
  const double* y_ = nullptr;
  const double* observed_ = nullptr;
  double count_ = 0;
  Vector a_;
  Vector r_;
  Vector w_;
  Matrix normal_;  ///< the lower triangle counts
  Vector gradient_;
  Vector delta_;
  Eigen::LLT<Matrix, Eigen::Lower> solver_;
  std::vector<double> magnitudes_;
};

/// Calls work(fit, k) for k in [0, count), on all threads, with a heartbeat now and then.
template <class Work>
void for_each_row(const Regression& shared, Index count, const RowFitOptions& options,
                  Monitor& monitor, const Work& work) {
  const int team = static_cast<int>(std::clamp<Index>(
      count / 16, 1, options.threads > 0 ? options.threads : omp_get_num_procs()));
  for (Index begin = 0; begin < count; begin += rows_between_heartbeats) {
    monitor.beat();
    const Index end = std::min(begin + rows_between_heartbeats, count);
    RegionFailure failure;
#pragma omp parallel num_threads(team)
    {
      std::optional<RowFit> fit;
      failure.guard([&] { fit.emplace(shared, options); });
#pragma omp for schedule(dynamic, 8)
      for (Index k = begin; k < end; ++k) failure.guard([&] { work(*fit, k); });
    }
    failure.rethrow();
  }
}

/// About: a dozen steps of residual and normal equations.
double flops_of_row_fit(Index columns, Index rank) {
  constexpr double steps = 12;
  return steps * static_cast<double>(columns) * static_cast<double>(rank * (rank + 5));
}

std::vector<Index> far_below_the_others(const Eigen::ArrayXd& share) {
  std::vector<double> sorted(share.data(), share.data() + share.size());
  const double least = std::max(0.5 * quantile(sorted, 0.5), 0.1);
  std::vector<Index> rows;
  for (Index i = 0; i < share.size(); ++i) {
    if (share[i] < least) rows.push_back(i);
  }
  return rows;
}

}  // namespace

RowProblem::RowProblem(Index rows, Index columns_, Index rank)
    : columns(columns_),
      values(RowMatrix::Zero(rows, (columns_ + padding - 1) / padding * padding)),
      design(Matrix::Zero(values.cols(), rank)) {}

void RowProblem::set(Index row, Index column, double value) {
  if (!std::isnan(value)) {
    values(row, column) = value;
    return;
  }
  if (complete()) {
    observed = RowMatrix::Zero(values.rows(), values.cols());
    observed.leftCols(columns).setOnes();
  }
  observed(row, column) = 0;
}

RowFits fit_rows(const RowProblem& problem, const Matrix& warm, const RowFitOptions& options,
                 Monitor& monitor) {
  constexpr double usual = 0.25;
  const double limit = 4 * options.sigma + options.tolerance;
  RowFits fits;
  fits.coefficients = Matrix::Zero(problem.rows(), problem.rank());
  fits.share = Eigen::ArrayXd::Zero(problem.rows());
  const RowProblem alive = without_dead_columns(problem);
  if (alive.columns == 0) return fits;
  const Regression shared(alive);
  monitor.did(static_cast<double>(problem.rows()) * flops_of_row_fit(alive.columns, alive.rank()));
  for_each_row(shared, problem.rows(), options, monitor, [&](RowFit& fit, Index i) {
    fit.solve(i, usual, Start::least_squares);
    fits.coefficients.row(i) = fit.coefficients().transpose();
    fits.share[i] = fit.share_within(limit);
  });
  fits.doubtful = far_below_the_others(fits.share);
  const std::vector<Index>& again = fits.doubtful;
  monitor.did(6 * static_cast<double>(again.size()) *
              flops_of_row_fit(alive.columns, alive.rank()));
  for_each_row(
      shared, static_cast<Index>(again.size()), options, monitor, [&](RowFit& fit, Index k) {
        const Index i = again[static_cast<std::size_t>(k)];
        const Vector from = warm.row(i).transpose();
        for (const double quantile : {0.12, 0.06}) {
          for (const Start start : {Start::least_squares, Start::beside_constant, Start::warm}) {
            fit.solve(i, quantile, start, from);
            const double share = fit.share_within(limit);
            if (share <= fits.share[i]) continue;
            fits.coefficients.row(i) = fit.coefficients().transpose();
            fits.share[i] = share;
          }
        }
      });
  if (!again.empty()) fits.doubtful = far_below_the_others(fits.share);
  return fits;
}

RowProblem row_problem(const DenseCore& core, const Factors& factors, int mode,
                       std::span<const Index> columns) {
  const RowMatrix values = unfold(core.shape, core.values, mode);
  const Matrix design = khatri_rao_of_others(factors, mode);
  const auto count = columns.empty() ? values.cols() : static_cast<Index>(columns.size());
  RowProblem problem(values.rows(), count, design.cols());
  const auto copy = [&](const RowMatrix& from, auto&& to) {
    if (columns.empty()) {
      to = from;
    } else {
      to = from(Eigen::all, columns);
    }
  };
  copy(values, problem.values.leftCols(count));
  if (columns.empty()) {
    problem.design.topRows(count) = design;
  } else {
    problem.design.topRows(count) = design(columns, Eigen::all);
  }
  if (!core.complete()) {
    problem.observed = RowMatrix::Zero(problem.values.rows(), problem.values.cols());
    copy(unfold(core.shape, core.observed, mode), problem.observed.leftCols(count));
  }
  return problem;
}

std::vector<Index> draw_columns(Index of, Index count, Rng& rng) {
  std::vector<Index> columns;
  if (count >= of) return columns;
  // One from each of `count` equal parts: distinct, in order, spread over all.
  for (Index k = 0; k < count; ++k) {
    const Index begin = k * of / count;
    const Index end = (k + 1) * of / count;
    columns.push_back(begin +
                      static_cast<Index>(rng.below(static_cast<std::uint64_t>(end - begin))));
  }
  return columns;
}

}  // namespace sunder::robust
