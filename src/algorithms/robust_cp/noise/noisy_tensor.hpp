#pragma once
/// The whole tensor under a noise model, block by block, wherever it is stored.

#include "algorithms/robust_cp/certificate/tensor_fit.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"
#include "sunder/algorithms/options.hpp"

namespace sunder::robust {

/// Boxes that follow each other in C order and cover a shape, each of at most `most` entries (or of
/// one fibre of the last mode).
std::vector<IndexSets> blocks_of(const Shape& shape, Index most);

class NoisyTensor {
 public:
  /// Noise, atoms and factors are those of T / scale. The arguments outlive this object.
  NoisyTensor(Engine& engine, double scale, const Atoms& atoms, Monitor& monitor);

  /// The sums over all of T.
  LikelihoodSums read(const Factors& factors, const NoiseModel& noise);

  /// Finds S: the entries that are more likely errors than noise, or, where `width` is not 0, those
  /// that lie at least that many standard deviations of their noise from L. Residuals below `least`
  /// are never in S.
  /// `slices` receives the sums over each slice, if it is not null.
  TensorFit find_sparse(const Factors& factors, const NoiseModel& noise, double width, double least,
                        const RunOptions& run, std::vector<SliceSums>* slices = nullptr);

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
