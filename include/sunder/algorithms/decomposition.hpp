#pragma once
/// What every method returns.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/algorithms/inference.hpp"
#include "sunder/algorithms/noise_estimate.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// How a run ended. A numerical outcome is data, not an exception.
enum class Outcome {
  converged,        ///< the stopping rule of the method was met
  iteration_limit,  ///< the limit of iterations was reached first
  time_limit,       ///< RunOptions::max_seconds passed first; the result is the best by then
  stalled,          ///< nothing changes any more, but the stopping rule is not met
  ambiguous,        ///< another L explains the data nearly as well; the explanation names it
  cancelled,        ///< the progress callback asked to stop
};
std::string_view to_string(Outcome outcome);

/// What is known about the truth of a result, apart from the method's own convergence.
enum class Certified {
  none,  ///< no claim
  /// Under noise: the components come back from other starts and other data, but what is left
  /// shows that the model is not all.
  reproducible,
  consistent,  ///< under noise: evidence that the model and its noise explain the data
  exact,       ///< enough entries of every slice are fitted to rounding
};
std::string_view to_string(Certified certified);

/// A test that a verdict under noise rests on.
struct VerdictTest {
  std::string name;
  double value = 0;
  double limit = 0;
  bool at_most = true;  ///< whether the limit is the largest value that passes, or the smallest
  bool passed = true;
};

struct Certificate {
  Certified level = Certified::none;
  std::string explanation;  ///< in plain words, with the figures behind it and what to try
  std::vector<VerdictTest> tests = {};  ///< under noise
};

/// One line of the trace: the state after an outer iteration.
struct TraceRecord {
  int pass = 0;                ///< passes over the data so far
  std::string stage;           ///< where in the method's schedule
  double threshold = 0;        ///< zeta: residuals from here on belong to S
  double kept_residual = 0;    ///< norm of T - L - S over that of T
  double sparse_fraction = 0;  ///< share of the observed entries in S
  double change = 0;           ///< ||L_new - L_old||_F / ||L_new||_F
  double seconds = 0;          ///< since the start
  Index entries_sampled = 0;   ///< entries read besides the passes, so far
  double flops = 0;            ///< floating-point operations so far, about; 0: not counted
};
template <class Archive>
void describe(Archive& archive, TraceRecord& record) {
  archive(record.pass);
  archive(record.stage);
  archive(record.threshold);
  archive(record.kept_residual);
  archive(record.sparse_fraction);
  archive(record.change);
  archive(record.seconds);
  archive(record.entries_sampled);
  archive(record.flops);
}

struct Decomposition {
  CpModel low_rank;     ///< L: weights and factors, heaviest component first
  SparseTensor sparse;  ///< S: what of T the model does not explain; empty if it is not listed
  /// For each entry of the list S, the least level of `false_discoveries` at which it is in S;
  /// empty if that is not known.
  std::vector<double> sparse_q;
  Index sparse_count = 0;  ///< entries of S
  double sparse_norm = 0;  ///< ||S||_F
  Outcome outcome = Outcome::converged;
  Certificate certificate;
  Index missing_count = 0;      ///< entries of T that are NaN
  int passes = 0;               ///< complete reads of T
  Index entries_sampled = 0;    ///< entries read besides those passes
  std::int64_t bytes_read = 0;  ///< from files by all processes; 0 for a tensor in memory
  double flops = 0;             ///< floating-point operations, about; 0: not counted
  double seconds = 0;
  std::vector<TraceRecord> trace;
  NoiseEstimate noise;                       ///< of robust-cp
  std::vector<SliceQuality> slice_quality;   ///< one for each mode; empty if noise is not known
  std::vector<FlaggedSlice> flagged_slices;  ///< bad samples, the worst of each mode first
  FalseDiscoveries false_discoveries;        ///< how S was told from noise
  StandardErrors errors;                     ///< of L
  RankStudy ranks;                           ///< where the method chose the rank under noise

  /// S with its count and norm.
  void set_sparse(SparseTensor found);
};

}  // namespace sunder
