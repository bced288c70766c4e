// Finds the entries of S: positions and values of the rejected residuals of a strip.
//
// Per entry: a comparison. Per vector with an outlier: two compressed stores, to a row of columns
// and a row of values in the first-level cache. Per entry of S: 16 bytes written.

#if defined(SUNDER_ENGINE_SPARSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_SPARSE_INL_HPP
#undef SUNDER_ENGINE_SPARSE_INL_HPP
#else
#define SUNDER_ENGINE_SPARSE_INL_HPP
#endif

#include <bit>

#include "engine/kernels/rule-inl.hpp"
#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// order[bits] lists the true lanes of a mask first, for every mask. It is a compile-time constant.
template <class Lane_, int lanes>
struct CompressOrder {
  Lane_ order[std::size_t{1} << lanes][lanes] = {};

  constexpr CompressOrder() {
    for (int bits = 0; bits < 1 << lanes; ++bits) {
      int count = 0;
      for (int lane = 0; lane < lanes; ++lane) {
        if ((bits >> lane & 1) != 0) order[bits][count++] = static_cast<Lane_>(lane);
      }
    }
  }
};

/// Writes the lanes of `v` and of `w` where the mask is true, packed together, followed by
/// arbitrary values up to a whole vector; returns how many lanes were true.
template <class D, class DI, class Real = hn::TFromD<D>>
HWY_INLINE Index compress_both(D d, DI di, hn::Vec<D> v, hn::Vec<DI> w, hn::Mask<D> mask,
                               Real* to_v, Lane<Real>* to_w) {
#if HWY_TARGET == HWY_AVX2
  // AVX2 has no such instruction, and Highway 1.0's emulation copies its table at each call.
  constexpr int lanes = 32 / static_cast<int>(sizeof(Real));
  static constexpr CompressOrder<Lane<Real>, lanes> table;
  std::uint8_t bits[8];
  hn::StoreMaskBits(d, mask, bits);
  const Lane<Real>* order = table.order[bits[0]];
  hn::StoreU(hn::TableLookupLanes(v, hn::SetTableIndices(d, order)), d, to_v);
  hn::StoreU(hn::TableLookupLanes(w, hn::SetTableIndices(di, order)), di, to_w);
  return std::popcount(bits[0]);
#else
  hn::CompressStore(w, hn::RebindMask(di, mask), di, to_w);
  return static_cast<Index>(hn::CompressStore(v, mask, d, to_v));
#endif
}

/// Writes columns and values of the rejected entries of a row; returns how many there are.
template <class D, class Real = hn::TFromD<D>>
Index compress_row(D d, const Real* HWY_RESTRICT residual, Index width, Real scale,
                   Lane<Real>* HWY_RESTRICT columns, Real* HWY_RESTRICT values) {
  const hn::RebindToSigned<D> di;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto c = hn::Set(d, scale);
  const auto step = hn::Set(di, static_cast<Lane<Real>>(n));
  auto here = hn::Iota(di, 0);
  Index count = 0;
  for (Index j = 0; j < width; j += n, here = hn::Add(here, step)) {
    const auto r = hn::Load(d, residual + j);
    const auto rejected = hn::Ge(hn::Abs(r), c);
    if (hn::AllFalse(d, rejected)) continue;
    count += compress_both(d, di, r, here, rejected, values + count, columns + count);
  }
  return count;
}

/// Writes the rejected entries of a strip, row by row.
template <class D, class Real = hn::TFromD<D>>
void find_rejected(D d, const TileTask<Real>& task, Index row, Index rows) {
  const Real scale = scale_of<Real>(task.rule);
  Found& found = *task.found;
  for (Index i = 0; i < rows; ++i) {
    const Index count = compress_row(d, task.residual + i * task.width, task.width, scale,
                                     task.found_columns, task.found_values);
    const Lane<Real>* HWY_RESTRICT columns = task.found_columns;
    const Real* HWY_RESTRICT values = task.found_values;
    const Index first = found.first_position + (row + i) * found.row_step;
    const Index column_step = found.column_step;
    Index* HWY_RESTRICT position = found.position + found.count;
    double* HWY_RESTRICT value = found.value + found.count;
    if (column_step == 1) {
      for (Index k = 0; k < count; ++k) position[k] = first + Index{columns[k]};
    } else {
      for (Index k = 0; k < count; ++k) position[k] = first + Index{columns[k]} * column_step;
    }
    for (Index k = 0; k < count; ++k) value[k] = static_cast<double>(values[k]);
    found.count += count;
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
