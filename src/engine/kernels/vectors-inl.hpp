// Steps that a kernel template takes or leaves at compile time, and sums over lanes.

#if defined(SUNDER_ENGINE_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_VECTORS_INL_HPP
#undef SUNDER_ENGINE_VECTORS_INL_HPP
#else
#define SUNDER_ENGINE_VECTORS_INL_HPP
#endif

#include <hwy/highway.h>

#include "sunder/core/shape.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The lanes of one register.
template <class Real>
using Wide = hn::ScalableTag<Real>;

template <bool use, class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_if(D d, const Real* p) {
  if constexpr (use) {
    return hn::LoadU(d, p);
  } else {
    return hn::Zero(d);
  }
}

template <bool use, class D, class V, class Real = hn::TFromD<D>>
HWY_INLINE void store_if(D d, V v, Real* p) {
  if constexpr (use) hn::Store(v, d, p);
}

/// The same vector, in a register from here on. With all sixteen registers of AVX2 in use, GCC
/// would rather read a factor again for each of its FMAs, and make loads the bottleneck.
template <class V>
HWY_INLINE V in_register(V v) {
#if HWY_TARGET == HWY_AVX2 && HWY_COMPILER_GCC_ACTUAL
  asm("" : "+x"(v.raw));
#endif
  return v;
}

/// Asks for a cache line, into the second level. (Highway's own goes to the first.)
HWY_INLINE void prefetch(const char* p) {
#if HWY_COMPILER_GCC
  __builtin_prefetch(p, 0, 2);
#else
  (void)p;
#endif
}

/// sum + a b.
template <bool use, class V>
HWY_INLINE V add_if(V a, V b, V sum) {
  if constexpr (use) {
    return hn::MulAdd(a, b, sum);
  } else {
    return sum;
  }
}

/// sum - a b.
template <bool use, class V>
HWY_INLINE V subtract_if(V a, V b, V sum) {
  if constexpr (use) {
    return hn::NegMulAdd(a, b, sum);
  } else {
    return sum;
  }
}

template <class D, class V>
HWY_INLINE double sum_of_lanes(D d, V v) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, v)));
}

/// Counts in the integer lanes below a mask's: a true lane is -1 there, so counting is subtraction.
template <class D>
using Counter = hn::Vec<hn::RebindToSigned<D>>;

template <class D, class M>
HWY_INLINE Counter<D> count_true(D d, M mask, Counter<D> counter) {
  const hn::RebindToSigned<D> di;
  return hn::Sub(counter, hn::BitCast(di, hn::VecFromMask(d, mask)));
}

template <class D>
HWY_INLINE Index counted(D d, Counter<D> counter) {
  const hn::RebindToSigned<D> di;
  (void)d;
  return static_cast<Index>(hn::GetLane(hn::SumOfLanes(di, counter)));
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
