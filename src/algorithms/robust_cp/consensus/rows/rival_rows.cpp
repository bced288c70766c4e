#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/robust_cp/consensus/rows/rival_search.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "core/region_failure.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::rivals;

/// Every so many columns, such that about `count` are left.
RowProblem thinned(const RowProblem& problem, Index count) {
  const Index every = (problem.columns + count - 1) / count;
  if (every <= 1) return problem;
  const Index left = (problem.columns + every - 1) / every;
  RowProblem part(problem.rows(), left, problem.rank());
  const auto columns = Eigen::seqN(0, left, every);
  part.values.leftCols(left) = problem.values(Eigen::all, columns);
  part.design.topRows(left) = problem.design(columns, Eigen::all);
  if (!problem.complete()) {
    part.observed = RowMatrix::Zero(part.values.rows(), part.values.cols());
    part.observed.leftCols(left) = problem.observed(Eigen::all, columns);
  }
  return part;
}

RowProblem some_rows(const RowProblem& problem, const std::vector<Index>& rows) {
  RowProblem part(std::ssize(rows), problem.columns, problem.rank());
  part.values = problem.values(rows, Eigen::all);
  part.design = problem.design;
  if (!problem.complete()) part.observed = problem.observed(rows, Eigen::all);
  return part;
}

std::vector<Index> fitted_entries(const RowProblem& problem, const Matrix& present, double level) {
  std::vector<Index> fitted(problem.rows(), 0);
  const RowMatrix residual = problem.values - present * problem.design.transpose();
  for (Index i = 0; i < problem.rows(); ++i) {
    for (Index j = 0; j < problem.columns; ++j) {
      const bool known = problem.complete() || problem.observed(i, j) > 0;
      fitted[i] += known && std::abs(residual(i, j)) < level ? 1 : 0;
    }
  }
  return fitted;
}

Rivals nothing_found(const Matrix& present, std::vector<Index> fitted) {
  const std::vector<Index> none(fitted.size(), 0);
  return {present, std::move(fitted), none, none};
}

/// Robust regressions on the entries that are left. A rival fits as many of them as the present row
/// fits in all, so that their inliers are at least as many.
class RegressionOnRest {
 public:
  RegressionOnRest(const SharedDesign& rest, bool nonnegative)
      : regression_(rest, 0, nonnegative) {}

  void consider(Index row, RivalSearch& search) {
    const double to_beat = search.share_to_beat();
    const double quantile = std::clamp(to_beat / 2, limits::least_quantile, limits::most_quantile);
    regression_.solve(row, quantile, RowStart::least_squares);
    search.consider(regression_.coefficients());
    if (to_beat > limits::majority) return;
    regression_.solve(row, quantile, RowStart::beside_constant);
    search.consider(regression_.coefficients());
  }

 private:
  RowRegression regression_;
};

double flops_of(const RowProblem& problem) {
  const auto rank = static_cast<double>(problem.rank());
  return limits::flops * static_cast<double>(problem.rows() * problem.columns) * (rank + 1) *
         (rank + 4) * rank;
}

}  // namespace

std::vector<Index> Rivals::promising() const {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(fitted); ++i) {
    if (found(i) &&
        static_cast<double>(gained[i]) >= limits::promising * static_cast<double>(lost(i))) {
      rows.push_back(i);
    }
  }
  return rows;
}

RowProblem without_fitted(RowProblem problem, const Matrix& rows, double level) {
  const RowMatrix residual = problem.values - rows * problem.design.transpose();
  const RowMatrix left = (residual.array().abs() >= level).cast<double>();
  if (problem.complete()) {
    problem.observed = RowMatrix::Zero(problem.values.rows(), problem.values.cols());
    problem.observed.leftCols(problem.columns).setOnes();
  }
  problem.observed.array() *= left.array();
  problem.values.array() *= problem.observed.array();
  return problem;
}

Index columns_of_first_look(Index rank, double fitted_share) {
  const auto fitted =
      static_cast<double>(limits::first_fitted + limits::first_fitted_per_unknown * rank);
  return static_cast<Index>(fitted / std::max(fitted_share, limits::least_fitted_share));
}

Rivals find_rivals(const RowProblem& problem, const Matrix& present, const RivalOptions& options,
                   Rng& rng, Monitor& monitor) {
  const Index count = problem.rows();
  Rivals rivals = nothing_found(present, std::vector<Index>(count, 0));
  const RowProblem rest = without_dead_columns(without_fitted(
      thinned(problem,
              std::max(limits::regression_columns, limits::columns_per_unknown * problem.rank())),
      present, options.level));
  const SharedDesign shared(problem);
  const SharedDesign shared_rest(rest);
  const std::uint64_t seed = rng.next();
  const int team = static_cast<int>(std::clamp<Index>(count, 1, std::max(options.threads, 1)));
  monitor.beat();
  monitor.did(flops_of(problem));
  RegionFailure failure;
#pragma omp parallel num_threads(team)
  {
    std::optional<RivalSearch> search;
    std::optional<RegressionOnRest> regression;
    failure.guard([&] {
      search.emplace(shared, options);
      if (rest.columns > 0) regression.emplace(shared_rest, options.nonnegative);
    });
#pragma omp for schedule(dynamic, 1)
    for (Index i = 0; i < count; ++i) {
      failure.guard([&] {
        Rng own(seed, static_cast<std::uint64_t>(i));
        search->begin(i, present.row(i).transpose());
        search->look_around(own);
        if (regression) regression->consider(i, *search);
        rivals.fitted[i] = search->fitted();
        rivals.fitted_by_rival[i] = search->best_count();
        rivals.gained[i] = search->gained();
        rivals.coefficients.row(i) = search->best().transpose();
      });
    }
  }
  failure.rethrow();
  return rivals;
}

Rivals find_rivals_after_first_look(const RowProblem& problem, const Matrix& present,
                                    const RivalOptions& options, Rng& rng, Monitor& monitor) {
  std::vector<Index> fitted = fitted_entries(problem, present, options.level);
  const double least =
      static_cast<double>(*std::ranges::min_element(fitted)) / static_cast<double>(problem.columns);
  const Index few = columns_of_first_look(problem.rank(), least);
  if (problem.columns < limits::worth_a_first_look * few) {
    return find_rivals(problem, present, options, rng, monitor);
  }
  const std::vector<Index> promising =
      find_rivals(thinned(problem, few), present, options, rng, monitor).promising();
  Rivals rivals = nothing_found(present, std::move(fitted));
  if (promising.empty()) return rivals;
  const Rivals again = find_rivals(some_rows(problem, promising), present(promising, Eigen::all),
                                   options, rng, monitor);
  for (std::size_t k = 0; k < promising.size(); ++k) {
    const Index i = promising[k];
    rivals.coefficients.row(i) = again.coefficients.row(static_cast<Index>(k));
    rivals.fitted_by_rival[i] = again.fitted_by_rival[k];
    rivals.gained[i] = again.gained[k];
  }
  return rivals;
}

}  // namespace sunder::robust
