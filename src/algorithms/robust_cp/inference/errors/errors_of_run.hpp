#pragma once
/// Standard errors of the result of a run, from the pass that finds S.

#include <optional>

#include "algorithms/robust_cp/inference/errors/standard_errors.hpp"
#include "algorithms/robust_cp/noise/noisy_run.hpp"
#include "algorithms/robust_cp/noise/noisy_tensor.hpp"

namespace sunder::robust {

class ErrorsOfRun {
 public:
  /// `model` is L in the unit of T. The arguments outlive this object.
  ErrorsOfRun(const RunContext& context, const CpModel& model, const NoisyFit& fit,
              bool rows_have_prior);

  /// For the pass; empty where there are no errors to be had.
  BlockVisitor visitor();
  /// After the pass.
  StandardErrors finish();

 private:
  const RunContext& context_;
  const NoisyFit& fit_;
  CpModel model_;  ///< in the unit of the fit
  Factors factors_;
  std::optional<NormalEquations> equations_;
  std::string remark_;
};

}  // namespace sunder::robust
