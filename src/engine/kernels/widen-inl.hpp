// Provides a strip of T in the precision of the arithmetic, padded with zeros to whole vectors.
//
// Contiguous entries that already have that precision are read in place; only their last,
// incomplete vector is copied, because a vector must not reach beyond the tensor. All other entries
// are copied: one read of T, one write to the first-level cache. A masked entry becomes NaN.

#if defined(SUNDER_ENGINE_WIDEN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_WIDEN_INL_HPP
#undef SUNDER_ENGINE_WIDEN_INL_HPP
#else
#define SUNDER_ENGINE_WIDEN_INL_HPP
#endif

#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Where a strip is read from: full vectors at `first`, an incomplete one at `tail`.
template <class Real>
struct Strip {
  const Real* first = nullptr;
  Index stride = 0;
  const Real* tail = nullptr;  ///< offset so that column 0 is that of the strip
  Index tail_stride = 0;
};

template <class Real, class T>
HWY_INLINE void widen_row(const T* HWY_RESTRICT in, Index step, Index columns, Index width,
                          Real* HWY_RESTRICT out) {
  if (step == 1) {
    for (Index j = 0; j < columns; ++j) out[j] = static_cast<Real>(in[j]);
  } else {
    for (Index j = 0; j < columns; ++j) out[j] = static_cast<Real>(in[j * step]);
  }
  for (Index j = columns; j < width; ++j) out[j] = 0;
}

template <class Real>
HWY_INLINE void mask_row(const std::uint8_t* mask, Index step, Index columns, Real* out) {
  for (Index j = 0; j < columns; ++j) {
    if (mask[j * step] == 0) out[j] = std::numeric_limits<Real>::quiet_NaN();
  }
}

template <class Real, class T>
HWY_INLINE Strip<Real> read_strip_of(const TileTask<Real>& task, Index row, Index rows,
                                     Index lanes) {
  const T* first = static_cast<const T*>(task.data) + row * task.row_stride;
  if constexpr (std::is_same_v<T, Real>) {
    if (task.column_stride == 1 && task.mask == nullptr) {
      Strip<Real> strip{first, task.row_stride, first, task.row_stride};
      if (task.columns == task.width) return strip;
      const Index full = task.columns / lanes * lanes;
      for (Index i = 0; i < rows; ++i) {
        const T* from = first + i * task.row_stride;
        Real* to = task.widened + i * task.width;
        // The compiler would turn a loop up to `columns` into a call of memcpy.
        for (Index j = full; j < full + lanes; ++j) to[j] = j < task.columns ? from[j] : Real{0};
      }
      strip.tail = task.widened;
      strip.tail_stride = task.width;
      return strip;
    }
  }
  for (Index i = 0; i < rows; ++i) {
    Real* out = task.widened + i * task.width;
    widen_row(first + i * task.row_stride, task.column_stride, task.columns, task.width, out);
    if (task.mask != nullptr) {
      mask_row(task.mask + (row + i) * task.mask_row_stride, task.mask_column_stride, task.columns,
               out);
    }
  }
  return {task.widened, task.width, task.widened, task.width};
}

template <class Real>
HWY_INLINE Strip<Real> read_strip(const TileTask<Real>& task, Index row, Index rows, Index lanes) {
  switch (task.type) {
    case ScalarType::f32:
      return read_strip_of<Real, float>(task, row, rows, lanes);
    case ScalarType::u8:
      return read_strip_of<Real, std::uint8_t>(task, row, rows, lanes);
    case ScalarType::u16:
      return read_strip_of<Real, std::uint16_t>(task, row, rows, lanes);
    case ScalarType::i16:
      return read_strip_of<Real, std::int16_t>(task, row, rows, lanes);
    case ScalarType::i32:
      return read_strip_of<Real, std::int32_t>(task, row, rows, lanes);
    case ScalarType::f64:
      break;
  }
  return read_strip_of<Real, double>(task, row, rows, lanes);
}

/// Adds ||T||^2 and max |T| of a strip. Per entry: 2 flops and a maximum.
template <class D, class Real = hn::TFromD<D>>
void add_data_sums(D d, const TileTask<Real>& task, const Strip<Real>& strip, Index rows) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index full = task.columns / n * n;
  auto squares = hn::Zero(d);
  auto largest = hn::Zero(d);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < task.width; j += n) {
      const Real* x =
          j < full ? strip.first + i * strip.stride : strip.tail + i * strip.tail_stride;
      auto v = hn::LoadU(d, x + j);
      v = hn::IfThenElseZero(hn::Eq(v, v), v);
      squares = hn::MulAdd(v, v, squares);
      largest = hn::Max(largest, hn::Abs(v));
    }
  }
  task.sums->data_square_sum += sum_of_lanes(d, squares);
  task.sums->data_max =
      std::max(task.sums->data_max, static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, largest))));
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
