#include "algorithms/robust_cp/consensus/rows/rival_search.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

namespace limits = levels::rivals;

RivalSearch::RivalSearch(const SharedDesign& shared, const RivalOptions& options)
    : shared_(shared),
      problem_(shared.problem()),
      options_(options),
      by_column_(problem_.design.topRows(problem_.columns).transpose()),
      r_(shared.design().length),
      w_(shared.design().length),
      normal_(rank(), rank()),
      gradient_(rank()) {}

void RivalSearch::begin(Index row, const Vector& present) {
  y_ = problem_.values.row(row).data();
  observed_ = problem_.complete() ? nullptr : problem_.observed.row(row).data();
  present_ = present;
  fitted_ = count_fitted(present);
  left_.clear();
  seen_.clear();
  for (Index j = 0; j < problem_.columns; ++j) {
    if (!is_seen(j)) continue;
    seen_.push_back(j);
    if (!(std::abs(r_[j]) < options_.level)) left_.push_back(j);
  }
  residual_ = r_;
  best_ = present;
  best_count_ = 0;
}

void RivalSearch::look_around(Rng& rng) {
  for (Index k = 0; k < rank(); ++k) {
    try_along(k);
    if (present_[k] == 0) continue;
    Vector without = present_;
    without[k] = 0;
    consider(without);
  }
  consider(Vector::Zero(rank()));
  // Regression finds a rival that fits most of what is left. A row that fits far more than is left
  // is beaten only by one that agrees with it on some columns, and fits little of what is left.
  const double share = share_to_beat();
  if (share > limits::found_by_regression && share < limits::agrees_in_part) return;
  if (rank() > 1 && rank() <= limits::largest_drawn_rank) {
    consider(best_through_draws(left_, rng));
    consider(best_through_draws(seen_, rng));
  }
}

double RivalSearch::share_to_beat() const {
  return left_.empty() ? 1 : static_cast<double>(fitted_) / static_cast<double>(left_.size());
}

Index RivalSearch::gained() const {
  Index count = 0;
  for (const Index j : left_) {
    count += std::abs(y_[j] - by_column_.col(j).dot(best_)) < options_.level ? 1 : 0;
  }
  return count;
}

Index RivalSearch::count_fitted(const Vector& a) {
  kernels::row_residual(shared_.design(), y_, a.data(), r_.data());
  Index count = 0;
  for (Index j = 0; j < problem_.columns; ++j) {
    count += is_seen(j) && std::abs(r_[j]) < options_.level ? 1 : 0;
  }
  return count;
}

/// The best change of a single coefficient, up to the width of the window of votes.
void RivalSearch::try_along(Index k) {
  votes_.clear();
  const double least = limits::least_design * by_column_.row(k).cwiseAbs().maxCoeff();
  if (!(least > 0)) return;
  for (const Index j : left_) {
    const double slope = by_column_(k, j);
    if (!(std::abs(slope) > least)) continue;
    votes_.emplace_back(residual_[j] / slope, options_.level / std::abs(slope));
  }
  if (votes_.empty()) return;
  Vector moved = present_;
  moved[k] += densest_vote();
  consider(moved);
}

/// The vote that most others agree with, within its own width.
double RivalSearch::densest_vote() {
  std::sort(votes_.begin(), votes_.end());
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t most = 0;
  double densest = 0;
  for (const auto& [vote, width] : votes_) {
    while (votes_[from].first < vote - width) ++from;
    to = std::max(to, from);
    while (to < votes_.size() && votes_[to].first <= vote + width) ++to;
    // The window's ends move back where a narrow vote follows a wide one.
    while (from > 0 && votes_[from - 1].first >= vote - width) --from;
    while (to > from + 1 && votes_[to - 1].first > vote + width) --to;
    if (to - from > most) {
      most = to - from;
      densest = vote;
    }
  }
  return densest;
}

/// Rows through an entry that is left and r - 1 random entries of a list, so that it is not the
/// present row again; the one that fits the most of a part of the entries.
Vector RivalSearch::best_through_draws(const std::vector<Index>& among, Rng& rng) const {
  const Index r = rank();
  Vector best = present_;
  if (left_.empty() || std::ssize(among) < r) return best;
  const std::size_t every = std::max<std::size_t>(1, seen_.size() / limits::enough_to_compare);
  Index most = 0;
  Matrix rows(r, r);
  Vector values(r);
  for (int draw = 0; draw < limits::draws; ++draw) {
    for (Index k = 0; k < r; ++k) {
      const std::vector<Index>& list = k == 0 ? left_ : among;
      const Index j = list[rng.below(list.size())];
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

void RivalSearch::consider(const Vector& candidate) {
  if (!candidate.allFinite()) return;
  compare(refined(candidate, limits::narrow_widths, std::size(limits::narrow_widths)));
  compare(refined(candidate, limits::wide_widths, std::size(limits::wide_widths)));
}

Vector RivalSearch::refined(Vector a, const double* widths, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    kernels::row_residual(shared_.design(), y_, a.data(), r_.data());
    const double sum = kernels::threshold_weights(shared_.design().length, r_.data(), observed_,
                                                  widths[k] * options_.level, w_.data());
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

void RivalSearch::compare(const Vector& a) {
  const Index count = count_fitted(a);
  if (count <= best_count_ || count <= rank() || !differs(a)) return;
  best_count_ = count;
  best_ = a;
}

/// Whether the row gives another L where there are entries.
bool RivalSearch::differs(const Vector& a) const {
  const Vector difference = a - present_;
  double most = 0;
  for (const Index j : seen_) most = std::max(most, std::abs(by_column_.col(j).dot(difference)));
  return most > limits::another * options_.level;
}

}  // namespace sunder::robust
