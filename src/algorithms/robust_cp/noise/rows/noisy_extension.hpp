#pragma once
/// From a part to the whole under noise: every row that the part does not have, by robust
/// regression.

#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// What the rows of a tensor are read from.
struct RowSource {
  Engine& engine;
  double scale = 1;  ///< factors are those of T / scale
  Atoms atoms = {};  ///< entries of these values say nothing
  const ModeConstraints& constraints;
};

/// Factors and noise of the whole.
struct ExtendedFit {
  Factors factors;
  NoiseModel noise;
};

ExtendedFit extend_rows(const RowSource& source, const IndexSets& sets, const NoisyFit& fit,
                        Rng& rng, Monitor& monitor);

/// Some columns of the Khatri-Rao product of all modes but one, in order: half of them anywhere,
/// the others where a component is large, each component in turn. Empty, which stands for all, if
/// there are no more.
std::vector<Index> draw_telling_columns(const Factors& factors, int mode, Rng& rng);

/// The rows of a mode against these columns, without entries that say nothing.
RowProblem read_rows(const RowSource& source, const IndexSets& sets, const Factors& part, int mode,
                     std::span<const Index> columns, std::span<const Index> rows);

}  // namespace sunder::robust
