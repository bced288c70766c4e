#include "algorithms/robust_cp/noise/completion/completion.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/levels/completion.hpp"
#include "algorithms/robust_cp/noise/completion/field.hpp"
#include "algorithms/robust_cp/noise/completion/held_out.hpp"
#include "algorithms/robust_cp/noise/completion/isolated.hpp"
#include "algorithms/robust_cp/noise/completion/row_posteriors.hpp"
#include "algorithms/robust_cp/noise/starts/starts.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

/// Entries that are known in each slice of a mode.
Eigen::ArrayXd known_in_slices(const DenseCore& core, int mode) {
  return unfold(core.shape, core.observed, mode).rowwise().sum().array();
}

/// Whether enough entries are left to fit anything, and enough are hidden to judge by.
bool can_be_judged(const HeldOut& held, int rank) {
  return std::ssize(held.hidden) > rank && held.core.observed.sum() > rank;
}

/// Whether a cheap fit without a prior predicts the hidden entries about as well as L, which was
/// found with one. Where it is far off, as with a generous rank, a tournament would be wasted.
bool may_do_without_prior(const DenseCore& core, const DenseCore& trial,
                          const std::vector<Index>& hidden, const Entries& L, int rank, Rng& rng,
                          Monitor& monitor) {
  if (rank <= limits::cheap_rank) return true;
  const Factors start = graduated_start(trial, rank, {}, rng, monitor);
  const NoisyFit cheap = refine(trial, start, first_noise(trial, start, false),
                                {.steps = levels::noise::tournament_steps}, monitor);
  return !predicts_clearly_better(core, hidden, L, evaluate(cheap.factors));
}

/// A fit of other entries, or with other assumptions, must be the same model, or the answer is not
/// settled.
void note_other_fit(const NoisySolution& other, const std::string& name, NoisySolution& solution) {
  const double apart = distance(other.fit.factors, solution.fit.factors) /
                       std::max(norm(solution.fit.factors), tiny);
  if (apart < limits::same_model) {
    solution.agreeing = 1;
    return;
  }
  solution.agreeing = 0;
  solution.rival = name;
  solution.rival_gap = 0;
  solution.rival_distance = apart;
}

/// As many fits as the effort allows.
int fits_of(const Shape& shape) {
  const double numbers = limits::components * (limits::components + 3) / 2.0;
  const double operations = 2 * limits::sweeps * numbers * static_cast<double>(shape.entries()) *
                            static_cast<double>(shape.order());
  return static_cast<int>(
      std::clamp<double>(limits::effort / operations, limits::fewest_fits, limits::fits));
}

/// The median of several models at each entry, one slice of the first mode after the other: a fit
/// that went astray moves a mean, but not a median.
Entries median_of(const Shape& shape, std::vector<Factors> fits) {
  Entries all(shape.entries());
  const Index slice = shape.entries() / shape[0];
  std::vector<Factors> parts = fits;
  std::vector<double> values(fits.size());
  std::vector<Entries> guesses(fits.size());
  for (Index i = 0; i < shape[0]; ++i) {
    for (std::size_t k = 0; k < fits.size(); ++k) {
      parts[k].front() = fits[k].front().row(i);
      guesses[k] = evaluate(parts[k]);
    }
    for (Index e = 0; e < slice; ++e) {
      for (std::size_t k = 0; k < fits.size(); ++k) values[k] = guesses[k][e];
      all[i * slice + e] = median(values);
    }
  }
  return all;
}

}  // namespace

bool has_poor_rows(const DenseCore& core, int rank) {
  if (core.complete()) return false;
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const Eigen::ArrayXd known = known_in_slices(core, mode);
    const auto poor = static_cast<double>((known < limits::plenty * rank).count());
    if (poor > limits::poor_rows * static_cast<double>(known.size())) return true;
  }
  return false;
}

bool can_be_completed(const Shape& shape) {
  return shape.entries() <= limits::most_entries &&
         *std::max_element(shape.begin(), shape.end()) <= limits::largest_mode;
}

Entries complete(const DenseCore& core, const SmoothModes& smooth, Rng& rng, Monitor& monitor) {
  return complete(core, smooth, fits_of(core.shape), rng, monitor);
}

Entries complete(const DenseCore& core, const SmoothModes& smooth, int count, Rng& rng,
                 Monitor& monitor) {
  std::vector<Factors> fits;
  Entries weights = Entries::Zero(core.values.size());
  for (int k = 0; k < count; ++k) {
    RowPosteriorFit fit = fit_row_posteriors(core, limits::components, smooth, rng, monitor);
    weights += fit.weights / count;
    fits.push_back(std::move(fit.factors));
  }
  const Entries mean = median_of(core.shape, fits);
  weights = (weights > 0.5).cast<double>();
  Entries R = core.values - mean;
  if (!core.complete()) R *= core.observed;
  const Entries sizes = usual_sizes(core, R);
  R /= sizes;
  Entries completed = fit_field(core, R, std::move(weights), rng, monitor).mean;
  completed *= sizes;
  completed += mean;
  return completed;
}

NoisySolution fit_poor_rows(const DenseCore& core, int rank, NoiseFamily family,
                            const SmoothModes& smooth, Rng& rng, Monitor& monitor,
                            Entries& completed) {
  const HeldOut held = hold_out(core, rng);
  if (!can_be_judged(held, rank)) {
    completed = complete(core, smooth, rng, monitor);
    return fit_completed_core(core, completed, rank, rng, monitor);
  }
  const auto& [trial, hidden] = held;
  const Entries guess = complete(trial, smooth, limits::fits_of_trial, rng, monitor);
  const NoisySolution with_prior = fit_completed_core(trial, guess, rank, rng, monitor);
  const Entries L = evaluate(with_prior.fit.factors);
  std::optional<NoisySolution> rival;
  if (may_do_without_prior(core, trial, hidden, L, rank, rng, monitor)) {
    NoisySolution plain = fit_noisy_core(trial, rank, {}, rng, monitor, family);
    const Entries plain_L = evaluate(plain.fit.factors);
    if (predicts_clearly_better(core, hidden, plain_L, L)) {
      const bool fills_better = predicts_clearly_better(core, hidden, plain_L, guess);
      plain.fit = refine(core, plain.fit.factors, plain.fit.noise, {}, monitor);
      completed = fills_better ? evaluate(plain.fit.factors) : complete(core, smooth, rng, monitor);
      return plain;
    }
    // The prior takes values at an end as they are, so that it is never clearly better there.
    if (core.has_ends() || !predicts_clearly_better(core, hidden, L, plain_L)) {
      rival = std::move(plain);
    }
  }
  completed = complete(core, smooth, rng, monitor);
  NoisySolution solution = fit_completed_core(core, completed, rank, rng, monitor);
  note_other_fit(with_prior, "without the hidden entries", solution);
  if (rival && solution.agreeing > 0) note_other_fit(*rival, "without a prior", solution);
  return solution;
}

NoisySolution fit_completed_core(const DenseCore& core, const Entries& completed, int rank,
                                 Rng& rng, Monitor& monitor) {
  const Factors start = subspace_start(core.shape, completed, rank, rng, monitor);
  Factors factors =
      small_als(core.shape, completed, rank, rng,
                {.sweeps = limits::low_rank_sweeps, .tolerance = limits::low_rank_tolerance},
                &start)
          .factors;
  NoisySolution solution;
  solution.start = "completed";
  NoiseModel noise = first_noise(core, factors, true);
  for (int step = 0; step < limits::noise_steps; ++step) {
    solution.fit = refine(core, factors, noise, {.steps = 0}, monitor);
    noise = solution.fit.noise;
  }
  return solution;
}

}  // namespace sunder::robust
