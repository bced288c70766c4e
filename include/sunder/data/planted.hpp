#pragma once
/// Corrupted low-rank tensors with a known truth ("planted"): the model of the paper's experiments,
/// generalised to any order and shape, with noise and missing entries, and with the structure that
/// makes real data harder: offsets, collinear or unequal components, peaks, saturation, bad
/// samples.

#include <cstdint>
#include <functional>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_receiver.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/data/planted_choices.hpp"

namespace sunder {

struct PlantedOptions {
  Shape shape{100, 100, 100};
  int rank = 5;
  /// Independent normal columns scaled to unit length, orthonormal columns, or absolute values of
  /// normal ones.
  FactorKind factors = FactorKind::gaussian;
  /// All weights are 1, uniform in (1, 2), or fall from 1 to 0.2 in equal steps or from 1 to 0.01
  /// in equal ratios.
  WeightKind weights = WeightKind::ones;
  /// Replaces `weights` if not empty: one number is the ratio of each weight to the one before it,
  /// which starts at 1; otherwise there is one number for each component.
  std::vector<double> weight_list = {};
  double collinear = 0;       ///< cosine of each two columns of a factor, in all modes
  double peaks = 0;           ///< width of the single peak of every column, over the extent of its
                              ///< mode; mode 0 holds amounts between 0.2 and 1 instead; 0: none
  double sparse_factors = 0;  ///< share of the entries of the factors that are not zero but
                              ///< positive; 0: all of them, of any sign
  double heavy = 1;           ///< factor on a twentieth of the rows of every factor
  double offset = 0;          ///< a constant that is added as a further component, in units of the
                              ///< rms of the others
  double zero_rows = 0;       ///< probability that a row of a factor is set to zero, which raises
                         ///< incoherence; at least `rank` rows stay, and columns are renormalised
  /// One factor matrix for all modes, T and S symmetric; needs equal extents.
  bool symmetric = false;
  Support support = Support::uniform;
  /// d/n: probability of an entry of S (uniform) or of an index of a block (block).
  double density = 0.1;
  int blocks = 10;           ///< B: number of blocks
  Signs signs = Signs::one;  ///< all values of S positive, or each with a random sign
  double magnitude = 1;  ///< factor on the values of S, which are uniform in [s / 2, s], where s =
                         ///< r / n^1.5 and n^1.5 stands for the root of the number of entries
  double noise = 0;      ///< standard deviation of the noise, in units of the rms of L
  /// Gaussian; Gaussian with another deviation in every slice of every mode, up to a factor of 10
  /// apart; with the deviation noise * sqrt(L^2 + rms^2 / 4); counts with the mean L, scaled so
  /// that an average entry deviates by `noise` of itself; or Student's t with 3 degrees of freedom.
  NoiseKind noise_model = NoiseKind::gaussian;
  double missing = 0;        ///< share of the entries set to NaN
  double dropout = 0;        ///< share of the entries that are zero instead of their value
  double saturate_low = 0;   ///< quantile of the data at which values are cut off below
  double saturate_high = 1;  ///< quantile of the data at which values are cut off above
  double bad_samples = 0;    ///< share of the slices of mode 0 that do not obey the model at all
  /// Bad samples hold random numbers of twice the rms of L, or follow another model of its kind.
  BadSampleKind bad_kind = BadSampleKind::garbage;
  ScalarType type = ScalarType::f64;  ///< f64 or f32
  /// Degrees by which every column of the factors turns, each in a plane of its own, from one slice
  /// of the last mode to the next; the factor of the last mode does not turn.
  double rotate = 0;
  /// From this slice of the last mode on, the other modes have new factors; 0: never.
  Index change_at = 0;
  std::uint64_t seed = 1;
};

struct PlantedTensor {
  DenseTensor tensor;   ///< T = L + S + noise, NaN where missing
  CpModel low_rank;     ///< L*, normalised; movement, change and offset are components of their own
  SparseTensor sparse;  ///< S* on the observed entries: gross errors, and what dropouts, saturation
                        ///< and bad samples change
};

/// Throws OptionError when a value is out of range or contradicts another.
void validate(const PlantedOptions& options);

/// Generates a tensor in memory. Throws OptionError as validate() does, and Cancelled when the
/// callback cancels. The result depends only on the options, not on the number of threads.
PlantedTensor generate_planted(const PlantedOptions& options,
                               const ProgressCallback& progress = {});

/// Generates the same tensor without holding it in memory and returns L. `entries` receives the
/// entries of T in C order, part by part, each as a view of order 1; `sparse` receives those of S.
/// Throws OptionError for a symmetric tensor, whose entries are not generated in order.
CpModel generate_planted(const PlantedOptions& options,
                         const std::function<void(const TensorView& part)>& entries,
                         SparseReceiver& sparse, const ProgressCallback& progress = {});

}  // namespace sunder
