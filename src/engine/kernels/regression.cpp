// Per row of m entries and rank r: m r FMAs for the residual, m r (r + 3) / 2 for the normal
// equations, in register tiles of two components by four, so that six loads feed eight FMAs.
#include "engine/kernels/regression.hpp"

#include <algorithm>
#include <limits>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/regression.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which selects the target.
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

using Doubles = Wide<double>;
using DoubleVector = hn::Vec<Doubles>;

void row_residual(const Design& design, const double* y, const double* a, double* r) {
  const Doubles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + 4 * n <= design.length; j += 4 * n) {
    auto r0 = hn::LoadU(d, y + j);
    auto r1 = hn::LoadU(d, y + j + n);
    auto r2 = hn::LoadU(d, y + j + 2 * n);
    auto r3 = hn::LoadU(d, y + j + 3 * n);
    const double* column = design.columns + j;
    for (Index k = 0; k < design.rank; ++k, column += design.stride) {
      const auto x = hn::Set(d, a[k]);
      r0 = hn::NegMulAdd(x, hn::LoadU(d, column), r0);
      r1 = hn::NegMulAdd(x, hn::LoadU(d, column + n), r1);
      r2 = hn::NegMulAdd(x, hn::LoadU(d, column + 2 * n), r2);
      r3 = hn::NegMulAdd(x, hn::LoadU(d, column + 3 * n), r3);
    }
    hn::StoreU(r0, d, r + j);
    hn::StoreU(r1, d, r + j + n);
    hn::StoreU(r2, d, r + j + 2 * n);
    hn::StoreU(r3, d, r + j + 3 * n);
  }
  for (; j < design.length; j += n) {
    auto r0 = hn::LoadU(d, y + j);
    const double* column = design.columns + j;
    for (Index k = 0; k < design.rank; ++k, column += design.stride) {
      r0 = hn::NegMulAdd(hn::Set(d, a[k]), hn::LoadU(d, column), r0);
    }
    hn::StoreU(r0, d, r + j);
  }
}

double geman_mcclure_weights(Index length, const double* r, const double* observed, double c,
                             double* w) {
  const Doubles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto inverse = hn::Set(d, 1 / std::max(c, std::numeric_limits<double>::min()));
  const auto one = hn::Set(d, 1.0);
  auto sum = hn::Zero(d);
  for (Index j = 0; j < length; j += n) {
    const auto t = hn::Mul(hn::LoadU(d, r + j), inverse);
    const auto q = hn::Div(one, hn::MulAdd(t, t, one));
    auto weight = hn::Mul(q, q);
    if (observed != nullptr) weight = hn::Mul(weight, hn::LoadU(d, observed + j));
    hn::StoreU(weight, d, w + j);
    sum = hn::Add(sum, weight);
  }
  return sum_of_lanes(d, sum);
}

double threshold_weights(Index length, const double* r, const double* observed, double c,
                         double* w) {
  const Doubles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const auto limit = hn::Set(d, c);
  const auto one = hn::Set(d, 1.0);
  auto sum = hn::Zero(d);
  for (Index j = 0; j < length; j += n) {
    auto weight = hn::IfThenElseZero(hn::Le(hn::Abs(hn::LoadU(d, r + j)), limit), one);
    if (observed != nullptr) weight = hn::Mul(weight, hn::LoadU(d, observed + j));
    hn::StoreU(weight, d, w + j);
    sum = hn::Add(sum, weight);
  }
  return sum_of_lanes(d, sum);
}

/// Computes rows k and k + 1 of K' W [K r] at four of its columns.
HWY_INLINE void product_tile(Index length, const double* w, const double* k0, const double* k1,
                             const double* const (&x)[4], double (&first)[4], double (&second)[4]) {
  const Doubles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  auto a0 = hn::Zero(d);
  auto a1 = hn::Zero(d);
  auto a2 = hn::Zero(d);
  auto a3 = hn::Zero(d);
  auto b0 = hn::Zero(d);
  auto b1 = hn::Zero(d);
  auto b2 = hn::Zero(d);
  auto b3 = hn::Zero(d);
  for (Index j = 0; j < length; j += n) {
    const auto weight = hn::LoadU(d, w + j);
    const auto u = hn::Mul(weight, hn::LoadU(d, k0 + j));
    const auto v = hn::Mul(weight, hn::LoadU(d, k1 + j));
    const auto x0 = hn::LoadU(d, x[0] + j);
    const auto x1 = hn::LoadU(d, x[1] + j);
    const auto x2 = hn::LoadU(d, x[2] + j);
    const auto x3 = hn::LoadU(d, x[3] + j);
    a0 = hn::MulAdd(u, x0, a0);
    b0 = hn::MulAdd(v, x0, b0);
    a1 = hn::MulAdd(u, x1, a1);
    b1 = hn::MulAdd(v, x1, b1);
    a2 = hn::MulAdd(u, x2, a2);
    b2 = hn::MulAdd(v, x2, b2);
    a3 = hn::MulAdd(u, x3, a3);
    b3 = hn::MulAdd(v, x3, b3);
  }
  const auto total = [d](DoubleVector v) HWY_ATTR { return sum_of_lanes(d, v); };
  first[0] = total(a0);
  first[1] = total(a1);
  first[2] = total(a2);
  first[3] = total(a3);
  second[0] = total(b0);
  second[1] = total(b1);
  second[2] = total(b2);
  second[3] = total(b3);
}

void weighted_normal(const Design& design, const double* r, const double* w, double* normal,
                     double* gradient) {
  const Index rank = design.rank;
  // The residual is one more component; past the end, repeat the last one.
  const auto component = [&](Index l) { return l < rank ? design.columns + l * design.stride : r; };
  for (Index k = 0; k < rank; k += 2) {
    const Index next = std::min(k + 1, rank - 1);
    for (Index l = k; l <= rank; l += 4) {
      const double* const x[4] = {component(l), component(l + 1), component(l + 2),
                                  component(l + 3)};
      double first[4];
      double second[4];
      product_tile(design.length, w, component(k), component(next), x, first, second);
      for (Index i = 0; i < 4 && l + i <= rank; ++i) {
        double* const to = l + i < rank ? normal + l + i : nullptr;
        if (to != nullptr) {
          to[k * rank] = first[i];
          if (l + i >= next) to[next * rank] = second[i];
        } else {
          gradient[k] = first[i];
          gradient[next] = second[i];
        }
      }
    }
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::kernels {

HWY_EXPORT(row_residual);
HWY_EXPORT(geman_mcclure_weights);
HWY_EXPORT(threshold_weights);
HWY_EXPORT(weighted_normal);

void row_residual(const Design& design, const double* y, const double* a, double* r) {
  HWY_DYNAMIC_DISPATCH(row_residual)(design, y, a, r);
}
double geman_mcclure_weights(Index length, const double* r, const double* observed, double c,
                             double* w) {
  return HWY_DYNAMIC_DISPATCH(geman_mcclure_weights)(length, r, observed, c, w);
}
double threshold_weights(Index length, const double* r, const double* observed, double c,
                         double* w) {
  return HWY_DYNAMIC_DISPATCH(threshold_weights)(length, r, observed, c, w);
}
void weighted_normal(const Design& design, const double* r, const double* w, double* normal,
                     double* gradient) {
  HWY_DYNAMIC_DISPATCH(weighted_normal)(design, r, w, normal, gradient);
}

}  // namespace sunder::kernels
#endif  // HWY_ONCE
