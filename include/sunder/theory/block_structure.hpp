#pragma once
/// The blocks that a support is made of: condition (S) of the paper asks for
/// Psi = sum_b psi_b o psi_b o psi_b; here every mode may have a set psi_b of its own, and the
/// order is any.

#include <vector>

#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// The largest number D of non-zeros in a fibre.
struct FibreSparsity {
  Index largest = 0;           ///< over all modes
  std::vector<Index> of_mode;  ///< over the fibres that run along each mode
};
FibreSparsity measure_fibres(const SparseTensor& sparse);

/// A product of index sets, one for each mode, that the support fills.
struct SupportBlock {
  std::vector<std::vector<Index>> indices;  ///< of each mode, ascending
  Index entries = 0;                        ///< of the support, inside the block

  Index cells() const;
};

struct BlockStructure {
  std::vector<SupportBlock> blocks;  ///< B is their number; the first found, the largest, first
  Index largest_extent = 0;          ///< d: the most indices that a block has in any mode
  double overlap = 0;                ///< eta: max <psi_i, psi_j> / d, i != j, over all modes
  Index covered = 0;                 ///< entries of the support that lie in a block
  double coverage = 1;               ///< their share; 1 for an empty support

  /// Blocks explain (almost) all of the support.
  bool structured(double least_coverage = 0.99) const { return coverage >= least_coverage; }
};

struct BlockOptions {
  double fill = 0.95;     ///< share of a block that must be in the support: S may vanish in places
  int max_blocks = 1000;  ///< the search ends there
  ProgressCallback progress;  ///< called for every block; may cancel
};

/// A greedy cover of the support by blocks; the search is described in docs/theory.md. A block
/// counts only if it describes the entries that it adds more briefly than a list of scattered
/// entries would, so that a uniformly random support has none. Throws OptionError for a fill
/// outside (0, 1], Cancelled when the callback says so.
BlockStructure find_blocks(const SparseTensor& sparse, const BlockOptions& options = {});

}  // namespace sunder
