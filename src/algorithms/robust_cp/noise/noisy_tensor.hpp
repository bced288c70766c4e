#pragma once
/// The whole tensor under a noise model, block by block, wherever it is stored.

#include <functional>

#include "algorithms/robust_cp/certificate/tensor_fit.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/inference/sparse_rule.hpp"
#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"
#include "sunder/algorithms/options.hpp"

namespace sunder::robust {

/// Boxes that follow each other in C order and cover a shape, each of at most `most` entries (or of
/// one fibre of the last mode).
std::vector<IndexSets> blocks_of(const Shape& shape, Index most);

/// Sees a block of the tensor: its entries, where it is, its residuals and weights.
using BlockVisitor = std::function<void(const DenseCore& block, const IndexSets& sets,
                                        const Entries& residuals, const EntryWeights& weights)>;

struct NoisySparse {
  TensorFit fit;
  std::vector<double> q;  ///< of each entry of the list S
};

class NoisyTensor {
 public:
  /// Noise, atoms and factors are those of T / scale. The arguments outlive this object.
  NoisyTensor(Engine& engine, double scale, const Atoms& atoms, Monitor& monitor);

  /// The sums over all of T.
  LikelihoodSums read(const Factors& factors, const NoiseModel& noise);

  /// Finds S by a rule, in one read. `slices` receives the sums over each slice, if it is not null.
  /// `visit` sees every block, if it is not empty.
  NoisySparse find_sparse(const Factors& factors, const NoiseModel& noise, const SparseRule& rule,
                          const RunOptions& run, std::vector<SliceSums>* slices = nullptr,
                          const BlockVisitor& visit = {});

 private:
  /// A block in the unit of the noise. It is valid until the next one.
  const DenseCore& block(std::size_t k);

  Engine& engine_;
  double scale_;
  const Atoms& atoms_;
  Monitor& monitor_;
  std::vector<IndexSets> blocks_;
  std::vector<DenseCore> kept_;  ///< all blocks of a small tensor, else the last
};

}  // namespace sunder::robust
