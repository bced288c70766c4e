// Vector operations that a kernel template enables at compile time, and sums over lanes.

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

/// Forces a vector into a register. With all sixteen registers of AVX2 in use, GCC would otherwise
/// reload a factor for each of its FMAs, and loads would become the bottleneck.
template <class V>
HWY_INLINE V in_register(V v) {
#if HWY_TARGET == HWY_AVX2 && HWY_COMPILER_GCC_ACTUAL
  asm("" : "+x"(v.raw));
#endif
  return v;
}

/// Prefetches a cache line into the second level. (Highway's own function targets the first level.)
HWY_INLINE void prefetch(const char* p) {
#if HWY_COMPILER_GCC
  __builtin_prefetch(p, 0, 2);
#else
  (void)p;
#endif
}

/// Returns |r| < c for c >= 0; false for NaN. Single precision compares as integers, which order
/// non-negative numbers the same way: floating-point comparisons share two pipes with FMAs, while
/// all four pipes compare integers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> is_below(D d, V r, V c) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    const hn::RebindToSigned<D> di;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(di, hn::Abs(r)), hn::BitCast(di, c)));
  } else {
    return hn::Lt(hn::Abs(r), c);
  }
}

/// Returns sum + a b.
template <bool use, class V>
HWY_INLINE V add_if(V a, V b, V sum) {
  if constexpr (use) {
    return hn::MulAdd(a, b, sum);
  } else {
    return sum;
  }
}

/// Returns sum - a b.
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

/// Sums four vectors, `stride` apart; together they cost half as much as one by one.
template <class D, class Real = hn::TFromD<D>>
HWY_INLINE void sum_of_four(D d, const Real* HWY_RESTRICT vectors, Index stride,
                            double* HWY_RESTRICT sums) {
#if HWY_TARGET == HWY_SCALAR
  for (Index i = 0; i < 4; ++i) sums[i] = sum_of_lanes(d, hn::Load(d, vectors + i * stride));
#else
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto a = hn::Load(d, vectors);
  const auto b = hn::Load(d, vectors + stride);
  const auto c = hn::Load(d, vectors + 2 * stride);
  const auto e = hn::Load(d, vectors + 3 * stride);
  // Within each 128-bit block, interleave the partial sums of a and b.
  const auto ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const auto ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  HWY_ALIGN Real parts[std::size_t{2} * HWY_MAX_BYTES / sizeof(Real)];
  if constexpr (sizeof(Real) == 8) {
    hn::Store(ab, d, parts);
    hn::Store(ce, d, parts + n);
    for (int i = 0; i < 4; ++i) sums[i] = 0;
    for (Index block = 0; block < n; block += 2) {
      for (Index i = 0; i < 2; ++i) {
        sums[i] += static_cast<double>(parts[block + i]);
        sums[2 + i] += static_cast<double>(parts[n + block + i]);
      }
    }
  } else {
    const hn::RepartitionToWide<D> wide;
    const auto low = hn::InterleaveLower(wide, hn::BitCast(wide, ab), hn::BitCast(wide, ce));
    const auto high = hn::InterleaveUpper(wide, hn::BitCast(wide, ab), hn::BitCast(wide, ce));
    hn::Store(hn::Add(hn::BitCast(d, low), hn::BitCast(d, high)), d, parts);
    for (int i = 0; i < 4; ++i) sums[i] = 0;
    for (Index block = 0; block < n; block += 4) {
      for (Index i = 0; i < 4; ++i) sums[i] += static_cast<double>(parts[block + i]);
    }
  }
#endif
}

/// A counter in integer lanes: a true lane of a mask is -1, so counting is subtraction.
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
