// Notation:
//   U(s) = U + s V   factor of a mode at the slice s steps after the model's time (s <= 0)
//   z                row of the Khatri-Rao product of the other modes and w: T_ij = z_j . u_i
//   G = sum z z'     over the inliers of a row;  g = sum z (T - L)  likewise
// The unknowns of a row are the changes of (u, v). Slice s contributes [G, sG; sG, ssG] and (g,
// sg).
#include "algorithms/stream/slice_window.hpp"

#include <omp.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "algorithms/run/double_entries.hpp"
#include "core/statistics.hpp"

namespace sunder::streaming {

namespace {

SliceEquations equations_of(const HeldSlice& slice, const Factors& factors, const Shape& shape,
                            int mode) {
  SliceEquations equations;
  equations.z = robust::khatri_rao_of_others(with_coefficients(factors, slice.w), mode);
  equations.kept = robust::unfold(shape, slice.kept, mode);
  equations.gram = equations.z.transpose() * equations.z;
  const Entries residual = residual_of(slice, factors) * slice.kept;
  equations.gradient = robust::unfold(shape, residual, mode) * equations.z;
  return equations;
}

/// G of a row. The part that S holds is usually the smaller one, and is subtracted from the whole.
Matrix gram_of_row(const SliceEquations& equations, Index row) {
  const Index columns = equations.z.rows();
  const Index rank = equations.z.cols();
  const double* kept = equations.kept.row(row).data();
  const bool subtract = 2 * equations.kept.row(row).sum() > static_cast<double>(columns);
  const double wanted = subtract ? 0 : 1;
  Matrix sum = Matrix::Zero(rank, rank);
  for (Index j = 0; j < columns; ++j) {
    if (kept[j] != wanted) continue;
    const double* z = equations.z.row(j).data();
    for (Index b = 0; b < rank; ++b) {
      for (Index a = b; a < rank; ++a) sum(a, b) += z[a] * z[b];
    }
  }
  sum.triangularView<Eigen::StrictlyUpper>() = sum.transpose();
  if (subtract) return equations.gram - sum;
  return sum;
}

/// The changes of (u, v) of one row, or of u alone if the factors do not move.
Vector row_step(const std::vector<SliceEquations>& all, Index row, bool moves) {
  const Index rank = all.front().z.cols();
  const Index unknowns = moves ? 2 * rank : rank;
  Matrix normal = Matrix::Zero(unknowns, unknowns);
  Vector right = Vector::Zero(unknowns);
  for (const SliceEquations& equations : all) {
    const Matrix gram = equations.weight * gram_of_row(equations, row);
    const Vector gradient = equations.weight * equations.gradient.row(row).transpose();
    const double s = equations.elapsed;
    normal.topLeftCorner(rank, rank) += gram;
    right.head(rank) += gradient;
    if (!moves) continue;
    normal.bottomLeftCorner(rank, rank) += s * gram;
    normal.bottomRightCorner(rank, rank) += s * s * gram;
    right.tail(rank) += s * gradient;
  }
  // Keeps a row with too few inliers near where it was.
  normal.diagonal().array() += 1e-9 * normal.trace() / static_cast<double>(unknowns) + tiny;
  const Vector step = normal.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  return step.allFinite() ? step : Vector::Zero(unknowns);
}

}  // namespace

void SliceWindow::begin(Factors factors, std::deque<HeldSlice> slices) {
  factors_ = std::move(factors);
  velocity_.clear();
  for (const Matrix& factor : factors_) {
    velocity_.push_back(Matrix::Zero(factor.rows(), factor.cols()));
  }
  slices_ = std::move(slices);
  time_ = slices_.back().number;
  normalise();
  for (HeldSlice& slice : slices_) judge(slice, factors_, options_.noise_width);
}

void SliceWindow::advance_to(Index number) {
  const auto steps = static_cast<double>(number - time_);
  for (std::size_t mode = 0; mode < factors_.size(); ++mode) {
    factors_[mode] += steps * velocity_[mode];
  }
  time_ = number;
  normalise();
}

Factors SliceWindow::factors_at(Index number) const {
  const auto steps = static_cast<double>(number - time_);
  Factors factors = factors_;
  for (std::size_t mode = 0; mode < factors.size(); ++mode) {
    factors[mode] += steps * velocity_[mode];
  }
  return factors;
}

void SliceWindow::add(HeldSlice slice) {
  slices_.push_back(std::move(slice));
  while (std::ssize(slices_) > options_.capacity) slices_.pop_front();
}

/// Whether the window can tell a movement, with five entries for each unknown of a row.
bool SliceWindow::moves() const {
  const auto held = std::ssize(slices_);
  if (!options_.moving || held < std::max<Index>(4, rank_)) return false;
  const Index longest = *std::max_element(shape_.begin(), shape_.end());
  return held * (shape_.entries() / longest) >= 10 * Index{rank_};
}

void SliceWindow::sweep(int times) {
  const int modes = shape_.order();
  for (int k = 0; k < times; ++k) {
    for (int mode = 0; mode < modes; ++mode) update_factor(mode);
    normalise();
    for_each_piece(std::ssize(slices_), team(), [&](Index i) {
      HeldSlice& slice = slices_[i];
      const Factors factors = factors_at(slice.number);
      refit(slice, factors);
      judge(slice, factors, options_.noise_width);
    });
  }
}

int SliceWindow::team() const {
  constexpr Index entries_for_a_thread = 50'000;
  const Index wanted = options_.threads > 0 ? options_.threads : omp_get_num_procs();
  const Index useful = std::ssize(slices_) * shape_.entries() / entries_for_a_thread;
  return static_cast<int>(std::clamp<Index>(useful, 1, wanted));
}

void SliceWindow::settle() {
  constexpr int most = 60;
  double before = typical_sigma();
  for (int k = 0; k < most; k += 2) {
    sweep(2);
    const double now = typical_sigma();
    if (now > 0.98 * before || now < 1e-13 * typical_size()) return;
    before = now;
  }
}

void SliceWindow::update_factor(int mode) {
  const auto count = std::ssize(slices_);
  const auto m = static_cast<std::size_t>(mode);
  const auto length = static_cast<double>(options_.capacity);
  std::vector<SliceEquations> all(slices_.size());
  for_each_piece(count, team(), [&](Index i) {
    const HeldSlice& slice = slices_[i];
    SliceEquations& equations = all[i];
    equations = equations_of(slice, factors_at(slice.number), shape_, mode);
    const auto elapsed = static_cast<double>(slice.number - time_);
    equations.elapsed = elapsed / length;
    equations.weight = std::pow(options_.forgetting, -elapsed);
  });
  const bool moving = moves();
  for_each_piece(shape_[mode], team(), [&](Index row) {
    const Vector step = row_step(all, row, moving);
    factors_[m].row(row) += step.head(rank_).transpose();
    if (moving) velocity_[m].row(row) += step.tail(rank_).transpose() / length;
  });
}

/// Makes the columns unit vectors that only turn. A change of length belongs to w.
void SliceWindow::normalise() {
  for (std::size_t mode = 0; mode < factors_.size(); ++mode) {
    for (Index i = 0; i < rank_; ++i) {
      auto u = factors_[mode].col(i);
      auto v = velocity_[mode].col(i);
      const double length = u.stableNorm();
      if (!(length > 0)) continue;
      u /= length;
      v /= length;
      v -= u.dot(v) * Vector(u);
      for (HeldSlice& slice : slices_) slice.w[i] *= length;
    }
  }
}

bool SliceWindow::fits() const {
  const auto has_shape = [&](const Factors& factors) {
    if (factors.size() != static_cast<std::size_t>(shape_.order())) return false;
    for (int mode = 0; mode < shape_.order(); ++mode) {
      const Matrix& factor = factors[mode];
      if (factor.rows() != shape_[mode] || factor.cols() != rank_) return false;
    }
    return true;
  };
  if (slices_.empty()) return factors_.empty() && velocity_.empty();
  return has_shape(factors_) && has_shape(velocity_) &&
         std::all_of(slices_.begin(), slices_.end(),
                     [&](const HeldSlice& slice) { return slice.fits(shape_.entries(), rank_); });
}

double SliceWindow::typical_sigma() const {
  std::vector<double> values;
  for (const HeldSlice& slice : slices_) values.push_back(slice.sigma);
  return median(std::move(values));
}

double SliceWindow::typical_size() const {
  std::vector<double> values;
  for (const HeldSlice& slice : slices_) values.push_back(slice.size);
  return median(std::move(values));
}

}  // namespace sunder::streaming
