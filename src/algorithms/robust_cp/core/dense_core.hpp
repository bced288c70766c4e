#pragma once
/// The small dense problem inside the nested solver: a sub-tensor of bounded size, whatever the
/// size of the data. Entries are in C order.

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "algorithms/robust_cp/core/algebra/factors.hpp"
#include "algorithms/robust_cp/core/monitor.hpp"
#include "engine/pass/pass.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

using Entries = Eigen::ArrayXd;
/// Rows contiguous: one row is one regression.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct DenseCore {
  Shape shape;
  Entries values;    ///< 0 where missing
  Entries observed;  ///< 1 or 0; empty when nothing is missing
  int threads = 1;   ///< for the passes over it
  /// Entries at these ends are only known to lie there or beyond. Fits under noise heed that.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();

  bool complete() const { return observed.size() == 0; }
  double observed_share() const { return complete() ? 1.0 : observed.mean(); }
  bool is_observed(Index i) const { return complete() || observed[i] > 0; }
  bool has_ends() const { return std::isfinite(lowest) || std::isfinite(highest); }
  bool is_at_end(Index i) const { return values[i] <= lowest || values[i] >= highest; }
};

/// The solver works on numbers near one, whatever the unit of the data; a power of two changes no
/// digit. 1 if there is none.
double power_of_two_near(double x);

/// A pass over the observed entries of the core.
PassResult pass_over(const DenseCore& core, PassRequest request, Monitor& monitor);

/// One fused pass over the core: the MTTKRPs of the residual that the rule keeps, all modes, and
/// its sums.
enum class Products { all, none };
PassResult fused_pass(const DenseCore& core, const Factors& factors, const Rule& rule,
                      Monitor& monitor, Products products = Products::all);

/// L on the core, and T - L there (0 where missing).
Entries evaluate(const Factors& factors);
Entries residual(const DenseCore& core, const Factors& factors);

/// Mode `mode` as rows, all others as columns.
RowMatrix unfold(const Shape& shape, const Entries& entries, int mode);

}  // namespace sunder::robust
