// Notation, as in Algorithm 1 of the paper:
//   T      the data
//   L      low-rank estimate, CP form
//   S      HT_zeta(T - L); never stored, since it is a function of T, L and zeta
//   zeta   threshold
//   l, r   stage (the current rank), target rank
//   P_l    rank-l fit, here CP-ALS
//   sigma  weights of the fit, heaviest first
// n^1.5 of the paper is the square root of the number of entries, for any order and shape.
#include "sunder/algorithms/rtd_als.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/paper/rtd_als_loop.hpp"
#include "algorithms/run/validation.hpp"
#include "core/statistics.hpp"

namespace sunder {

namespace {

/// Twice n^1.5 ||u o v o w||_inf of the least incoherent component, so that zeta = mu sigma / n^1.5
/// is twice the largest entry that a component of weight sigma has: once would reject the peaks of
/// L.
double measured_incoherence(const CpModel& model) {
  double mu = 1;
  for (Index i = 0; i < model.rank(); ++i) {
    double product = 1;
    for (const Matrix& factor : model.factors()) {
      product *=
          std::sqrt(static_cast<double>(factor.rows())) * factor.col(i).cwiseAbs().maxCoeff();
    }
    mu = std::max(mu, 2 * product);
  }
  return mu;
}

/// What the next iteration depends on besides L.
struct RtdAlsState {
  int l = 1;           ///< stage
  int t = 0;           ///< iteration of the stage
  int iterations = 0;  ///< of all stages
  CpModel fit;         ///< of T - S, with one component more than L where there is one
  double zeta = 0;     ///< of the next iteration
  double zeta_of_model = std::numeric_limits<double>::infinity();  ///< of the S that L fits
  bool settled = false;  ///< zeta has reached the noise, and with it its last value
  bool alone = false;    ///< only rounding is left for a further component
  Rng rng{0};
};
template <class Archive>
void describe(Archive& archive, RtdAlsState& state) {
  archive(state.l);
  archive(state.t);
  archive(state.iterations);
  archive(state.fit);
  archive(state.zeta);
  archive(state.zeta_of_model);
  archive(state.settled);
  archive(state.alone);
  archive(state.rng);
}

class RtdAls {
 public:
  RtdAls(std::shared_ptr<Source> tensor, const RunOptions& run, RtdAlsOptions options,
         const std::string& name, LowRankStep step)
      : options_(std::move(options)),
        step_(std::move(step)),
        run_(std::move(tensor), run, name),
        root_entries_(std::sqrt(static_cast<double>(run_.shape().entries()))) {
    state_.fit = CpModel::zero(run_.shape());
    state_.rng = Rng(run.seed);
  }

  Decomposition solve() {
    return run_.solve([this] { iterate(); }, [this] { find_sparse(); });
  }

 private:
  /// Algorithm 1, with the thresholds of the experiments.
  void iterate() {
    auto& [l, t, iterations, fit, zeta, zeta_of_model, settled, alone, rng] = state_;
    const int r = run_.rank();
    run_.set_fraction(0);
    if (!run_.resume(state_)) {
      require_observed(run_.measure_data().missing, run_.shape());
      fit = fit_low_rank(fit, 1, Rule::keep_all());
      zeta = threshold(fit, 0);  // step 2: zeta_0 from sigma_1(T), S_0 = HT(T)
    }
    for (; l <= r; ++l, t = 0) {
      for (; iterations < options_.max_iterations; ++t) {
        run_.keep(state_);
        // Step 5: L = P_l(T - S). One component more than l gives sigma_{l+1}.
        fit = fit_low_rank(fit.leading(std::min(fit.rank(), l)),
                           settled || alone ? l : std::min<Index>(l + 1, step_.most_components),
                           Rule::hard_threshold(zeta));
        alone = l == r && beside(fit, l) <= negligible;
        const double change = replace_model(fit.leading(l));
        // Step 6: S = HT_zeta(T - L) follows from L and zeta; this pass only measures it.
        const PassStatistics seen = measure_residual();
        record(change, seen);
        const double lowest = noise_floor(seen);
        settled = l == r && zeta <= 1.05 * lowest;
        if (l == r && converged(change, seen)) return;
        // Step 7 as in the experiments, then geometric decay in the last stage.
        zeta = std::max(l < r || t == 0 ? threshold(fit, l) : options_.decay * zeta, lowest);
        if (l < r && (change < stage_tolerance || t + 1 >= options_.stage_iterations)) break;
      }
    }
    run_.result().outcome = Outcome::iteration_limit;
  }

  /// P_l(T - S), warm-started from `start`, with random components for the rest of the rank.
  CpModel fit_low_rank(const CpModel& start, Index rank, Rule rule) {
    CleanedTensor cleaned(run_.engine(), run_.low_rank(), rule);
    return step_.fit(cleaned, with_random_components(start, static_cast<int>(rank), state_.rng),
                     {.max_sweeps = options_.als_sweeps, .tolerance = options_.als_tolerance});
  }

  /// zeta = mu sigma / n^1.5; a component that the fit does not have weighs nothing.
  double threshold(const CpModel& fit, int component) const {
    if (component >= fit.rank()) return 0;
    const double mu =
        options_.mu ? *options_.mu : measured_incoherence(fit.leading(std::max(component, 1)));
    return mu * fit.weights()[component] / root_entries_;
  }

  /// The weight of a further component, over that of the first. ALS divides L between the two
  /// arbitrarily, so that a further component of rounding would leave the others less exact than
  /// they are alone.
  static double beside(const CpModel& fit, int components) {
    return components < fit.rank() ? fit.weights()[components] / fit.weights()[0] : 0;
  }

  double replace_model(CpModel next) {
    state_.zeta_of_model = state_.zeta;
    ++state_.iterations;
    return run_.replace_low_rank(std::move(next));
  }

  PassStatistics measure_residual() {
    return run_.engine()
        .pass({.model = &run_.low_rank(),
               .rule = Rule::hard_threshold(state_.zeta),
               .histogram = true})
        .statistics;
  }

  /// Below this a threshold would move noise into S: three standard deviations of the inliers,
  /// judged by the lower quartile of |T - L|, and never less than the rounding of T.
  double noise_floor(const PassStatistics& seen) const {
    const double sigma = seen.magnitudes.quantile(low_quantile) / quartile_of_normal;
    return std::max(options_.noise_floor * sigma,
                    16 * std::numeric_limits<double>::epsilon() * run_.data().data_max);
  }

  double kept_residual(const PassStatistics& seen) const {
    const double data = run_.data().data_square_sum;
    return data > 0 ? std::sqrt(seen.kept_square_sum / data) : 0;
  }

  /// Without noise: L and the residual of the inliers are down to the tolerance. With noise: zeta
  /// has settled, and L moves by less than a thousandth of that residual, far below what the noise
  /// itself leaves uncertain (entries at the threshold never stop moving in and out of S).
  bool converged(double change, const PassStatistics& seen) const {
    if (state_.settled) return change < std::max(options_.tolerance, 1e-3 * kept_residual(seen));
    return change < options_.tolerance && kept_residual(seen) < options_.tolerance;
  }

  void record(double change, const PassStatistics& seen) {
    run_.record({.stage = fmt::format("stage {} of {}", state_.l, run_.rank()),
                 .threshold = state_.zeta,
                 .kept_residual = kept_residual(seen),
                 .sparse_fraction = rejected_share(seen),
                 .change = change});
    run_.set_fraction(static_cast<double>(state_.iterations) / options_.max_iterations);
  }

  /// L is known to the tolerance only, so that nothing smaller belongs to S.
  void find_sparse() {
    const double largest = run_.data().data_max;
    run_.find_sparse(std::max(state_.zeta_of_model, options_.tolerance * largest));
    if (may_be_out_of_range(run_.low_rank().norm())) require_range(largest);
  }

  static constexpr double stage_tolerance = 0.1;
  static constexpr double negligible = 1e-10;

  RtdAlsOptions options_;
  LowRankStep step_;
  Run run_;
  double root_entries_;
  RtdAlsState state_;
};

void validate(const Shape& shape, const RunOptions& run, const RtdAlsOptions& options) {
  require_decomposable(shape);
  require_rank(run.rank, shape);
  require_option(!options.mu || *options.mu > 0, "mu", "positive, or measured",
                 options.mu.value_or(0));
  require_option(options.decay > 0 && options.decay < 1, "decay", "between 0 and 1", options.decay);
  require_option(options.noise_floor >= 0, "noise-floor", "0 (off) or positive",
                 options.noise_floor);
  require_iterations(options.max_iterations);
  require_option(options.stage_iterations >= 1, "stage-iterations", "at least 1",
                 options.stage_iterations);
  require_option(options.als_sweeps >= 1, "als-sweeps", "at least 1", options.als_sweeps);
  require_option(options.als_tolerance > 0, "als-tolerance", "positive", options.als_tolerance);
  require_option(options.tolerance > 0, "tolerance", "positive", options.tolerance);
}

Decomposition run_on(std::shared_ptr<Source> tensor, const RunOptions& run,
                     const RtdAlsOptions& options) {
  const Index most = largest_rank(tensor->shape());
  const ModeConstraints constraints({options.shared, options.nonnegative}, tensor->shape());
  LowRankStep step{cp_als, most};
  if (constraints.any()) {
    step.fit = [&](TensorOperator& cleaned, const CpModel& start, const CpAlsOptions& als) {
      return constrained_cp_als(cleaned, start, als, constraints);
    };
  }
  return rtd_als_loop(std::move(tensor), run, options, "rtd-als", step);
}

}  // namespace

Decomposition rtd_als_loop(std::shared_ptr<Source> tensor, const RunOptions& run,
                           const RtdAlsOptions& options, const std::string& name,
                           const LowRankStep& step) {
  validate(tensor->shape(), run, options);
  return RtdAls(std::move(tensor), run, options, name, step).solve();
}

Decomposition rtd_als(const TensorView& tensor, const RunOptions& run,
                      const RtdAlsOptions& options) {
  return run_on(source_of(tensor), run, options);
}

Decomposition rtd_als(const StoredTensor& tensor, const RunOptions& run,
                      const RtdAlsOptions& options) {
  return run_on(source_of(tensor), run, options);
}

}  // namespace sunder
