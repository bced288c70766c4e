#include "algorithms/robust_cp/noise_finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/comparison.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

double noise_threshold(const RunContext& context, const Candidate& candidate, double sigma) {
  const double rounding = rounding_bound(context.engine, context.state.precision, context.run.rank,
                                         candidate.core.spread);
  const double width = context.options.noise_width;
  return std::max((width > 0 ? width : levels::usual_noise_width) * sigma, rounding);
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
