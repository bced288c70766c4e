#pragma once
/// Comparison of several methods on one tensor, under the same budget.

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
  std::vector<std::string> methods;  ///< names of the methods; empty: all of them
  int rank = 0;                      ///< 0: chosen automatically by the methods that can
  std::uint64_t seed = 1;
  int threads = 0;
  double time_limit = 60;     ///< seconds for each method
  int pass_limit = 0;         ///< passes over the data for each method; 0: no limit
  double held_out = 0.01;     ///< without a truth: share of the entries to hide and to judge by
  ProgressCallback progress;  ///< called often; may cancel
  const CpModel* true_low_rank = nullptr;     ///< L*, if the truth is known
  const SparseTensor* true_sparse = nullptr;  ///< S*, if the truth is known
};

/// The result of one method. A method that cannot run or exceeds its budget also has a row.
struct ComparisonRow {
  enum class Status { finished, over_budget, failed };

  std::string method;
  Status status = Status::finished;
  std::string message;  ///< why it failed, or which budget it exceeded
  Outcome outcome = Outcome::converged;
  Certified certified = Certified::none;
  int components = 0;  ///< components of L
  double sparse_fraction = 0;
  int passes = 0;
  Index entries_sampled = 0;
  double seconds = 0;
  std::optional<double> error;     ///< ||L - L*||_F / ||L*||_F, if the truth is known
  std::optional<double> held_out;  ///< median |T - L| over median |T|, on the hidden entries
  double precision = 0;            ///< precision of S against S*, if the truth is known
  double recall = 0;
};

/// Returns the outcome, "over budget" or "failed".
std::string_view status_of(const ComparisonRow& row);

struct Comparison {
  std::vector<ComparisonRow> rows;  ///< best method first
  SupportPattern pattern;           ///< pattern of the best method's S
  std::string advice;               ///< a recommendation in one sentence
};

/// Runs the methods. Without a truth it copies the tensor, to hide some entries. Throws OptionError
/// for an unknown method or options out of range, and Cancelled when the callback cancels.
Comparison compare_methods(const TensorView& tensor, const ComparisonOptions& options);

}  // namespace sunder
