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
  hn::Vec<D> observed, fitted, kept, kept_square;

  HWY_INLINE SliceLanes() { observed = fitted = kept = kept_square = hn::Zero(D()); }
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE void add_slice(D d, V r, V k, V c, V tolerance, SliceLanes<D>& row,
                          SliceLanes<D>& column) {
  const V one = hn::Set(d, hn::TFromD<D>{1});
  const V magnitude = hn::Abs(r);
  const V observed = hn::IfThenElseZero(hn::Eq(r, r), one);
  const V fitted = hn::IfThenElseZero(hn::Le(magnitude, tolerance), one);
  const V kept = hn::IfThenElseZero(hn::Lt(magnitude, c), one);
  row.observed = hn::Add(row.observed, observed);
  row.fitted = hn::Add(row.fitted, fitted);
  row.kept = hn::Add(row.kept, kept);
  row.kept_square = hn::MulAdd(k, k, row.kept_square);
  column.observed = hn::Add(column.observed, observed);
  column.fitted = hn::Add(column.fitted, fitted);
  column.kept = hn::Add(column.kept, kept);
  column.kept_square = hn::MulAdd(k, k, column.kept_square);
}

template <class D>
HWY_INLINE void add_row_slice(D d, const SliceLanes<D>& row, double padding, Index at,
                              const SliceSums<double>& out) {
  out.observed[at] += sum_of_lanes(d, row.observed) - padding;
  out.fitted[at] += sum_of_lanes(d, row.fitted) - padding;
  out.kept[at] += sum_of_lanes(d, row.kept) - padding;
  out.kept_square_sum[at] += sum_of_lanes(d, row.kept_square);
}

template <int rows, class D, class Real = hn::TFromD<D>>
void add_slices(D d, const TileTask<Real>& task, Index row) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto c = hn::Set(d, scale_of<Real>(task.rule));
  const auto tolerance = hn::Set(d, static_cast<Real>(task.fit_tolerance));
  SliceLanes<D> row0;
  SliceLanes<D> row1;
  SliceLanes<D> row2;
  for (Index j = 0; j < task.width; j += n) {
    const Real* r = task.residual + j;
    const Real* k = task.kept + j;
    SliceLanes<D> column;
    add_slice(d, hn::Load(d, r), hn::Load(d, k), c, tolerance, row0, column);
    if constexpr (rows == 3) {
      const Index w = task.width;
      add_slice(d, hn::Load(d, r + w), hn::Load(d, k + w), c, tolerance, row1, column);
      add_slice(d, hn::Load(d, r + 2 * w), hn::Load(d, k + 2 * w), c, tolerance, row2, column);
    }
    const SliceSums<Real>& out = task.column_slices;
    hn::Store(hn::Add(hn::Load(d, out.observed + j), column.observed), d, out.observed + j);
    hn::Store(hn::Add(hn::Load(d, out.fitted + j), column.fitted), d, out.fitted + j);
    hn::Store(hn::Add(hn::Load(d, out.kept + j), column.kept), d, out.kept + j);
    hn::Store(hn::Add(hn::Load(d, out.kept_square_sum + j), column.kept_square), d,
              out.kept_square_sum + j);
  }
  const auto padding = static_cast<double>(task.width - task.columns);
  add_row_slice(d, row0, padding, row, task.row_slices);
  if constexpr (rows == 3) {
    add_row_slice(d, row1, padding, row + 1, task.row_slices);
    add_row_slice(d, row2, padding, row + 2, task.row_slices);
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
