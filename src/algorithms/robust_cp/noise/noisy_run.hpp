#pragma once
/// A run on data that no model fits to rounding: from a core under noise to L and S of T.

#include <string>

#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/noisy_core.hpp"
#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// The fit of a core under noise, in the unit of the core.
struct NoisySampled {
  IndexSets sets;
  double unit = 1;  ///< that the entries of this core were divided by; later cores have others
  NoisySolution solution;
  Atoms atoms;                    ///< zeros only where they stand for lost entries
  double structure = 0;           ///< of the residuals (residual_structure.hpp)
  CoreSolution exact;             ///< what becomes of the fit where there is hardly any noise
  std::vector<double> completed;  ///< every entry of the core, where its rows needed a prior

  /// Whether no other L explains the core as well. Starts that agree decide, unless what they leave
  /// has structure: then another component may be worth as much as one of L.
  bool is_confirmed() const;
  /// Whether noise explains what L and S leave. An exact solver would have succeeded if there were
  /// no noise and few errors; where there are many, the residuals must look like noise.
  bool is_convincing() const;
  /// Whether nobody need look for an exact model. Blocks of errors leave structure behind as well,
  /// so that many errors or much noise together with structure are a reason to try larger cores.
  bool ends_the_search() const;
};
template <class Archive>
void describe(Archive& archive, NoisySampled& sampled) {
  archive(sampled.sets);
  archive(sampled.unit);
  archive(sampled.solution);
  archive(sampled.atoms);
  archive(sampled.structure);
  archive(sampled.exact);
  archive(sampled.completed);
}

/// Draws a core of these extents and fits it under noise. The answer is a step of the journal.
NoisySampled solve_noisy_core(RunContext& context, const Shape& extents, Rng& rng);

/// Whether what is left is so small that a model may still fit to rounding.
bool may_be_rounding(const NoisySampled& sampled);

/// Takes the model of other cores instead, if it explains the core better under noise. The answer
/// is a step of the journal.
void consider(RunContext& context, const Candidate& candidate, bool reached_twice,
              NoisySampled& sampled);

/// All rows of T as far as the resolution of the fit goes, in the unit of the core. The answer is a
/// step of the journal.
Factors known_rows(RunContext& context, const NoisySampled& sampled, Rng& rng);

/// Extends the fit to all of T and refines it there. The answer is a step of the journal.
NoisyFit extend_under_noise(RunContext& context, const NoisySampled& sampled, Rng& rng);

/// The best guess of every entry of T without its noise, in the unit of T. Empty where T is too
/// large to be completed. The answer is a step of the journal.
std::vector<double> completed_tensor(RunContext& context, const NoisySampled& sampled);

/// Whether rows of L are determined by so few entries, some of which are errors, that another L
/// could explain the data as well. `known`: the share of the entries that are not missing.
bool rests_on_few_entries(const NoisySampled& sampled, const NoisyFit& fit, double known);

/// What a user reads about a fit under noise.
std::string explain_noise(const RunContext& context, const NoisySampled& sampled,
                          const NoisyFit& fit, bool rests_on_few);

}  // namespace sunder::robust
