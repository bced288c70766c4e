#pragma once
/// Tensors that algorithms multiply with but never see entry by entry.

#include "engine/engine.hpp"

namespace sunder {

class TensorOperator {
 public:
  virtual ~TensorOperator() = default;
  virtual Shape shape() const = 0;
  /// Matricised tensor times Khatri-Rao product: the tensor contracted with column i of every
  /// factor but that of `mode`, for each i.
  virtual Matrix mttkrp(const std::vector<Matrix>& factors, int mode) = 0;
};

/// T - S, where S is what the rule rejects of T - L. Since S = T - L there, T - S equals L on the
/// rejected (and on the missing) entries and T on the kept ones:
///
///     T - S = L + K,     K = keep(T - L),
///
/// so that one pass gives the share of K, and the r x r Grams that of L.
class CleanedTensor final : public TensorOperator {
 public:
  CleanedTensor(Engine& engine, const CpModel& model, Rule rule)
      : engine_(engine), model_(model), rule_(rule) {}

  Shape shape() const override { return engine_.shape(); }
  Matrix mttkrp(const std::vector<Matrix>& factors, int mode) override;
  /// What the last product counted of S and of the kept residual on its way.
  const PassStatistics& statistics() const { return statistics_; }

 private:
  Engine& engine_;
  const CpModel& model_;
  Rule rule_;
  PassStatistics statistics_;
};

/// The MTTKRP of a CP model itself: O(n r^2).
Matrix mttkrp(const CpModel& model, const std::vector<Matrix>& factors, int mode);

}  // namespace sunder
