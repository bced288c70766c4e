#pragma once
/// Tensors that algorithms multiply with but never see entry by entry.

#include "engine/engine.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {

class TensorOperator {
 public:
  virtual ~TensorOperator() = default;
  virtual Shape shape() const = 0;
  /// Matricised tensor times Khatri-Rao product, for every mode asked for: the tensor contracted
  /// with column i of every factor but that of the mode, for each i. Empty where not asked for.
  virtual std::vector<Matrix> mttkrps(const std::vector<Matrix>& factors, ModeSet modes) = 0;

  Matrix mttkrp(const std::vector<Matrix>& factors, int mode) {
    return std::move(mttkrps(factors, only_mode(mode))[mode]);
  }
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
  std::vector<Matrix> mttkrps(const std::vector<Matrix>& factors, ModeSet modes) override;
  /// What the last product counted of S and of the kept residual on its way.
  const PassStatistics& statistics() const { return statistics_; }

 private:
  Engine& engine_;
  const CpModel& model_;
  Rule rule_;
  PassStatistics statistics_;
};

/// A tensor without the components found so far.
class DeflatedTensor final : public TensorOperator {
 public:
  DeflatedTensor(TensorOperator& tensor, const CpModel& found) : tensor_(tensor), found_(found) {}

  Shape shape() const override { return tensor_.shape(); }
  std::vector<Matrix> mttkrps(const std::vector<Matrix>& factors, ModeSet modes) override;

 private:
  TensorOperator& tensor_;
  const CpModel& found_;
};

/// T(B_1, B_2, ...), as small as the bases have columns, by one pass with a column for each
/// combination of the columns of all bases but the first.
DenseTensor compressed(TensorOperator& tensor, const std::vector<Matrix>& bases);

/// The MTTKRP of a CP model itself: O(n r^2).
Matrix mttkrp(const CpModel& model, const std::vector<Matrix>& factors, int mode);

}  // namespace sunder
