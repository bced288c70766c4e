#pragma once
/// Several methods on one tensor, under the same budget, side by side.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"
#include "sunder/study/support_pattern.hpp"

namespace sunder {

struct ComparisonOptions {
  std::vector<std::string> methods;  ///< by name; all of them if empty
  int rank = 0;                      ///< 0: chosen by the methods that can
  std::uint64_t seed = 1;
  int threads = 0;
  double time_limit = 60;     ///< seconds for each method
  int pass_limit = 0;         ///< passes over the data for each method; 0: no limit
  double held_out = 0.01;     ///< share of the entries to hide and to judge by, without a truth
  ProgressCallback progress;  ///< called often; may cancel
  const CpModel* true_low_rank = nullptr;     ///< where the truth is known: L*
  const SparseTensor* true_sparse = nullptr;  ///< and S*
};

/// What became of one method. A method that cannot run, or runs out of its budget, is a row too.
struct ComparisonRow {
  enum class Status { finished, over_budget, failed };

  std::string method;
  Status status = Status::finished;
  std::string message;  ///< why it failed, or which budget it went beyond
  Outcome outcome = Outcome::converged;
  Certified certified = Certified::none;
  int components = 0;  ///< of L
  double sparse_fraction = 0;
  int passes = 0;
  Index entries_sampled = 0;
  double seconds = 0;
  std::optional<double> error;     ///< ||L - L*||_F / ||L*||_F, where the truth is known
  std::optional<double> held_out;  ///< median |T - L| over median |T|, on the hidden entries
  double precision = 0;            ///< of S against S*, where the truth is known
  double recall = 0;
};

/// The outcome, "over budget" or "failed".
std::string_view status_of(const ComparisonRow& row);

struct Comparison {
  std::vector<ComparisonRow> rows;  ///< the best first
  SupportPattern pattern;           ///< of the best method's S
  std::string advice;               ///< one sentence
};

/// Throws OptionError for an unknown method or options out of range, Cancelled when the callback
/// says so. Without a truth the tensor is copied, to hide some entries.
Comparison compare_methods(const TensorView& tensor, const ComparisonOptions& options);

}  // namespace sunder
