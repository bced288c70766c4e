// Computes R = T - sum_k a_ik b_jk in registers and then uses it there: a kernel writes R, or only
// counts it (counts-inl.hpp). For the simple rules it writes K alone unless something needs R.
//
// Per entry: 2 r flops, one read of T, at most one write to a strip that stays in the first-level
// cache. Panels are aligned; T need not be. The output must not overlap T.
//
// Hardware: two FMAs start each cycle and take four cycles, so at least eight must be in flight;
// four vectors x three rows are twelve. With three broadcast a and one b, that uses all sixteen
// registers of AVX2. Twelve FMAs need seven loads; two loads per cycle would allow twelve.

#if defined(SUNDER_ENGINE_RESIDUAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_RESIDUAL_INL_HPP
#undef SUNDER_ENGINE_RESIDUAL_INL_HPP
#else
#define SUNDER_ENGINE_RESIDUAL_INL_HPP
#endif

#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// The vectors of a block. All loops over them have constant bounds, so they stay in registers.
template <int rows, int vectors, class D>
struct Block {
  hn::Vec<D> v[rows][vectors];
};

/// `step` is the distance from one component of the panel to the next.
template <int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE Block<rows, vectors, D> residual_of(D d, const Real* HWY_RESTRICT x, Index stride,
                                               Index rank, const Real* HWY_RESTRICT a,
                                               const Real* HWY_RESTRICT panel, Index step) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  Block<rows, vectors, D> r;
  for (int i = 0; i < rows; ++i) {
    for (int v = 0; v < vectors; ++v) r.v[i][v] = hn::LoadU(d, x + i * stride + v * n);
  }
  for (Index k = 0; k < rank; ++k, panel += step) {
    hn::Vec<D> factor[rows];
    for (int i = 0; i < rows; ++i) factor[i] = hn::Set(d, a[i * rank + k]);
    for (int v = 0; v < vectors; ++v) {
      const auto b = in_register(hn::Load(d, panel + v * n));
      for (int i = 0; i < rows; ++i) r.v[i][v] = hn::NegMulAdd(factor[i], b, r.v[i][v]);
    }
  }
  return r;
}

/// A rule that leaves R as it is.
struct NoRule {
  template <int row, class V>
  HWY_INLINE V keep(V r) {
    return r;
  }
};

/// Writes rule(R), with rows `width` apart.
template <int rows, int vectors, class D, class PointRule, class Real = hn::TFromD<D>>
HWY_INLINE void store_kept(D d, const Block<rows, vectors, D>& r, PointRule& shared_rule,
                           Real* HWY_RESTRICT out, Index width) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  PointRule rule =
      shared_rule;  // a local copy stays in registers, because stores to `out` cannot alias it
  for (int v = 0; v < vectors; ++v) {
    hn::Store(rule.template keep<0>(r.v[0][v]), d, out + v * n);
    if constexpr (rows == 3) {
      hn::Store(rule.template keep<1>(r.v[1][v]), d, out + width + v * n);
      hn::Store(rule.template keep<2>(r.v[2][v]), d, out + 2 * width + v * n);
    }
  }
  shared_rule = rule;
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
