// R = T - sum_k a_ik b_jk, with the residual in registers until it is done; then either R is
// written, or, for the simple rules and when nobody looks at R, K alone.
//
// Per entry: 2 r flops, one read of T, one write of R or K to a strip that stays in the first-level
// cache. Panels are aligned; T need not be. R must not overlap T.
//
// Hardware: two FMAs start each cycle and take four, so at least eight must be in flight; four
// vectors x three rows are twelve. With three broadcast a and one b that is all sixteen registers
// of AVX2, and seven loads serve twelve FMAs, where two loads per cycle would allow twelve.

#if defined(SUNDER_ENGINE_RESIDUAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_RESIDUAL_INL_HPP
#undef SUNDER_ENGINE_RESIDUAL_INL_HPP
#else
#define SUNDER_ENGINE_RESIDUAL_INL_HPP
#endif

#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Leaves R as it is.
struct NoRule {
  template <int row, class V>
  HWY_INLINE V keep(V r) {
    return r;
  }
};

/// `rows` is 1 or 3, `vectors` 1 to 4: what exceeds them is never computed.
template <int rows, int vectors, class D, class PointRule, class Real = hn::TFromD<D>>
HWY_INLINE void residual_tile(D d, const Real* HWY_RESTRICT x, Index stride, Index rank,
                              const Real* HWY_RESTRICT a, const Real* HWY_RESTRICT panel,
                              Real* HWY_RESTRICT out, Index width, PointRule& shared_rule) {
  constexpr bool three = rows == 3;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Real* x1 = x + stride;
  const Real* x2 = x1 + stride;
  auto r00 = load_if<true>(d, x);
  auto r01 = load_if<(vectors > 1)>(d, x + n);
  auto r02 = load_if<(vectors > 2)>(d, x + 2 * n);
  auto r03 = load_if<(vectors > 3)>(d, x + 3 * n);
  auto r10 = load_if<three>(d, x1);
  auto r11 = load_if < three && (vectors > 1) > (d, x1 + n);
  auto r12 = load_if < three && (vectors > 2) > (d, x1 + 2 * n);
  auto r13 = load_if < three && (vectors > 3) > (d, x1 + 3 * n);
  auto r20 = load_if<three>(d, x2);
  auto r21 = load_if < three && (vectors > 1) > (d, x2 + n);
  auto r22 = load_if < three && (vectors > 2) > (d, x2 + 2 * n);
  auto r23 = load_if < three && (vectors > 3) > (d, x2 + 3 * n);
  for (Index k = 0; k < rank; ++k, panel += vectors * n) {
    const auto a0 = hn::Set(d, a[k]);
    const auto a1 = three ? hn::Set(d, a[rank + k]) : a0;
    const auto a2 = three ? hn::Set(d, a[2 * rank + k]) : a0;
    auto b = in_register(hn::Load(d, panel));
    r00 = hn::NegMulAdd(a0, b, r00);
    r10 = subtract_if<three>(a1, b, r10);
    r20 = subtract_if<three>(a2, b, r20);
    b = in_register(load_if<(vectors > 1)>(d, panel + n));
    r01 = subtract_if<(vectors > 1)>(a0, b, r01);
    r11 = subtract_if < three && (vectors > 1) > (a1, b, r11);
    r21 = subtract_if < three && (vectors > 1) > (a2, b, r21);
    b = in_register(load_if<(vectors > 2)>(d, panel + 2 * n));
    r02 = subtract_if<(vectors > 2)>(a0, b, r02);
    r12 = subtract_if < three && (vectors > 2) > (a1, b, r12);
    r22 = subtract_if < three && (vectors > 2) > (a2, b, r22);
    b = in_register(load_if<(vectors > 3)>(d, panel + 3 * n));
    r03 = subtract_if<(vectors > 3)>(a0, b, r03);
    r13 = subtract_if < three && (vectors > 3) > (a1, b, r13);
    r23 = subtract_if < three && (vectors > 3) > (a2, b, r23);
  }
  PointRule rule = shared_rule;  // a copy, which stores to `out` cannot change, stays in registers
  hn::Store(rule.template keep<0>(r00), d, out);
  if constexpr ((vectors > 1)) hn::Store(rule.template keep<0>(r01), d, out + n);
  if constexpr ((vectors > 2)) hn::Store(rule.template keep<0>(r02), d, out + 2 * n);
  if constexpr ((vectors > 3)) hn::Store(rule.template keep<0>(r03), d, out + 3 * n);
  out += width;
  if constexpr (three) hn::Store(rule.template keep<1>(r10), d, out);
  if constexpr (three && (vectors > 1)) hn::Store(rule.template keep<1>(r11), d, out + n);
  if constexpr (three && (vectors > 2)) hn::Store(rule.template keep<1>(r12), d, out + 2 * n);
  if constexpr (three && (vectors > 3)) hn::Store(rule.template keep<1>(r13), d, out + 3 * n);
  out += width;
  if constexpr (three) hn::Store(rule.template keep<2>(r20), d, out);
  if constexpr (three && (vectors > 1)) hn::Store(rule.template keep<2>(r21), d, out + n);
  if constexpr (three && (vectors > 2)) hn::Store(rule.template keep<2>(r22), d, out + 2 * n);
  if constexpr (three && (vectors > 3)) hn::Store(rule.template keep<2>(r23), d, out + 3 * n);
  shared_rule = rule;
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
