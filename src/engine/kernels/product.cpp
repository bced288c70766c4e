// A register tile of four rows by three vectors: three loads of B and four broadcasts of A feed
// twelve FMAs, and twelve sums hide their latency. B is packed into panels of three vectors, so
// that a tile reads it in order; a panel of `depth_of_block` rows stays in the first-level cache
// (24 KB with vectors of 64 bytes), all panels of a block in the second-level one.
#include "engine/kernels/product.hpp"

#include <algorithm>

#include "engine/pass/aligned_buffer.hpp"

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/product.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which selects the target.
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

constexpr Index rows_of_tile = 4;
constexpr Index vectors_of_panel = 3;
constexpr Index depth_of_block = 128;
constexpr Index panels_of_block = 20;

/// Capped, because a tile that ends early is copied to memory of its own.
constexpr Index most_lanes = 8;
using Doubles = hn::CappedTag<double, most_lanes>;

/// Four rows of A, of which each has `step` to its next entry, and the panel of B.
struct ProductTile {
  const double* a[rows_of_tile];
  Index step;
  Index depth;
  const double* panel;
};

/// Adds the product to four rows of C, three vectors long.
HWY_INLINE void add_tile(const ProductTile& tile, double* c, Index c_step) {
  const Doubles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  double* const c1 = c + c_step;
  double* const c2 = c1 + c_step;
  double* const c3 = c2 + c_step;
  auto s00 = hn::LoadU(d, c), s01 = hn::LoadU(d, c + n), s02 = hn::LoadU(d, c + 2 * n);
  auto s10 = hn::LoadU(d, c1), s11 = hn::LoadU(d, c1 + n), s12 = hn::LoadU(d, c1 + 2 * n);
  auto s20 = hn::LoadU(d, c2), s21 = hn::LoadU(d, c2 + n), s22 = hn::LoadU(d, c2 + 2 * n);
  auto s30 = hn::LoadU(d, c3), s31 = hn::LoadU(d, c3 + n), s32 = hn::LoadU(d, c3 + 2 * n);
  const double* b = tile.panel;
  const double* a0 = tile.a[0];
  const double* a1 = tile.a[1];
  const double* a2 = tile.a[2];
  const double* a3 = tile.a[3];
  const Index step = tile.step;
  for (Index p = 0; p < tile.depth; ++p, b += vectors_of_panel * n) {
    const auto b0 = in_register(hn::Load(d, b));
    const auto b1 = in_register(hn::Load(d, b + n));
    const auto b2 = in_register(hn::Load(d, b + 2 * n));
    auto x = hn::Set(d, *a0);
    s00 = hn::MulAdd(x, b0, s00);
    s01 = hn::MulAdd(x, b1, s01);
    s02 = hn::MulAdd(x, b2, s02);
    x = hn::Set(d, *a1);
    s10 = hn::MulAdd(x, b0, s10);
    s11 = hn::MulAdd(x, b1, s11);
    s12 = hn::MulAdd(x, b2, s12);
    x = hn::Set(d, *a2);
    s20 = hn::MulAdd(x, b0, s20);
    s21 = hn::MulAdd(x, b1, s21);
    s22 = hn::MulAdd(x, b2, s22);
    x = hn::Set(d, *a3);
    s30 = hn::MulAdd(x, b0, s30);
    s31 = hn::MulAdd(x, b1, s31);
    s32 = hn::MulAdd(x, b2, s32);
    a0 += step;
    a1 += step;
    a2 += step;
    a3 += step;
  }
  hn::StoreU(s00, d, c);
  hn::StoreU(s01, d, c + n);
  hn::StoreU(s02, d, c + 2 * n);
  hn::StoreU(s10, d, c1);
  hn::StoreU(s11, d, c1 + n);
  hn::StoreU(s12, d, c1 + 2 * n);
  hn::StoreU(s20, d, c2);
  hn::StoreU(s21, d, c2 + n);
  hn::StoreU(s22, d, c2 + 2 * n);
  hn::StoreU(s30, d, c3);
  hn::StoreU(s31, d, c3 + n);
  hn::StoreU(s32, d, c3 + 2 * n);
}

/// Rows [first, first + depth) and columns [begin, end) of B, panel by panel, padded with zeros.
HWY_INLINE void pack(const MatrixView& b, Index first, Index depth, Index begin, Index end,
                     Index width, double* to) {
  for (Index j = begin; j < end; j += width) {
    const Index present = std::min(width, end - j);
    for (Index p = 0; p < depth; ++p, to += width) {
      const double* const from = b.data + (first + p) * b.row_step + j * b.column_step;
      for (Index k = 0; k < present; ++k) to[k] = from[k * b.column_step];
      for (Index k = present; k < width; ++k) to[k] = 0;
    }
  }
}

/// Adds to a tile of C that ends before its width or its height does.
HWY_INLINE void add_partial_tile(const ProductTile& tile, Index rows, Index columns, Index width,
                                 double* c, Index c_step) {
  alignas(64) double whole[rows_of_tile * vectors_of_panel * most_lanes] = {};
  for (Index i = 0; i < rows; ++i) std::copy_n(c + i * c_step, columns, whole + i * width);
  add_tile(tile, whole, width);
  for (Index i = 0; i < rows; ++i) std::copy_n(whole + i * width, columns, c + i * c_step);
}

void multiply(const MatrixView& a, const MatrixView& b, double* c, Index c_step, bool add) {
  const Doubles d;
  const Index width = vectors_of_panel * static_cast<Index>(hn::Lanes(d));
  const Index block = panels_of_block * width;
  if (!add) {
    for (Index i = 0; i < a.rows; ++i) std::fill_n(c + i * c_step, b.columns, 0.0);
  }
  const Index padded = (std::min(b.columns, block) + width - 1) / width * width;
  AlignedBuffer<double> panels(std::min(a.columns, depth_of_block) * padded);
  for (Index begin = 0; begin < b.columns; begin += block) {
    const Index end = std::min(begin + block, b.columns);
    for (Index first = 0; first < a.columns; first += depth_of_block) {
      const Index depth = std::min(depth_of_block, a.columns - first);
      pack(b, first, depth, begin, end, width, panels.data());
      for (Index i = 0; i < a.rows; i += rows_of_tile) {
        const Index rows = std::min(rows_of_tile, a.rows - i);
        ProductTile tile{{}, a.column_step, depth, panels.data()};
        for (Index k = 0; k < rows_of_tile; ++k) {  // a row that is not there is another one
          tile.a[k] = a.data + (i + std::min(k, rows - 1)) * a.row_step + first * a.column_step;
        }
        for (Index j = begin; j < end; j += width, tile.panel += depth * width) {
          double* const to = c + i * c_step + j;
          const Index columns = std::min(width, end - j);
          if (rows == rows_of_tile && columns == width) {
            add_tile(tile, to, c_step);
          } else {
            add_partial_tile(tile, rows, columns, width, to, c_step);
          }
        }
      }
    }
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::kernels {

HWY_EXPORT(multiply);

void multiply(const MatrixView& a, const MatrixView& b, double* c, Index c_step, bool add) {
  HWY_DYNAMIC_DISPATCH(multiply)(a, b, c, c_step, add);
}

}  // namespace sunder::kernels
#endif  // HWY_ONCE
