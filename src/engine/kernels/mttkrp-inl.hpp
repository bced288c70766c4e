// Computes both products of the kept residual K in a single read of K:
//
//     contracted_ik  = sum_j K_ij q_jk     for the row mode and all slower ones
//     column_sums_jk += sum_i K_ij p_ik    for the column mode
//
// Per entry: 2 r flops for each product; K is read once from the first-level cache and then stays
// in the same twelve registers that hold R in residual-inl.hpp. Panels, lanes and sums are aligned
// and must not overlap. The sums over j stay spread over lanes[k][row] until the end of a strip,
// because a sum across the lanes of a register costs as much as six FMAs.

#if defined(SUNDER_ENGINE_MTTKRP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_MTTKRP_INL_HPP
#undef SUNDER_ENGINE_MTTKRP_INL_HPP
#else
#define SUNDER_ENGINE_MTTKRP_INL_HPP
#endif

#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

template <int rows, int vectors, bool over_columns, bool over_rows, class D,
          class Real = hn::TFromD<D>>
HWY_INLINE void contract_tile(D d, const Real* HWY_RESTRICT kept, Index width, Index rank,
                              const Real* HWY_RESTRICT p, const Real* HWY_RESTRICT panel,
                              Real* HWY_RESTRICT lanes, Real* HWY_RESTRICT column_sums) {
  constexpr bool three = rows == 3;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Real* kept1 = kept + width;
  const Real* kept2 = kept1 + width;
  const auto k00 = load_if<true>(d, kept);
  const auto k01 = load_if<(vectors > 1)>(d, kept + n);
  const auto k02 = load_if<(vectors > 2)>(d, kept + 2 * n);
  const auto k03 = load_if<(vectors > 3)>(d, kept + 3 * n);
  const auto k10 = load_if<three>(d, kept1);
  const auto k11 = load_if < three && (vectors > 1) > (d, kept1 + n);
  const auto k12 = load_if < three && (vectors > 2) > (d, kept1 + 2 * n);
  const auto k13 = load_if < three && (vectors > 3) > (d, kept1 + 3 * n);
  const auto k20 = load_if<three>(d, kept2);
  const auto k21 = load_if < three && (vectors > 1) > (d, kept2 + n);
  const auto k22 = load_if < three && (vectors > 2) > (d, kept2 + 2 * n);
  const auto k23 = load_if < three && (vectors > 3) > (d, kept2 + 3 * n);
  for (Index k = 0; k < rank; ++k) {
    if constexpr (over_columns) {
      auto c0 = hn::Load(d, lanes);
      auto c1 = load_if<three>(d, lanes + n);
      auto c2 = load_if<three>(d, lanes + 2 * n);
      auto q = in_register(hn::Load(d, panel));
      c0 = hn::MulAdd(k00, q, c0);
      c1 = add_if<three>(k10, q, c1);
      c2 = add_if<three>(k20, q, c2);
      q = in_register(load_if<(vectors > 1)>(d, panel + n));
      c0 = add_if<(vectors > 1)>(k01, q, c0);
      c1 = add_if < three && (vectors > 1) > (k11, q, c1);
      c2 = add_if < three && (vectors > 1) > (k21, q, c2);
      q = in_register(load_if<(vectors > 2)>(d, panel + 2 * n));
      c0 = add_if<(vectors > 2)>(k02, q, c0);
      c1 = add_if < three && (vectors > 2) > (k12, q, c1);
      c2 = add_if < three && (vectors > 2) > (k22, q, c2);
      q = in_register(load_if<(vectors > 3)>(d, panel + 3 * n));
      c0 = add_if<(vectors > 3)>(k03, q, c0);
      c1 = add_if < three && (vectors > 3) > (k13, q, c1);
      c2 = add_if < three && (vectors > 3) > (k23, q, c2);
      hn::Store(c0, d, lanes);
      store_if<three>(d, c1, lanes + n);
      store_if<three>(d, c2, lanes + 2 * n);
      lanes += strip_rows * n;
      panel += vectors * n;
    }
    if constexpr (over_rows) {
      const auto p0 = hn::Set(d, p[k]);
      const auto p1 = three ? hn::Set(d, p[rank + k]) : p0;
      const auto p2 = three ? hn::Set(d, p[2 * rank + k]) : p0;
      auto s = hn::MulAdd(k00, p0, hn::Load(d, column_sums));
      s = add_if<three>(k10, p1, s);
      s = add_if<three>(k20, p2, s);
      hn::Store(s, d, column_sums);
      s = add_if<(vectors > 1)>(k01, p0, load_if<(vectors > 1)>(d, column_sums + n));
      s = add_if < three && (vectors > 1) > (k11, p1, s);
      s = add_if < three && (vectors > 1) > (k21, p2, s);
      store_if<(vectors > 1)>(d, s, column_sums + n);
      s = add_if<(vectors > 2)>(k02, p0, load_if<(vectors > 2)>(d, column_sums + 2 * n));
      s = add_if < three && (vectors > 2) > (k12, p1, s);
      s = add_if < three && (vectors > 2) > (k22, p2, s);
      store_if<(vectors > 2)>(d, s, column_sums + 2 * n);
      s = add_if<(vectors > 3)>(k03, p0, load_if<(vectors > 3)>(d, column_sums + 3 * n));
      s = add_if < three && (vectors > 3) > (k13, p1, s);
      s = add_if < three && (vectors > 3) > (k23, p2, s);
      store_if<(vectors > 3)>(d, s, column_sums + 3 * n);
      column_sums += vectors * n;
    }
  }
}

/// Finishes a strip: contracted[row][k] = the sum of lanes[k][row].
template <int rows, class D, class Real = hn::TFromD<D>>
HWY_INLINE void add_up_lanes(D d, const Real* HWY_RESTRICT lanes, Index rank,
                             double* HWY_RESTRICT contracted) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index stride = strip_rows * n;
  for (Index row = 0; row < rows; ++row, lanes += n, contracted += rank) {
    Index k = 0;
    for (; k + 4 <= rank; k += 4) sum_of_four(d, lanes + k * stride, stride, contracted + k);
    for (; k < rank; ++k) contracted[k] = sum_of_lanes(d, hn::Load(d, lanes + k * stride));
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
