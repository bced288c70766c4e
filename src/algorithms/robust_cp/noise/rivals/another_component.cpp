#include "algorithms/robust_cp/noise/rivals/another_component.hpp"

#include "algorithms/robust_cp/consensus/window.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/noise/pruned.hpp"
#include "algorithms/robust_cp/noise/starts/starts.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

Factors without_zeros(Factors factors) {
  for (Index k = factors.front().cols() - 1; k >= 0; --k) {
    if (!(factors.front().col(k).norm() > 0)) factors = without_component(factors, k);
  }
  return factors;
}

}  // namespace

std::vector<NoisyFit> fits_with_another_component(const DenseCore& core, const NoisyFit& fit,
                                                  Rng& rng, Monitor& monitor) {
  const Index rank = fit.factors.front().cols();
  const double scale = limits::respawn_width * fit.noise.sigma();
  NoisyFit larger =
      refine(core, with_leading_term(core, without_zeros(fit.factors), scale, rng, monitor),
             fit.noise, {.steps = limits::final_steps}, monitor);
  separate_components(larger.factors);
  std::vector<NoisyFit> fits;
  for (const Index k : dispensable_components(core, larger, monitor)) {
    fits.push_back(refine(core, without_component(larger.factors, k), larger.noise,
                          {.steps = limits::core_steps, .hopeless = fit.nats + limits::near_rival},
                          monitor));
    for (Matrix& factor : fits.back().factors) {
      if (factor.cols() < rank) factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank));
    }
  }
  return fits;
}

}  // namespace sunder::robust
