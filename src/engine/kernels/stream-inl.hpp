// The whole of a tile's work in registers, for one or two components: nothing but T is read from
// beyond the first-level cache, and neither R nor K is written.
//
// Per entry: 6 r flops and four for the sums; one read of T. Panels and sums are aligned, as wide
// as the tile, and must not overlap.
//
// Hardware: at r = 1 in f64 a vector of T arrives from memory every 2.9 cycles and its work is five
// FMAs, so there is no room for a second touch of it. Four rows share every load of a column factor
// and every load and store of a column sum; four memory streams suit the prefetcher, which stops at
// the end of a page and is helped across it.

#if defined(SUNDER_ENGINE_STREAM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_STREAM_INL_HPP
#undef SUNDER_ENGINE_STREAM_INL_HPP
#else
#define SUNDER_ENGINE_STREAM_INL_HPP
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/kernels/rule-inl.hpp"
#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

template <class T, class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_wide(D d, const T* p) {
  if constexpr (std::is_same_v<T, Real>) {
    return hn::LoadU(d, p);
  } else if constexpr (std::is_floating_point_v<T>) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), p));
  } else {
    const hn::Rebind<std::int32_t, D> di;
    const auto whole = hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), p));
    if constexpr (sizeof(Real) == 4) {
      return hn::ConvertTo(d, whole);
    } else {
      return hn::PromoteTo(d, whole);
    }
  }
}

/// One row's share: its factors, and what it adds up. Rank 0 of the model leaves T as it is.
template <int model_rank, int probe_rank, class D>
struct StreamRow {
  hn::Vec<D> a0, a1, p0, p1, c0, c1;

  template <class Real>
  HWY_INLINE StreamRow(const Real* a, const Real* p) {
    const D d;
    a0 = model_rank > 0 ? hn::Set(d, a[0]) : hn::Zero(d);
    a1 = model_rank > 1 ? hn::Set(d, a[1]) : hn::Zero(d);
    p0 = hn::Set(d, p[0]);
    p1 = probe_rank > 1 ? hn::Set(d, p[1]) : hn::Zero(d);
    c0 = c1 = hn::Zero(d);
  }
};

/// The column factors and sums at one vector of columns.
template <class D>
struct StreamColumn {
  hn::Vec<D> b0, b1, q0, q1, s0, s1;
  HWY_INLINE StreamColumn() {}
};

template <int chain, int model_rank, int probe_rank, class D, class V = hn::Vec<D>>
HWY_INLINE void stream_vector(V r, StreamRow<model_rank, probe_rank, D>& row,
                              StreamColumn<D>& column, FusedThreshold<D>& rule) {
  r = subtract_if<(model_rank > 0)>(row.a0, column.b0, r);
  r = subtract_if<(model_rank > 1)>(row.a1, column.b1, r);
  const V k = rule.template keep<chain>(r);
  row.c0 = hn::MulAdd(k, column.q0, row.c0);
  row.c1 = add_if<(probe_rank > 1)>(k, column.q1, row.c1);
  column.s0 = hn::MulAdd(k, row.p0, column.s0);
  column.s1 = add_if<(probe_rank > 1)>(k, row.p1, column.s1);
}

/// Counts and sums of rows in which entries are missing; their products are right as they are.
template <class T, class D, class Real = hn::TFromD<D>>
void recount_rows(D d, const TileTask<Real>& task, Index row, Index rows) {
  for (Index i = row; i < row + rows; ++i) {
    const T* x = static_cast<const T*>(task.data) + i * task.row_stride;
    for (Index j = 0; j < task.width; ++j) {
      Real r = j < task.columns ? static_cast<Real>(x[j]) : Real{0};
      for (Index k = 0; k < task.model_rank; ++k) {
        r -= task.model_rows[i * task.model_rank + k] * task.model_panels[k * task.width + j];
      }
      task.residual[j] = r;
    }
    if (task.rule.kind == RuleKind::keep_all) {
      apply_rule<1, RuleKind::keep_all, true, false>(d, task);
    } else {
      apply_rule<1, RuleKind::hard_threshold, true, false>(d, task);
    }
  }
}

/// `rows` is 4, or 1 for what is left over.
template <int rows, int model_rank, int probe_rank, class T, class D, class Real = hn::TFromD<D>>
void stream_rows(D d, const TileTask<Real>& task, Index row) {
  constexpr bool four = rows == 4;
  using Row = StreamRow<model_rank, probe_rank, D>;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index width = task.width;
  const Index stride = task.row_stride;
  const T* x = static_cast<const T*>(task.data) + row * stride;
  const Real* a = task.model_rows + row * model_rank;
  const Real* p = task.probe_rows + row * probe_rank;
  Row row0(a, p);
  Row row1(a + (four ? model_rank : 0), p + (four ? probe_rank : 0));
  Row row2(a + (four ? 2 * model_rank : 0), p + (four ? 2 * probe_rank : 0));
  Row row3(a + (four ? 3 * model_rank : 0), p + (four ? 3 * probe_rank : 0));
  FusedThreshold<D> rule(task.rule);
  // Copies, which stores to the sums cannot change.
  const Real* HWY_RESTRICT b = task.model_panels;
  const Real* HWY_RESTRICT q = task.probe_panels;
  Real* HWY_RESTRICT s = task.column_sums;
  const auto step = [&](Index j, const T* x0, const T* x1, const T* x2, const T* x3) HWY_ATTR
      __attribute__((always_inline)) {
    StreamColumn<D> column;
    column.b0 = load_if<(model_rank > 0)>(d, b + j);
    column.b1 = load_if<(model_rank > 1)>(d, b + width + j);
    column.q0 = hn::Load(d, q + j);
    column.q1 = load_if<(probe_rank > 1)>(d, q + width + j);
    column.s0 = hn::Load(d, s + j);
    column.s1 = load_if<(probe_rank > 1)>(d, s + width + j);
    stream_vector<0>(load_wide(d, x0), row0, column, rule);
    if constexpr (four) {
      stream_vector<1>(load_wide(d, x1), row1, column, rule);
      stream_vector<0>(load_wide(d, x2), row2, column, rule);
      stream_vector<1>(load_wide(d, x3), row3, column, rule);
    }
    hn::Store(column.s0, d, s + j);
    store_if<(probe_rank > 1)>(d, column.s1, s + width + j);
  };
  const auto step_at = [&](Index j) HWY_ATTR __attribute__((always_inline)) {
    const T* xj = x + j;
    step(j, xj, xj + stride, xj + 2 * stride, xj + 3 * stride);
  };
  const Index full = task.columns / n * n;
  const Index pair = task.columns / (2 * n) * (2 * n);
  // The next four rows if they follow soon, or further along these ones.
  constexpr Index near = 12288 / static_cast<Index>(sizeof(T));
  const Index ahead = rows * stride <= near ? rows * stride : near / 8;
  for (Index j = 0; j < pair; j += 2 * n) {
    for (Index i = 0; i < rows; ++i) hwy::Prefetch(x + i * stride + j + ahead);
    step_at(j);
    step_at(j + n);
  }
  if (pair < full) step_at(pair);
  if (full < task.columns) {
    HWY_ALIGN T tail[4][HWY_MAX_BYTES / sizeof(Real)];
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < n; ++j) {
        tail[i][j] = full + j < task.columns ? x[i * stride + full + j] : T{0};
      }
    }
    step(full, tail[0], tail[1], tail[2], tail[3]);
  }
  if (!rule.add_to(*task.sums, task.rule, rows * task.columns, rows * (width - task.columns))) {
    recount_rows<T>(d, task, row, rows);
  }
  double* out = task.contracted + row * probe_rank;
  const auto finish = [&](const Row& r) HWY_ATTR {
    *out++ = sum_of_lanes(d, r.c0);
    if (probe_rank > 1) *out++ = sum_of_lanes(d, r.c1);
  };
  finish(row0);
  if constexpr (four) {
    finish(row1);
    finish(row2);
    finish(row3);
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
