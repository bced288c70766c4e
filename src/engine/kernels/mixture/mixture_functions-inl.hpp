// Functions of single precision for the mixture pass, and a product of many numbers.

#if defined(SUNDER_ENGINE_MIXTURE_FUNCTIONS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_MIXTURE_FUNCTIONS_INL_HPP
#undef SUNDER_ENGINE_MIXTURE_FUNCTIONS_INL_HPP
#else
#define SUNDER_ENGINE_MIXTURE_FUNCTIONS_INL_HPP
#endif

#include <cmath>
#include <numbers>

#include "engine/kernels/mixture/mixture_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// 1 / sqrt(x): one step of Newton's method doubles the 12 bits of the approximation.
HWY_INLINE SinglesVector reciprocal_root(SinglesVector x) {
  const Singles d;
  const auto y = hn::ApproximateReciprocalSqrt(x);
  const auto left = hn::NegMulAdd(hn::Mul(x, y), y, hn::Set(d, 3.0F));
  return hn::Mul(hn::Mul(y, hn::Set(d, 0.5F)), left);
}

/// 1 / x, likewise.
HWY_INLINE SinglesVector reciprocal(SinglesVector x) {
  const auto y = hn::ApproximateReciprocal(x);
  return hn::Mul(y, hn::NegMulAdd(x, y, hn::Set(Singles(), 2.0F)));
}

/// 2^x for x <= 0, to 1e-7; 0 where x < -126. The polynomial is that of the Cephes library.
HWY_INLINE SinglesVector exp2_of_negative(SinglesVector x) {
  const Singles d;
  const Integers di;
  const auto least = hn::Set(d, -126.0F);
  const auto bounded = hn::Max(x, least);
  const auto whole = hn::NearestInt(bounded);
  const auto f = hn::Sub(bounded, hn::ConvertTo(d, whole));
  auto p = hn::MulAdd(hn::Set(d, 1.535336188319500e-4F), f, hn::Set(d, 1.339887440266574e-3F));
  p = hn::MulAdd(p, f, hn::Set(d, 9.618437357674640e-3F));
  p = hn::MulAdd(p, f, hn::Set(d, 5.550332471162809e-2F));
  p = hn::MulAdd(p, f, hn::Set(d, 2.402264791363012e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, 6.931472028550421e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0F));
  const auto power = hn::ShiftLeft<23>(hn::Add(whole, hn::Set(di, 127)));
  const auto y = hn::Mul(p, hn::BitCast(d, power));
  return hn::IfThenZeroElse(hn::Lt(x, least), y);
}

/// The whole part of log2 of positive numbers, and what is left: numbers in [1, 2).
HWY_INLINE hn::Vec<Integers> exponent_of(SinglesVector x) {
  const Integers di;
  return hn::Sub(hn::ShiftRight<23>(hn::BitCast(di, x)), hn::Set(di, 127));
}
HWY_INLINE SinglesVector mantissa_of(SinglesVector x) {
  const Singles d;
  const Integers di;
  const auto bits = hn::And(hn::BitCast(di, x), hn::Set(di, 0x007FFFFF));
  return hn::BitCast(d, hn::Or(bits, hn::Set(di, 0x3F800000)));
}

/// log2(x) for x >= 1 to about 1e-4: enough to tell in which step of the variance it lies. The
/// series of atanh around the middle of the octave.
HWY_INLINE SinglesVector log2_of(SinglesVector x) {
  const Singles d;
  const auto m = mantissa_of(x);
  const auto root = hn::Set(d, std::numbers::sqrt2_v<float>);
  const auto t = hn::Div(hn::Sub(m, root), hn::Add(m, root));
  const auto t2 = hn::Mul(t, t);
  constexpr float unit = 2 * std::numbers::log2e_v<float>;
  const auto series =
      hn::MulAdd(t2, hn::MulAdd(t2, hn::Set(d, unit / 5), hn::Set(d, unit / 3)), hn::Set(d, unit));
  const auto whole = hn::Add(hn::ConvertTo(d, exponent_of(x)), hn::Set(d, 0.5F));
  return hn::MulAdd(t, series, whole);
}

/// The logarithm of a product of positive numbers of any size, for the price of a multiplication
/// each: mantissas are multiplied, exponents added.
class LogProduct {
 public:
  HWY_INLINE LogProduct()
      : mantissas_(hn::Set(Singles(), 1.0F)), exponents_(hn::Zero(Integers())) {}
  /// At most 100 times between two calls of `normalise`: mantissas are below 2.
  HWY_INLINE void multiply(SinglesVector x) {
    exponents_ = hn::Add(exponents_, exponent_of(x));
    mantissas_ = hn::Mul(mantissas_, mantissa_of(x));
  }
  HWY_INLINE void normalise() {
    exponents_ = hn::Add(exponents_, exponent_of(mantissas_));
    mantissas_ = mantissa_of(mantissas_);
  }
  HWY_INLINE double logarithm() const {
    const Singles d;
    HWY_ALIGN float mantissas[MixtureTask::padding];
    HWY_ALIGN std::int32_t exponents[MixtureTask::padding];
    hn::Store(mantissas_, d, mantissas);
    hn::Store(exponents_, Integers(), exponents);
    double sum = 0;
    for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
      sum += std::log(static_cast<double>(mantissas[k])) + exponents[k] * std::numbers::ln2;
    }
    return sum;
  }

 private:
  SinglesVector mantissas_;
  hn::Vec<Integers> exponents_;
};

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
