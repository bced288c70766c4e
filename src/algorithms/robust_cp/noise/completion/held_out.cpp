#include "algorithms/robust_cp/noise/completion/held_out.hpp"

#include <algorithm>

#include "algorithms/robust_cp/levels/completion.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::completion;

HeldOut hold_out(const DenseCore& core, Rng& rng) {
  HeldOut held{core, {}};
  if (core.complete()) held.core.observed = Entries::Ones(core.shape.entries());
  for (Index i = 0; i < core.shape.entries(); ++i) {
    if (!core.is_observed(i) || rng.uniform() >= limits::hidden_share) continue;
    // What was cut off is right for every L beyond the end, and tells nothing about a prediction.
    if (core.is_at_end(i)) continue;
    held.hidden.push_back(i);
    held.core.values[i] = 0;
    held.core.observed[i] = 0;
  }
  return held;
}

bool predicts_clearly_better(const DenseCore& core, const std::vector<Index>& hidden,
                             const Entries& first, const Entries& second) {
  if (hidden.empty()) return false;
  const Entries a = (core.values - first)(hidden).abs();
  const Entries b = (core.values - second)(hidden).abs();
  std::vector<double> sizes_a(a.begin(), a.end());
  std::vector<double> sizes_b(b.begin(), b.end());
  const double limit =
      limits::hidden_limit * std::min(quantile(sizes_a, 0.5), quantile(sizes_b, 0.5));
  return a.min(limit).square().sum() < limits::clearly_better * b.min(limit).square().sum();
}

}  // namespace sunder::robust
