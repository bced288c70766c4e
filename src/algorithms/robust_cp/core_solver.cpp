#include "algorithms/robust_cp/core_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "algorithms/robust_cp/gauss_newton.hpp"
#include "algorithms/robust_cp/graduated.hpp"
#include "algorithms/robust_cp/row_fit.hpp"

namespace sunder::robust {

namespace {

/// Unknowns of the model, counting only rows that are not zero.
double unknowns(const Factors& factors) {
  double rows = 0;
  for (const Matrix& factor : factors) {
    const double least = 1e-6 * factor.norm();
    rows += static_cast<double>((factor.rowwise().norm().array() > least).count());
  }
  return rows * static_cast<double>(factors.front().cols());
}

void judge(const DenseCore& core, CoreSolution& solution) {
  const Entries L = evaluate(solution.factors);
  const double alive = 1e-4 * std::sqrt(L.square().mean());
  double seen = 0;
  double fitted = 0;
  double between = 0;
  for (Index i = 0; i < L.size(); ++i) {
    if (!core.is_observed(i) || !(std::abs(L[i]) > alive)) continue;
    const double r = std::abs(core.values[i] - L[i]) / solution.spread;
    seen += 1;
    if (r < rounding_level) {
      fitted += 1;
    } else if (r < outlier_level) {
      between += 1;
    }
  }
  solution.exact_share = seen > 0 ? fitted / seen : 0;
  solution.exact = solution.exact_share > 0.15 && fitted > 3 * unknowns(solution.factors) &&
                   between < 0.02 * seen;
}

double sigma_of(const DenseCore& core, const Factors& factors, const std::vector<Index>& told) {
  const Entries R = residual(core, factors);
  std::vector<double> magnitudes;
  magnitudes.reserve(told.size());
  for (const Index i : told) magnitudes.push_back(std::abs(R[i]));
  return inlier_sigma(std::move(magnitudes));
}

/// Refits the rows of every mode in turn while that helps: heals rows that the threshold locked
/// out.
void refit(const DenseCore& core, const std::vector<Index>& told, CoreSolution& solution,
           const Heartbeat& heartbeat) {
  constexpr int sweeps = 6;
  solution.sigma = sigma_of(core, solution.factors, told);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const double before = solution.sigma;
    for (int mode = 0; mode < core.shape.order(); ++mode) {
      Matrix& factor = solution.factors[static_cast<std::size_t>(mode)];
      factor = fit_rows(row_problem(core, solution.factors, mode), factor,
                        before + 1e-9 * solution.spread, heartbeat);
    }
    balance(solution.factors);
    solution.sigma = sigma_of(core, solution.factors, told);
    judge(core, solution);
    if (solution.exact || solution.sigma > 0.7 * before) return;
  }
}

/// Brings an exact solution down to rounding: Gauss-Newton on its inliers, which are known by now,
/// while that lowers their residual.
void sharpen(const DenseCore& core, CoreSolution& solution) {
  constexpr int most_steps = 6;
  const double level = 10 * rounding_level * solution.spread;
  const auto inliers = [&](const Entries& R) -> Entries {
    Entries W = (R.abs() < level).cast<double>();
    if (!core.complete()) W *= core.observed;
    return W;
  };
  const auto mean_square = [](const Entries& W, const Entries& R) {
    return (W * R.square()).sum() / std::max(W.sum(), 1.0);
  };
  Entries R = residual(core, solution.factors);
  Entries W = inliers(R);
  double square = mean_square(W, R);
  for (int step = 0; step < most_steps && std::sqrt(square) > 1e-14 * solution.spread; ++step) {
    const Factors delta = weighted_gauss_newton_step(
        solution.factors, core.shape, W, R, {.damping = 1e-9, .max_steps = 40, .tolerance = 1e-5});
    Factors next = solution.factors;
    for (std::size_t m = 0; m < next.size(); ++m) next[m] += delta[m];
    const Entries next_residual = residual(core, next);
    const Entries next_weights = inliers(next_residual);
    const double next_square = mean_square(next_weights, next_residual);
    if (!(next_square < 0.5 * square) || next_weights.sum() < 0.99 * W.sum()) break;
    solution.factors = std::move(next);
    R = next_residual;
    W = next_weights;
    square = next_square;
  }
  balance(solution.factors);
}

/// Surplus ranks and first scales, from the cheapest start to the most patient one. Surplus
/// components are for blocks, each of which is nearly a component itself.
std::array<GraduatedOptions, 3> ladder(const Shape& shape, int rank) {
  std::vector<Index> extents(shape.begin(), shape.end());
  std::sort(extents.begin(), extents.end());
  const Index size = extents[extents.size() / 2];
  const Index most = shape.order() > 2 ? extents[1] - rank : extents[0] / 2 - rank;
  const auto surplus = [&](Index wanted) {
    return static_cast<int>(std::max<Index>(0, std::min(wanted, most)));
  };
  return {{{0, 6},
           {surplus(std::max<Index>(4, size / 5)), 20},
           {surplus(std::max<Index>(8, 2 * size / 5)), 20}}};
}

}  // namespace

CoreSolution solve_core(const DenseCore& core, int rank, Rng& rng, const Heartbeat& heartbeat,
                        int rungs) {
  const std::vector<Index> told = informative(core);
  const double unit = spread(core, told);
  const auto quality = [](const CoreSolution& s) {
    return std::tuple(!s.exact, -std::round(1000 * s.exact_share), s.sigma);
  };
  std::optional<CoreSolution> best;
  int starts = 0;
  for (const GraduatedOptions& options : ladder(core.shape, rank)) {
    CoreSolution solution;
    solution.spread = unit;
    solution.factors = graduated_fit(core, rank, options, rng, heartbeat);
    refit(core, told, solution, heartbeat);
    ++starts;
    if (!best || quality(solution) < quality(*best)) best = std::move(solution);
    if (best->exact || starts >= rungs) break;
  }
  if (best->exact) sharpen(core, *best);
  best->starts = starts;
  return *best;
}

}  // namespace sunder::robust
