#pragma once
/// The pass over the whole tensor that finds S and gives it to where the run wants it.

#include <optional>

#include "algorithms/robust_cp/certificate/few_outliers.hpp"
#include "algorithms/robust_cp/certificate/tensor_fit.hpp"
#include "sunder/algorithms/options.hpp"

namespace sunder::robust {

/// Whether S is kept for a search as well, while it is short.
enum class KeepOutliers { no, while_few };

class SparsePass {
 public:
  /// `precision` is that of passes over T; it rises where numbers overflow. The arguments outlive
  /// this object.
  SparsePass(Engine& engine, const RunOptions& run, Precision& precision, Monitor& monitor);

  /// Finds S, which is where |T - L| is at least `level`.
  TensorFit find_sparse(const Factors& factors, double level, KeepOutliers keep);

  /// S as the last pass found it, from every process; nullopt if it is long. The pass must have
  /// kept it.
  std::optional<SparseTensor> few_outliers(const TensorFit& fit) const;

  /// Whether S goes into the result, rather than to a receiver or nowhere.
  bool collects() const { return run_.collect_sparse && run_.sparse_receiver == nullptr; }

  Engine& engine() { return engine_; }
  Monitor& monitor() { return monitor_; }
  Precision precision() const { return precision_; }

 private:
  TensorFit read(const Factors& factors, double level, KeepOutliers keep);

  Engine& engine_;
  const RunOptions& run_;
  Precision& precision_;
  Monitor& monitor_;
  FewOutliers few_;
};

}  // namespace sunder::robust
