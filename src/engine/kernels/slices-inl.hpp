// Computes all statistics of slices, by row and by column. (counts-inl.hpp computes the counts
// alone, faster.)
//
// Per entry: three comparisons and eight additions, one read of R and one of K. The column sums are
// read and written once per strip of three rows.

#if defined(SUNDER_ENGINE_SLICES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_SLICES_INL_HPP
#undef SUNDER_ENGINE_SLICES_INL_HPP
#else
#define SUNDER_ENGINE_SLICES_INL_HPP
#endif

#include "engine/kernels/counts-inl.hpp"
#include "engine/kernels/rule-inl.hpp"
#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Counts are stored as floating-point numbers: f32 is exact up to 2^24, and a tile has fewer rows
/// and columns than that.
template <class D>
struct SliceLanes {
  hn::Vec<D> observed, fitted, kept, kept_square;

  HWY_INLINE SliceLanes() { observed = fitted = kept = kept_square = hn::Zero(D()); }
  /// Adds the lanes that are alive.
  HWY_INLINE void add(const SliceLanes& other, hn::Vec<D> alive) {
    observed = hn::Add(observed, hn::And(other.observed, alive));
    fitted = hn::Add(fitted, hn::And(other.fitted, alive));
    kept = hn::Add(kept, hn::And(other.kept, alive));
    kept_square = hn::Add(kept_square, hn::And(other.kept_square, alive));
  }
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE SliceLanes<D> slice_of(D d, V r, V k, V c, V tolerance) {
  const V one = hn::Set(d, hn::TFromD<D>{1});
  const V magnitude = hn::Abs(r);
  SliceLanes<D> slice;
  slice.observed = hn::IfThenElseZero(hn::Eq(r, r), one);
  slice.fitted = hn::IfThenElseZero(hn::Lt(magnitude, tolerance), one);
  slice.kept = hn::IfThenElseZero(hn::Lt(magnitude, c), one);
  slice.kept_square = hn::Mul(k, k);
  return slice;
}

template <class D, class Real>
HWY_INLINE void add_row_slice(D d, const SliceLanes<D>& row, Index at, const TileTask<Real>& task) {
  const SliceSums<double>& out = task.row_slices;
  out.observed[at] += sum_of_lanes(d, row.observed);
  out.fitted[at] += sum_of_lanes(d, row.fitted);
  out.kept[at] += sum_of_lanes(d, row.kept);
  out.kept_square_sum[at] += sum_of_lanes(d, row.kept_square);
}

template <int rows, class D, class Real = hn::TFromD<D>>
void add_slices(D d, const TileTask<Real>& task, Index row) {
  const hn::RebindToSigned<D> di;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto c = hn::Set(d, scale_of<Real>(task.rule));
  const auto tolerance = hn::Set(d, tolerance_of(task));
  const Index w = task.width;
  SliceLanes<D> along_row[rows];
  hn::Vec<D> row_alive[rows];
  for (int i = 0; i < rows; ++i) {
    row_alive[i] = hn::BitCast(d, hn::Set(di, static_cast<Lane<Real>>(-task.row_alive[row + i])));
  }
  const SliceSums<Real> out = task.column_slices;
  for (Index j = 0; j < w; j += n) {
    const auto column_alive = hn::BitCast(d, hn::Load(di, task.column_alive + j));
    SliceLanes<D> column;
    for (int i = 0; i < rows; ++i) {
      const auto slice = slice_of(d, hn::Load(d, task.residual + i * w + j),
                                  hn::Load(d, task.kept + i * w + j), c, tolerance);
      along_row[i].add(slice, column_alive);
      column.add(slice, row_alive[i]);
    }
    hn::Store(hn::Add(hn::Load(d, out.observed + j), column.observed), d, out.observed + j);
    hn::Store(hn::Add(hn::Load(d, out.fitted + j), column.fitted), d, out.fitted + j);
    hn::Store(hn::Add(hn::Load(d, out.kept + j), column.kept), d, out.kept + j);
    hn::Store(hn::Add(hn::Load(d, out.kept_square_sum + j), column.kept_square), d,
              out.kept_square_sum + j);
  }
  for (int i = 0; i < rows; ++i) add_row_slice(d, along_row[i], row + i, task);
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
