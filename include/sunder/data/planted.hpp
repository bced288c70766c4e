#pragma once
/// Corrupted low-rank tensors with a known truth: the paper's Section "Experiments", generalised to
/// any order and shape, with noise and missing entries.

#include <cstdint>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

enum class Support { uniform, block, none };
enum class Signs { one, random };
enum class FactorKind { gaussian, orthonormal };
enum class WeightKind { ones, uniform, decaying };

struct PlantedOptions {
  Shape shape{100, 100, 100};
  int rank = 5;
  FactorKind factors =
      FactorKind::gaussian;  ///< i.i.d. normal columns scaled to unit length, or orthonormal
  WeightKind weights =
      WeightKind::ones;  ///< all 1; uniform in (1, 2); from 1 down to 0.2 in equal steps
  double zero_rows = 0;  ///< share of the rows of each factor set to zero (columns renormalised):
                         ///< raises incoherence
  bool symmetric =
      false;  ///< one factor matrix for all modes, and a symmetric S; needs equal extents
  Support support = Support::uniform;
  double density =
      0.1;          ///< d/n: probability of an entry of S (uniform), of an index of a block (block)
  int blocks = 10;  ///< B: number of blocks
  Signs signs = Signs::one;  ///< all values of S positive, or each with a random sign
  double magnitude =
      1;             ///< factor on the values of S, which are uniform in [r / (2 n^1.5), r / n^1.5]
  double noise = 0;  ///< standard deviation of Gaussian noise, in units of the rms of L
  double missing = 0;                 ///< share of the entries set to NaN
  ScalarType type = ScalarType::f64;  ///< f64 or f32
  std::uint64_t seed = 1;
};

struct PlantedTensor {
  DenseTensor tensor;   ///< T = L + S + noise, NaN where missing
  CpModel low_rank;     ///< L*, normalised
  SparseTensor sparse;  ///< S* on the observed entries
};

/// Throws OptionError for values out of range, Cancelled when the callback says so. The result
/// depends on the options alone, not on the number of threads.
PlantedTensor generate_planted(const PlantedOptions& options,
                               const ProgressCallback& progress = {});

}  // namespace sunder
