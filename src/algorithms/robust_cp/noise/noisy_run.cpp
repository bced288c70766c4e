#include "algorithms/robust_cp/noise/noisy_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/candidate.hpp"
#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/residual_sample.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/levels/noise_rows.hpp"
#include "algorithms/robust_cp/noise/completion/completion.hpp"
#include "algorithms/robust_cp/noise/noisy_tensor.hpp"
#include "algorithms/robust_cp/noise/part.hpp"
#include "algorithms/robust_cp/noise/residual_structure.hpp"
#include "algorithms/robust_cp/noise/rows/row_repair.hpp"
#include "algorithms/robust_cp/noise/telling_entries.hpp"
#include "algorithms/robust_cp/trace.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::noise;

bool NoisySampled::is_confirmed() const {
  const bool has_equal = !solution.rival.empty() && solution.rival_gap < limits::gap_if_agreed;
  return solution.is_confirmed() && !(has_equal && structure > limits::noise_structure);
}

bool NoisySampled::is_convincing() const {
  const double sigma = solution.fit.noise.sigma();
  return is_confirmed() && norm(solution.fit.factors) > 0 &&
         solution.support > limits::least_support && !solution.explains_one_count() &&
         sigma < limits::most_noise * exact.spread &&
         (structure < limits::noise_structure ||
          solution.fit.noise.outlier_share < limits::few_errors);
}

bool NoisySampled::ends_the_search() const {
  const NoiseModel& noise = solution.fit.noise;
  const bool explains_nearly_all = noise.outlier_share < limits::hardly_any_errors &&
                                   noise.sigma() < limits::little_noise * exact.spread;
  // Where few entries carry the signal, as with peaks, the spread of the data is that of the noise.
  const double size = std::max(exact.spread, noise.signal_size);
  const bool looks_like_noise =
      structure < limits::noise_structure && noise.sigma() < limits::much_noise * size;
  return is_convincing() && (looks_like_noise || explains_nearly_all);
}

namespace {

/// Whether L is clearly not zero at many of the zeros of a core, so that they stand for lost
/// entries. A fit that takes most of the other entries for errors cannot tell.
bool zeros_are_lost(const DenseCore& core, const NoisyFit& fit) {
  if (fit.noise.outlier_share > limits::mostly_errors) return false;
  const Entries L = evaluate(fit.factors);
  double zeros = 0;
  double clear = 0;
  for (Index i = 0; i < L.size(); ++i) {
    if (core.values[i] != 0 || !core.is_observed(i)) continue;
    zeros += 1;
    if (std::abs(L[i]) > limits::clearly_nonzero * fit.noise.sigma()) clear += 1;
  }
  return clear > limits::lost_share * zeros;
}

/// Squares of the entries in every slice, after a rule has bounded them.
std::vector<Eigen::ArrayXd> slice_energies(RunContext& context, const Rule& rule) {
  const CpModel nothing = CpModel::zero(context.shape);
  const PassResult seen =
      context.engine.pass({.model = &nothing, .rule = rule, .slice_statistics = SliceDetail::full});
  std::vector<Eigen::ArrayXd> energies;
  for (const SliceStatistics& slices : seen.slices) {
    const std::vector<double>& energy = slices.kept_square_sum;
    energies.emplace_back(Eigen::Map<const Eigen::ArrayXd>(energy.data(), std::ssize(energy)));
  }
  return energies;
}

/// A core whose rows are more likely those that hold much of the energy, where few do. It counts
/// twice: with the largest entries clipped, so that a few errors do not decide, and as it is, for
/// rows that are far larger than others.
IndexSets draw_by_energy(RunContext& context, const Shape& extents, Rng& rng) {
  IndexSets sets = draw_core(context, extents, rng);
  if (extents == context.shape || context.constraints.shares()) return sets;
  Factors zero;
  for (const Index extent : context.shape) zero.push_back(Matrix::Zero(extent, 1));
  std::vector<double> sizes = sample_residuals(context.engine, zero, context.run.seed).magnitudes;
  const double largest = quantile(sizes, limits::clipped_energy);
  if (!(largest > 0)) return sets;
  const std::vector<Eigen::ArrayXd> clipped = slice_energies(context, Rule::huber(largest));
  const std::vector<Eigen::ArrayXd> all = slice_energies(context, Rule::keep_all());
  for (int mode = 0; mode < context.shape.order(); ++mode) {
    draw_rows_by_energy({clipped[mode], all[mode]}, sets[mode], rng);
  }
  return sets;
}

/// Rows of all of T that are known from few entries need a prior.
bool needs_completion(const RunContext& context, const DenseCore& core) {
  return core.shape == context.shape && has_poor_rows(core, context.run.rank) &&
         can_be_completed(core.shape) && !context.constraints.any();
}

void fit_by_completion(RunContext& context, const DenseCore& known, NoisySampled& sampled,
                       Rng& rng) {
  Entries completed;
  sampled.solution = fit_poor_rows(known, context.run.rank, context.options.noise,
                                   context.options.smooth, rng, context.monitor, completed);
  sampled.completed.assign(completed.begin(), completed.end());
}

/// Zeros that recur are left out first. If they do not stand for lost entries after all, L is near
/// zero there, and hardly another one with them: the tournament need not be held again.
void fit_core(RunContext& context, const DenseCore& core, NoisySampled& sampled, Rng& rng) {
  Atoms& atoms = sampled.atoms;
  atoms = find_atoms(core);
  const int rank = context.run.rank;
  const NoiseFamily family = context.options.noise;
  const bool may_have_lost = atoms.zeros;
  if (needs_completion(context, with_atoms(core, atoms))) {
    fit_by_completion(context, with_atoms(core, atoms), sampled, rng);
    if (!may_have_lost || zeros_are_lost(core, sampled.solution.fit)) return;
    atoms.zeros = false;
    sampled.completed.clear();
  }
  std::optional<NoisySolution> start;
  if (atoms.zeros) {
    start = hold_noisy_start(with_atoms(core, atoms), rank, context.constraints, rng,
                             context.monitor, family);
    atoms.zeros = zeros_are_lost(core, start->fit);
    if (start->fit.noise.outlier_share > limits::mostly_errors) start.reset();
  }
  const DenseCore known = with_atoms(core, atoms);
  if (needs_completion(context, known)) return fit_by_completion(context, known, sampled, rng);
  sampled.solution =
      start ? fit_noisy_core_from(known, *start, context.constraints, rng, context.monitor, family)
            : fit_noisy_core(known, rank, context.constraints, rng, context.monitor, family);
}

}  // namespace

NoisySampled solve_noisy_core(RunContext& context, const Shape& extents, Rng& rng) {
  context.stage = fmt::format("noise, core {}", to_string(extents));
  return context.steps.take<NoisySampled>(context.stage, rng, [&] {
    context.report_progress();
    NoisySampled sampled;
    sampled.sets = draw_by_energy(context, extents, rng);
    const DenseCore core = scaled_core(context, sampled.sets);
    sampled.unit = context.state.scale;
    fit_core(context, core, sampled, rng);
    const NoisyFit& fit = sampled.solution.fit;
    sampled.structure = residual_structure(with_atoms(core, sampled.atoms), fit, context.monitor);
    const double unit = spread(core, thinned(informative(core)));
    sampled.exact.spread = unit;
    sampled.exact.sigma = fit.noise.sigma();
    sampled.exact.factors = fit.factors;
    if (fit.noise.sigma() < limits::hardly_noise * unit) {
      sampled.exact = solve_core_from(core, fit.factors, {.constraints = context.constraints}, rng,
                                      context.monitor);
    }
    record_noise(context.stage, sampled.solution, context.meter, context.state);
    return sampled;
  });
}

bool may_be_rounding(const NoisySampled& sampled) {
  return !(sampled.solution.fit.noise.sigma() >
           levels::verdict::least_noise * sampled.exact.spread);
}

void consider(RunContext& context, const Candidate& candidate, bool reached_twice,
              NoisySampled& sampled) {
  if (!(norm(candidate.factors) > 0)) return;
  context.stage = "noise, comparison";
  sampled = context.steps.take<NoisySampled>(context.stage, [&] {
    NoisySampled better = sampled;
    const DenseCore core = with_atoms(scaled_core(context, sampled.sets), sampled.atoms);
    Factors factors;
    for (std::size_t m = 0; m < sampled.sets.size(); ++m) {
      factors.emplace_back(candidate.factors[m](sampled.sets[m], Eigen::all));
    }
    factors.front() /= context.state.scale;
    balance(factors);
    NoiseModel noise = first_noise(core, factors, false);
    noise.family = sampled.solution.fit.noise.family;
    NoisyFit fit =
        refine(core, std::move(factors), std::move(noise),
               {.steps = limits::core_steps, .constraints = context.constraints}, context.monitor);
    if (!(fit.nats < sampled.solution.fit.nats)) return better;
    better.solution = {};
    better.solution.fit = std::move(fit);
    better.solution.start = "cores";
    better.solution.count_unit = sampled.solution.count_unit;
    better.solution.agreeing = reached_twice ? 1 : 0;
    better.solution.rival = sampled.solution.start;
    better.solution.rival_gap = sampled.solution.fit.nats - better.solution.fit.nats;
    better.solution.rival_distance =
        distance(better.solution.fit.factors, sampled.solution.fit.factors) /
        std::max(norm(better.solution.fit.factors), tiny);
    better.structure = residual_structure(core, better.solution.fit, context.monitor);
    return better;
  });
}

Factors known_rows(RunContext& context, const NoisySampled& sampled, Rng& rng) {
  context.stage = "noise, rows";
  return context.steps.take<Factors>(context.stage, rng, [&] {
    NoisyFit fit = sampled.solution.fit;
    fit.factors = sampled.exact.factors;
    const RowSource source{context.engine, context.state.scale, sampled.atoms, context.constraints};
    return extend_rows(source, sampled.sets, fit, rng, context.monitor).factors;
  });
}

NoisyFit extend_under_noise(RunContext& context, const NoisySampled& sampled, Rng& rng) {
  const Shape& shape = context.shape;
  bool is_whole = true;
  for (int m = 0; m < shape.order(); ++m) {
    is_whole = is_whole && std::ssize(sampled.sets[m]) == shape[m];
  }
  const NoisyFit& fit = sampled.solution.fit;
  if (is_whole) return fit;
  return context.steps.take<NoisyFit>("noise, all of T", rng, [&] {
    context.stage = "noise, all of T";
    const RowSource source{context.engine, context.state.scale, sampled.atoms, context.constraints};
    auto [factors, noise] = extend_rows(source, sampled.sets, fit, rng, context.monitor);
    const int passes = context.options.polish_passes;
    NoisyTensor tensor(context.engine, context.state.scale, sampled.atoms, context.monitor);
    const ReadLikelihood read = [&](const Factors& now, const NoiseModel& under, EntryWeights*) {
      context.report_progress();
      return tensor.read(now, under);
    };
    if (passes == 0) {
      NoisyFit all = fit;
      all.factors = std::move(factors);
      all.noise = std::move(noise);
      return all;
    }
    const RefineOptions options{.steps = std::max(passes, limits::tensor_steps),
                                .least_steps = passes - 1,
                                .constraints = context.constraints};
    NoisyFit all = refine(read, std::move(factors), std::move(noise), options, context.monitor);
    for (int round = 0; round < levels::noisy_rows::repair_rounds; ++round) {
      NoisyFit repaired = all;
      if (repair_rows(source, repaired, rng, context.monitor) == 0) break;
      NoisyFit again = refine(read, repaired.factors, repaired.noise, options, context.monitor);
      if (!(again.nats < all.nats)) break;
      all = std::move(again);
    }
    return all;
  });
}

std::vector<double> completed_tensor(RunContext& context, const NoisySampled& sampled) {
  std::vector<double> completed = sampled.completed;
  if (completed.empty() && can_be_completed(context.shape)) {
    context.stage = "filling gaps";
    completed = context.steps.take<std::vector<double>>(context.stage, [&] {
      context.report_progress();
      Rng rng(context.run.seed, ~std::uint64_t{6});
      DenseCore core = gather_core(context.engine, draw_indices(context.shape, context.shape, rng));
      core.values /= context.state.scale;
      const Entries entries = complete(with_atoms(std::move(core), sampled.atoms),
                                       context.options.smooth, rng, context.monitor);
      return std::vector<double>(entries.begin(), entries.end());
    });
  }
  for (double& entry : completed) entry *= context.state.scale;
  return completed;
}

bool rests_on_few_entries(const NoisySampled& sampled, const NoisyFit& fit, double known) {
  if (!sampled.completed.empty()) return false;  // its rows have a prior
  const double entries = known * telling_entries(fit.factors);
  const double errors = fit.noise.outlier_share;
  const auto rank = static_cast<double>(fit.factors.front().cols());
  return (1 - errors) * entries < limits::fewest_telling &&
         errors * entries * rank > limits::expected_errors;
}

std::string explain_noise(const RunContext& context, const NoisySampled& sampled,
                          const NoisyFit& fit, bool rests_on_few) {
  const NoisySolution& solution = sampled.solution;
  std::string text = fmt::format(
      "No model of rank {} fits the entries to rounding. The entries outside S differ from L by "
      "noise with a standard deviation of about {:.3g}.",
      context.run.rank, fit.noise.sigma() * context.state.scale);
  if (solution.agreeing > 0) {
    text += fmt::format(" {} other {} led to the same L.", solution.agreeing,
                        solution.agreeing == 1 ? "start" : "starts");
  }
  if (!sampled.is_confirmed()) {
    text += fmt::format(
        " Another L, at a relative distance of {:.2g}, explains the data nearly as well: its "
        "log-likelihood is lower by {:.2g} for each entry.",
        solution.rival_distance, solution.rival_gap);
  }
  if (sampled.atoms.zeros) {
    text += " Many entries are zero where L is not. They count as lost and belong to S.";
  }
  if (sampled.atoms.any_end()) {
    text += " The smallest or the largest value recurs: entries with that value count as cut off.";
  }
  if (solution.support < limits::least_support) {
    text +=
        " Large entries of L were taken for errors more often than others: L may be wrong there.";
  }
  if (rests_on_few) {
    text +=
        " A few entries of T are so large that they alone determine rows of L, and some of them "
        "must be errors: another L may explain the data as well.";
  }
  if (solution.explains_one_count()) {
    text += " L explains the most frequent count and takes the others for errors.";
  }
  if (sampled.structure > limits::noise_structure) {
    text += " The residuals still have structure: a larger `rank` may explain more.";
  }
  return text;
}

}  // namespace sunder::robust
