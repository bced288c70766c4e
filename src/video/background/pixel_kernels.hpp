#pragma once
/// The loops over pixels of the background model, behind run-time dispatch.
///
/// x    codes of one channel; unit * x is in grey levels of an 8-bit range
/// b    background, v  variance of its noise, both in grey levels
/// g    gain of the frame: its background is g b
/// e    energy of a pixel: min(mean over channels of (unit x - g b)^2 / v, saturation)

#include <cstdint>

#include "sunder/core/shape.hpp"

namespace sunder::kernels {

struct GainSums {
  double bx = 0;  ///< sum of b x over pixels that look like the background
  double bb = 0;  ///< sum of b^2 over them
};

/// Adds up b x and b^2 over the pixels that look like the background, which are those with
/// (unit x - g b)^2 < 4 v; g is a first guess.
template <class Code>
GainSums gain_sums(const Code* x, float unit, float g, const float* b, const float* v, Index n);

/// Computes e += weight (unit x - g b)^2 / v.
template <class Code>
void add_energy(const Code* x, float unit, float g, const float* b, const float* v, float weight,
                float* e, Index n);

/// Computes sums = min(rows[0], most) + ... + min(rows[4], most), entry by entry.
void sum_rows(const float* const rows[5], float most, float* sums, Index n);

/// Sets the mask to 255 where sums[j - 2] + ... + sums[j + 2] > bound[j], and to 0 elsewhere.
/// `sums` has two readable entries before the first and after the last.
void threshold_row(const float* sums, const float* bound, std::uint8_t* mask, Index n);

/// Computes out = rows[0] | ... | rows[4], entry by entry.
void join_rows(const std::uint8_t* const rows[5], std::uint8_t* out, Index n);

/// Sets `keep` to 255 where none of row[j - 2] ... row[j + 2] is set, and to 0 elsewhere. `row` has
/// two readable entries before the first and after the last.
void keep_row(const std::uint8_t* row, std::uint8_t* keep, Index n);

/// Adds up d = unit x / g - b and d^2 where `keep` is set.
template <class Code>
void add_moments(const Code* x, float unit, float inverse_gain, const std::uint8_t* keep,
                 const float* b, float* sum, float* squares, Index n);

/// Computes count = min(count + 1, most) where `keep` is set.
void add_counts(const std::uint8_t* keep, float most, float* count, Index n);

/// Moves b and v towards the frame by 1 / count where `keep` is set. v stays within [least, most].
template <class Code>
void follow(const Code* x, float unit, float inverse_gain, const std::uint8_t* keep,
            const float* count, float least, float most, float* b, float* v, Index n);

/// Splits red, green, blue, red, ... into three planes.
template <class Code>
void split_channels(const Code* interleaved, Code* const planes[3], Index n);

}  // namespace sunder::kernels
