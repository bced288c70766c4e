#include "algorithms/robust_cp/noise/noisy_core.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/levels/noise_rows.hpp"
#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/model/count_likelihood.hpp"
#include "algorithms/robust_cp/noise/model/noise_estimate.hpp"
#include "algorithms/robust_cp/noise/part.hpp"
#include "algorithms/robust_cp/noise/pruned.hpp"
#include "algorithms/robust_cp/noise/residual_structure.hpp"
#include "algorithms/robust_cp/noise/rivals/agreement.hpp"
#include "algorithms/robust_cp/noise/rivals/another_component.hpp"
#include "algorithms/robust_cp/noise/rows/row_repair.hpp"
#include "algorithms/robust_cp/noise/starts/descent.hpp"
#include "algorithms/robust_cp/noise/starts/starts.hpp"
#include "algorithms/robust_cp/noise/tournament.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// The smallest eigenvalue of the cosines between components: near zero where some are parallel.
double independence(const Factors& factors) {
  Matrix cosines = Matrix::Ones(factors.front().cols(), factors.front().cols());
  for (const Matrix& factor : factors) {
    const Matrix unit = factor.colwise().normalized();
    cosines.array() *= (unit.transpose() * unit).array();
  }
  return Eigen::SelfAdjointEigenSolver<Matrix>(cosines).eigenvalues()[0];
}

class NoisyCore {
 public:
  NoisyCore(const DenseCore& core, int rank, const ModeConstraints& constraints, NoiseFamily family,
            Rng& rng, Monitor& monitor)
      : core_(core),
        rank_(rank),
        constraints_(constraints),
        family_(family),
        rng_(rng),
        monitor_(monitor) {}

  NoisySolution run() {
    start();
    if (solution_.start.empty()) return without_model();
    return finish();
  }

  NoisySolution run_start() {
    start();
    return solution_.start.empty() ? without_model() : std::move(solution_);
  }

  NoisySolution run_from(const NoisySolution& known) {
    solution_ = known;
    if (solution_.start.empty()) return without_model();
    fit() = refine(core_, known.fit.factors, first_noise(core_, known.fit.factors, false),
                   {.steps = limits::core_steps}, monitor_);
    return finish();
  }

 private:
  NoisySolution finish() {
    fit().noise.family = family_;
    repair();
    separate_parallel_components();
    prune(core_, fit(), monitor_);
    challenge();
    obey();
    if (!try_counts()) choose_noise();
    solution_.support = support();
    return std::move(solution_);
  }

  /// What is left has structure: a component of it may be worth as much as one of L.
  void challenge() {
    if (constraints_.any()) return;
    for (int round = 0; round < limits::challenges; ++round) {
      if (residual_structure(core_, fit(), monitor_) < limits::noise_structure) return;
      const double before = fit().nats;
      for (NoisyFit& other : fits_with_another_component(core_, fit(), rng_, monitor_)) {
        weigh(core_, {"another component", std::move(other), false}, solution_);
      }
      if (!(fit().nats < before - limits::respawn_gain)) return;
    }
  }

  NoisyFit& fit() { return solution_.fit; }

  NoisySolution without_model() {
    fit() = {};
    for (const Index extent : core_.shape) {
      fit().factors.push_back(Matrix::Zero(extent, rank_));
      fit().inlier_shares.push_back(Vector::Ones(extent));
    }
    fit().noise = first_noise(core_, fit().factors, true);
    return std::move(solution_);
  }

  void start() {
    hold_tournaments();
    if (core_.has_ends()) weigh_values_at_ends();
  }

  /// The tournament does not see entries at an end, and where many of them meet, or components are
  /// to spare, L is undetermined there. The end itself is nearer to L than anything.
  void weigh_values_at_ends() {
    DenseCore values = core_;
    values.lowest = -std::numeric_limits<double>::infinity();
    values.highest = std::numeric_limits<double>::infinity();
    const Factors factors = graduated_start(values, rank_, {}, rng_, monitor_);
    NoisyFit fit = refine(core_, factors, first_noise(core_, factors, false),
                          {.steps = limits::core_steps}, monitor_);
    weigh(core_, {"values at the ends", std::move(fit)}, solution_);
  }

  void hold_tournaments() {
    const double entries = static_cast<double>(core_.shape.entries());
    const double volume = std::clamp(entries / 3, limits::least_part, limits::part_entries);
    if (entries <= limits::worth_a_part * volume) {
      const DenseCore part = without_ends(core_);
      adopt(part, hold_tournament(part, rank_, rng_, monitor_), nullptr);
      return;
    }
    const auto side = static_cast<Index>(std::ceil(std::cbrt(volume)));
    int parts = 1;
    for (int k = 0; k < parts; ++k) {
      IndexSets sets = draw_part(core_, core_shape(core_.shape, rank_, side), rng_);
      const DenseCore part = without_ends(part_of(core_, sets));
      TournamentResult held = hold_tournament(part, rank_, rng_, monitor_);
      // Structured errors can fill a part: a second one is dear, and more reliable.
      if (held.errors_are_uneven) parts = limits::parts_if_uneven;
      adopt(part, std::move(held), &sets);
    }
  }

  /// Keeps the best of the contenders, extended to the core, and remembers how the others compare.
  void adopt(const DenseCore& part, TournamentResult held, const IndexSets* sets) {
    auto& contenders = held.contenders;
    if (contenders.empty()) return;
    const Contender& leader = contenders.front();
    const std::size_t finals = std::min(contenders.size(), limits::finalists);
    for (std::size_t k = 1; k < finals; ++k) {
      const Contender& other = contenders[k];
      if (other.fit.nats > leader.fit.nats + limits::near_rival) break;
      note_other(part, other, leader.fit, solution_);
    }
    Contender winner = std::move(contenders.front());
    winner.is_independent = true;  // of those of other parts
    if (sets != nullptr) winner.fit = on_core(winner.fit, *sets);
    weigh(core_, std::move(winner), solution_);
  }

  /// The core as a tensor, with missing entries as such.
  Entries values_of_core() const {
    if (core_.complete()) return core_.values;
    return (core_.observed > 0).select(core_.values, std::numeric_limits<double>::quiet_NaN());
  }

  void repair() {
    const Entries values = values_of_core();
    Engine engine(TensorView::of(values.data(), core_.shape), core_.threads);
    const RowSource source{.engine = engine, .constraints = constraints_};
    for (int round = 0; round < levels::noisy_rows::repair_rounds; ++round) {
      NoisyFit repaired = fit();
      if (repair_rows(source, repaired, rng_, monitor_) == 0) return;
      const bool better = keep_if_better(
          refine(core_, repaired.factors, repaired.noise, {.steps = limits::final_steps}, monitor_),
          0, "");
      if (!better) return;
    }
  }

  NoisyFit on_core(const NoisyFit& part, const IndexSets& sets) {
    const Entries values = values_of_core();
    Engine engine(TensorView::of(values.data(), core_.shape), core_.threads);
    const ModeConstraints none;
    ExtendedFit all =
        extend_rows({.engine = engine, .constraints = none}, sets, part, rng_, monitor_);
    return refine(core_, std::move(all.factors), std::move(all.noise),
                  {.steps = limits::core_steps}, monitor_);
  }

  bool keep_if_better(NoisyFit other, double margin, const std::string& how) {
    if (!(other.nats < fit().nats - margin)) return false;
    fit() = std::move(other);
    if (!how.empty()) solution_.start += ", " + how;
    return true;
  }

  void separate_parallel_components() {
    if (core_.shape.order() < 3 || rank_ < 2) return;
    if (independence(fit().factors) > limits::parallel) return;
    EntryWeights weights;
    likelihood_sums(core_, fit().factors, fit().noise, monitor_, &weights);
    const Entries clean = evaluate(fit().factors) + weights.inlier * residual(core_, fit().factors);
    const Factors factors = clean_start(core_, clean, rank_, rng_, monitor_);
    keep_if_better(refine(core_, factors, fit().noise, {.steps = limits::final_steps}, monitor_), 0,
                   "parallel components told apart");
  }

  void obey() {
    if (!constraints_.any()) return;
    Factors factors = fit().factors;
    constrain(core_, constraints_, fit().noise.sigma(), factors, monitor_);
    fit() = refine(core_, std::move(factors), fit().noise,
                   {.steps = limits::constrained_steps, .constraints = constraints_}, monitor_);
  }

  NoisyFit refined_with(const NoiseModel& noise, int steps) {
    return refine(core_, fit().factors, noise, {.steps = steps, .constraints = constraints_},
                  monitor_);
  }

  /// The share of the squares of L that lies on inliers, over the share of inliers: 1 where errors
  /// have nothing to do with the size of L. Entries that were cut off say nothing about that.
  double support() {
    EntryWeights weights;
    likelihood_sums(core_, fit().factors, fit().noise, monitor_, &weights);
    const Entries squares = evaluate(fit().factors).square();
    const DenseCore inside = without_ends(core_);
    Entries counts = Entries::Ones(squares.size());
    if (!inside.complete()) counts = inside.observed;
    const double of_squares =
        (weights.inlier * counts * squares).sum() / ((counts * squares).sum() + tiny);
    const double of_entries = (weights.inlier * counts).sum() / (counts.sum() + tiny);
    return of_squares / (of_entries + tiny);
  }

  /// Where large entries are taken for errors, L is nearly right there, but not to the noise of the
  /// others. With noise in proportion to the signal they count, and the proportion can fall.
  void fit_large_entries() {
    if (support() > limits::least_support) return;
    NoiseModel noise = fit().noise;
    noise.depends_on_signal = true;
    const double deviation = limits::first_proportion * noise.signal_size;
    noise.growth = {0, deviation * deviation / noise.variance};
    NoisyFit proportional = refined_with(noise, limits::proportional_steps);
    NoiseModel plain = proportional.noise;
    plain.depends_on_signal = false;
    plain.growth = {};
    keep_if_better(refine(core_, proportional.factors, plain,
                          {.steps = limits::core_steps, .constraints = constraints_}, monitor_),
                   0, "large entries first");
    keep_if_better(std::move(proportional), limits::signal_gain,
                   "noise that grows with the signal");
  }

  /// Where no noise is seen, the inliers that carry signal show how fine the resolution may be.
  /// Returns whether it was raised.
  bool raise_resolution() {
    int round = 0;
    for (; round < limits::resolution_rounds; ++round) {
      NoiseModel noise = fit().noise;
      if (!noise.is_below_resolution()) break;
      EntryWeights weights;
      likelihood_sums(core_, fit().factors, noise, monitor_, &weights);
      const Entries L = evaluate(fit().factors);
      std::vector<Index> inliers;
      for (Index i = 0; i < L.size(); ++i) {
        if (core_.is_observed(i) && weights.inlier[i] > 0.5) inliers.push_back(i);
      }
      const double finer = telling_quantile((core_.values - L)(inliers), L(inliers), low_quantile);
      if (!(finer * finer < limits::finer_by * noise.least_variance)) break;
      noise.least_variance = std::max(finer * finer, limits::finest_step * noise.least_variance);
      noise.variance = noise.least_variance;
      noise.fit_bins();
      if (!keep_if_better(refined_with(noise, limits::core_steps), 0, "")) break;
    }
    return round > 0;
  }

  /// The noise model that pays, where entries are not counts.
  void choose_noise() {
    fit_large_entries();
    if (raise_resolution()) repair();
    if (fit().noise.is_below_resolution()) return;
    try_noise_that_grows();
    try_wide_inliers();
    try_even_errors();
  }

  /// Returns whether entries are counts whose variance is their mean. Where it is, a density that
  /// is higher at whole numbers is no argument: it is so for every narrow density.
  bool try_counts() {
    if (family_ != NoiseFamily::automatic && family_ != NoiseFamily::poisson) return false;
    const double unit = unit_of_counts(core_);
    solution_.count_unit = unit;
    if (unit == 0) return false;
    NoisyFit counts = refined_with(noise_of_counts(core_, fit().factors, unit), limits::core_steps);
    const SliceSums all =
        likelihood_sums(core_, counts.factors, counts.noise, monitor_).slices.front();
    const double dispersion = all.squares.sum() / (all.inliers.sum() + tiny);
    const bool fits = dispersion > limits::least_dispersion && dispersion < limits::most_dispersion;
    return keep_if_better(std::move(counts), fits ? -limits::any_loss : 0, "counts");
  }

  void try_noise_that_grows() {
    const bool asked = family_ == NoiseFamily::poisson || family_ == NoiseFamily::proportional;
    if (!asked && family_ != NoiseFamily::automatic) return;
    if (!asked && !(fit().signal_promise > limits::signal_promise)) return;
    NoiseModel noise = fit().noise;
    noise.depends_on_signal = true;
    for (Vector& scale : noise.scales) scale.setOnes();
    keep_if_better(refined_with(noise, limits::richer_steps),
                   asked ? -limits::any_loss : limits::signal_gain,
                   "noise that grows with the signal");
  }

  /// First on the counts of residuals alone, which costs no pass.
  void try_wide_inliers() {
    const bool asked = family_ == NoiseFamily::t;
    if (!asked && family_ != NoiseFamily::automatic) return;
    NoiseModel plain = fit().counted_under;
    NoiseModel wide = fit().counted_under;
    wide.has_wide_inliers = true;
    wide.wide_share = limits::first_wide_share;
    const double without = estimate_densities(fit().residuals, plain, limits::density_trial);
    const double with = estimate_densities(fit().residuals, wide, limits::density_trial);
    if (!asked && !(with < without + limits::wide_promise)) return;
    NoiseModel noise = fit().noise;
    noise.has_wide_inliers = true;
    noise.wide_share = limits::first_wide_share;
    keep_if_better(refined_with(noise, limits::richer_steps),
                   asked ? -limits::any_loss : limits::wide_gain, "wide inliers");
  }

  /// Errors that are anywhere need no learned density, which takes up inliers on real data.
  void try_even_errors() {
    NoiseModel noise = fit().noise;
    if (!noise.learns_density) return;
    noise.learns_density = false;
    noise.outlier_density.fill(1 / (2 * noise.range));
    noise.outlier_slope.fill(0);
    NoiseModel trial = fit().counted_under;
    trial.learns_density = false;
    trial.outlier_density.fill(1 / (2 * trial.range));
    const double even = estimate_densities(fit().residuals, trial, limits::density_trial);
    if (even > fit().nats + limits::even_promise) return;
    keep_if_better(refined_with(noise, limits::richer_steps), 0, "");
  }

  const DenseCore& core_;
  int rank_;
  const ModeConstraints& constraints_;
  NoiseFamily family_;
  Rng& rng_;
  Monitor& monitor_;
  NoisySolution solution_;
};

}  // namespace

bool NoisySolution::is_confirmed() const {
  return agreeing > 0 || rival.empty() || rival_gap > levels::noise::clear_gap;
}

bool NoisySolution::explains_one_count() const {
  return fit.noise.count_unit == 0 &&
         fit.noise.sigma() < levels::noise::deviation_of_rounding * count_unit;
}

NoisySolution fit_noisy_core(const DenseCore& core, int rank, const ModeConstraints& constraints,
                             Rng& rng, Monitor& monitor, NoiseFamily family) {
  return NoisyCore(core, rank, constraints, family, rng, monitor).run();
}

NoisySolution hold_noisy_start(const DenseCore& core, int rank, const ModeConstraints& constraints,
                               Rng& rng, Monitor& monitor, NoiseFamily family) {
  return NoisyCore(core, rank, constraints, family, rng, monitor).run_start();
}

NoisySolution fit_noisy_core_from(const DenseCore& core, const NoisySolution& known,
                                  const ModeConstraints& constraints, Rng& rng, Monitor& monitor,
                                  NoiseFamily family) {
  const auto rank = static_cast<int>(known.fit.factors.front().cols());
  return NoisyCore(core, rank, constraints, family, rng, monitor).run_from(known);
}

}  // namespace sunder::robust
