#pragma once
/// The verdict about the result of a run under noise.

#include "algorithms/robust_cp/certificate/noise_verdict.hpp"
#include "algorithms/robust_cp/noise/noisy_run.hpp"

namespace sunder::robust {

template <class Archive>
void describe(Archive& archive, NoiseEvidence& evidence) {
  archive(evidence.known);
  archive(evidence.match);
  archive(evidence.cold);
  archive(evidence.chip);
  archive(evidence.hold);
  archive(evidence.consistency);
  archive(evidence.box);
  archive(evidence.gain);
  archive(evidence.imprecision);
  archive(evidence.further);
  archive(evidence.structure);
  archive(evidence.shape);
  archive(evidence.slice_mean);
  archive(evidence.poorest_slice);
  archive(evidence.outliers);
}

/// Gathers evidence on a part of the core, and judges. `fit` is that of all of T. The evidence is a
/// step of the journal.
Certificate verdict_of_run(RunContext& context, const NoisySampled& sampled, const NoisyFit& fit);

}  // namespace sunder::robust
