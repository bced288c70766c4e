#pragma once
/// A pass: one read of T that computes everything an iteration needs.
///
///     R = T - L          for each tile, L from its factors
///     K = w(R) R         the rule decides entry by entry; a missing entry is not kept
///     M_m += K x_{k != m} P_k      MTTKRP of the kept residual, for every requested mode
///     counts and sums; if requested a histogram of |R|, statistics of slices, and S
///
/// L and S are never formed densely: memory is that of T plus O(n r). Results that are not
/// requested cost nothing.

#include <bitset>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/pass/log_histogram.hpp"
#include "engine/pass/rule.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

class Source;

/// A set of modes, for example those whose MTTKRP is requested.
using ModeSet = std::bitset<max_order>;
ModeSet only_mode(int mode);
ModeSet all_modes(int order);

/// The arithmetic inside a tile. Sums over tiles are in double precision either way.
enum class Precision { f64, f32 };

/// Returns the unit roundoff u of a residual: T - L is computed to within about (r + 1) u (|T| +
/// sum_k |terms of L|), so a residual below a small multiple of that is only rounding. It is 2^-53,
/// or 2^-24 if T is stored or the arithmetic is done in single precision. Integer types are exact
/// (i32 beyond 2^24 only in f64).
double rounding_of(ScalarType storage, Precision precision);

/// How much a pass computes about slices. `counts` costs a fraction of `full`.
enum class SliceDetail { none, counts, full };

/// Receives entries of S: positions (as in SparseTensor) and values.
using SparseSink =
    std::function<void(std::span<const Index> positions, std::span<const double> values)>;

struct PassRequest {
  const CpModel* model = nullptr;  ///< L; rank 0 is allowed
  Rule rule = {};                  ///< which residuals are kept, and how much of them
  const std::vector<Matrix>* probe =
      nullptr;                           ///< P: the factors to multiply with; null: the model's
  ModeSet modes = {};                    ///< which MTTKRPs to compute
  Precision precision = Precision::f64;  ///< f32 is about twice as fast; residuals to 1e-7 of L
  const TensorView* mask =
      nullptr;  ///< u8, the shape of T, non-zero = observed; null: all that is not NaN
  bool data_statistics = false;  ///< data_square_sum and data_max
  /// Compute PassStatistics from `kept` to `cost_sum`. This costs a quarter of a pass over integers
  /// with one or two components, where arithmetic is the limit, and next to nothing elsewhere.
  bool sums = true;
  bool histogram = false;                            ///< magnitudes
  SliceDetail slice_statistics = SliceDetail::none;  ///< PassResult::slices
  double fit_tolerance = 0;  ///< a residual below this, or of zero, counts as fitted (slices)
  /// For each mode and index, 1 if the model's row there is alive and 0 if it is zero; null: all
  /// are alive. An entry counts for its slice of one mode only if its rows of all *other* modes are
  /// alive: where another row is zero, the entry carries no information about this one. Only the
  /// statistics of slices use it.
  const std::vector<std::vector<std::uint8_t>>* alive = nullptr;
  bool collect_sparse = false;  ///< list the entries of S
  /// Receives the entries of S as they are found, so that S needs no memory: batch after batch,
  /// from one thread at a time, in increasing order of position if `finds_in_order`. A few batches
  /// of at most a million entries may wait; a slow sink makes the pass wait.
  SparseSink sparse_sink = {};
};

/// Fields that were not requested are zero.
struct PassStatistics {
  Index kept = 0;                  ///< entries that are not in S
  Index rejected = 0;              ///< entries of S
  Index missing = 0;               ///< NaN in T, or masked out
  double kept_square_sum = 0;      ///< ||K||^2
  double rejected_square_sum = 0;  ///< ||S||^2
  double weight_sum = 0;           ///< sum of w(R) over the observed entries
  double cost_sum = 0;             ///< sum of rho(R) over the observed entries
  double data_square_sum = 0;      ///< ||T||^2 over the observed entries; if requested
  double data_max = 0;             ///< max |T| over the observed entries; if requested
  LogHistogram magnitudes;         ///< of |T - L| over the observed entries; if requested

  Index observed() const { return kept + rejected; }
};

/// For every index of one mode: statistics of the alive entries of the slice of T at that index.
struct SliceStatistics {
  std::vector<Index> observed;
  std::vector<Index> fitted;            ///< |R| < fit_tolerance or zero
  std::vector<Index> kept;              ///< not in S; empty unless full
  std::vector<double> kept_square_sum;  ///< ||K||^2 of the slice; empty unless full

  explicit SliceStatistics(Index extent = 0, SliceDetail detail = SliceDetail::full);
  Index extent() const { return std::ssize(observed); }
  /// Adds the statistics of the slices `first` and on.
  void add(const SliceStatistics& some, Index first);
};

struct PassResult {
  std::vector<Matrix> mttkrp;  ///< one per mode of T; empty where not requested
  PassStatistics statistics;
  std::vector<SliceStatistics> slices;  ///< one per mode; empty unless requested
  SparseTensor sparse;  ///< empty unless requested; an entry of S is the whole residual
};

/// Returns true if a pass meets the entries in increasing order of position, so that a sink
/// receives them sorted. This holds in C order (or for strides that descend as in C order) if the
/// last mode has at most 65536 indices. Otherwise entries arrive in the order of the walk, and a
/// caller that needs them sorted must sort them.
bool finds_in_order(const TensorView& tensor);

/// Runs a pass. Throws InputError for an infinite entry or a request that does not fit the tensor,
/// and Cancelled when `still_wanted` returns cancel. `threads` = 0 means one thread per processor.
PassResult pass(const TensorView& tensor, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted = {});
/// Runs the same pass window by window in all processes together. Each works on its share, and all
/// receive the same sums, with the same bits as a single process. S stays with the process that
/// found it. If one process throws, all of them throw.
PassResult pass(Source& source, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted = {},
                const Communicator& communicator = SerialCommunicator());

}  // namespace sunder
