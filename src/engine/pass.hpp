#pragma once
/// One read of T that carries everything an iteration needs.
///
///     R = T - L          for each tile, L from its factors
///     K = w(R) R         the rule decides entry by entry; a missing entry is not kept
///     M_m += K x_{k != m} P_k      MTTKRP of the kept residual, every mode asked for
///     counts and sums; where wanted a histogram of |R|, statistics of slices, and S
///
/// L and S are never formed densely: memory is that of T plus O(n r). What is not asked for costs
/// nothing.

#include <bitset>
#include <functional>
#include <vector>

#include "engine/log_histogram.hpp"
#include "engine/rule.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

class Source;

/// Modes whose MTTKRP is wanted.
using ModeSet = std::bitset<max_order>;
ModeSet only_mode(int mode);
ModeSet all_modes(int order);

/// The arithmetic inside a tile. Sums over tiles are in double precision either way.
enum class Precision { f64, f32 };

struct PassRequest {
  const CpModel* model = nullptr;  ///< L; rank 0 is allowed
  Rule rule = {};                  ///< which residuals are kept, and how much of them
  const std::vector<Matrix>* probe =
      nullptr;                           ///< P: the factors to multiply with; null: the model's
  ModeSet modes = {};                    ///< which MTTKRPs to compute
  Precision precision = Precision::f64;  ///< f32 is about twice as fast; residuals to 1e-7 of L
  const TensorView* mask =
      nullptr;  ///< u8, the shape of T, non-zero = observed; null: all that is not NaN
  bool data_statistics = false;   ///< data_square_sum and data_max
  bool histogram = false;         ///< magnitudes
  bool slice_statistics = false;  ///< PassResult::slices
  double fit_tolerance = 0;       ///< a residual of at most this counts as fitted (slices)
  bool collect_sparse = false;    ///< list the entries of S
};

struct PassStatistics {
  Index kept = 0;                  ///< entries that are not in S
  Index rejected = 0;              ///< entries of S
  Index missing = 0;               ///< NaN in T, or masked out
  double kept_square_sum = 0;      ///< ||K||^2
  double rejected_square_sum = 0;  ///< ||S||^2
  double weight_sum = 0;           ///< sum of w(R) over the observed entries
  double cost_sum = 0;             ///< sum of rho(R) over the observed entries
  double data_square_sum = 0;      ///< ||T||^2 over the observed entries; if asked for
  double data_max = 0;             ///< max |T| over the observed entries; if asked for
  LogHistogram magnitudes;         ///< of |T - L| over the observed entries; if asked for

  Index observed() const { return kept + rejected; }
};

/// For every index of one mode, over the slice of T at that index.
struct SliceStatistics {
  std::vector<Index> observed;
  std::vector<Index> fitted;            ///< |R| <= fit_tolerance
  std::vector<Index> kept;              ///< not in S
  std::vector<double> kept_square_sum;  ///< ||K||^2 of the slice

  explicit SliceStatistics(Index extent = 0);
  Index extent() const { return static_cast<Index>(observed.size()); }
};

struct PassResult {
  std::vector<Matrix> mttkrp;  ///< one per mode of T; empty where not asked for
  PassStatistics statistics;
  std::vector<SliceStatistics> slices;  ///< one per mode; empty unless asked for
  SparseTensor sparse;                  ///< empty unless asked for; S holds the whole residual
};

/// Throws InputError at an infinite entry or a request that does not fit the tensor, Cancelled when
/// `still_wanted` answers cancel. `threads` = 0: one for each processor.
PassResult pass(const TensorView& tensor, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted = {});
/// The same, slab by slab.
PassResult pass(const Source& source, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted = {});

}  // namespace sunder
