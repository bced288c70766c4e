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

/// Gauss-Newton on the inliers of an exact solution, which are known by then.
class Sharpener {
 public:
  Sharpener(const DenseCore& core, CoreSolution& solution)
      : core_(core),
        solution_(solution),
        level_(10 * rounding_level * solution.spread),
        R_(residual(core_, solution_.factors)),
        W_(inliers(R_)),
        square_(mean_square(W_, R_)) {}

  /// Steps that take the mean weight for all of W, which is cheap, then, if they do not get down to
  /// rounding (blocks leave some rows with few inliers), a few with the weights themselves.
  void run() {
    const GaussNewtonOptions options{.damping = 1e-9, .max_steps = 40, .tolerance = 1e-4};
    for (int step = 0; step < 15 && !done(); ++step) {
      Factors gradient = mttkrps(core_.shape, W_ * R_, solution_.factors);
      for (Matrix& g : gradient) g /= std::max(W_.mean(), 1e-3);
      if (!accept(gauss_newton_step(solution_.factors, gradient, options))) break;
    }
    for (int step = 0; step < 3 && !done(); ++step) {
      if (!accept(weighted_gauss_newton_step(solution_.factors, core_.shape, W_, R_, options)))
        break;
    }
    balance(solution_.factors);
  }

 private:
  bool done() const { return std::sqrt(square_) < 1e-13 * solution_.spread; }

  Entries inliers(const Entries& R) const {
    Entries W = (R.abs() < level_).cast<double>();
    if (!core_.complete()) W *= core_.observed;
    return W;
  }

  static double mean_square(const Entries& W, const Entries& R) {
    return (W * R.square()).sum() / std::max(W.sum(), 1.0);
  }

  /// Takes the step if it lowers the residual of the inliers and loses none of them.
  bool accept(const Factors& delta) {
    Factors next = solution_.factors;
    for (std::size_t m = 0; m < next.size(); ++m) next[m] += delta[m];
    Entries R = residual(core_, next);
    Entries W = inliers(R);
    const double square = mean_square(W, R);
    if (!(square < 0.5 * square_) || W.sum() < 0.99 * W_.sum()) return false;
    solution_.factors = std::move(next);
    R_ = std::move(R);
    W_ = std::move(W);
    square_ = square;
    return true;
  }

  const DenseCore& core_;
  CoreSolution& solution_;
  double level_;
  Entries R_;
  Entries W_;
  double square_;
};

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
  if (best->exact) Sharpener(core, *best).run();
  best->starts = starts;
  return *best;
}

}  // namespace sunder::robust
