#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"
#include "algorithms/robust_cp/rows/row_regression.hpp"
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

/// The search for a rival of one row; a thread's room for it.
class RivalSearch {
 public:
  RivalSearch(const SharedDesign& shared, const RivalOptions& options)
      : shared_(shared),
        problem_(shared.problem()),
        options_(options),
        by_column_(problem_.design.topRows(problem_.columns).transpose()),
        r_(shared.design().length),
        w_(shared.design().length),
        normal_(rank(), rank()),
        gradient_(rank()) {}

  /// Looks at a row: what the present one fits, and which entries it leaves.
  void begin(Index row, const Vector& present) {
    y_ = problem_.values.row(row).data();
    observed_ = problem_.complete() ? nullptr : problem_.observed.row(row).data();
    present_ = present;
    fitted_ = count_fitted(present);
    left_.clear();
    seen_.clear();
    for (Index j = 0; j < problem_.columns; ++j) {
      if (observed_ != nullptr && observed_[j] == 0) continue;
      seen_.push_back(j);
      if (!(std::abs(r_[j]) < options_.level)) left_.push_back(j);
    }
    residual_ = r_;
    best_ = present;
    best_count_ = 0;
  }

  void look_around(const Vector& regression, Rng& rng) {
    for (Index k = 0; k < rank(); ++k) {
      try_along(k);
      if (present_[k] == 0) continue;
      Vector without = present_;
      without[k] = 0;
      consider(without);
    }
    consider(Vector::Zero(rank()));
    consider(regression);
    if (rank() > 1 && rank() <= limits::largest_drawn_rank) {
      consider(best_through_draws(left_, rng));
      consider(best_through_draws(seen_, rng));
    }
  }

  const Vector& best() const { return best_; }
  Index best_count() const { return best_count_; }
  Index fitted() const { return fitted_; }

 private:
  Index rank() const { return problem_.rank(); }

  Index count_fitted(const Vector& a) {
    kernels::row_residual(shared_.design(), y_, a.data(), r_.data());
    Index count = 0;
    for (Index j = 0; j < problem_.columns; ++j) {
      const bool here = observed_ == nullptr || observed_[j] > 0;
      count += here && std::abs(r_[j]) < options_.level ? 1 : 0;
    }
    return count;
  }

  /// The densest window of residual / K_k over the entries that are left: a vote on how far to move
  /// along coordinate k. The best change of a single coefficient, up to the width of the window.
  void try_along(Index k) {
    votes_.clear();
    const double least = limits::least_design * by_column_.row(k).cwiseAbs().maxCoeff();
    if (!(least > 0)) return;
    for (const Index j : left_) {
      const double slope = by_column_(k, j);
      if (!(std::abs(slope) > least)) continue;
      votes_.emplace_back(residual_[j] / slope, options_.level / std::abs(slope));
    }
    if (std::ssize(votes_) <= rank()) return;
    std::sort(votes_.begin(), votes_.end());
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t most = 0;
    double step = 0;
    for (const auto& [vote, width] : votes_) {
      while (votes_[from].first < vote - width) ++from;
      to = std::max(to, from);
      while (to < votes_.size() && votes_[to].first <= vote + width) ++to;
      // The window's ends move back where a narrow vote follows a wide one.
      while (from > 0 && votes_[from - 1].first >= vote - width) --from;
      while (to > from + 1 && votes_[to - 1].first > vote + width) --to;
      if (to - from > most) {
        most = to - from;
        step = vote;
      }
    }
    Vector moved = present_;
    moved[k] += step;
    consider(moved);
  }

  /// Rows through r random entries of a list; the one that fits the most of a part of the entries.
  Vector best_through_draws(const std::vector<Index>& among, Rng& rng) {
    const Index r = rank();
    Vector best = present_;
    if (std::ssize(among) <= r) return best;
    const std::size_t every = std::max<std::size_t>(1, seen_.size() / limits::enough_to_compare);
    Index most = 0;
    Matrix rows(r, r);
    Vector values(r);
    for (int draw = 0; draw < limits::draws; ++draw) {
      for (Index k = 0; k < r; ++k) {
        const Index j = among[rng.below(among.size())];
        rows.row(k) = by_column_.col(j).transpose();
        values[k] = y_[j];
      }
      const Vector a = rows.partialPivLu().solve(values);
      if (!a.allFinite()) continue;
      Index count = 0;
      for (std::size_t s = 0; s < seen_.size(); s += every) {
        const Index j = seen_[s];
        count += std::abs(y_[j] - by_column_.col(j).dot(a)) < limits::wide * options_.level ? 1 : 0;
      }
      if (count > most) {
        most = count;
        best = a;
      }
    }
    return best;
  }

  /// Least squares on what a candidate fits, or nearly fits, and a comparison by count.
  void consider(const Vector& candidate) {
    if (!candidate.allFinite()) return;
    compare(refined(candidate, limits::narrow_widths));
    compare(refined(candidate, limits::wide_widths));
  }

  template <std::size_t N>
  Vector refined(Vector a, const double (&widths)[N]) {
    for (const double width : widths) {
      kernels::row_residual(shared_.design(), y_, a.data(), r_.data());
      const double sum = kernels::threshold_weights(shared_.design().length, r_.data(), observed_,
                                                    width * options_.level, w_.data());
      const auto padding = static_cast<double>(shared_.design().length - problem_.columns);
      if (!(sum - (observed_ == nullptr ? padding : 0) > static_cast<double>(rank()))) continue;
      kernels::weighted_normal(shared_.design(), r_.data(), w_.data(), normal_.data(),
                               gradient_.data());
      normal_.diagonal().array() += shared_.shift();
      const Vector delta = normal_.selfadjointView<Eigen::Lower>().ldlt().solve(gradient_);
      if (delta.allFinite()) a += delta;
    }
    if (options_.nonnegative) a = a.cwiseMax(0);
    return a;
  }

  void compare(const Vector& a) {
    const Index count = count_fitted(a);
    if (count <= best_count_ || count <= rank() || !differs(a)) return;
    best_count_ = count;
    best_ = a;
  }

  /// Whether the row gives another L where there are entries.
  bool differs(const Vector& a) const {
    const Vector difference = a - present_;
    double most = 0;
    for (const Index j : seen_) most = std::max(most, std::abs(by_column_.col(j).dot(difference)));
    return most > limits::another * options_.level;
  }

  const SharedDesign& shared_;
  const RowProblem& problem_;
  const RivalOptions& options_;
  const Matrix by_column_;  ///< K', so that a column of the design is contiguous
  const double* y_ = nullptr;
  const double* observed_ = nullptr;
  Vector present_;
  Vector residual_;  ///< of the present row
  Index fitted_ = 0;
  std::vector<Index> seen_;
  std::vector<Index> left_;
  std::vector<std::pair<double, double>> votes_;  ///< and the half width of each
  Vector r_;
  Vector w_;
  Matrix normal_;
  Vector gradient_;
  Vector best_;
  Index best_count_ = 0;
};

/// A direction orthogonal to r - 1 random columns.
Vector random_normal(const Matrix& design, Rng& rng) {
  const Index rank = design.cols();
  Matrix columns(rank, rank - 1);
  for (Index k = 0; k + 1 < rank; ++k) {
    columns.col(k) = design.row(static_cast<Index>(rng.below(design.rows()))).transpose();
    columns.col(k) /= std::max(columns.col(k).norm(), levels::tiny_length);
  }
  const Matrix q = Eigen::HouseholderQR<Matrix>(columns).householderQ();
  return q.col(rank - 1);
}

double share_orthogonal(const Matrix& design, const Vector& lengths, const Vector& direction) {
  const Vector product = (design * direction).cwiseAbs();
  const auto orthogonal = product.array() <= limits::orthogonal * lengths.array();
  return static_cast<double>(orthogonal.count()) / static_cast<double>(design.rows());
}

RowProblem some_rows(const RowProblem& problem, const std::vector<Index>& rows) {
  RowProblem part(std::ssize(rows), problem.columns, problem.rank());
  part.values = problem.values(rows, Eigen::all);
  part.design = problem.design;
  if (!problem.complete()) part.observed = problem.observed(rows, Eigen::all);
  return part;
}

Rivals nothing_found(const RowProblem& problem, const Matrix& present, double level) {
  Rivals rivals{present, std::vector<Index>(problem.rows()), std::vector<Index>(problem.rows(), 0)};
  const RowMatrix residual = problem.values - present * problem.design.transpose();
  for (Index i = 0; i < problem.rows(); ++i) {
    Index count = 0;
    for (Index j = 0; j < problem.columns; ++j) {
      const bool known = problem.complete() || problem.observed(i, j) > 0;
      count += known && std::abs(residual(i, j)) < level ? 1 : 0;
    }
    rivals.fitted[i] = count;
  }
  return rivals;
}

/// Looks for a rival of each row, on all columns of the problem.
Rivals look_at(const RowProblem& problem, const Matrix& present, const RivalOptions& options,
               Rng& rng, Monitor& monitor) {
  const Index count = problem.rows();
  Rivals rivals = nothing_found(problem, present, options.level);
  const RowProblem rest = without_fitted(
      thinned(problem,
              std::max(limits::regression_columns, limits::columns_per_unknown * problem.rank())),
      present, options.level);
  const Matrix regressions = fit_rows(rest, present,
                                      {.tolerance = options.level,
                                       .threads = options.threads,
                                       .nonnegative = options.nonnegative},
                                      monitor)
                                 .coefficients;
  const SharedDesign shared(problem);
  const std::uint64_t seed = rng.next();
  const int team = static_cast<int>(std::clamp<Index>(count, 1, std::max(options.threads, 1)));
  monitor.beat();
  const auto rank = static_cast<double>(problem.rank());
  monitor.did(limits::flops * static_cast<double>(count * problem.columns) * (rank + 1) *
              (rank + 4) * rank);
  RegionFailure failure;
#pragma omp parallel num_threads(team)
  {
    std::optional<RivalSearch> search;
    failure.guard([&] { search.emplace(shared, options); });
#pragma omp for schedule(dynamic, 1)
    for (Index i = 0; i < count; ++i) {
      failure.guard([&] {
        Rng own(seed, static_cast<std::uint64_t>(i));
        search->begin(i, present.row(i).transpose());
        search->look_around(regressions.row(i).transpose(), own);
        rivals.fitted_by_rival[i] = search->best_count();
        rivals.coefficients.row(i) = search->best().transpose();
      });
    }
  }
  failure.rethrow();
  return rivals;
}

}  // namespace

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

Rivals find_rivals(const RowProblem& problem, const Matrix& present, const RivalOptions& options,
                   Rng& rng, Monitor& monitor) {
  const Index few =
      std::max(limits::first_columns, limits::first_columns_per_unknown * problem.rank());
  if (problem.columns < limits::worth_a_first_look * few) {
    return look_at(problem, present, options, rng, monitor);
  }
  // A rival fits most of what a row leaves. A few columns show that there is none, for most rows.
  const Rivals first = look_at(thinned(problem, few), present, options, rng, monitor);
  std::vector<Index> promising;
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto fitted = static_cast<double>(first.fitted[i]);
    if (static_cast<double>(first.fitted_by_rival[i]) >= limits::promising * fitted) {
      promising.push_back(i);
    }
  }
  Rivals rivals = nothing_found(problem, present, options.level);
  if (promising.empty()) return rivals;
  const Rivals again =
      look_at(some_rows(problem, promising), present(promising, Eigen::all), options, rng, monitor);
  for (std::size_t k = 0; k < promising.size(); ++k) {
    const Index i = promising[k];
    rivals.coefficients.row(i) = again.coefficients.row(static_cast<Index>(k));
    rivals.fitted_by_rival[i] = again.fitted_by_rival[k];
  }
  return rivals;
}

double share_in_hyperplane(const Matrix& design, Rng& rng) {
  const Index rank = design.cols();
  if (design.rows() == 0) return 1;
  const Vector lengths = design.rowwise().norm();
  double most = 0;
  for (Index k = 0; k < rank; ++k) {
    most = std::max(most, share_orthogonal(design, lengths, Vector::Unit(rank, k)));
  }
  for (int draw = 0; rank > 1 && draw < limits::hyperplanes; ++draw) {
    most = std::max(most, share_orthogonal(design, lengths, random_normal(design, rng)));
  }
  // The columns are a sample.
  const auto count = static_cast<double>(design.rows());
  return std::min(1.0, most + limits::chance * std::sqrt(most * (1 - most) / count));
}

}  // namespace sunder::robust
