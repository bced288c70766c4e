#include "algorithms/robust_cp/core/core_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "algorithms/robust_cp/certificate/determinacy.hpp"
#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/core/graduated.hpp"
#include "algorithms/robust_cp/core/row_fit.hpp"
#include "core/dense.hpp"

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

/// Whether the residuals within 3 sigma are spread as normal ones are: where the model is wrong,
/// they crowd around zero. Far from rounding and from the data themselves, too.
bool is_noise_like(const std::vector<double>& magnitudes, double sigma, double spread) {
  if (!(sigma > 1e-5 * spread && sigma < 0.25 * spread)) return false;
  const auto within = [&](double x) {
    return static_cast<double>(std::count_if(magnitudes.begin(), magnitudes.end(),
                                             [&](double r) { return r < x * sigma; }));
  };
  const double inliers = within(3);
  constexpr double tolerance = 0.03;
  return inliers > 0.2 * static_cast<double>(magnitudes.size()) &&
         std::abs(within(0.5) / inliers - 0.384) < tolerance &&
         std::abs(within(1) / inliers - 0.685) < tolerance;
}

void measure_noise(const DenseCore& core, const std::vector<Index>& told, CoreSolution& solution) {
  const Entries R = residual(core, solution.factors);
  std::vector<double> magnitudes;
  magnitudes.reserve(told.size());
  for (const Index i : told) magnitudes.push_back(std::abs(R[i]));
  solution.sigma = inlier_sigma(magnitudes);
  solution.noise_like = is_noise_like(magnitudes, solution.sigma, solution.spread);
}

/// Refits the rows of every mode in turn while that helps: heals rows that the threshold locked
/// out.
void refit(const DenseCore& core, const std::vector<Index>& told, CoreSolution& solution, Rng& rng,
           Monitor& monitor) {
  constexpr int sweeps = 6;
  const Index rank = solution.factors.front().cols();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const double before = solution.sigma;
    for (int mode = 0; mode < core.shape.order(); ++mode) {
      Matrix& factor = solution.factors[static_cast<std::size_t>(mode)];
      const Index others = core.shape.entries() / core.shape[mode];
      const std::vector<Index> columns = draw_columns(others, columns_in_refit(rank), rng);
      factor =
          fit_rows(row_problem(core, solution.factors, mode, columns), factor,
                   {.sigma = before, .tolerance = 4e-9 * solution.spread, .threads = core.threads},
                   monitor)
              .coefficients;
    }
    balance(solution.factors);
    measure_noise(core, told, solution);
    judge(core, solution);
    if (solution.exact || solution.sigma > 0.7 * before) return;
  }
}

/// Whether some rows are fitted far worse than the others: the threshold may have locked them out.
bool has_poor_rows(const DenseCore& core, const CoreSolution& solution) {
  const Entries R = residual(core, solution.factors);
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const RowMatrix rows = unfold(core.shape, R, mode);
    const Eigen::ArrayXd share =
        (rows.array().abs() < rounding_level * solution.spread).cast<double>().rowwise().mean();
    std::vector<double> sorted(share.data(), share.data() + share.size());
    if (share.minCoeff() < 0.6 * quantile(sorted, 0.5)) return true;
  }
  return false;
}

/// Components that only together mean something (a rank above the true one) are made such that
/// regressions on the other modes give them back: each factor is projected onto what the others can
/// tell apart, which does not change L.
void settle_surplus(Factors& factors) {
  constexpr int rounds = 10;
  const Index rank = factors.front().cols();
  for (int round = 0; round < rounds; ++round) {
    bool projected = false;
    for (std::size_t m = 0; m < factors.size(); ++m) {
      Matrix gram = Matrix::Ones(rank, rank);
      for (std::size_t q = 0; q < factors.size(); ++q) {
        if (q != m) gram.array() *= (factors[q].transpose() * factors[q]).array();
      }
      const SymmetricEigen eigen = symmetric_eigen(gram);
      const double least = 1e-10 * eigen.values.maxCoeff();
      const Index kept = (eigen.values.array() > least).count();
      if (kept == rank || kept == 0) continue;
      const auto directions = eigen.vectors.rightCols(kept);
      factors[m] = factors[m] * directions * directions.transpose();
      projected = true;
    }
    if (!projected) return;
  }
}

PassStatistics fitted_statistics(const DenseCore& core, const CoreSolution& solution,
                                 const Factors& factors, Monitor& monitor) {
  return fused_pass(core, factors, Rule::hard_threshold(rounding_level * solution.spread), monitor,
                    Products::none)
      .statistics;
}

/// Entries fitted to rounding.
Index fitted_entries(const DenseCore& core, const CoreSolution& solution, const Factors& factors,
                     Monitor& monitor) {
  return fitted_statistics(core, solution, factors, monitor).kept;
}

/// A component that hardly helps to fit anything beyond its own unknowns (it may sit on a single
/// outlier) was not needed: the rank is above the true one. It becomes zero. One that helps to fit
/// more than it has unknowns is no accident, though, and the solution is not the whole of L.
void drop_unsupported(const DenseCore& core, CoreSolution& solution, Monitor& monitor) {
  Index fitted = fitted_entries(core, solution, solution.factors, monitor);
  for (Index i = 0; i < solution.factors.front().cols(); ++i) {
    Factors without = solution.factors;
    double own = 0;
    for (Matrix& factor : without) {
      const double least = 1e-8 * factor.col(i).cwiseAbs().maxCoeff();
      own += static_cast<double>((factor.col(i).array().abs() > least).count());
      factor.col(i).setZero();
    }
    const Index left = fitted_entries(core, solution, without, monitor);
    const auto gain = static_cast<double>(fitted - left);
    if (gain > 3 * own) continue;
    if (gain > 1.5 * own) solution.whole = false;
    solution.factors = std::move(without);
    fitted = left;
  }
}

/// Components at work on few entries hide among the outliers, and show once the others are known.
/// Where some were left over, they are looked for there, one by one. Returns whether one was found.
bool search_the_rest(const DenseCore& core, const CoreOptions& options, CoreSolution& solution,
                     Rng& rng, Monitor& monitor) {
  bool any = false;
  for (Index i = 0; i < solution.factors.front().cols(); ++i) {
    const auto is_free = [&] { return solution.factors.front().col(i).squaredNorm() == 0; };
    if (!is_free()) continue;
    const double level = rounding_level * solution.spread;
    const DenseCore rest = outliers_of(core, solution.factors, level);
    const Factors found = component_of_outliers(rest, level, rng, monitor);
    for (std::size_t m = 0; m < found.size(); ++m) solution.factors[m].col(i) = found[m];
    drop_unsupported(core, solution, monitor);
    if (is_free()) {
      if (has_proportional_rows(rest, options.ratio_rounding)) solution.whole = false;
      break;
    }
    any = true;
  }
  return any;
}

/// Gauss-Newton on the inliers of an exact solution, which are known by then.
class Sharpener {
 public:
  Sharpener(const DenseCore& core, CoreSolution& solution, const ModeConstraints& constraints,
            Monitor& monitor)
      : core_(core),
        monitor_(monitor),
        solution_(solution),
        constraints_(constraints),
        level_(10 * rounding_level * solution.spread),
        seen_(look(solution.factors)) {}

  /// Steps that take the mean weight for all of W, which is cheap, then, if they do not get down to
  /// rounding (blocks leave some rows with few inliers), a few with the weights themselves.
  void run() {
    const GaussNewtonOptions options{.damping = 1e-9, .max_steps = 40, .tolerance = 1e-4};
    for (int step = 0; step < 15 && !done(); ++step) {
      Factors gradient = seen_.mttkrp;
      const double mean =
          static_cast<double>(seen_.statistics.kept) / static_cast<double>(core_.shape.entries());
      for (Matrix& g : gradient) g /= std::max(mean, 1e-3);
      if (!accept(gauss_newton_step(solution_.factors, gradient, options))) break;
    }
    const GaussNewtonOptions patient{.damping = 1e-12, .max_steps = 100, .tolerance = 1e-4};
    for (int step = 0; step < 3 && !done(); ++step) {
      if (!accept(
              weighted_gauss_newton_step(core_, solution_.factors, level_, patient, monitor_))) {
        break;
      }
    }
    balance(solution_.factors);
  }

 private:
  PassResult look(const Factors& factors) {
    return fused_pass(core_, factors, Rule::hard_threshold(level_), monitor_);
  }
  static double mean_square(const PassResult& seen) {
    return seen.statistics.kept_square_sum /
           static_cast<double>(std::max<Index>(seen.statistics.kept, 1));
  }
  bool done() const { return std::sqrt(mean_square(seen_)) < 1e-13 * solution_.spread; }

  /// Takes the step if it lowers the residual of the inliers and loses none of them.
  bool accept(const Factors& delta) {
    Factors next = solution_.factors;
    for (std::size_t m = 0; m < next.size(); ++m) next[m] += delta[m];
    impose(constraints_, next);
    PassResult seen = look(next);
    if (!(mean_square(seen) < 0.5 * mean_square(seen_))) return false;
    if (static_cast<double>(seen.statistics.kept) <
        0.99 * static_cast<double>(seen_.statistics.kept)) {
      return false;
    }
    solution_.factors = std::move(next);
    seen_ = std::move(seen);
    return true;
  }

  const DenseCore& core_;
  Monitor& monitor_;
  CoreSolution& solution_;
  const ModeConstraints& constraints_;
  double level_;
  PassResult seen_;
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

/// Down to rounding, and without components that are nothing else.
void sharpen(const DenseCore& core, const CoreOptions& options, CoreSolution& solution,
             Monitor& monitor) {
  Sharpener(core, solution, options.constraints, monitor).run();
  settle_surplus(solution.factors);
  const Eigen::ArrayXd size = component_sizes(solution.factors);
  for (Index i = 0; i < size.size(); ++i) {
    if (size[i] > 1e-10 * size.maxCoeff()) continue;
    for (Matrix& factor : solution.factors) factor.col(i).setZero();
  }
}

/// What is known of an exact solution, once it is as good as it gets.
void finish(const DenseCore& core, const CoreOptions& options, CoreSolution& solution, Rng& rng,
            Monitor& monitor) {
  drop_unsupported(core, solution, monitor);
  sharpen(core, options, solution, monitor);
  if (!options.constraints.any() && search_the_rest(core, options, solution, rng, monitor)) {
    sharpen(core, options, solution, monitor);
  }
  const double level = rounding_level * solution.spread;
  const PassStatistics fitted = fitted_statistics(core, solution, solution.factors, monitor);
  solution.exact = is_fitted_to_rounding(solution.factors, fitted, rounding_level);
  constexpr double least_curvature = 1e-3;
  solution.determinacy =
      smallest_curvature(solution.factors, rng) > least_curvature
          ? determinacy_by_fitted(core, solution.factors, level, options.constraints, rng, monitor)
          : Determinacy::open_factors;
  // Far below what errors of any number have between them.
  solution.evidence_needed =
      evidence_needed(outliers_of(core, solution.factors, level), 1e-4 * level);
  // Modes that share a factor make copies themselves.
  if (options.constraints.shares() && solution.evidence_needed <= 2) solution.evidence_needed = 1;
}

/// The ladder, at one rank.
CoreSolution solve_at_rank(const DenseCore& core, int rank, const CoreOptions& options, Rng& rng,
                           Monitor& monitor) {
  const std::vector<Index> told = thinned(informative(core));
  const double unit = spread(core, told);
  const auto quality = [](const CoreSolution& s) {
    return std::tuple(!s.exact, -std::round(1000 * s.exact_share), s.sigma);
  };
  std::optional<CoreSolution> best;
  int starts = 0;
  for (const GraduatedOptions& start : ladder(core.shape, rank)) {
    CoreSolution solution;
    solution.spread = unit;
    solution.factors = graduated_fit(core, rank, start, rng, monitor);
    measure_noise(core, told, solution);
    judge(core, solution);
    if (!solution.exact || has_poor_rows(core, solution)) {
      const CoreSolution before = solution;
      refit(core, told, solution, rng, monitor);
      if (before.exact && !solution.exact) solution = before;
    }
    ++starts;
    if (!best || quality(solution) < quality(*best)) best = std::move(solution);
    if (best->exact || starts >= options.rungs) break;
    if (options.until_noise && best->noise_like) break;
  }
  if (options.constraints.any()) {
    constrain(core, options.constraints, best->sigma, best->factors, monitor);
    measure_noise(core, told, *best);
    judge(core, *best);
  }
  if (best->exact) finish(core, options, *best, rng, monitor);
  best->starts = starts;
  return *best;
}

}  // namespace

bool is_fitted_to_rounding(const Factors& factors, const PassStatistics& fitted, double level) {
  double entries = 1;
  for (const Matrix& factor : factors) entries *= static_cast<double>(factor.rows());
  const double size = norm(factors) / std::sqrt(entries);
  if (!(size > 0)) return true;  // nothing to be uncertain about
  const auto count = static_cast<double>(std::max<Index>(fitted.kept, 1));
  return std::sqrt(fitted.kept_square_sum / count) <= 0.2 * level * size;
}

CoreSolution solve_core(const DenseCore& core, int rank, const CoreOptions& options, Rng& rng,
                        Monitor& monitor) {
  CoreSolution solution = solve_at_rank(core, rank, options, rng, monitor);
  bool reduced = false;
  // Exact, but several components share what fewer could do: the rank is above the true one. Fewer
  // that fit less are not all of L.
  while (options.reduce && solution.exact && !solution.determined()) {
    const auto alive =
        static_cast<int>((solution.factors.front().colwise().squaredNorm().array() > 0).count());
    if (alive < 2) break;
    CoreSolution fewer = solve_at_rank(core, alive - 1, options, rng, monitor);
    const Index fitted = fitted_entries(core, solution, solution.factors, monitor);
    const Index fitted_by_fewer = fitted_entries(core, fewer, fewer.factors, monitor);
    const double of_one = unknowns(solution.factors) / alive;
    if (!fewer.exact || static_cast<double>(fitted - fitted_by_fewer) > 3 * of_one) break;
    solution = std::move(fewer);
    reduced = true;
  }
  for (Matrix& factor : solution.factors) {
    factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank));
  }
  if (reduced) finish(core, options, solution, rng, monitor);  // there is room for others now
  return solution;
}

}  // namespace sunder::robust
