#include "algorithms/robust_cp/noise/rows/noisy_row_fit.hpp"

#include <omp.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "algorithms/robust_cp/levels/noise_rows.hpp"
#include "algorithms/robust_cp/rows/row_regression.hpp"
#include "core/region_failure.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noisy_rows;

/// Sets of columns, one for each component, where that component is likely to be large. All rows
/// try the same sets, so that the answer does not depend on the order of the rows.
std::vector<std::vector<Index>> draw_elements(const RowProblem& problem, Rng& rng) {
  std::vector<std::vector<double>> cumulative;
  for (Index k = 0; k < problem.rank(); ++k) {
    double sum = 0;
    cumulative.emplace_back();
    for (Index c = 0; c < problem.columns; ++c) {
      sum += std::abs(problem.design(c, k));
      cumulative.back().push_back(sum);
    }
  }
  std::vector<std::vector<Index>> drawn;
  for (int d = 0; d < limits::draws; ++d) {
    drawn.emplace_back();
    for (const std::vector<double>& sums : cumulative) {
      const auto at = std::lower_bound(sums.begin(), sums.end(), rng.uniform() * sums.back());
      drawn.back().push_back(std::min<Index>(at - sums.begin(), problem.columns - 1));
    }
  }
  return drawn;
}

/// One row at a time; a thread's room for it.
class NoisyRow {
 public:
  NoisyRow(const SharedDesign& shared, const NoisyRowOptions& options)
      : shared_(shared),
        options_(options),
        length_(shared.design().length),
        r_(length_),
        w_(length_),
        normal_(shared.design().rank, shared.design().rank),
        gradient_(shared.design().rank) {}

  void begin(Index row) {
    const RowProblem& problem = shared_.problem();
    y_ = problem.values.row(row).data();
    observed_ = problem.complete() ? nullptr : problem.observed.row(row).data();
    count_ = observed_ == nullptr ? static_cast<double>(problem.columns)
                                  : std::max(problem.observed.row(row).sum(), 1.0);
    row_ = row;
  }

  void from_least_squares() {
    const double share =
        count_ / static_cast<double>(std::max<Index>(shared_.problem().columns, 1));
    a_ = shared_.least_squares(row_, share);
    if (options_.nonnegative) a_ = a_.cwiseMax(0);
    update_residual();
    const double rms = std::sqrt(r_.squaredNorm() / count_);
    const double reach = limits::first_reach * upper_quartile();
    anneal(std::min(limits::first_width * rms, reach), limits::patient_steps);
  }

  /// The best of the coefficients that fit a few entries exactly.
  void from_elements(const std::vector<std::vector<Index>>& elements) {
    const Index rank = shared_.design().rank;
    Vector best = Vector::Zero(rank);
    double least = cost(best);
    Matrix part(rank, rank);
    Vector values(rank);
    for (const std::vector<Index>& columns : elements) {
      for (Index k = 0; k < rank; ++k) {
        part.row(k) = shared_.problem().design.row(columns[k]);
        values[k] = y_[columns[k]] * (observed_ == nullptr ? 1 : observed_[columns[k]]);
      }
      Matrix gram = part.transpose() * part;
      gram.diagonal().array() += limits::element_ridge * gram.trace() + tiny;
      Vector x = gram.llt().solve(part.transpose() * values);
      if (options_.nonnegative) x = x.cwiseMax(0);
      if (!x.allFinite()) continue;
      const double now = cost(x);
      if (now < least) {
        least = now;
        best = x;
      }
    }
    a_ = best;
    update_residual();
    anneal(limits::element_width * options_.sigma, limits::quick_steps);
  }

  double cost(const Vector& coefficients) {
    a_ = coefficients;
    update_residual();
    return present_cost();
  }

  double present_cost() const {
    const double inverse = 1 / (limits::cost_width * options_.sigma + tiny);
    double sum = 0;
    for (Index c = 0; c < shared_.problem().columns; ++c) {
      const double z = r_[c] * inverse;
      sum += z * z / (1 + z * z);
    }
    return sum / count_;
  }

  /// By a quantile below the middle, which errors of up to half of the entries leave alone.
  double deviation() {
    std::vector<double> sizes = magnitudes();
    return quantile(sizes, limits::inner_quantile) / limits::inner_of_normal;
  }

  const Vector& coefficients() const { return a_; }

 private:
  std::vector<double> magnitudes() const {
    std::vector<double> sizes;
    for (Index c = 0; c < shared_.problem().columns; ++c) {
      if (observed_ == nullptr || observed_[c] > 0) sizes.push_back(std::abs(r_[c]));
    }
    return sizes;
  }

  double upper_quartile() const {
    std::vector<double> sizes = magnitudes();
    return quantile(sizes, limits::upper_quantile);
  }

  /// Weights whose scale falls geometrically to a few standard deviations of the noise.
  void anneal(double scale, int steps) {
    const double last = limits::last_width * options_.sigma + tiny;
    scale = std::max(scale, last);
    const double pace = std::clamp(std::pow(last / scale, 1.0 / (steps - limits::steps_at_last)),
                                   limits::fastest_pace, limits::slowest_pace);
    for (int k = 0; k < steps; ++k) {
      kernels::geman_mcclure_weights(length_, r_.data(), observed_, scale, w_.data());
      const bool settled = step() && scale == last;
      scale = std::max(pace * scale, last);
      if (settled) break;
    }
  }

  /// Returns whether the coefficients hardly moved.
  bool step() {
    kernels::weighted_normal(shared_.design(), r_.data(), w_.data(), normal_.data(),
                             gradient_.data());
    normal_.diagonal().array() += limits::ridge * normal_.trace() + tiny;
    Vector delta;
    if (options_.nonnegative) {
      const Matrix whole = normal_.selfadjointView<Eigen::Lower>();
      delta = nonnegative_solution(whole, gradient_ + whole * a_).cwiseMax(0) - a_;
    } else {
      solver_.compute(normal_);
      delta = solver_.solve(gradient_);
    }
    if (!delta.allFinite()) delta.setZero();
    a_ += delta;
    update_residual();
    return delta.squaredNorm() < limits::settled * a_.squaredNorm();
  }

  void update_residual() {
    kernels::row_residual(shared_.design(), y_, a_.data(), r_.data());
    if (observed_ != nullptr) r_.array() *= Eigen::Map<const Entries>(observed_, length_);
  }

  const SharedDesign& shared_;
  const NoisyRowOptions& options_;
  Index length_;
  Index row_ = 0;
  const double* y_ = nullptr;
  const double* observed_ = nullptr;
  double count_ = 0;
  Vector a_;
  Vector r_;
  Vector w_;
  Matrix normal_;  ///< the lower triangle counts
  Vector gradient_;
  Eigen::LLT<Matrix, Eigen::Lower> solver_;
};

template <class Work>
void for_each(const SharedDesign& shared, const NoisyRowOptions& options,
              const std::vector<Index>& rows, Monitor& monitor, const Work& work) {
  monitor.beat();
  const Index count = std::ssize(rows);
  RegionFailure failure;
#pragma omp parallel num_threads(std::max(options.threads, 1)) if (options.threads > 1)
  {
    std::optional<NoisyRow> row;
    failure.guard([&] { row.emplace(shared, options); });
#pragma omp for schedule(dynamic, 4)
    for (Index k = 0; k < count; ++k) {
      failure.guard([&] {
        row->begin(rows[k]);
        work(*row, rows[k]);
      });
    }
  }
  failure.rethrow();
}

std::vector<Index> all_rows(const RowProblem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i) rows.push_back(i);
  return rows;
}

/// Rows that are explained less well than most.
std::vector<Index> doubtful_rows(const Eigen::ArrayXd& cost) {
  const std::vector<double> values(cost.begin(), cost.end());
  const double middle = median(values);
  const double limit = middle + limits::doubtful * robust_scale(values, middle);
  std::vector<Index> rows;
  for (Index i = 0; i < cost.size(); ++i) {
    if (cost[i] > limit) rows.push_back(i);
  }
  return rows;
}

}  // namespace

NoisyRowFits fit_noisy_rows(const RowProblem& problem, const NoisyRowOptions& options, Rng& rng,
                            Monitor& monitor) {
  NoisyRowFits fits;
  fits.coefficients = Matrix::Zero(problem.rows(), problem.rank());
  fits.cost = Eigen::ArrayXd::Ones(problem.rows());
  fits.deviation = Eigen::ArrayXd::Constant(problem.rows(), options.sigma);
  if (problem.columns == 0 || problem.rows() == 0) return fits;
  const std::vector<std::vector<Index>> elements = draw_elements(problem, rng);
  const SharedDesign shared(problem);
  const auto keep = [&](NoisyRow& row, Index i) {
    const double cost = row.present_cost();
    if (!(cost < fits.cost[i])) return;
    fits.coefficients.row(i) = row.coefficients().transpose();
    fits.cost[i] = cost;
    fits.deviation[i] = row.deviation();
  };
  for_each(shared, options, all_rows(problem), monitor, [&](NoisyRow& row, Index i) {
    row.from_least_squares();
    keep(row, i);
  });
  for_each(shared, options, doubtful_rows(fits.cost), monitor, [&](NoisyRow& row, Index i) {
    row.from_elements(elements);
    keep(row, i);
  });
  return fits;
}

Eigen::ArrayXd row_costs(const RowProblem& problem, const Matrix& coefficients, double sigma) {
  const SharedDesign shared(problem);
  const NoisyRowOptions options{.sigma = sigma};
  NoisyRow row(shared, options);
  Eigen::ArrayXd costs(problem.rows());
  for (Index i = 0; i < problem.rows(); ++i) {
    row.begin(i);
    costs[i] = row.cost(coefficients.row(i).transpose());
  }
  return costs;
}

}  // namespace sunder::robust
