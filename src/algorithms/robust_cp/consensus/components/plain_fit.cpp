#include "algorithms/robust_cp/consensus/components/plain_fit.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

Factors plain_fit(const DenseCore& core, int rank, Rng& rng, Monitor& monitor) {
  Entries X = core.values;
  if (!core.complete()) X /= core.observed_share();
  return least_squares(core, subspace_start(core.shape, X, rank, rng, monitor), monitor);
}

Factors least_squares(const DenseCore& core, Factors factors, Monitor& monitor) {
  namespace limits = levels::plain;
  const double all = core.values.square().sum();
  double before = residual(core, factors).square().sum();
  double damping = limits::first_damping;
  for (int step = 0; step < limits::steps && before > limits::done * all; ++step) {
    Factors next =
        stepped(factors, damped_step(core, factors, damping, levels::patient_step, monitor));
    const double after = residual(core, next).square().sum();
    if (!(after < before)) {
      if (damping > limits::most_damping) break;
      damping *= limits::more_damping;
      continue;
    }
    damping = std::max(limits::least_damping, damping / limits::less_damping);
    balance(next);
    factors = std::move(next);
    before = after;
  }
  return factors;
}

}  // namespace sunder::robust
