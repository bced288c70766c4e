#include "algorithms/robust_cp/inference/verdict/gather_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/consensus/parts.hpp"
#include "algorithms/robust_cp/inference/component_tests.hpp"
#include "algorithms/robust_cp/inference/error_rates.hpp"
#include "algorithms/robust_cp/inference/errors/score_slope.hpp"
#include "algorithms/robust_cp/inference/errors/standard_errors.hpp"
#include "algorithms/robust_cp/inference/ranks/rank_fit.hpp"
#include "algorithms/robust_cp/inference/verdict/halves.hpp"
#include "algorithms/robust_cp/inference/verdict/residual_tests.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

class Gathering {
 public:
  Gathering(const DenseCore& part, const ModeConstraints& constraints, Rng& rng, Monitor& monitor)
      : part_(part), constraints_(constraints), rng_(rng), monitor_(monitor) {}

  NoiseEvidence run(const NoisyFit& start) {
    fit_ = refine(part_, start.factors, start.noise,
                  {.steps = limits::rank_steps, .constraints = constraints_}, monitor_);
    if (!find_weights() || !find_errors()) return {};
    evidence_.known = true;
    test_components();
    test_residuals(part_, z_, inlier_, *rates_, evidence_);
    test_halves(part_, fit_, model_, errors_.factors, z_, constraints_, rng_, monitor_, evidence_);
    look_for_another();
    return evidence_;
  }

 private:
  /// z by the empirical null, and P(noise) of each entry. False: there is no such null.
  bool find_weights() {
    likelihood_sums(part_, fit_.factors, fit_.noise, monitor_, &weights_);
    NoiseModel noise = fit_.counted_under;
    noise.variance = fit_.noise.variance;
    if (fit_.noise.is_below_resolution() || fit_.noise.count_unit > 0) return false;
    const StandardResiduals residuals = standard_residuals(fit_.residuals, noise);
    const std::optional<NullDistribution> null = fit_null(residuals);
    if (!null) return false;
    rates_.emplace(residuals, *null, limits::margin);
    residuals_ = residual(part_, fit_.factors);
    z_ = residuals_ / weights_.variance.sqrt();
    inlier_.resize(z_.size());
    for (Index i = 0; i < z_.size(); ++i) {
      inlier_[i] = part_.is_observed(i) ? rates_->local(z_[i]) : 0;
    }
    return true;
  }

  bool find_errors() {
    model_ = as_model(fit_.factors);
    model_.normalise();
    const Factors factors = scaled_factors(model_);
    Index unknowns = 0;
    for (const Matrix& factor : factors) unknowns += factor.size();
    if (unknowns > limits::most_unknowns) return false;
    NormalEquations equations(factors);
    equations.add(part_, all_indices(part_.shape), residuals_, weights_, fit_.noise);
    errors_ = standard_errors(model_, constraints_, equations, relative_score_slope(fit_));
    return errors_.known;
  }

  void test_components() {
    evidence_.outliers = 1 - rates_->null().share;
    evidence_.box = boxes(fit_.factors).maxCoeff();
    evidence_.imprecision = 0;
    for (const Matrix& errors : errors_.factors) {
      evidence_.imprecision =
          std::max(evidence_.imprecision, errors.colwise().squaredNorm().maxCoeff());
    }
    const Entries L = evaluate(fit_.factors);
    Entries is_inlier = (inlier_ > 0.5).cast<double>();
    const double variance = (is_inlier * weights_.variance).mean();
    const double consistency =
        core_consistency(part_.shape, L + is_inlier * residuals_, fit_.factors, variance);
    // Where it is not defined, nothing is known against the components.
    evidence_.consistency = std::isnan(consistency) ? 100 : consistency;
    const RankFitter fitter(part_, constraints_, false, rng_, monitor_);
    const double description = 0.5 * fitter.unknowns(1) * std::log(fitter.entries());
    evidence_.gain = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < fit_.factors.front().cols(); ++k) {
      Factors alone;
      for (const Matrix& factor : fit_.factors) alone.emplace_back(factor.col(k));
      const double squares = (inlier_ * evaluate(alone).square() / weights_.variance).sum() / 2;
      evidence_.gain = std::min(evidence_.gain, squares / description);
    }
  }

  /// Whether a component more pays, is none of noise or errors, and leaves core consistency.
  void look_for_another() {
    const auto rank = static_cast<int>(fit_.factors.front().cols());
    RankFitter fitter(part_, constraints_, false, rng_, monitor_);
    if (limits::entries_per_unknown * fitter.unknowns(rank + 1) > fitter.entries()) return;
    RankFit present;
    present.fit = fit_;
    const RankFit larger = fitter.fit(rank + 1, &present);
    const double before =
        fitter.entries() * fit_.nats + 0.5 * fitter.unknowns(rank) * std::log(fitter.entries());
    const bool may_count =
        larger.record.boxes == 0 && !(larger.record.consistency < limits::least_consistency);
    const double saved = (before - larger.record.description) / fitter.unknowns(1);
    evidence_.further = may_count && saved > limits::worth_another ? saved : 0;
  }

  const DenseCore& part_;
  const ModeConstraints& constraints_;
  Rng& rng_;
  Monitor& monitor_;
  NoisyFit fit_;
  EntryWeights weights_;
  std::optional<ErrorRates> rates_;
  Entries residuals_, z_, inlier_;
  CpModel model_;
  StandardErrors errors_;
  NoiseEvidence evidence_;
};

}  // namespace

NoiseEvidence gather_evidence(const DenseCore& part, const NoisyFit& fit,
                              const ModeConstraints& constraints, Rng& rng, Monitor& monitor) {
  return Gathering(part, constraints, rng, monitor).run(fit);
}

}  // namespace sunder::robust
