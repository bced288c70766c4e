#include "algorithms/robust_cp/noise/completion/completion.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/levels/completion.hpp"
#include "algorithms/robust_cp/noise/completion/field.hpp"
#include "algorithms/robust_cp/noise/completion/isolated.hpp"
#include "algorithms/robust_cp/noise/completion/row_posteriors.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

/// Entries that are known in each slice of a mode.
Eigen::ArrayXd known_in_slices(const DenseCore& core, int mode) {
  return unfold(core.shape, core.observed, mode).rowwise().sum().array();
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

Entries complete(const DenseCore& core, Rng& rng, Monitor& monitor) {
  Entries mean = Entries::Zero(core.values.size());
  Entries weights = mean;
  for (int k = 0; k < limits::fits; ++k) {
    const RowPosteriorFit fit = fit_row_posteriors(core, limits::components, rng, monitor);
    mean += evaluate(fit.factors) / limits::fits;
    weights += fit.weights / limits::fits;
  }
  weights = (weights > 0.5).cast<double>();
  Entries R = core.values - mean;
  if (!core.complete()) R *= core.observed;
  const Entries sizes = usual_sizes(core, R);
  return mean + sizes * fit_field(core, R / sizes, weights, rng, monitor).mean;
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
