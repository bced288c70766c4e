#include "algorithms/robust_cp/inference/errors/errors_of_run.hpp"

#include <cmath>

#include "algorithms/robust_cp/inference/errors/score_slope.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

ErrorsOfRun::ErrorsOfRun(const RunContext& context, const CpModel& model, const NoisyFit& fit,
                         bool rows_have_prior)
    : context_(context),
      fit_(fit),
      model_(model.weights() / context.state.scale, model.factors()),
      factors_(scaled_factors(model_)) {
  Index unknowns = 0;
  for (const Matrix& factor : factors_) unknowns += factor.size();
  if (rows_have_prior) {
    remark_ = "The rows of L have a prior, for which there are no standard errors.";
  } else if (fit.noise.is_below_resolution()) {
    remark_ = "The noise is too small to be seen.";
  } else if (unknowns > limits::most_unknowns ||
             NormalEquations::flops(context.shape, model.rank()) > limits::most_flops) {
    remark_ = "L has too many unknowns, or T too many entries, for standard errors.";
  } else if (model.rank() > 0 && model_.norm() > 0) {
    equations_.emplace(factors_);
  }
}

BlockVisitor ErrorsOfRun::visitor() {
  if (!equations_) return {};
  return [this](const DenseCore& block, const IndexSets& sets, const Entries& residuals,
                const EntryWeights& weights) {
    equations_->add(block, sets, residuals, weights, fit_.noise);
  };
}

StandardErrors ErrorsOfRun::finish() {
  StandardErrors errors;
  if (equations_) {
    errors = standard_errors(model_, context_.constraints, *equations_, relative_score_slope(fit_));
  }
  errors.remark = remark_;
  if (!errors.known) {
    if (equations_) errors.remark = "The known entries leave a part of L open.";
    return errors;
  }
  const double scale = context_.state.scale;
  errors.weights *= scale;
  errors.covariance *= std::pow(scale, 2.0 / context_.shape.order());
  if (context_.shape.order() == 2 && !context_.constraints.any()) {
    errors.factors.clear();
    errors.weights.resize(0);
    errors.remark = "The factors of a matrix are not unique: errors are those of the entries of L.";
  } else if (context_.constraints.any_nonnegative()) {
    errors.remark =
        "An entry of a factor that is zero by its constraint has no error: it is at its bound.";
  }
  return errors;
}

}  // namespace sunder::robust
