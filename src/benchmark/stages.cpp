#include "benchmark/stages.hpp"

#include <cmath>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmark/stages.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which selects the target.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sunder::benchmark::stages::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

double sum_of(const double* values, Index count) {
  const hn::ScalableTag<double> d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  auto s0 = hn::Zero(d);
  auto s1 = s0;
  auto s2 = s0;
  auto s3 = s0;
  for (Index i = 0; i + 4 * n <= count; i += 4 * n) {
    hwy::Prefetch(values + i + 128);
    hwy::Prefetch(values + i + 136);
    s0 = hn::Add(s0, hn::LoadU(d, values + i));
    s1 = hn::Add(s1, hn::LoadU(d, values + i + n));
    s2 = hn::Add(s2, hn::LoadU(d, values + i + 2 * n));
    s3 = hn::Add(s3, hn::LoadU(d, values + i + 3 * n));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

/// Runs ten independent chains: two FMAs per cycle of four cycles each need eight. The chains start
/// with different numbers, because a compiler would compute equal chains only once.
template <class Real>
double multiply_add(Index rounds) {
  const hn::ScalableTag<Real> d;
  const auto m = hn::Set(d, static_cast<Real>(0.999));
  const auto start = [&](int chain) HWY_ATTR { return hn::Set(d, static_cast<Real>(chain)); };
  auto x0 = start(0), x1 = start(1), x2 = start(2), x3 = start(3), x4 = start(4);
  auto x5 = start(5), x6 = start(6), x7 = start(7), x8 = start(8), x9 = start(9);
  for (Index i = 0; i < rounds; ++i) {
    x0 = hn::MulAdd(x0, m, m);
    x1 = hn::MulAdd(x1, m, m);
    x2 = hn::MulAdd(x2, m, m);
    x3 = hn::MulAdd(x3, m, m);
    x4 = hn::MulAdd(x4, m, m);
    x5 = hn::MulAdd(x5, m, m);
    x6 = hn::MulAdd(x6, m, m);
    x7 = hn::MulAdd(x7, m, m);
    x8 = hn::MulAdd(x8, m, m);
    x9 = hn::MulAdd(x9, m, m);
  }
  const auto low = hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), x4);
  const auto high = hn::Add(hn::Add(hn::Add(x5, x6), hn::Add(x7, x8)), x9);
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(low, high))));
}

double multiply_add_f64_here(Index rounds) { return multiply_add<double>(rounds); }
double multiply_add_f32_here(Index rounds) { return multiply_add<float>(rounds); }
Index lanes_f64() { return static_cast<Index>(hn::Lanes(hn::ScalableTag<double>())); }
Index lanes_f32() { return static_cast<Index>(hn::Lanes(hn::ScalableTag<float>())); }

template <class Real>
void model_of(const Slab<Real>& slab) {
  for (Index i = 0; i < slab.rows; ++i) {
    Real* HWY_RESTRICT out = slab.dense + i * slab.columns;
    for (Index j = 0; j < slab.columns; ++j) out[j] = 0;
    for (Index k = 0; k < slab.rank; ++k) {
      const Real a = slab.row_factor[i * slab.rank + k];
      const Real* HWY_RESTRICT b = slab.column_factor + k * slab.columns;
      for (Index j = 0; j < slab.columns; ++j) out[j] += a * b[j];
    }
  }
}

template <class Real, class T>
void keep_of(const Slab<Real>& slab, const T* HWY_RESTRICT data, Real threshold) {
  Real* HWY_RESTRICT out = slab.dense;
  for (Index at = 0; at < slab.rows * slab.columns; ++at) {
    const Real r = static_cast<Real>(data[at]) - out[at];
    out[at] = std::abs(r) < threshold ? r : Real{0};
  }
}

template <class Real>
void over_columns_of(const Slab<Real>& slab, Real* by_row) {
  const hn::ScalableTag<Real> d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  for (Index i = 0; i < slab.rows; ++i) {
    const Real* row = slab.dense + i * slab.columns;
    for (Index k = 0; k < slab.rank; ++k) {
      const Real* b = slab.column_factor + k * slab.columns;
      auto sum0 = hn::Zero(d);
      auto sum1 = hn::Zero(d);
      Index j = 0;
      for (; j + 2 * n <= slab.columns; j += 2 * n) {
        sum0 = hn::MulAdd(hn::LoadU(d, row + j), hn::LoadU(d, b + j), sum0);
        sum1 = hn::MulAdd(hn::LoadU(d, row + j + n), hn::LoadU(d, b + j + n), sum1);
      }
      Real total = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
      for (; j < slab.columns; ++j) total += row[j] * b[j];
      by_row[i * slab.rank + k] += total;
    }
  }
}

template <class Real>
void over_rows_of(const Slab<Real>& slab, Real* by_column) {
  for (Index i = 0; i < slab.rows; ++i) {
    const Real* HWY_RESTRICT row = slab.dense + i * slab.columns;
    for (Index k = 0; k < slab.rank; ++k) {
      const Real a = slab.row_factor[i * slab.rank + k];
      Real* HWY_RESTRICT out = by_column + k * slab.columns;
      for (Index j = 0; j < slab.columns; ++j) out[j] += a * row[j];
    }
  }
}

void model_f64(const Slab<double>& s) { model_of(s); }
void model_f32(const Slab<float>& s) { model_of(s); }
void keep_f64(const Slab<double>& s, const double* x, double c) { keep_of(s, x, c); }
void keep_f32(const Slab<float>& s, const float* x, float c) { keep_of(s, x, c); }
void keep_u8(const Slab<float>& s, const std::uint8_t* x, float c) { keep_of(s, x, c); }
void over_columns_f64(const Slab<double>& s, double* out) { over_columns_of(s, out); }
void over_columns_f32(const Slab<float>& s, float* out) { over_columns_of(s, out); }
void over_rows_f64(const Slab<double>& s, double* out) { over_rows_of(s, out); }
void over_rows_f32(const Slab<float>& s, float* out) { over_rows_of(s, out); }

}  // namespace sunder::benchmark::stages::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::benchmark::stages {

HWY_EXPORT(sum_of);
HWY_EXPORT(multiply_add_f64_here);
HWY_EXPORT(multiply_add_f32_here);
HWY_EXPORT(lanes_f64);
HWY_EXPORT(lanes_f32);
HWY_EXPORT(model_f64);
HWY_EXPORT(model_f32);
HWY_EXPORT(keep_f64);
HWY_EXPORT(keep_f32);
HWY_EXPORT(keep_u8);
HWY_EXPORT(over_columns_f64);
HWY_EXPORT(over_columns_f32);
HWY_EXPORT(over_rows_f64);
HWY_EXPORT(over_rows_f32);

double sum(const double* values, Index count) {
  return HWY_DYNAMIC_DISPATCH(sum_of)(values, count);
}
double multiply_add_f64(Index rounds) {
  return HWY_DYNAMIC_DISPATCH(multiply_add_f64_here)(rounds);
}
double multiply_add_f32(Index rounds) {
  return HWY_DYNAMIC_DISPATCH(multiply_add_f32_here)(rounds);
}
double flops_f64(Index rounds) {
  return 20.0 * static_cast<double>(rounds * HWY_DYNAMIC_DISPATCH(lanes_f64)());
}
double flops_f32(Index rounds) {
  return 20.0 * static_cast<double>(rounds * HWY_DYNAMIC_DISPATCH(lanes_f32)());
}
void model(const Slab<double>& slab) { HWY_DYNAMIC_DISPATCH(model_f64)(slab); }
void model(const Slab<float>& slab) { HWY_DYNAMIC_DISPATCH(model_f32)(slab); }
void keep(const Slab<double>& slab, const double* data, double threshold) {
  HWY_DYNAMIC_DISPATCH(keep_f64)(slab, data, threshold);
}
void keep(const Slab<float>& slab, const float* data, float threshold) {
  HWY_DYNAMIC_DISPATCH(keep_f32)(slab, data, threshold);
}
void keep(const Slab<float>& slab, const std::uint8_t* data, float threshold) {
  HWY_DYNAMIC_DISPATCH(keep_u8)(slab, data, threshold);
}
void over_columns(const Slab<double>& slab, double* by_row) {
  HWY_DYNAMIC_DISPATCH(over_columns_f64)(slab, by_row);
}
void over_columns(const Slab<float>& slab, float* by_row) {
  HWY_DYNAMIC_DISPATCH(over_columns_f32)(slab, by_row);
}
void over_rows(const Slab<double>& slab, double* by_column) {
  HWY_DYNAMIC_DISPATCH(over_rows_f64)(slab, by_column);
}
void over_rows(const Slab<float>& slab, float* by_column) {
  HWY_DYNAMIC_DISPATCH(over_rows_f32)(slab, by_column);
}

}  // namespace sunder::benchmark::stages
#endif  // HWY_ONCE
