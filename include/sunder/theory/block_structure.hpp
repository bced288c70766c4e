#pragma once
/// The blocks of a support. Condition (S) of the paper requires Psi = sum_b psi_b o psi_b o psi_b.
/// Here each mode may have its own set psi_b, and the tensor any order.

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
  std::vector<std::vector<Index>> indices;  ///< the index set of each mode, ascending
  Index entries = 0;                        ///< entries of the support inside the block

  Index cells() const;
};

struct BlockStructure {
  std::vector<SupportBlock>
      blocks;  ///< in the order in which they were found, largest first; B is their number
  Index largest_extent = 0;  ///< d: the largest number of indices of a block in any mode
  double overlap = 0;        ///< eta: max <psi_i, psi_j> / d, i != j, over all modes
  Index covered = 0;         ///< entries of the support that lie in a block
  double coverage = 1;       ///< their share; 1 for an empty support

  /// Returns true if blocks explain (almost) all of the support.
  bool structured(double least_coverage = 0.99) const { return coverage >= least_coverage; }
};

struct BlockOptions {
  double fill = 0.95;         ///< share of a block that must be in the support; S may have zeros
  int max_blocks = 1000;      ///< the search ends at this number
  ProgressCallback progress;  ///< called for every block; may cancel
};

/// Covers the support greedily by blocks; docs/theory.md describes the search. A block counts only
/// if it describes the entries that it adds more briefly than a list of scattered entries would, so
/// a uniformly random support has none. Throws OptionError for a fill outside (0, 1], and Cancelled
/// when the callback cancels.
BlockStructure find_blocks(const SparseTensor& sparse, const BlockOptions& options = {});

}  // namespace sunder
