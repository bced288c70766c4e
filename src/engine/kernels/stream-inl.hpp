// The whole work on a tile in registers, for one or two components: only T is read from beyond the
// first-level cache, and neither R nor K is written.
//
// Per entry: 6 r flops and four for the sums; one read of T. Panels and sums are aligned, as wide
// as the tile, and must not overlap.
//
// Hardware: at r = 1 in f64 a vector of T arrives from memory every 2.9 cycles and its work is five
// FMAs, so there is no time to touch it twice. T is read strictly in memory order: four rows at a
// time would share the loads of the column factors, but took 50% longer, because the prefetchers
// follow one stream better than four. Two vectors at a time keep two chains of sums going.

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

/// Loads the first `count` entries, fewer than a vector, and zeros. It reads nothing beyond them.
template <class T, class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_some(D d, const T* p, Index count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if constexpr (std::is_same_v<T, Real>) {
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, p);
  }
#endif
  HWY_ALIGN T some[HWY_MAX_BYTES / sizeof(Real)] = {};
  for (Index i = 0; i < count; ++i) some[i] = p[i];
  return load_wide(d, some);
}

/// The factors of a row, and its products in two chains. A model of rank 0 leaves T as it is.
template <int model_rank, int probe_rank, class D>
struct StreamRow {
  using V = hn::Vec<D>;
  V a0, a1, p0, p1;
  V c0[2], c1[2];

  template <class Real>
  HWY_INLINE StreamRow(const Real* a, const Real* p) {
    const D d;
    a0 = model_rank > 0 ? hn::Set(d, a[0]) : hn::Zero(d);
    a1 = model_rank > 1 ? hn::Set(d, a[1]) : hn::Zero(d);
    p0 = hn::Set(d, p[0]);
    p1 = probe_rank > 1 ? hn::Set(d, p[1]) : hn::Zero(d);
    c0[0] = c0[1] = c1[0] = c1[1] = hn::Zero(d);
  }
};

/// Processes one vector of T; b, q and s are the column factors and sums there, `width` apart.
template <int chain, int model_rank, int probe_rank, class D, class PointRule,
          class Real = hn::TFromD<D>>
HWY_INLINE void stream_vector(D d, hn::Vec<D> r, StreamRow<model_rank, probe_rank, D>& row,
                              PointRule& rule, const Real* HWY_RESTRICT b,
                              const Real* HWY_RESTRICT q, Real* HWY_RESTRICT s, Index width) {
  constexpr bool two = probe_rank > 1;
  // With two components there is enough work between the links of one chain, and registers are
  // scarce.
  constexpr int link = two ? 0 : chain;
  r = subtract_if<(model_rank > 0)>(row.a0, load_if<(model_rank > 0)>(d, b), r);
  r = subtract_if<(model_rank > 1)>(row.a1, load_if<(model_rank > 1)>(d, b + width), r);
  const auto k = rule.template keep<chain>(r);
  row.c0[link] = hn::MulAdd(k, hn::Load(d, q), row.c0[link]);
  row.c1[link] = add_if<two>(k, load_if<two>(d, q + width), row.c1[link]);
  hn::Store(hn::MulAdd(k, row.p0, hn::Load(d, s)), d, s);
  store_if<two>(d, add_if<two>(k, row.p1, load_if<two>(d, s + width)), s + width);
}

/// Recomputes counts and sums of a row with missing entries; its products are already right.
template <class T, class D, class Real = hn::TFromD<D>>
void recount_row(D d, const TileTask<Real>& task, Index i) {
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

template <int model_rank, int probe_rank, class T, class D, class PointRule,
          class Real = hn::TFromD<D>>
HWY_INLINE void stream_row(D d, const TileTask<Real>& task, Index row, PointRule& rule,
                           Real* lanes) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index width = task.width;
  const T* x = static_cast<const T*>(task.data) + row * task.row_stride;
  // Use local copies, which stores to the sums cannot alias.
  const Real* b = task.model_panels;
  const Real* q = task.probe_panels;
  Real* s = task.column_sums;
  StreamRow<model_rank, probe_rank, D> at(task.model_rows + row * model_rank,
                                          task.probe_rows + row * probe_rank);
  const Index full = task.columns / n * n;
  constexpr Index ahead = 2048 / static_cast<Index>(sizeof(T));
  Index j = 0;
  for (; j + 2 * n <= full; j += 2 * n) {
    hwy::Prefetch(x + j + ahead);
    stream_vector<0>(d, load_wide(d, x + j), at, rule, b + j, q + j, s + j, width);
    const Index i = j + n;
    stream_vector<1>(d, load_wide(d, x + i), at, rule, b + i, q + i, s + i, width);
  }
  if (j < full) {
    stream_vector<0>(d, load_wide(d, x + j), at, rule, b + j, q + j, s + j, width);
    j += n;
  }
  if (j < task.columns) {
    stream_vector<1>(d, load_some(d, x + j, task.columns - j), at, rule, b + j, q + j, s + j,
                     width);
  }
  hn::Store(hn::Add(at.c0[0], at.c0[1]), d, lanes);
  if constexpr (probe_rank > 1) hn::Store(hn::Add(at.c1[0], at.c1[1]), d, lanes + n);
}

/// The number of rows whose sums over lanes are taken together: one by one they would cost as much
/// as a third of a row of 300 entries. The group is small enough that sums in f32 keep six digits.
inline constexpr Index stream_group = 12;

template <int model_rank, int probe_rank, class T, bool with_sums, class D,
          class Real = hn::TFromD<D>>
void stream_rows(D d, const TileTask<Real>& task, Index first, Index rows) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  FusedThreshold<D, with_sums> rule(task.rule);
  HWY_ALIGN Real lanes[stream_group * probe_rank * HWY_MAX_BYTES / sizeof(Real)];
  for (Index i = 0; i < rows; ++i) {
    stream_row<model_rank, probe_rank, T>(d, task, first + i, rule, lanes + i * probe_rank * n);
  }
  double* contracted = task.contracted + first * probe_rank;
  Index k = 0;
  for (; k + 4 <= rows * probe_rank; k += 4) sum_of_four(d, lanes + k * n, n, contracted + k);
  for (; k < rows * probe_rank; ++k) contracted[k] = sum_of_lanes(d, hn::Load(d, lanes + k * n));
  if (rule.add_to(*task.sums, task.rule, rows * task.columns, rows * (task.width - task.columns))) {
    return;
  }
  for (Index row = first; row < first + rows; ++row) recount_row<T>(d, task, row);
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
