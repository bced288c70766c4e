#pragma once
/// The spectral norm ||M|| = max |M(u, v, w)| over unit vectors, and the paper's bound on it for
/// block sparse tensors. The norm itself is NP-hard to compute from order 3 on; the estimate is a
/// lower bound.

#include <cstdint>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/theory/block_structure.hpp"

namespace sunder {

struct SpectralNormOptions {
  std::uint64_t seed = 1;  ///< of the random starts
  int random_starts = 8;
  int block_starts = 8;       ///< the first blocks, one start from each
  int first_sweeps = 5;       ///< of each start; a sweep updates every vector once
  int max_sweeps = 100;       ///< of the best start, which alone is continued
  double tolerance = 1e-9;    ///< relative growth of |M(u, v, w)| in a sweep at which a start ends
  ProgressCallback progress;  ///< called for every sweep; may cancel
};

/// The largest |(L + S)(u, v, ...)| that higher-order power iteration finds, from the components of
/// L, the heaviest entry of S, the norms of the slices of S, the blocks and random vectors. A step
/// costs O(non-zeros + n r). Throws InputError if the shapes differ, Cancelled when the callback
/// says so.
double estimate_spectral_norm(const CpModel& low_rank, const SparseTensor& sparse,
                              const BlockStructure& blocks = {},
                              const SpectralNormOptions& options = {});
/// The same for S alone.
double estimate_spectral_norm(const SparseTensor& sparse, const BlockStructure& blocks = {},
                              const SpectralNormOptions& options = {});

/// max |S_ijk|; 0 without entries.
double largest_magnitude(const SparseTensor& sparse);

/// Lemma "Spectral norm bounds for block sparse tensors": d^1.5 ||S||_inf, the constant read as 1;
/// d^(order / 2) for another order. It applies where the blocks hold all of the support.
double lemma_spectral_bound(const SparseTensor& sparse, const BlockStructure& blocks);
/// A bound that holds with certainty for such a support: (1 + (B - 1) eta) times that of the lemma.
double certain_spectral_bound(const SparseTensor& sparse, const BlockStructure& blocks);

}  // namespace sunder
