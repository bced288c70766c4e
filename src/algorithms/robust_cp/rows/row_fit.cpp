#include "algorithms/robust_cp/rows/row_fit.hpp"

#include <omp.h>

#include <algorithm>
#include <optional>

#include "algorithms/robust_cp/levels/rows.hpp"
#include "algorithms/robust_cp/rows/row_regression.hpp"
#include "core/region_failure.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace rows = levels::rows;

/// Calls work(regression, k) for k in [0, count), on all threads, with a heartbeat now and then.
template <class Work>
void for_each_row(const SharedDesign& shared, Index count, const RowFitOptions& options,
                  Monitor& monitor, const Work& work) {
  const int team = static_cast<int>(std::clamp<Index>(
      count / rows::for_a_thread, 1, options.threads > 0 ? options.threads : omp_get_num_procs()));
  for (Index begin = 0; begin < count; begin += rows::between_heartbeats) {
    monitor.beat();
    const Index end = std::min(begin + rows::between_heartbeats, count);
    RegionFailure failure;
#pragma omp parallel num_threads(team)
    {
      std::optional<RowRegression> regression;
      failure.guard([&] { regression.emplace(shared, options.sigma, options.nonnegative); });
#pragma omp for schedule(dynamic, rows::at_a_time)
      for (Index k = begin; k < end; ++k) failure.guard([&] { work(*regression, k); });
    }
    failure.rethrow();
  }
}

/// About: a dozen steps of residual and normal equations.
double flops_of(Index fits, const RowProblem& problem) {
  const Index rank = problem.rank();
  return static_cast<double>(fits) * (rows::usual_steps * static_cast<double>(problem.columns) *
                                      static_cast<double>(rank * (rank + 5)));
}

std::vector<Index> far_below_the_others(const Eigen::ArrayXd& share) {
  const double usual = median({share.begin(), share.end()});
  const double least = std::max(rows::doubtful_of_median * usual, rows::doubtful_share);
  std::vector<Index> found;
  for (Index i = 0; i < share.size(); ++i) {
    if (share[i] < least) found.push_back(i);
  }
  return found;
}

/// ROWFIT: every row from least squares, then the doubtful ones from several starts.
class RowFitter {
 public:
  RowFitter(const RowProblem& alive, const RowFitOptions& options, Monitor& monitor, RowFits& fits)
      : shared_(alive),
        options_(options),
        limit_(rows::fitted * options.sigma + options.tolerance),
        monitor_(monitor),
        fits_(fits) {}

  void fit_all(const Matrix& warm) {
    const Index count = shared_.problem().rows();
    monitor_.did(flops_of(count, shared_.problem()));
    for_each_row(shared_, count, options_, monitor_, [&](RowRegression& row, Index i) {
      row.solve(i, low_quantile, RowStart::least_squares);
      keep(row, i, row.share_within(limit_));
      if (!options_.warm) return;
      row.solve(i, low_quantile, RowStart::warm, warm.row(i).transpose());
      const double share = row.share_within(limit_);
      if (share > fits_.share[i]) keep(row, i, share);
    });
    fits_.doubtful = far_below_the_others(fits_.share);
  }

  /// With lower quantiles, for rows with few inliers, and from other starts; the best is kept.
  void fit_doubtful_again(const Matrix& warm) {
    if (fits_.doubtful.empty()) return;
    const std::vector<Index>& again = fits_.doubtful;
    const auto count = std::ssize(again);
    monitor_.did(flops_of(rows::cautious_fits * count, shared_.problem()));
    for_each_row(shared_, count, options_, monitor_, [&](RowRegression& row, Index k) {
      const Index i = again[k];
      fit_cautiously(row, i, warm.row(i).transpose());
    });
    fits_.doubtful = far_below_the_others(fits_.share);
  }

 private:
  void fit_cautiously(RowRegression& row, Index i, const Vector& warm) {
    for (const double quantile : rows::cautious_quantiles) {
      for (const RowStart start :
           {RowStart::least_squares, RowStart::beside_constant, RowStart::warm}) {
        row.solve(i, quantile, start, warm);
        const double share = row.share_within(limit_);
        if (share > fits_.share[i]) keep(row, i, share);
      }
    }
  }

  void keep(const RowRegression& row, Index i, double share) {
    fits_.coefficients.row(i) = row.coefficients().transpose();
    fits_.share[i] = share;
  }

  SharedDesign shared_;
  const RowFitOptions& options_;
  double limit_;
  Monitor& monitor_;
  RowFits& fits_;
};

}  // namespace

RowFits fit_rows(const RowProblem& problem, const Matrix& warm, const RowFitOptions& options,
                 Monitor& monitor) {
  RowFits fits;
  fits.coefficients = Matrix::Zero(problem.rows(), problem.rank());
  fits.share = Eigen::ArrayXd::Zero(problem.rows());
  const RowProblem alive = without_dead_columns(problem);
  if (alive.columns == 0) return fits;
  RowFitter fitter(alive, options, monitor, fits);
  fitter.fit_all(warm);
  fitter.fit_doubtful_again(warm);
  return fits;
}

}  // namespace sunder::robust
