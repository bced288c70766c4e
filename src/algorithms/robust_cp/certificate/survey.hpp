#pragma once
/// The read of the whole tensor that finds S, and hands it to where the run wants it.

#include <optional>

#include "algorithms/robust_cp/certificate/few_outliers.hpp"
#include "algorithms/robust_cp/certificate/verification.hpp"
#include "sunder/algorithms/options.hpp"

namespace sunder::robust {

class Survey {
 public:
  /// `precision` is that of passes over T; it rises where numbers overflow. All outlive the survey.
  Survey(Engine& engine, const RunOptions& run, Precision& precision, Monitor& monitor);

  /// S is where |T - L| is at least `level`. With `remember_few`, `few_outliers` can be asked for.
  Verification look(const Factors& factors, double level, bool remember_few);

  /// S as the last look found it, from every process; nothing if it is long.
  std::optional<SparseTensor> few_outliers(const Verification& seen) const;

  /// Whether S goes into the result, rather than to a receiver or nowhere.
  bool collects() const { return run_.collect_sparse && run_.sparse_receiver == nullptr; }

 private:
  Verification read(const Factors& factors, double level, bool remember_few);
  SparseSink fresh_sink() const;

  Engine& engine_;
  const RunOptions& run_;
  Precision& precision_;
  Monitor& monitor_;
  FewOutliers few_;
};

}  // namespace sunder::robust
