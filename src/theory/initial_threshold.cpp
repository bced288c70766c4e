#include "sunder/theory/initial_threshold.hpp"

#include <cmath>

namespace sunder {

InitialThreshold initial_threshold(const CpModel& low_rank, const SparseTensor& sparse, double beta,
                                   const BlockStructure& blocks,
                                   const SpectralNormOptions& options) {
  InitialThreshold start;
  start.tensor_norm = estimate_spectral_norm(low_rank, sparse, blocks, options);
  start.threshold = beta * start.tensor_norm;
  // T - S0 = L + E, where E is S at entries of T that stay and -L at those that are removed.
  std::vector<double> kept(sparse.values().begin(), sparse.values().end());
  for (Index k = 0; k < sparse.count(); ++k) {
    const ModeIndices index = sparse.coordinates(k);
    const double model = low_rank.entry({index.data(), static_cast<std::size_t>(low_rank.order())});
    double& value = kept[k];
    if (std::abs(model + value) < start.threshold) continue;
    value = -model;
    ++start.removed;
  }
  const SparseTensor error(sparse.shape(), {sparse.positions().begin(), sparse.positions().end()},
                           std::move(kept));
  start.cleaned_norm = estimate_spectral_norm(low_rank, error, blocks, options);
  return start;
}

}  // namespace sunder
