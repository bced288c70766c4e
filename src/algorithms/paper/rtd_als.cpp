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
#include "algorithms/run/last_pass.hpp"
#include "algorithms/run/validation.hpp"
#include "core/statistics.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/error.hpp"

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

class RtdAls {
 public:
  RtdAls(const TensorView& tensor, const RunOptions& run, RtdAlsOptions options, std::string name,
         LowRankStep step)
      : options_(std::move(options)),
        run_(run),
        name_(std::move(name)),
        step_(std::move(step)),
        engine_(tensor, run.threads, [this] { return report_progress(); }),
        rng_(run.seed),
        root_entries_(std::sqrt(static_cast<double>(tensor.entries()))) {
    result_.low_rank = CpModel::zero(tensor.shape());
  }

  Decomposition solve() {
    try {
      iterate();
      emit_sparse();
    } catch (const Cancelled&) {
      result_.outcome = Outcome::cancelled;
    }
    result_.passes = engine_.passes();
    result_.seconds = clock_.seconds();
    result_.certificate.explanation =
        name_ +
        " has no certificate: its convergence does not prove that L is the true low-rank part.";
    return std::move(result_);
  }

 private:
  /// Algorithm 1, with the thresholds of the experiments.
  void iterate() {
    const int r = run_.rank;
    look_at_data();
    CpModel fit = fit_low_rank(CpModel::zero(engine_.shape()), 1, Rule::keep_all());
    double zeta = threshold(fit, 0);  // step 2: zeta_0 from sigma_1(T), S_0 = HT(T)
    bool settled = false;             // zeta has reached the noise, and with it its last value
    bool alone = false;               // nothing but rounding is left for a further component
    for (int l = 1; l <= r; ++l) {
      for (int t = 0; iterations_ < options_.max_iterations; ++t) {
        // Step 5: L = P_l(T - S). One component more than l gives sigma_{l+1}.
        fit = fit_low_rank(fit.leading(std::min(fit.rank(), l)),
                           settled || alone ? l : std::min<Index>(l + 1, step_.most_components),
                           Rule::hard_threshold(zeta));
        alone = l == r && beside(fit, l) <= negligible;
        const double change = replace_model(fit.leading(l));
        // Step 6: S = HT_zeta(T - L) is implied by L and zeta; this pass only measures it.
        const PassStatistics seen = look_at_residual(zeta);
        record(l, zeta, change, seen);
        const double lowest = noise_floor(seen);
        settled = l == r && zeta <= 1.05 * lowest;
        if (l == r && converged(change, settled, seen)) {
          result_.outcome = Outcome::converged;
          return;
        }
        // Step 7 as in the experiments, then geometric decay in the last stage.
        if (l < r || t == 0) {
          zeta = threshold(fit, l);
        } else {
          zeta *= options_.decay;
        }
        zeta = std::max(zeta, lowest);
        if (l < r && (change < stage_tolerance || t + 1 >= options_.stage_iterations)) break;
      }
    }
    result_.outcome = Outcome::iteration_limit;
  }

  void look_at_data() {
    const CpModel nothing = CpModel::zero(engine_.shape());
    data_ = engine_.pass({.model = &nothing, .data_statistics = true}).statistics;
    result_.missing_count = data_.missing;
    require_observed(data_.missing, engine_.shape());
  }

  /// P_l(T - S), warm-started from `start`, with random components for the rest of the rank.
  CpModel fit_low_rank(const CpModel& start, Index rank, Rule rule) {
    CleanedTensor cleaned(engine_, result_.low_rank, rule);
    return step_.fit(cleaned, with_random_components(start, static_cast<int>(rank), rng_),
                     {.max_sweeps = options_.als_sweeps, .tolerance = options_.als_tolerance});
  }

  /// zeta = mu sigma / n^1.5; a component that the fit does not have weighs nothing.
  double threshold(const CpModel& fit, int component) const {
    if (component >= fit.rank()) return 0;
    const double mu =
        options_.mu ? *options_.mu : measured_incoherence(fit.leading(std::max(component, 1)));
    return mu * fit.weights()[component] / root_entries_;
  }

  /// The weight of a further component, over that of the first. ALS shares L out between the two as
  /// it comes, so that one of rounding would leave the others less exact than they are alone.
  static double beside(const CpModel& fit, int components) {
    return components < fit.rank() ? fit.weights()[components] / fit.weights()[0] : 0;
  }

  double replace_model(CpModel next) {
    const double scale = next.norm();
    const double distance = next.distance(result_.low_rank);
    result_.low_rank = std::move(next);
    ++iterations_;
    return scale > 0 ? distance / scale : distance;
  }

  PassStatistics look_at_residual(double zeta) {
    return engine_
        .pass({.model = &result_.low_rank, .rule = Rule::hard_threshold(zeta), .histogram = true})
        .statistics;
  }

  /// Below this a threshold would move noise into S: three standard deviations of the inliers,
  /// judged by the lower quartile of |T - L|, and never less than the rounding of T.
  double noise_floor(const PassStatistics& seen) const {
    const double sigma = seen.magnitudes.quantile(low_quantile) / quartile_of_normal;
    return std::max(options_.noise_floor * sigma,
                    16 * std::numeric_limits<double>::epsilon() * data_.data_max);
  }

  double kept_residual(const PassStatistics& seen) const {
    return data_.data_square_sum > 0 ? std::sqrt(seen.kept_square_sum / data_.data_square_sum) : 0;
  }

  /// Without noise: L and the residual of the inliers are down to the tolerance. With noise: zeta
  /// has settled, and L moves by less than a thousandth of that residual, far below what the noise
  /// itself leaves uncertain (entries at the threshold go in and out of S for ever).
  bool converged(double change, bool settled, const PassStatistics& seen) const {
    if (settled) return change < std::max(options_.tolerance, 1e-3 * kept_residual(seen));
    return change < options_.tolerance && kept_residual(seen) < options_.tolerance;
  }

  void record(int l, double zeta, double change, const PassStatistics& seen) {
    TraceRecord line;
    line.pass = engine_.passes();
    line.stage = fmt::format("stage {} of {}", l, run_.rank);
    line.threshold = zeta;
    line.kept_residual = kept_residual(seen);
    line.sparse_fraction =
        static_cast<double>(seen.rejected) / static_cast<double>(seen.observed());
    line.change = change;
    line.seconds = clock_.seconds();
    result_.trace.push_back(std::move(line));
  }

  /// S by a last pass. L is known to the tolerance only, so that nothing smaller belongs to S.
  void emit_sparse() {
    const double zeta =
        std::max(result_.trace.back().threshold, options_.tolerance * data_.data_max);
    find_sparse(engine_, zeta, run_.collect_sparse, result_);
  }

  Continue report_progress() const {
    Progress progress;
    progress.fraction = static_cast<double>(iterations_) / options_.max_iterations;
    progress.pass = engine_.passes();
    progress.stage = "starting";
    if (!result_.trace.empty()) {
      progress.stage = result_.trace.back().stage;
      progress.residual = result_.trace.back().kept_residual;
    }
    return report(run_.progress, progress);
  }

  static constexpr double stage_tolerance = 0.1;
  static constexpr double negligible = 1e-10;

  RtdAlsOptions options_;
  RunOptions run_;
  std::string name_;
  LowRankStep step_;
  Stopwatch clock_;
  Engine engine_;
  Rng rng_;
  double root_entries_;
  PassStatistics data_;
  int iterations_ = 0;
  Decomposition result_;
};

}  // namespace

Decomposition rtd_als_loop(const TensorView& tensor, const RunOptions& run,
                           const RtdAlsOptions& options, const std::string& name,
                           const LowRankStep& step) {
  require_decomposable(tensor.shape());
  require_rank(run.rank, tensor.shape());
  require_option(!options.mu || *options.mu > 0, "mu", "positive, or measured",
                 options.mu.value_or(0));
  require_option(options.decay > 0 && options.decay < 1, "decay", "between 0 and 1", options.decay);
  require_option(options.noise_floor >= 0, "noise-floor", "0 (off) or positive",
                 options.noise_floor);
  require_option(options.max_iterations >= 1, "max-iterations", "at least 1",
                 options.max_iterations);
  require_option(options.stage_iterations >= 1, "stage-iterations", "at least 1",
                 options.stage_iterations);
  require_option(options.als_sweeps >= 1, "als-sweeps", "at least 1", options.als_sweeps);
  require_option(options.als_tolerance > 0, "als-tolerance", "positive", options.als_tolerance);
  require_option(options.tolerance > 0, "tolerance", "positive", options.tolerance);
  return RtdAls(tensor, run, options, name, step).solve();
}

Decomposition rtd_als(const TensorView& tensor, const RunOptions& run,
                      const RtdAlsOptions& options) {
  const Index most = largest_rank(tensor.shape());
  const ModeConstraints constraints({options.shared, options.nonnegative}, tensor.shape());
  if (!constraints.any()) return rtd_als_loop(tensor, run, options, "rtd-als", {cp_als, most});
  const auto fit = [&](TensorOperator& cleaned, const CpModel& start, const CpAlsOptions& als) {
    return constrained_cp_als(cleaned, start, als, constraints);
  };
  return rtd_als_loop(tensor, run, options, "rtd-als", {fit, most});
}

}  // namespace sunder
