#pragma once
/// Entries of a core, drawn at random, on which quantiles and costs are taken: a pass costs more.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/levels/core.hpp"

namespace sunder::robust {

class CoreSample {
 public:
  /// `count` of the entries in `from`, or all of them if they are few.
  CoreSample(const DenseCore& core, const std::vector<Index>& from, Rng& rng,
             Index count = levels::graduated::sample);

  /// A component's share in each entry.
  Entries component(const Factors& factors, Index i) const;
  /// C at each entry.
  const Entries& values() const { return values_; }
  /// C - L at each entry.
  Entries residual(const Factors& factors) const;

 private:
  Entries values_;
  std::vector<std::vector<Index>> at_;  ///< of each mode, the index of each entry
};

/// Mean of the Geman-McClure cost u / (1 + u), u = (R / c)^2.
double robust_cost(const Entries& R, double c);

/// How much worse the robust cost is without each component, in the order of the components.
/// `R`: the residual of the factors on the sample.
Eigen::ArrayXd leave_one_out(const CoreSample& sample, const Factors& factors, const Entries& R,
                             double c);

}  // namespace sunder::robust
