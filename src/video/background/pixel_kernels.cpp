// These are plain loops, which the compiler vectorises for each target that Highway names.
#include "video/background/pixel_kernels.hpp"

#include <algorithm>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "video/background/pixel_kernels.cpp"
#include <hwy/foreach_target.h>
// This must come after foreach_target.h, which decides the target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

namespace {

// Each lane collects a sum of its own in floats, over so few entries that it is exact enough. The
// number of lanes is fixed, so that the result does not depend on the vectors of the target.
constexpr Index lanes = 16;
constexpr Index sum_length = 1024;

template <class Code>
GainSums gain_sums(const Code* x, float unit, float g, const float* b, const float* v, Index n) {
  GainSums sums;
  for (Index first = 0; first < n; first += sum_length) {
    const Index last = std::min(n, first + sum_length);
    float bx[lanes] = {};
    float bb[lanes] = {};
    Index j = first;
    for (; j + lanes <= last; j += lanes) {
      for (Index k = 0; k < lanes; ++k) {
        const float value = unit * static_cast<float>(x[j + k]);
        const float back = b[j + k];
        const float gap = value - g * back;
        const float like = gap * gap < 4 * v[j + k] ? back : 0.0F;
        bx[k] += like * value;
        bb[k] += like * back;
      }
    }
    for (; j < last; ++j) {
      const float value = unit * static_cast<float>(x[j]);
      const float gap = value - g * b[j];
      const float like = gap * gap < 4 * v[j] ? b[j] : 0.0F;
      bx[0] += like * value;
      bb[0] += like * b[j];
    }
    for (Index k = 0; k < lanes; ++k) {
      sums.bx += static_cast<double>(bx[k]);
      sums.bb += static_cast<double>(bb[k]);
    }
  }
  return sums;
}

template <class Code>
void add_energy(const Code* HWY_RESTRICT x, float unit, float g, const float* HWY_RESTRICT b,
                const float* HWY_RESTRICT v, float weight, float* HWY_RESTRICT e, Index n) {
  for (Index j = 0; j < n; ++j) {
    const float gap = unit * static_cast<float>(x[j]) - g * b[j];
    e[j] += weight * gap * gap / v[j];
  }
}

void sum_rows(const float* const rows[5], float most, float* HWY_RESTRICT sums, Index n) {
  const float* const r0 = rows[0];
  const float* const r1 = rows[1];
  const float* const r2 = rows[2];
  const float* const r3 = rows[3];
  const float* const r4 = rows[4];
  for (Index j = 0; j < n; ++j) {
    const float a = (r0[j] < most ? r0[j] : most) + (r1[j] < most ? r1[j] : most);
    const float c = (r3[j] < most ? r3[j] : most) + (r4[j] < most ? r4[j] : most);
    sums[j] = a + c + (r2[j] < most ? r2[j] : most);
  }
}

void threshold_row(const float* HWY_RESTRICT sums, const float* HWY_RESTRICT bound,
                   std::uint8_t* HWY_RESTRICT mask, Index n) {
  for (Index j = 0; j < n; ++j) {
    const float sum = (sums[j - 2] + sums[j - 1]) + (sums[j + 1] + sums[j + 2]) + sums[j];
    mask[j] = sum > bound[j] ? 255 : 0;
  }
}

void join_rows(const std::uint8_t* const rows[5], std::uint8_t* HWY_RESTRICT out, Index n) {
  const std::uint8_t* const r0 = rows[0];
  const std::uint8_t* const r1 = rows[1];
  const std::uint8_t* const r2 = rows[2];
  const std::uint8_t* const r3 = rows[3];
  const std::uint8_t* const r4 = rows[4];
  for (Index j = 0; j < n; ++j) {
    out[j] = static_cast<std::uint8_t>(r0[j] | r1[j] | r2[j] | r3[j] | r4[j]);
  }
}

void keep_row(const std::uint8_t* HWY_RESTRICT row, std::uint8_t* HWY_RESTRICT keep, Index n) {
  for (Index j = 0; j < n; ++j) {
    const auto near =
        static_cast<std::uint8_t>(row[j - 2] | row[j - 1] | row[j] | row[j + 1] | row[j + 2]);
    keep[j] = static_cast<std::uint8_t>(~near);
  }
}

template <class Code>
void add_moments(const Code* HWY_RESTRICT x, float unit, float inverse_gain,
                 const std::uint8_t* HWY_RESTRICT keep, const float* HWY_RESTRICT b,
                 float* HWY_RESTRICT sum, float* HWY_RESTRICT squares, Index n) {
  const float scale = unit * inverse_gain;
  for (Index j = 0; j < n; ++j) {
    const float d = keep[j] != 0 ? scale * static_cast<float>(x[j]) - b[j] : 0.0F;
    sum[j] += d;
    squares[j] += d * d;
  }
}

void add_counts(const std::uint8_t* HWY_RESTRICT keep, float most, float* HWY_RESTRICT count,
                Index n) {
  for (Index j = 0; j < n; ++j) {
    const float next = count[j] + (keep[j] != 0 ? 1.0F : 0.0F);
    count[j] = next < most ? next : most;
  }
}

template <class Code>
void follow(const Code* HWY_RESTRICT x, float unit, float inverse_gain,
            const std::uint8_t* HWY_RESTRICT keep, const float* HWY_RESTRICT count, float least,
            float most, float* HWY_RESTRICT b, float* HWY_RESTRICT v, Index n) {
  const float scale = unit * inverse_gain;
  for (Index j = 0; j < n; ++j) {
    const float rate = (keep[j] != 0 ? 1.0F : 0.0F) / count[j];
    const float d = scale * static_cast<float>(x[j]) - b[j];
    b[j] += rate * d;
    float next = v[j] + rate * (d * d - v[j]);
    next = next > least ? next : least;
    v[j] = next < most ? next : most;
  }
}

template <class Code>
void split_channels(const Code* HWY_RESTRICT interleaved, Code* HWY_RESTRICT red,
                    Code* HWY_RESTRICT green, Code* HWY_RESTRICT blue, Index n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<Code> d;
  const auto step = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + step <= n; j += step) {
    hn::Vec<decltype(d)> r, g, b;
    hn::LoadInterleaved3(d, interleaved + 3 * j, r, g, b);
    hn::StoreU(r, d, red + j);
    hn::StoreU(g, d, green + j);
    hn::StoreU(b, d, blue + j);
  }
  for (; j < n; ++j) {
    red[j] = interleaved[3 * j];
    green[j] = interleaved[3 * j + 1];
    blue[j] = interleaved[3 * j + 2];
  }
}

}  // namespace

// The dispatch table needs names that are not overloaded.
GainSums gain_sums_8(const std::uint8_t* x, float unit, float g, const float* b, const float* v,
                     Index n) {
  return gain_sums(x, unit, g, b, v, n);
}
GainSums gain_sums_16(const std::uint16_t* x, float unit, float g, const float* b, const float* v,
                      Index n) {
  return gain_sums(x, unit, g, b, v, n);
}
void add_energy_8(const std::uint8_t* x, float unit, float g, const float* b, const float* v,
                  float weight, float* e, Index n) {
  add_energy(x, unit, g, b, v, weight, e, n);
}
void add_energy_16(const std::uint16_t* x, float unit, float g, const float* b, const float* v,
                   float weight, float* e, Index n) {
  add_energy(x, unit, g, b, v, weight, e, n);
}
void sum_rows_(const float* const rows[5], float most, float* sums, Index n) {
  sum_rows(rows, most, sums, n);
}
void threshold_row_(const float* sums, const float* bound, std::uint8_t* mask, Index n) {
  threshold_row(sums, bound, mask, n);
}
void join_rows_(const std::uint8_t* const rows[5], std::uint8_t* out, Index n) {
  join_rows(rows, out, n);
}
void keep_row_(const std::uint8_t* row, std::uint8_t* keep, Index n) { keep_row(row, keep, n); }
void add_moments_8(const std::uint8_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
                   const float* b, float* sum, float* squares, Index n) {
  add_moments(x, unit, inverse_gain, keep, b, sum, squares, n);
}
void add_moments_16(const std::uint16_t* x, float unit, float inverse_gain,
                    const std::uint8_t* keep, const float* b, float* sum, float* squares, Index n) {
  add_moments(x, unit, inverse_gain, keep, b, sum, squares, n);
}
void add_counts_(const std::uint8_t* keep, float most, float* count, Index n) {
  add_counts(keep, most, count, n);
}
void follow_8(const std::uint8_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
              const float* count, float least, float most, float* b, float* v, Index n) {
  follow(x, unit, inverse_gain, keep, count, least, most, b, v, n);
}
void follow_16(const std::uint16_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
               const float* count, float least, float most, float* b, float* v, Index n) {
  follow(x, unit, inverse_gain, keep, count, least, most, b, v, n);
}
void split_8(const std::uint8_t* interleaved, std::uint8_t* const planes[3], Index n) {
  split_channels(interleaved, planes[0], planes[1], planes[2], n);
}
void split_16(const std::uint16_t* interleaved, std::uint16_t* const planes[3], Index n) {
  split_channels(interleaved, planes[0], planes[1], planes[2], n);
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::kernels {

HWY_EXPORT(gain_sums_8);
HWY_EXPORT(gain_sums_16);
HWY_EXPORT(add_energy_8);
HWY_EXPORT(add_energy_16);
HWY_EXPORT(sum_rows_);
HWY_EXPORT(threshold_row_);
HWY_EXPORT(join_rows_);
HWY_EXPORT(keep_row_);
HWY_EXPORT(add_moments_8);
HWY_EXPORT(add_moments_16);
HWY_EXPORT(add_counts_);
HWY_EXPORT(follow_8);
HWY_EXPORT(follow_16);
HWY_EXPORT(split_8);
HWY_EXPORT(split_16);

template <>
GainSums gain_sums(const std::uint8_t* x, float unit, float g, const float* b, const float* v,
                   Index n) {
  return HWY_DYNAMIC_DISPATCH(gain_sums_8)(x, unit, g, b, v, n);
}
template <>
GainSums gain_sums(const std::uint16_t* x, float unit, float g, const float* b, const float* v,
                   Index n) {
  return HWY_DYNAMIC_DISPATCH(gain_sums_16)(x, unit, g, b, v, n);
}
template <>
void add_energy(const std::uint8_t* x, float unit, float g, const float* b, const float* v,
                float weight, float* e, Index n) {
  HWY_DYNAMIC_DISPATCH(add_energy_8)(x, unit, g, b, v, weight, e, n);
}
template <>
void add_energy(const std::uint16_t* x, float unit, float g, const float* b, const float* v,
                float weight, float* e, Index n) {
  HWY_DYNAMIC_DISPATCH(add_energy_16)(x, unit, g, b, v, weight, e, n);
}
void sum_rows(const float* const rows[5], float most, float* sums, Index n) {
  HWY_DYNAMIC_DISPATCH(sum_rows_)(rows, most, sums, n);
}
void threshold_row(const float* sums, const float* bound, std::uint8_t* mask, Index n) {
  HWY_DYNAMIC_DISPATCH(threshold_row_)(sums, bound, mask, n);
}
void join_rows(const std::uint8_t* const rows[5], std::uint8_t* out, Index n) {
  HWY_DYNAMIC_DISPATCH(join_rows_)(rows, out, n);
}
void keep_row(const std::uint8_t* row, std::uint8_t* keep, Index n) {
  HWY_DYNAMIC_DISPATCH(keep_row_)(row, keep, n);
}
template <>
void add_moments(const std::uint8_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
                 const float* b, float* sum, float* squares, Index n) {
  HWY_DYNAMIC_DISPATCH(add_moments_8)(x, unit, inverse_gain, keep, b, sum, squares, n);
}
template <>
void add_moments(const std::uint16_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
                 const float* b, float* sum, float* squares, Index n) {
  HWY_DYNAMIC_DISPATCH(add_moments_16)(x, unit, inverse_gain, keep, b, sum, squares, n);
}
void add_counts(const std::uint8_t* keep, float most, float* count, Index n) {
  HWY_DYNAMIC_DISPATCH(add_counts_)(keep, most, count, n);
}
template <>
void follow(const std::uint8_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
            const float* count, float least, float most, float* b, float* v, Index n) {
  HWY_DYNAMIC_DISPATCH(follow_8)
  (x, unit, inverse_gain, keep, count, least, most, b, v, n);
}
template <>
void follow(const std::uint16_t* x, float unit, float inverse_gain, const std::uint8_t* keep,
            const float* count, float least, float most, float* b, float* v, Index n) {
  HWY_DYNAMIC_DISPATCH(follow_16)
  (x, unit, inverse_gain, keep, count, least, most, b, v, n);
}
template <>
void split_channels(const std::uint8_t* interleaved, std::uint8_t* const planes[3], Index n) {
  HWY_DYNAMIC_DISPATCH(split_8)(interleaved, planes, n);
}
template <>
void split_channels(const std::uint16_t* interleaved, std::uint16_t* const planes[3], Index n) {
  HWY_DYNAMIC_DISPATCH(split_16)(interleaved, planes, n);
}

}  // namespace sunder::kernels
#endif
