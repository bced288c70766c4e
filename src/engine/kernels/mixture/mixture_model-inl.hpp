// The parts of the mixture pass that are small matrix products: the residual of a tile, and the
// products of psi with the factors. Tiles of registers: two vectors of columns by four rows, so
// that six loads feed eight FMAs. Past the last row, the last one is computed again.

#if defined(SUNDER_ENGINE_MIXTURE_MODEL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_MIXTURE_MODEL_INL_HPP
#undef SUNDER_ENGINE_MIXTURE_MODEL_INL_HPP
#else
#define SUNDER_ENGINE_MIXTURE_MODEL_INL_HPP
#endif

#include "engine/kernels/mixture/cut_off.hpp"
#include "engine/kernels/mixture/mixture_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Stores r, |L| and what is seen of one vector.
HWY_INLINE void store_residual(const MixtureTask& task, MixtureTile& tile, Index i, Index j,
                               hn::Vec<WideDoubles> L) {
  const WideDoubles d;
  const hn::Rebind<float, WideDoubles> half;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index inside = std::clamp<Index>(tile.columns - j, 0, n);
  const Index from = (tile.row + i) * task.columns + tile.column + j;
  const Index to = i * MixtureTile::stride + j;
  const bool whole = inside == n;
  const auto load = [&](const double* p) HWY_ATTR {
    return whole ? hn::LoadU(d, p + from)
                 : hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(inside)), d, p + from);
  };
  const auto T = load(task.values);
  auto R = hn::Sub(T, L);
  // The last vector of singles, of which this is a half, needs to know what it has.
  const bool is_last = j / (2 * n) * (2 * n) + 2 * n > tile.columns;
  if (is_last || task.observed != nullptr || task.has_ends) {
    auto seen = hn::FirstN(d, static_cast<std::size_t>(inside));
    if (task.observed != nullptr) {
      seen = hn::And(seen, hn::Gt(load(task.observed), hn::Zero(d)));
    }
    if (task.has_ends) {
      // Where T is at an end of its range and L lies far beyond it, nothing speaks against L.
      const auto far = hn::Set(d, surely_cut_off / task.density->inverse_deviation);
      const auto below = hn::And(hn::Le(T, hn::Set(d, task.lowest)), hn::Gt(R, far));
      const auto above = hn::And(hn::Ge(T, hn::Set(d, task.highest)), hn::Lt(R, hn::Neg(far)));
      seen = hn::AndNot(hn::Or(below, above), seen);
    }
    R = hn::IfThenElseZero(seen, R);
    const auto one = hn::IfThenElseZero(seen, hn::Set(d, 1.0));
    hn::Store(hn::DemoteTo(half, one), half, tile.seen + to);
  }
  const auto r = hn::Mul(R, hn::Set(d, task.density->inverse_deviation));
  hn::Store(hn::DemoteTo(half, r), half, tile.r + to);
  const auto x = hn::Mul(hn::Abs(L), hn::Set(d, task.density->inverse_signal));
  hn::Store(hn::DemoteTo(half, x), half, tile.x + to);
}

HWY_INLINE void residual_tile(const MixtureTask& task, MixtureTile& tile) {
  const WideDoubles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index rank = task.rank;
  const Index padded = tile.padded();
  for (Index i = 0; i < tile.rows; i += 4) {
    const double* p[4];
    Index rows[4];
    for (Index q = 0; q < 4; ++q) {
      rows[q] = std::min(i + q, tile.rows - 1);
      p[q] = task.products + (tile.row + rows[q]) * rank;
    }
    for (Index j = 0; j < padded; j += 2 * n) {
      auto a0 = hn::Zero(d);
      auto a1 = hn::Zero(d);
      auto a2 = hn::Zero(d);
      auto a3 = hn::Zero(d);
      auto b0 = hn::Zero(d);
      auto b1 = hn::Zero(d);
      auto b2 = hn::Zero(d);
      auto b3 = hn::Zero(d);
      const double* column = task.factor + tile.column + j;
      for (Index k = 0; k < rank; ++k, column += task.padded) {
        const auto f = hn::Load(d, column);
        const auto g = hn::Load(d, column + n);
        const auto p0 = hn::Set(d, p[0][k]);
        const auto p1 = hn::Set(d, p[1][k]);
        const auto p2 = hn::Set(d, p[2][k]);
        const auto p3 = hn::Set(d, p[3][k]);
        a0 = hn::MulAdd(p0, f, a0);
        b0 = hn::MulAdd(p0, g, b0);
        a1 = hn::MulAdd(p1, f, a1);
        b1 = hn::MulAdd(p1, g, b1);
        a2 = hn::MulAdd(p2, f, a2);
        b2 = hn::MulAdd(p2, g, b2);
        a3 = hn::MulAdd(p3, f, a3);
        b3 = hn::MulAdd(p3, g, b3);
      }
      store_residual(task, tile, rows[0], j, a0);
      store_residual(task, tile, rows[0], j + n, b0);
      store_residual(task, tile, rows[1], j, a1);
      store_residual(task, tile, rows[1], j + n, b1);
      store_residual(task, tile, rows[2], j, a2);
      store_residual(task, tile, rows[2], j + n, b2);
      store_residual(task, tile, rows[3], j, a3);
      store_residual(task, tile, rows[3], j + n, b3);
    }
  }
}

/// Adds psi' products to the gradient of the columns.
HWY_INLINE void gradient_tile(const MixtureTask& task, const MixtureTile& tile) {
  const Singles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index rank = task.rank;
  const double* products = task.products + tile.row * rank;
  for (Index k = 0; k < rank; k += 4) {
    HWY_ALIGN float p[MixtureTile::most_rows][4];
    for (Index i = 0; i < tile.rows; ++i) {
      for (Index q = 0; q < 4; ++q) {
        p[i][q] = k + q < rank ? static_cast<float>(products[i * rank + k + q]) : 0;
      }
    }
    float* to = task.gradient + k * task.padded + tile.column;
    for (Index j = 0; j < tile.padded(); j += n) {
      auto a0 = hn::Zero(d);
      auto a1 = hn::Zero(d);
      auto a2 = hn::Zero(d);
      auto a3 = hn::Zero(d);
      const float* psi = tile.psi + j;
      for (Index i = 0; i < tile.rows; ++i, psi += MixtureTile::stride) {
        const auto v = hn::Load(d, psi);
        a0 = hn::MulAdd(hn::Set(d, p[i][0]), v, a0);
        a1 = hn::MulAdd(hn::Set(d, p[i][1]), v, a1);
        a2 = hn::MulAdd(hn::Set(d, p[i][2]), v, a2);
        a3 = hn::MulAdd(hn::Set(d, p[i][3]), v, a3);
      }
      const auto add = [&](Index q, SinglesVector v) HWY_ATTR {
        if (k + q >= rank) return;
        float* at = to + q * task.padded + j;
        hn::Store(hn::Add(hn::Load(d, at), v), d, at);
      };
      add(0, a0);
      add(1, a1);
      add(2, a2);
      add(3, a3);
    }
  }
}

/// Adds psi factor to the products along the rows: two rows by four components.
HWY_INLINE void along_tile(const MixtureTask& task, const MixtureTile& tile) {
  const Singles d;
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index rank = task.rank;
  HWY_ALIGN float parts[8 * MixtureTask::padding];
  for (Index i = 0; i < tile.rows; i += 2) {
    const Index next = std::min(i + 1, tile.rows - 1);
    const float* psi0 = tile.psi + i * MixtureTile::stride;
    const float* psi1 = tile.psi + next * MixtureTile::stride;
    for (Index k = 0; k < rank; k += 4) {
      const float* f[4];
      for (Index q = 0; q < 4; ++q) {
        f[q] = task.factor_single + std::min(k + q, rank - 1) * task.padded + tile.column;
      }
      auto a0 = hn::Zero(d);
      auto a1 = hn::Zero(d);
      auto a2 = hn::Zero(d);
      auto a3 = hn::Zero(d);
      auto b0 = hn::Zero(d);
      auto b1 = hn::Zero(d);
      auto b2 = hn::Zero(d);
      auto b3 = hn::Zero(d);
      for (Index j = 0; j < tile.padded(); j += n) {
        const auto u = hn::Load(d, psi0 + j);
        const auto v = hn::Load(d, psi1 + j);
        const auto f0 = hn::Load(d, f[0] + j);
        const auto f1 = hn::Load(d, f[1] + j);
        const auto f2 = hn::Load(d, f[2] + j);
        const auto f3 = hn::Load(d, f[3] + j);
        a0 = hn::MulAdd(u, f0, a0);
        b0 = hn::MulAdd(v, f0, b0);
        a1 = hn::MulAdd(u, f1, a1);
        b1 = hn::MulAdd(v, f1, b1);
        a2 = hn::MulAdd(u, f2, a2);
        b2 = hn::MulAdd(v, f2, b2);
        a3 = hn::MulAdd(u, f3, a3);
        b3 = hn::MulAdd(v, f3, b3);
      }
      hn::Store(a0, d, parts);
      hn::Store(a1, d, parts + n);
      hn::Store(a2, d, parts + 2 * n);
      hn::Store(a3, d, parts + 3 * n);
      hn::Store(b0, d, parts + 4 * n);
      hn::Store(b1, d, parts + 5 * n);
      hn::Store(b2, d, parts + 6 * n);
      hn::Store(b3, d, parts + 7 * n);
      double sums[8];
      sum_of_four(d, parts, n, sums);
      sum_of_four(d, parts + 4 * n, n, sums + 4);
      double* to = task.along + (tile.row + i) * rank + k;
      for (Index q = 0; q < 4 && k + q < rank; ++q) {
        to[q] = (tile.column == 0 ? 0 : to[q]) + sums[q];
        if (next > i) to[rank + q] = (tile.column == 0 ? 0 : to[rank + q]) + sums[4 + q];
      }
    }
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
