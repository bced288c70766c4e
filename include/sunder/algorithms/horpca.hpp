#pragma once
/// Higher-order robust PCA (Goldfarb and Qin 2014): the sum of the nuclear norms of all unfoldings
/// in the place of that of one (docs/methods/horpca.md).

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct HorpcaOptions {
  double lambda = 1;        ///< weight of ||S||_1, in units of 1/sqrt(longest mode)
  double mu = 10;           ///< 1/penalty, in units of the standard deviation of the entries
  double tolerance = 1e-6;  ///< relative primal and dual residual at which the iteration ends
  int max_iterations = 1000;
};

struct HorpcaCOptions {
  double mu = 1;           ///< first 1/penalty, in units of the standard deviation of the entries
  double reduction = 0.9;  ///< factor on mu every ten iterations
  double smallest_mu = 1e-4;  ///< mu does not fall below this, in the same units
  double tolerance = 1e-6;    ///< relative primal and dual residual at which the iteration ends
  int max_iterations = 1000;
};

/// HoRPCA-S: convex. The rank is checked but not used: L has the multilinear rank that the program
/// gives it. Throws InputError for a tensor that cannot be decomposed, OptionError for options out
/// of range.
Decomposition horpca(const TensorView& tensor, const RunOptions& run, const HorpcaOptions& options);

/// HoRPCA-C: every unfolding has at most the given rank, not convex. Throws as horpca does.
Decomposition horpca_c(const TensorView& tensor, const RunOptions& run,
                       const HorpcaCOptions& options);

}  // namespace sunder
