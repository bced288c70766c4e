// What is asked of single rows and columns: slice statistics, and the entries of S.
//
// Slices: per entry three comparisons and four additions, one read of R and of K; the columns' sums
// are read and written once for each strip of three rows. S: per entry one comparison; a vector
// without an outlier costs nothing more.

#if defined(SUNDER_ENGINE_SLICES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_SLICES_INL_HPP
#undef SUNDER_ENGINE_SLICES_INL_HPP
#else
#define SUNDER_ENGINE_SLICES_INL_HPP
#endif

#include <bit>

#include "engine/kernels/rule-inl.hpp"
#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Counts as numbers: exact in f32 up to 2^24, and a tile has fewer rows and columns than that.
template <class D>
struct SliceLanes {
  hn::Vec<D> observed, fitted, kept, kept_square, rejected_square;

  HWY_INLINE SliceLanes() {
    observed = fitted = kept = kept_square = rejected_square = hn::Zero(D());
  }
};

/// `threshold`: the rule is a hard threshold (or keeps all), so K follows from R; otherwise K is
/// read.
template <bool threshold, class D, class V = hn::Vec<D>, class Real = hn::TFromD<D>>
HWY_INLINE void add_slice(D d, const Real* residual, const Real* kept_residual, V c, V tolerance,
                          SliceLanes<D>& row, SliceLanes<D>& column) {
  const V one = hn::Set(d, Real{1});
  const V r = hn::Load(d, residual);
  const V magnitude = hn::Abs(r);
  const auto keeps = hn::Lt(magnitude, c);
  const V observed = hn::IfThenElseZero(hn::Eq(r, r), one);
  const V fitted = hn::IfThenElseZero(hn::Le(magnitude, tolerance), one);
  const V kept = hn::IfThenElseZero(keeps, one);
  V k;
  if constexpr (threshold) {
    k = hn::IfThenElseZero(keeps, r);
    const V s = hn::IfThenElseZero(hn::Ge(magnitude, c), r);
    row.rejected_square = hn::MulAdd(s, s, row.rejected_square);
  } else {
    k = hn::Load(d, kept_residual);
  }
  const V square = hn::Mul(k, k);
  row.observed = hn::Add(row.observed, observed);
  row.fitted = hn::Add(row.fitted, fitted);
  row.kept = hn::Add(row.kept, kept);
  row.kept_square = hn::Add(row.kept_square, square);
  column.observed = hn::Add(column.observed, observed);
  column.fitted = hn::Add(column.fitted, fitted);
  column.kept = hn::Add(column.kept, kept);
  column.kept_square = hn::Add(column.kept_square, square);
}

template <bool threshold, class D, class Real>
HWY_INLINE void add_row_slice(D d, const SliceLanes<D>& row, Index at, const TileTask<Real>& task) {
  const auto padding = static_cast<double>(task.width - task.columns);
  const double observed = sum_of_lanes(d, row.observed) - padding;
  const double kept = sum_of_lanes(d, row.kept) - padding;
  const double kept_square = sum_of_lanes(d, row.kept_square);
  const SliceSums<double>& out = task.row_slices;
  out.observed[at] += observed;
  out.fitted[at] += sum_of_lanes(d, row.fitted) - padding;
  out.kept[at] += kept;
  out.kept_square_sum[at] += kept_square;
  if constexpr (threshold) {
    TileSums& sums = *task.sums;
    const auto rejected = static_cast<Index>(observed - kept);
    sums.kept += static_cast<Index>(kept);
    sums.rejected += rejected;
    sums.missing += task.columns - static_cast<Index>(observed);
    sums.kept_square_sum += kept_square;
    sums.rejected_square_sum += sum_of_lanes(d, row.rejected_square);
    sums.weight_sum += kept;
    sums.cost_sum += task.rule.kind == RuleKind::keep_all
                         ? simple_cost<RuleKind::keep_all>(task.rule, kept_square, 0)
                         : simple_cost<RuleKind::hard_threshold>(task.rule, kept_square, rejected);
  }
}

/// With `threshold` this is all that the rule has to do when no product is wanted.
template <int rows, bool threshold, class D, class Real = hn::TFromD<D>>
void add_slices(D d, const TileTask<Real>& task, Index row) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto c = hn::Set(d, scale_of<Real>(task.rule));
  const auto tolerance = hn::Set(d, static_cast<Real>(task.fit_tolerance));
  const Index w = task.width;
  SliceLanes<D> row0;
  SliceLanes<D> row1;
  SliceLanes<D> row2;
  const SliceSums<Real> out = task.column_slices;
  for (Index j = 0; j < w; j += n) {
    const Real* r = task.residual + j;
    const Real* k = task.kept + j;
    SliceLanes<D> column;
    add_slice<threshold>(d, r, k, c, tolerance, row0, column);
    if constexpr (rows == 3) {
      add_slice<threshold>(d, r + w, k + w, c, tolerance, row1, column);
      add_slice<threshold>(d, r + 2 * w, k + 2 * w, c, tolerance, row2, column);
    }
    hn::Store(hn::Add(hn::Load(d, out.observed + j), column.observed), d, out.observed + j);
    hn::Store(hn::Add(hn::Load(d, out.fitted + j), column.fitted), d, out.fitted + j);
    hn::Store(hn::Add(hn::Load(d, out.kept + j), column.kept), d, out.kept + j);
    hn::Store(hn::Add(hn::Load(d, out.kept_square_sum + j), column.kept_square), d,
              out.kept_square_sum + j);
  }
  add_row_slice<threshold>(d, row0, row, task);
  if constexpr (rows == 3) {
    add_row_slice<threshold>(d, row1, row + 1, task);
    add_row_slice<threshold>(d, row2, row + 2, task);
  }
}

/// The rejected entries of a strip, row by row.
template <class D, class Real = hn::TFromD<D>>
void find_rejected(D d, const TileTask<Real>& task, Index row, Index rows) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto c = hn::Set(d, scale_of<Real>(task.rule));
  Found& found = *task.found;
  Index count = 0;
  for (Index i = 0; i < rows; ++i) {
    const Real* residual = task.residual + i * task.width;
    for (Index j = 0; j < task.width; j += n) {
      const auto rejected = hn::Ge(hn::Abs(hn::Load(d, residual + j)), c);
      if (hn::AllFalse(d, rejected)) continue;
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, rejected, bytes);
      for (auto bits = std::bit_cast<std::uint64_t>(bytes); bits != 0; bits &= bits - 1) {
        const Index column = j + std::countr_zero(bits);
        found.row[count] = static_cast<std::int32_t>(row + i);
        found.column[count] = static_cast<std::int32_t>(column);
        found.value[count] = static_cast<double>(residual[column]);
        ++count;
      }
    }
  }
  found.count = count;
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
