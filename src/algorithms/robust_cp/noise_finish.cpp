#include "algorithms/robust_cp/noise_finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/comparison.hpp"
#include "algorithms/robust_cp/extend/polish.hpp"

namespace sunder::robust {

double noise_threshold(const RunContext& context, const Candidate& candidate, double sigma) {
  const double rounding = rounding_bound(context.engine, context.state.precision, context.run.rank,
                                         candidate.core.spread);
  return std::max(context.options.noise_width * sigma, rounding);
}

double polish(RunContext& context, Candidate& candidate) {
  double sigma = residuals_of(context, candidate.factors).sigma();
  for (int k = 0; k < context.options.polish_passes; ++k) {
    auto step = context.steps.take<Polished>("polishing", [&] {
      context.stage = "polishing";
      Polished now{polished(context.engine, candidate.factors,
                            {.sigma = sigma,
                             .scale = context.state.scale,
                             .precision = context.state.precision,
                             .constraints = context.constraints},
                            context.monitor)};
      now.sigma = residuals_of(context, now.factors).sigma();
      return now;
    });
    candidate.factors = std::move(step.factors);
    sigma = step.sigma;
  }
  return sigma;
}

std::string explain_noise(int rank, double sigma, bool core_is_whole) {
  return fmt::format(
      "No model of rank {} fits the entries to rounding. The residuals of the entries outside S "
      "have a standard deviation of about {:.3g}, which may be noise, under which there is no "
      "certificate, or the sign of a wrong rank. {} agree on L, which is no proof.",
      rank, sigma,
      core_is_whole ? "Two fits from different random starts" : "Two cores drawn independently");
}

std::string explain_stall(const RunContext& context, bool core_is_whole) {
  const std::string& rejection = context.state.rejection;
  return fmt::format(
      "No core gave a model that explains the data. {}. The rank may be too small or too large, or "
      "too much of the data may be corrupted: try another `rank`{}.",
      rejection.empty() ? "The models of different cores disagree" : rejection,
      core_is_whole              ? ""
      : context.budget.limited() ? ", a larger `core` or more `memory`"
                                 : " or a larger `core`");
}

}  // namespace sunder::robust
