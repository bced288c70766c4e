// The part of the mixture pass that works on each entry for itself.
//   u  variance    root = 1 / sqrt(u)    z2 = r^2 / u    w = P(inlier)    sure = w, wide ones less
//   psi = sure r / u - (1 - w) f'/f, the derivative of log density with respect to L

#if defined(SUNDER_ENGINE_MIXTURE_DENSITY_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_MIXTURE_DENSITY_INL_HPP
#undef SUNDER_ENGINE_MIXTURE_DENSITY_INL_HPP
#else
#define SUNDER_ENGINE_MIXTURE_DENSITY_INL_HPP
#endif

#include <array>
#include <bit>
#include <limits>
#include <numbers>

#include "engine/kernels/mixture/mixture_functions-inl.hpp"
#include "engine/kernels/mixture/mixture_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Sums over a row, or a row of buffers: score^2, sure / u, w, sure z2 and what is seen.
struct RowAccumulators {
  HWY_INLINE RowAccumulators()
      : score(hn::Zero(Singles())), weight(score), inliers(score), squares(score), seen(score) {}
  SinglesVector score, weight, inliers, squares, seen;
};

/// What a row keeps of its entries when somebody wants them.
struct RowBuffers {
  HWY_ALIGN float sure[MixtureTile::stride];
  HWY_ALIGN float w[MixtureTile::stride];
  HWY_ALIGN float inverse_u[MixtureTile::stride];
  HWY_ALIGN float squares[MixtureTile::stride];
};

/// The bin of a residual: the exponent and the first bits of the mantissa of 1 + |r| per_unit are a
/// logarithm that is linear within each octave.
HWY_INLINE hn::Vec<Integers> bin_of(const MixtureDensity& density, SinglesVector r) {
  const Singles d;
  const Integers di;
  const auto one = hn::Set(d, 1.0F);
  const auto y = hn::MulAdd(hn::Abs(r), hn::Set(d, density.per_unit), one);
  const auto steps =
      hn::ShiftRightSame(hn::Sub(hn::BitCast(di, y), hn::BitCast(di, one)), density.shift);
  const auto k = hn::Min(steps, hn::Set(di, density.bins_of_side - 1));
  // Below zero, k becomes -1 - k.
  const auto mirrored = hn::Xor(k, hn::BroadcastSignBit(hn::BitCast(di, r)));
  return hn::Add(mirrored, hn::Set(di, density.bins_of_side));
}

/// The cells of the table of counts: a row of bins for each step of the variance.
HWY_INLINE hn::Vec<Integers> cell_of(const MixtureDensity& density, hn::Vec<Integers> bin,
                                     SinglesVector steps) {
  const Singles d;
  const Integers di;
  const int middle = density.variances / 2;
  // Bounds on both sides of the conversion: what is not a number must have a cell as well.
  const auto bounded = hn::Min(hn::Max(steps, hn::Set(d, static_cast<float>(-middle))),
                               hn::Set(d, static_cast<float>(middle - 1)));
  const auto s =
      hn::Min(hn::Max(hn::NearestInt(bounded), hn::Set(di, -middle)), hn::Set(di, middle - 1));
  const auto row = hn::Mul(hn::Add(s, hn::Set(di, middle)), hn::Set(di, 2 * density.bins_of_side));
  return hn::Add(row, bin);
}

/// Pairs of floats from a table. What a gather costs is its loads, and a pair is one load.
HWY_INLINE void look_up(const double* pairs, hn::Vec<Integers> at, SinglesVector& first,
                        SinglesVector& second) {
  const Singles d;
#if HWY_TARGET == HWY_SCALAR
  const auto pair = std::bit_cast<std::array<float, 2>>(pairs[hn::GetLane(at)]);
  first = hn::Set(d, pair[0]);
  second = hn::Set(d, pair[1]);
#else
  const WideDoubles wide;
  const hn::RebindToSigned<WideDoubles> wide_integers;
  const hn::Half<Integers> half;
  const auto low = hn::PromoteTo(wide_integers, hn::LowerHalf(half, at));
  const auto high = hn::PromoteTo(wide_integers, hn::UpperHalf(half, at));
  const auto a = hn::BitCast(d, hn::GatherIndex(wide, pairs, low));
  const auto b = hn::BitCast(d, hn::GatherIndex(wide, pairs, high));
  first = hn::ConcatEven(d, b, a);
  second = hn::ConcatOdd(d, b, a);
#endif
}

template <bool grows, bool has_wide, bool masked>
HWY_INLINE void density_of_vector(const MixtureTask& task, MixtureTile& tile, Index i, Index j,
                                  LogProduct& product, RowAccumulators& sums, RowBuffers* buffers) {
  const Singles d;
  const Integers di;
  const MixtureDensity& density = *task.density;
  const Index at = i * MixtureTile::stride + j;
  const Index column = tile.column + j;
  const auto r = hn::Load(d, tile.r + at);
  auto root =
      hn::Mul(hn::Set(d, task.row_roots[tile.row + i]), hn::Load(d, task.column_roots + column));
  auto steps =
      hn::Add(hn::Set(d, task.row_steps[tile.row + i]), hn::Load(d, task.column_steps + column));
  if constexpr (grows) {
    const auto x = hn::Load(d, tile.x + at);
    const auto slope = hn::MulAdd(x, hn::Set(d, density.growth[1]), hn::Set(d, density.growth[0]));
    const auto growth = hn::MulAdd(x, slope, hn::Set(d, 1.0F));
    root = hn::Mul(root, reciprocal_root(growth));
    steps = hn::MulAdd(hn::Set(d, density.steps_per_octave), log2_of(growth), steps);
  }
  root = hn::Min(root, hn::Set(d, density.most_root));
  steps = hn::Max(steps, hn::Set(d, density.least_steps));
  const auto inverse_u = hn::Mul(root, root);
  const auto z2 = hn::Mul(hn::Mul(r, r), inverse_u);

  const auto bin = bin_of(density, r);
  SinglesVector outlier = hn::Zero(d);
  SinglesVector slope = outlier;
  look_up(density.outliers, bin, outlier, slope);
  constexpr float half = -0.5F * std::numbers::log2e_v<float>;
  const auto narrow = hn::Mul(hn::Mul(hn::Set(d, density.narrow), root),
                              exp2_of_negative(hn::Mul(z2, hn::Set(d, half))));
  auto inliers = narrow;
  auto precise = narrow;
  if constexpr (has_wide) {
    const auto shrinks = hn::Set(d, density.wide_shrinks);
    const auto power = hn::Mul(hn::Mul(z2, shrinks), hn::Set(d, half));
    const auto wide = hn::Mul(hn::Mul(hn::Set(d, density.wide), root), exp2_of_negative(power));
    inliers = hn::Add(narrow, wide);
    precise = hn::MulAdd(shrinks, wide, narrow);
  }
  auto total = hn::Add(hn::Add(inliers, outlier), hn::Set(d, std::numeric_limits<float>::min()));
  const auto inverse = reciprocal(total);
  auto w = hn::Mul(inliers, inverse);
  auto sure = has_wide ? hn::Mul(precise, inverse) : w;
  auto weight = hn::Mul(sure, inverse_u);
  auto psi = hn::NegMulAdd(hn::Mul(outlier, inverse), slope, hn::Mul(weight, r));
  auto cell = cell_of(density, bin, steps);
  if constexpr (masked) {
    const auto seen = hn::Load(d, tile.seen + at);
    const auto mask = hn::Gt(seen, hn::Zero(d));
    total = hn::IfThenElse(mask, total, hn::Set(d, 1.0F));
    w = hn::IfThenElseZero(mask, w);
    sure = hn::IfThenElseZero(mask, sure);
    weight = hn::IfThenElseZero(mask, weight);
    psi = hn::IfThenElseZero(mask, psi);
    const auto nowhere = hn::Set(di, 2 * density.bins_of_side * density.variances);
    cell = hn::IfThenElse(hn::RebindMask(di, mask), cell, nowhere);
    sums.seen = hn::Add(sums.seen, seen);
    float* to = task.column_sums + MixtureTask::sums * task.padded + column;
    hn::Store(hn::Add(hn::Load(d, to), seen), d, to);
  } else {
    const auto one = hn::Set(d, 1.0F);
    sums.seen = hn::Add(sums.seen, one);
    float* to = task.column_sums + MixtureTask::sums * task.padded + column;
    hn::Store(hn::Add(hn::Load(d, to), one), d, to);
  }
  product.multiply(total);
  hn::Store(psi, d, tile.psi + at);
  hn::Store(cell, di, tile.cell + at);
  const auto squares = hn::Mul(sure, z2);
  const auto score = hn::Mul(psi, psi);
  sums.score = hn::Add(sums.score, score);
  sums.weight = hn::Add(sums.weight, weight);
  sums.inliers = hn::Add(sums.inliers, w);
  sums.squares = hn::Add(sums.squares, squares);
  float* to = task.column_sums + column;
  const auto add = [&](SinglesVector v) HWY_ATTR {
    hn::Store(hn::Add(hn::Load(d, to), v), d, to);
    to += task.padded;
  };
  add(score);
  add(weight);
  add(w);
  add(squares);
  if (buffers != nullptr) {
    hn::Store(weight, d, buffers->sure + j);
    hn::Store(w, d, buffers->w + j);
    hn::Store(inverse_u, d, buffers->inverse_u + j);
    hn::Store(squares, d, buffers->squares + j);
  }
}

/// The sums of a row by the size of |L|.
HWY_INLINE void add_signal(const MixtureTask& task, MixtureTile& tile, Index i,
                           const RowBuffers& row) {
  const float* x = tile.x + i * MixtureTile::stride;
  constexpr auto last = static_cast<float>(MixtureDensity::signal_bins - 1);
  for (Index j = 0; j < tile.columns; ++j) {
    // In this order, what is not a number falls into the last bin.
    const int b =
        static_cast<int>(std::min(last, task.density->signal_bins_per_root * std::sqrt(x[j])));
    double* to = tile.signal[j & 1][b];
    const double size = x[j];
    const double w = row.w[j];
    to[0] += w;
    to[1] += row.squares[j];
    to[2] += w * size;
    to[3] += w * size * size;
  }
}

/// Writes what is known of each entry of a row.
HWY_INLINE void write_entries(const MixtureTask& task, const MixtureTile& tile, Index i,
                              const RowBuffers& row) {
  const Index at = (tile.row + i) * task.columns + tile.column;
  for (Index j = 0; j < tile.columns; ++j) {
    task.curvature[at + j] = row.sure[j];
    task.inlier[at + j] = row.w[j];
    task.variance[at + j] = 1.0 / static_cast<double>(row.inverse_u[j]);
  }
}

/// Fetches a row that comes later: rows are too short for the hardware to see that they follow.
HWY_INLINE void prefetch_row(const MixtureTask& task, Index row, const MixtureTile& tile) {
  if (row >= task.rows) return;
  const double* values = task.values + row * task.columns + tile.column;
  for (Index j = 0; j < tile.columns; j += 8) {
    prefetch(reinterpret_cast<const char*>(values + j));
  }
}

template <bool grows, bool has_wide>
HWY_INLINE void density_tile(const MixtureTask& task, MixtureTile& tile, LogProduct& product) {
  const Singles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const bool partial = task.observed != nullptr || task.has_ends;
  const Index whole = partial ? 0 : tile.columns / n * n;
  RowBuffers buffers;
  for (Index i = 0; i < tile.rows; ++i) {
    const bool is_sampled = task.is_sampled[tile.row + i] != 0;
    RowBuffers* kept = is_sampled || task.inlier != nullptr ? &buffers : nullptr;
    RowAccumulators sums;
    for (Index j = 0; j < whole; j += n) {
      density_of_vector<grows, has_wide, false>(task, tile, i, j, product, sums, kept);
    }
    for (Index j = whole; j < tile.padded(); j += n) {
      density_of_vector<grows, has_wide, true>(task, tile, i, j, product, sums, kept);
    }
    product.normalise();
    prefetch_row(task, tile.row + i + MixtureTile::most_rows, tile);
    double* to = task.row_sums + (tile.row + i) * (MixtureTask::sums + 1);
    const auto put = [&](SinglesVector v) HWY_ATTR {
      *to = (tile.column == 0 ? 0 : *to) + sum_of_lanes(d, v);
      ++to;
    };
    put(sums.score);
    put(sums.weight);
    put(sums.inliers);
    put(sums.squares);
    put(sums.seen);
    if (is_sampled) add_signal(task, tile, i, buffers);
    if (task.inlier != nullptr) write_entries(task, tile, i, buffers);
  }
}

/// Adds one to the count of every entry's cell. Scattering is faster one by one.
HWY_INLINE void count_tile(const MixtureTask& task, const MixtureTile& tile) {
  for (Index i = 0; i < tile.rows; ++i) {
    const std::int32_t* cell = tile.cell + i * MixtureTile::stride;
    for (Index j = 0; j < tile.columns; ++j) ++task.counts[cell[j]];
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
