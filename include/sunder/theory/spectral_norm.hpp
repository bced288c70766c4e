#pragma once
/// The spectral norm ||M|| = max |M(u, v, w)| over unit vectors, and the paper's bound on it for
/// block-sparse tensors. The norm is NP-hard to compute from order 3 on; the estimate is a lower
/// bound.

#include <cstdint>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/theory/block_structure.hpp"

namespace sunder {

struct SpectralNormOptions {
  std::uint64_t seed = 1;  ///< seed of the random starts
  int random_starts = 8;
  int block_starts = 8;     ///< one start from each of the first blocks
  int first_sweeps = 5;     ///< sweeps of each start; a sweep updates every vector once
  int max_sweeps = 100;     ///< sweeps of the best start, the only one that is continued
  double tolerance = 1e-9;  ///< a start ends when |M(u, v, w)| grows by less in a sweep, relatively
  ProgressCallback progress;  ///< called for every sweep; may cancel
};

/// Returns the largest |(L + S)(u, v, ...)| that higher-order power iteration finds. Its starts are
/// the components of L, the heaviest entry of S, the norms of the slices of S, the blocks, and
/// random vectors. A step costs O(non-zeros + n r). Throws InputError if the shapes differ, and
/// Cancelled when the callback cancels.
double estimate_spectral_norm(const CpModel& low_rank, const SparseTensor& sparse,
                              const BlockStructure& blocks = {},
                              const SpectralNormOptions& options = {});
/// The same for S alone.
double estimate_spectral_norm(const SparseTensor& sparse, const BlockStructure& blocks = {},
                              const SpectralNormOptions& options = {});

/// Returns max |S_ijk|, or 0 without entries.
double largest_magnitude(const SparseTensor& sparse);

/// Computes the bound of the lemma "Spectral norm bounds for block sparse tensors": d^1.5 ||S||_inf
/// with the constant 1, and d^(order / 2) for another order. It applies if the blocks contain the
/// whole support.
double lemma_spectral_bound(const SparseTensor& sparse, const BlockStructure& blocks);
/// Computes a bound that is certain for such a support: (1 + (B - 1) eta) times that of the lemma.
double certain_spectral_bound(const SparseTensor& sparse, const BlockStructure& blocks);

}  // namespace sunder
