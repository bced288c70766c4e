// Thresholding and counting of residuals that stay in registers: all the work of a pass without
// products.
//
// Per entry: a comparison, two masks, two FMAs for the sums of squares, and two subtractions for
// the counts; a second comparison and a third subtraction if the tolerance differs from the
// threshold, and two masks if some row or column is not alive. The column counters are read and
// written once per three rows.
//
// Hardware: comparisons and FMAs share two pipes, so at r = 5 a vector takes at least four cycles
// there. A vector of T in f32 arrives from memory every 3.3 cycles.

#if defined(SUNDER_ENGINE_COUNTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_COUNTS_INL_HPP
#undef SUNDER_ENGINE_COUNTS_INL_HPP
#else
#define SUNDER_ENGINE_COUNTS_INL_HPP
#endif

#include "engine/kernels/residual-inl.hpp"
#include "engine/kernels/rule-inl.hpp"
#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// An entry counts as fitted if |R| < tolerance_of(task); a zero residual always does.
template <class Real>
Real tolerance_of(const TileTask<Real>& task) {
  return scale_of<Real>(Rule::hard_threshold(task.fit_tolerance));
}

/// The sums of a strip of at most three rows, spread over lanes.
template <class D>
struct CountLanes {
  hn::Vec<D> kept_square, rejected_square;
  Counter<D> kept;  ///< counts all entries, alive or not
  Counter<D> fitted[3];

  HWY_INLINE CountLanes() {
    kept_square = rejected_square = hn::Zero(D());
    kept = fitted[0] = fitted[1] = fitted[2] = hn::Zero(hn::RebindToSigned<D>());
  }
};

/// `masked`: some rows or columns are not alive. `same`: "fitted" and "kept" are the same test.
/// `j`: the first column of the block.
template <bool masked, bool same, int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE void count_block(D d, const Block<rows, vectors, D>& r, const TileTask<Real>& task,
                            Index row, Index j, hn::Vec<D> c, hn::Vec<D> tolerance,
                            CountLanes<D>& shared) {
  constexpr bool plain = same && !masked;  // kept entries can be counted row by row
  const hn::RebindToSigned<D> di;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Lane<Real>* column_alive = task.column_alive + j;
  Lane<Real>* column_fitted = task.counts.column_fitted + j;
  // Sum within the block first: a single chain of FMAs through the whole strip would take four
  // cycles per vector.
  auto kept_square = hn::Zero(d);
  auto rejected_square = hn::Zero(d);
  auto kept = hn::Zero(di);
  Counter<D> column[vectors];
  for (int i = 0; i < rows; ++i) {
    const auto row_alive = hn::Set(di, static_cast<Lane<Real>>(-task.row_alive[row + i]));
    Counter<D> minus_fitted = hn::Zero(di);
    auto row_kept_square = hn::Zero(d);
    auto row_rejected_square = hn::Zero(d);
    for (int v = 0; v < vectors; ++v) {
      const auto keeps = hn::VecFromMask(d, is_below(d, r.v[i][v], c));
      const auto k = hn::And(keeps, r.v[i][v]);
      const auto s = hn::AndNot(keeps, r.v[i][v]);
      row_kept_square = v == 0 ? hn::Mul(k, k) : hn::MulAdd(k, k, row_kept_square);
      row_rejected_square = v == 0 ? hn::Mul(s, s) : hn::MulAdd(s, s, row_rejected_square);
      auto fits = hn::BitCast(di, keeps);
      if constexpr (!plain) kept = hn::Sub(kept, fits);
      if constexpr (!same) {
        fits = hn::BitCast(di, hn::VecFromMask(d, is_below(d, r.v[i][v], tolerance)));
      }
      if constexpr (masked) {
        minus_fitted = hn::Add(minus_fitted, hn::And(fits, hn::Load(di, column_alive + v * n)));
        fits = hn::And(fits, row_alive);
      } else {
        minus_fitted = hn::Add(minus_fitted, fits);
      }
      column[v] = i == 0 ? fits : hn::Add(column[v], fits);
    }
    kept_square = i == 0 ? row_kept_square : hn::Add(kept_square, row_kept_square);
    rejected_square = i == 0 ? row_rejected_square : hn::Add(rejected_square, row_rejected_square);
    shared.fitted[i] = hn::Sub(shared.fitted[i], minus_fitted);
    if constexpr (plain) kept = hn::Sub(kept, minus_fitted);
  }
  for (int v = 0; v < vectors; ++v) {
    const auto before = hn::Load(di, column_fitted + v * n);
    hn::Store(hn::Sub(before, column[v]), di, column_fitted + v * n);
  }
  shared.kept_square = hn::Add(shared.kept_square, kept_square);
  shared.rejected_square = hn::Add(shared.rejected_square, rejected_square);
  shared.kept = hn::Add(shared.kept, kept);
}

/// Counts the missing entries of a strip whose residuals are in memory, by row and by column.
template <class D, class Real = hn::TFromD<D>>
void count_missing(D d, const TileTask<Real>& task, Index row, Index rows) {
  const hn::RebindToSigned<D> di;
  const auto n = static_cast<Index>(hn::Lanes(d));
  for (Index i = 0; i < rows; ++i) {
    const auto row_alive = hn::Set(di, static_cast<Lane<Real>>(-task.row_alive[row + i]));
    auto missing = hn::Zero(di);
    for (Index j = 0; j < task.width; j += n) {
      const auto r = hn::Load(d, task.residual + i * task.width + j);
      const auto misses = hn::BitCast(di, hn::VecFromMask(d, hn::IsNaN(r)));
      missing = hn::Sub(missing, hn::And(misses, hn::Load(di, task.column_alive + j)));
      Lane<Real>* column = task.counts.column_missing + j;
      hn::Store(hn::Sub(hn::Load(di, column), hn::And(misses, row_alive)), di, column);
    }
    task.counts.row_missing[row + i] += counted(d, missing);
  }
}

/// Counts the fitted entries in the same way, when the rule or the products need R in memory
/// anyway.
template <class D, class Real = hn::TFromD<D>>
void count_fitted(D d, const TileTask<Real>& task, Index row, Index rows) {
  const hn::RebindToSigned<D> di;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto tolerance = hn::Set(d, tolerance_of(task));
  for (Index i = 0; i < rows; ++i) {
    const auto row_alive = hn::Set(di, static_cast<Lane<Real>>(-task.row_alive[row + i]));
    auto fitted = hn::Zero(di);
    for (Index j = 0; j < task.width; j += n) {
      const auto magnitude = hn::Abs(hn::Load(d, task.residual + i * task.width + j));
      const auto fits = hn::BitCast(di, hn::VecFromMask(d, hn::Lt(magnitude, tolerance)));
      fitted = hn::Sub(fitted, hn::And(fits, hn::Load(di, task.column_alive + j)));
      Lane<Real>* column = task.counts.column_fitted + j;
      hn::Store(hn::Sub(hn::Load(di, column), hn::And(fits, row_alive)), di, column);
    }
    task.counts.row_fitted[row + i] += counted(d, fitted);
  }
}

/// Returns ||S||^2 of a strip whose residuals are in memory, and counts the missing entries.
template <class D, class Real = hn::TFromD<D>>
double rejected_squares(D d, const TileTask<Real>& task, Index rows, Index& missing) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto c = hn::Set(d, scale_of<Real>(task.rule));
  auto squares = hn::Zero(d);
  auto misses = hn::Zero(hn::RebindToSigned<D>());
  for (Index at = 0; at < rows * task.width; at += n) {
    const auto r = hn::Load(d, task.residual + at);
    const auto s = hn::IfThenElseZero(hn::Ge(hn::Abs(r), c), r);
    squares = hn::MulAdd(s, s, squares);
    misses = count_true(d, hn::IsNaN(r), misses);
  }
  missing = counted(d, misses);
  return sum_of_lanes(d, squares);
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
